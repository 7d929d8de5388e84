#include "mesh/pressure_field.h"

namespace csim {

LinearField linear_field(const std::array<Vector3, 4>& v, const std::array<double, 4>& p) {
  LinearField field;
  // p = sum_i p_i b_i with the barycentric coordinates b_i, which grow from face i, with normal N, to vertex
  // i: grad b_i = N / (N . (v_i - a)), a on the face. They sum to one, so that p_0 can be taken off.
  for (int i = 1; i < 4; ++i) {
    const auto& [a, b, c] = kTetFaces[i];
    const Vector3 normal = (v[b] - v[a]).cross(v[c] - v[a]);
    field.gradient += (p[i] - p[0]) / normal.dot(v[i] - v[a]) * normal;
  }
  field.constant = p[0] - field.gradient.dot(v[0]);
  return field;
}

std::vector<LinearField> linear_fields(const CompliantMesh& compliant) {
  const TetMesh& mesh = compliant.mesh;
  std::vector<LinearField> fields;
  fields.reserve(mesh.tets.size());
  for (const auto& [a, b, c, d] : mesh.tets) {
    fields.push_back(linear_field(
        {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]},
        {compliant.pressure[a], compliant.pressure[b], compliant.pressure[c], compliant.pressure[d]}));
  }
  return fields;
}

}  // namespace csim
