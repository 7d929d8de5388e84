#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "geometry/bounds.h"
#include "geometry/mass_properties.h"
#include "model/build_stages.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

// Adds a part, given in the frame G of a geometry at X_BG, to the mass properties of a body.
void add_part(const MassProperties& part, const RigidTransform& X_BG, MassProperties* total) {
  const double mass = total->mass + part.mass;
  if (!(mass > 0.0)) return;
  const Vector3 com_part = X_BG * part.com;
  const Matrix3 offset = skew(com_part - total->com);
  // Parallel axes with the reduced mass: both inertias are about their own centres.
  total->inertia +=
      X_BG.R * part.inertia * X_BG.R.transpose() - total->mass * part.mass / mass * offset * offset;
  total->com += part.mass / mass * (com_part - total->com);
  total->mass = mass;
}

// Boxes around geometries of one body that overlap by more than rounding: their solids may.
void note_overlaps(const std::vector<const Geometry*>& solids, std::vector<std::string>* notes) {
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const Aabb a = transformed(solids[i]->X_BG, bounding_box(solids[i]->shape));
    for (std::size_t j = i + 1; j < solids.size(); ++j) {
      const Aabb b = transformed(solids[j]->X_BG, bounding_box(solids[j]->shape));
      const double slack = 1e-9 * std::max(a.half_size().norm(), b.half_size().norm());
      if (!a.inflated(-slack).overlaps(b)) continue;
      notes->push_back("the geometries " + solids[i]->name + " and " + solids[j]->name +
                       " may overlap; where they do, the body's mass properties count the solid twice");
    }
  }
}

// Why a shape gives no mass.
const char* without_volume(const Shape& shape) {
  if (std::holds_alternative<Mesh>(shape)) return "an open surface has no volume, expected a closed one";
  if (std::holds_alternative<HalfSpace>(shape)) return "a half space has no volume, expected another shape";
  return "the volume is too small for a double, expected a larger shape";
}

// The mass properties of solids, those of a mesh or a hull that many geometries share computed once a
// density.
class SolidMasses {
 public:
  MassProperties of(const Shape& shape, double density) {
    const void* surface = nullptr;
    if (const auto* mesh = std::get_if<Mesh>(&shape)) surface = mesh->mesh.get();
    if (const auto* convex = std::get_if<Convex>(&shape)) surface = convex->polytope.get();
    if (surface == nullptr) return solid_mass_properties(shape, density);
    const auto [entry, is_new] = shared_.try_emplace({surface, density});
    if (is_new) entry->second = solid_mass_properties(shape, density);
    return entry->second;
  }

 private:
  std::map<std::pair<const void*, double>, MassProperties> shared_;
};

// The sum of the solids of a body at a density, kg/m^3; false on errors.
bool sum_solids(const Scene& scene, const Model& model, int body, int first_geometry, double density,
                SolidMasses* masses, MassProperties* total, Problems* problems,
                std::vector<std::string>* notes) {
  bool complete = true;
  std::vector<const Geometry*> solids;
  for (std::size_t g = 0; g < scene.bodies[body].geometry.size(); ++g) {
    const Geometry& geometry = model.geometries[first_geometry + g];
    if (geometry.kind == ContactKind::kNone) continue;
    const MassProperties part = masses->of(geometry.shape, density);
    if (!(part.mass > 0.0)) {
      problems->push_back({geometry_path(scene, body, static_cast<int>(g)) + ".shape",
                           std::string(without_volume(geometry.shape)) +
                               " where the mass comes from the geometries (or contact: none, or mass with "
                               "inertia given as numbers)"});
      complete = false;
      continue;
    }
    add_part(part, geometry.X_BG, total);
    solids.push_back(&geometry);
  }
  if (complete) note_overlaps(solids, notes);
  if (complete && solids.empty()) {
    const BodySpec& spec = scene.bodies[body];
    problems->push_back(
        {"bodies." + spec.name + (spec.mass_source == MassSource::kDensity ? ".density" : ".inertia"),
         "the body has no geometry whose volume could count (those with contact: none do not)"});
    return false;
  }
  if (complete && !(std::isfinite(total->mass) && total->com.allFinite() && total->inertia.allFinite())) {
    problems->push_back({"bodies." + scene.bodies[body].name,
                         "the mass or inertia of its geometries is not finite, expected smaller ones"});
    return false;
  }
  return complete;
}

Matrix3 to_matrix(const std::array<double, 6>& i) {
  Matrix3 inertia;
  inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  return inertia;
}

// Positive definite and within the triangle inequality of the principal moments; a body without mass may have
// none.
void check_inertia(const BodySpec& spec, const MassProperties& mass, Problems* problems) {
  if (mass.mass == 0.0 && mass.inertia.isZero(0.0)) return;
  if (is_item_name(spec.name)) return;  // judged with what it is welded to, by the scene's reader
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(mass.inertia, Eigen::EigenvaluesOnly);
  const Vector3 I = solver.eigenvalues();
  constexpr double kSlack = 3e-9;  // relative; rounding of flat bodies (a thin rod: 0.1, 0.1, 0), no tighter
                                   // than the reader of scenes
  std::ostringstream text;
  text << "principal moments " << I[0] << ", " << I[1] << ", " << I[2] << " kg m^2";
  if (!(I[0] > 0.0)) {
    problems->push_back({"bodies." + spec.name + ".inertia", text.str() + ", expected all > 0"});
  } else if (I[2] > (I[0] + I[1]) * (1.0 + kSlack)) {
    problems->push_back({"bodies." + spec.name + ".inertia",
                         text.str() + ", expected the largest to be at most the sum of the others"});
  }
}

}  // namespace

void build_masses(const Scene& scene, Model* model, Problems* problems, std::vector<std::string>* notes) {
  int first_geometry = 0;
  SolidMasses masses;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& spec = scene.bodies[b];
    const int body = static_cast<int>(b);
    MassProperties& mass = model->bodies[b].mass;
    switch (spec.mass_source) {
      case MassSource::kNone:
        if (model->bodies[b].tree < 0) break;
        problems->push_back(
            {"bodies." + spec.name, "a moving body without mass, expected density, or mass with inertia"});
        break;
      case MassSource::kExplicit:
        mass = {spec.mass, spec.com, to_matrix(spec.inertia)};
        check_inertia(spec, mass, problems);
        break;
      case MassSource::kDensity:
        sum_solids(scene, *model, body, first_geometry, spec.density, &masses, &mass, problems, notes);
        break;
      case MassSource::kSolid:
        if (sum_solids(scene, *model, body, first_geometry, 1.0, &masses, &mass, problems, notes)) {
          mass.inertia *= spec.mass / mass.mass;
          mass.mass = spec.mass;
        }
        break;
    }
    first_geometry += static_cast<int>(spec.geometry.size());
  }
  for (FreeBody& free : model->free_bodies) free.mass = model->bodies[free.body].mass;
}

}  // namespace csim
