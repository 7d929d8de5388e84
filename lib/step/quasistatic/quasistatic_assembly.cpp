#include "step/quasistatic/quasistatic_assembly.h"

namespace csim {

QuasistaticAssembly::QuasistaticAssembly(const Model& model, const Scene& scene)
    : model_(model),
      spec_(scene.integrator),
      h_(scene.time.step),
      quasistatic_(make_quasistatic_model(model)),
      finder_(model),
      turning_(model, quasistatic_),
      zero_twists_(model.bodies.size()) {
  resting_.v.setZero(model.nv);
}

void QuasistaticAssembly::place(const VectorX& q, double time, const std::vector<char>& broken) {
  resting_.q = q;
  resting_.broken = broken;
  resting_.time = time;
  compute_kinematics(model_, q, time, time, &kinematics_);
}

void QuasistaticAssembly::find_contacts(double threshold, ContactSet* contacts) {
  ContactQuery query;
  query.X_WB = &kinematics_.X_WB;
  query.V0 = query.V_star = &zero_twists_;
  query.surface_velocity = &kinematics_.surface_velocity_W;
  query.margin = threshold;
  finder_.find(query, contacts);
}

bool QuasistaticAssembly::find_plane() {
  if (spec_.rays_per_contact != 2 || has_friction_cones(spec_)) return true;
  plane_ = find_plane_of_motion(model_, quasistatic_, kinematics_);
  return plane_.has_value();
}

void QuasistaticAssembly::build(const VectorX& command, const ContactSet& contacts,
                                const std::vector<int>* tangents, const std::vector<double>& drags,
                                QuasistaticProblem* problem) {
  compute_dynamics(model_, kinematics_, resting_, resting_.time + h_, &dynamics_);
  for (const Tree& tree : model_.trees) {  // M without armature
    for (int k = 0; k < tree.nv; ++k)
      dynamics_.mass[tree.block_begin + k * (tree.nv + 1)] -= model_.armature[tree.v_begin + k];
  }
  turning_.find(kinematics_, command);
  build_quasistatic_problem(
      model_, quasistatic_, spec_, kinematics_, contacts, plane_,
      {h_, &resting_, &command, &dynamics_.mass, &dynamics_.external, tangents, &turning_, &drags, &terms_},
      problem);
  make_constraints_near_rigid(problem, &work_);
  if (spec_.problem == QuasistaticKind::kNearRigid) make_near_rigid(problem, &work_);
}

void QuasistaticAssembly::relax(QuasistaticProblem* problem) {
  problem->barrier = 0.0;
  for (int k = 0; problem->executes_commands && k < problem->nv(); ++k)
    if (problem->is_passive[k] == 0) problem->b[k] += problem->h * problem->load[k];
  problem->has_coulomb_friction = problem->executes_commands = false;
  make_near_rigid(problem, &work_);
}

}  // namespace csim
