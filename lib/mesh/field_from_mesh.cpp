#include "mesh/field_from_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/number_format.h"
#include "geometry/bounding_volume_tree.h"
#include "geometry/nearest_point.h"

namespace csim {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What counts as met: rounding of unit vectors, amplified a little.
constexpr double kSlack = 1e-9;

/// The point of the line u . normals[a] = 1, u . normals[b] = 1 that is nearest to the origin and leaves the
/// first b planes.
std::optional<Vector3> shortest_on_line(const std::vector<Vector3>& normals, std::size_t a, std::size_t b) {
  const Vector3 &na = normals[a], &nb = normals[b], along = na.cross(nb);
  if (along.squaredNorm() < 1e-18) return std::nullopt;  // opposite planes
  const Vector3 base = (na + nb) / (1.0 + na.dot(nb));
  double low = -kInfinity, high = kInfinity;  // of the parameter along the line
  for (std::size_t k = 0; k < b; ++k) {
    const double rate = normals[k].dot(along), missing = 1.0 - normals[k].dot(base);
    if (std::abs(rate) < 1e-14) {
      if (missing > kSlack) return std::nullopt;
    } else if (rate > 0.0) {
      low = std::max(low, missing / rate);
    } else {
      high = std::min(high, missing / rate);
    }
  }
  if (low > high + kSlack * (1.0 + std::abs(low))) return std::nullopt;
  return base + std::clamp(0.0, std::min(low, high), std::max(low, high)) * along;
}

/// Moves the boundary out and tells what does not work, or nothing.
std::string grow(double margin, const MeshNumbers& numbers, TetMesh* mesh) {
  std::vector<std::vector<Vector3>> normals(mesh->vertices.size());
  for (const TetFace& face : boundary_faces(*mesh)) {
    const auto& [a, b, c] = face.vertices;
    const Vector3 normal =
        (mesh->vertices[b] - mesh->vertices[a]).cross(mesh->vertices[c] - mesh->vertices[a]).normalized();
    for (const int v : face.vertices) normals[v].push_back(normal);
  }
  for (std::size_t v = 0; v < normals.size(); ++v) {
    if (normals[v].empty()) continue;
    const auto way = shortest_way_out(normals[v]);
    if (!way) {
      return "margin: no direction leads out of all faces around " + numbers.vertex(v) +
             "; use margin 0, or a mesh whose field already has a margin";
    }
    mesh->vertices[v] += margin * *way;
  }
  for (int t = 0; t < static_cast<int>(mesh->tets.size()); ++t) {
    if (tet_volume(*mesh, t) > 0.0) continue;
    return "margin: " + format_number(margin) + " m would turn over " + numbers.tet(t) +
           ", which lies in a notch of the surface; use a smaller margin";
  }
  return {};
}

/// A tet so flat that its pressure has no finite gradient, or nothing.
std::string find_flat(const CompliantMesh& compliant, const MeshNumbers& numbers) {
  const std::vector<LinearField> fields = linear_fields(compliant);
  for (std::size_t t = 0; t < fields.size(); ++t) {
    if (std::isfinite(fields[t].gradient.squaredNorm()) && std::isfinite(fields[t].constant)) continue;
    return numbers.tet(t) + " is too flat for a pressure gradient, its volume is " +
           format_number(tet_volume(compliant.mesh, static_cast<int>(t))) + " m^3";
  }
  return {};
}

}  // namespace

std::vector<double> distance_to_boundary(const TetMesh& mesh) {
  const std::vector<TetFace> boundary = boundary_faces(mesh);
  const std::vector<bool> on_boundary = boundary_vertices(mesh);
  std::vector<Aabb> boxes;
  for (const TetFace& face : boundary) {
    Aabb box;
    for (const int v : face.vertices) box.add(mesh.vertices[v]);
    boxes.push_back(box);
  }
  BoundingVolumeTree tree;
  tree.build(boxes);
  std::vector<double> distance(mesh.vertices.size(), 0.0);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (on_boundary[v]) continue;
    const Vector3& x = mesh.vertices[v];
    double best = kInfinity;
    (void)tree.nearest(x, &best, [&](int item) {
      const auto& [a, b, c] = boundary[item].vertices;
      return (x - nearest_on_triangle(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], x)).squaredNorm();
    });
    distance[v] = std::sqrt(best);
  }
  return distance;
}

std::optional<Vector3> shortest_way_out(const std::vector<Vector3>& normals) {
  // One plane after the other: where the shortest way so far does not leave the next plane, the new one ends
  // on that plane (the problem is convex); likewise within the plane.
  Vector3 u = Vector3::Zero();
  for (std::size_t i = 0; i < normals.size(); ++i) {
    if (normals[i].dot(u) >= 1.0 - kSlack) continue;
    u = normals[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (normals[j].dot(u) >= 1.0 - kSlack) continue;
      const auto on_line = shortest_on_line(normals, i, j);
      if (!on_line) return std::nullopt;
      u = *on_line;
    }
  }
  return u;
}

LoadResult<CompliantMesh> field_from_distance(TetMesh mesh, const MeshNumbers& numbers, double modulus,
                                              double margin) {
  const std::vector<double> distance = distance_to_boundary(mesh);
  const double H = distance.empty() ? 0.0 : *std::max_element(distance.begin(), distance.end());
  if (H == 0.0) {
    return {
        std::nullopt,
        "no vertex lies inside, so that a pressure that vanishes on the surface vanishes everywhere; mesh "
        "the body finer, or refine it with csim mesh export --split-problem-simplices"};
  }
  const std::vector<bool> on_boundary = boundary_vertices(mesh);
  if (margin > 0.0) {
    if (std::string wrong = grow(margin, numbers, &mesh); !wrong.empty()) return {std::nullopt, wrong};
  }
  CompliantMesh compliant;
  for (std::size_t v = 0; v < distance.size(); ++v) {
    compliant.pressure.push_back(modulus * ((on_boundary[v] ? -margin : distance[v]) / H) + 0.0);
  }
  compliant.mesh = std::move(mesh);
  if (std::string wrong = find_flat(compliant, numbers); !wrong.empty()) return {std::nullopt, wrong};
  return {std::move(compliant), {}};
}

LoadResult<CompliantMesh> field_from_values(TetMesh mesh, const MeshNumbers& numbers,
                                            std::vector<double> values, double factor) {
  const auto fail = [&](std::size_t v, double value, const char* what) {
    return LoadResult<CompliantMesh>{
        std::nullopt, numbers.vertex(v) + " has the value " + format_number(value) + ", " + what};
  };
  double largest = 0.0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!std::isfinite(values[v])) return fail(v, values[v], "a finite number expected");
    largest = std::max(largest, values[v]);
  }
  if (!(largest > 0.0)) return {std::nullopt, "no value is positive: the field presses nowhere"};
  const std::vector<bool> on_boundary = boundary_vertices(mesh);
  bool has_margin = false;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!on_boundary[v]) continue;
    if (std::abs(values[v]) <= 1e-9 * largest) values[v] = 0.0;
    if (values[v] > 0.0) return fail(v, values[v], "0 expected on the boundary");
    has_margin = has_margin || values[v] < 0.0;
  }
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!on_boundary[v] && !has_margin && values[v] < 0.0)
      return fail(v, values[v], "at least 0 expected inside");
    values[v] *= factor;
  }
  CompliantMesh compliant{std::move(mesh), std::move(values)};
  if (std::string wrong = find_flat(compliant, numbers); !wrong.empty()) return {std::nullopt, wrong};
  return {std::move(compliant), {}};
}

}  // namespace csim
