// Damping that explicit steps cannot follow, told before a run that would not end.
#include <Eigen/Cholesky>

#include "core/number_format.h"
#include "model/build_stages.h"
#include "model/dynamics.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

// A speed that fades as exp(-t/T) grows in steps above 2.51 T [Bogacki & Shampine 1989, A 3(2) pair of
// Runge-Kutta formulas: third order in three stages].
constexpr double kStable = 2.51;
constexpr double kManySteps = 1e6;  // 7 s of two pendulums: fewer are no reason to change a scene

struct Damping {
  double damping = 0.0, rate = 0.0;  // N s/m or N m s/rad, 1/s
  int v = -1;
};

/// The coordinate whose speed fades fastest by its own damping. By that of all together something fades at
/// least as fast: d_k (M^-1)_kk is on the diagonal of D^1/2 M^-1 D^1/2, whose eigenvalues are the rates.
Damping find_fastest(const Model& model, const State& state) {
  VectorX damping = model.damping + model.drive_damping;
  for (const CoordinateRow& row : model.rows)
    if (row.owner == RowOwner::kDrive && row.terms.size() == 1)
      damping[row.terms[0].coordinate.v] += row.law.damping;
  Kinematics kinematics;
  Dynamics dynamics;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  compute_dynamics(model, kinematics, state, state.time, &dynamics);
  Damping fastest;
  for (const Tree& tree : model.trees) {
    if (damping.segment(tree.v_begin, tree.nv).isZero(0.0)) continue;
    const Eigen::Map<const MatrixX> M(dynamics.mass.data() + tree.block_begin, tree.nv, tree.nv);
    const MatrixX inverse = M.llt().solve(MatrixX::Identity(tree.nv, tree.nv));
    for (int k = 0; k < tree.nv; ++k) {
      const double d = damping[tree.v_begin + k];
      if (d * inverse(k, k) > fastest.rate) fastest = {d, d * inverse(k, k), tree.v_begin + k};
    }
  }
  return fastest;
}

}  // namespace

void note_stiff_damping(const Scene& scene, const Model& model, const State& state,
                        std::vector<std::string>* notes) {
  if (!integrator_kind(scene).needs_accelerations) return;
  const Damping fastest = find_fastest(model, state);
  const double steps = scene.time.end * fastest.rate / kStable;
  if (!(steps > kManySteps)) return;
  for (const Body& body : model.bodies) {
    if (body.joint.scene_joint < 0 || fastest.v < body.joint.v_begin ||
        fastest.v >= body.joint.v_begin + body.joint.nv)
      continue;
    notes->push_back("joints." + scene.joints[static_cast<std::size_t>(body.joint.scene_joint)].name +
                     ": its damping, " + format_number(fastest.damping) +
                     " with that of its drives, stops it within " +
                     format_text("%.2g s, and steps", 1.0 / fastest.rate) +
                     " under integrator.type: " + integrator_kind(scene).name +
                     format_text(" are hardly longer: at least about %.2g of them", steps) +
                     " until time.end; discrete and error_controlled take damping implicitly, at any step");
  }
}

}  // namespace csim
