#include "step/discrete/step_accounts.h"

#include <algorithm>

#include "model/actuator.h"
#include "model/force.h"

namespace csim {
namespace {

/// Gives the prescribed bodies other twists, and all bodies that they carry: of_motion(body).
template <typename OfMotion>
void set_root_twists(const Model& model, OfMotion&& of_motion, Kinematics* kinematics) {
  for (const int i : model.articulated_order) {
    const Body& body = model.bodies[i];
    const int parent = body.joint.parent;
    if (body.motion >= 0) {
      kinematics->bias_twist[i] = of_motion(i);
    } else if (parent >= 0) {
      const Vector3 r = kinematics->X_WB[i].p - kinematics->X_WB[parent].p;
      kinematics->bias_twist[i] = shift_twist(kinematics->bias_twist[parent], r);
    }
  }
}

double kinetic_energy(const MassProperties& mass, const Matrix3& R, const Twist& V) {
  const Vector3 w = R.transpose() * V.w;
  return 0.5 * mass.mass * V.at(R * mass.com).squaredNorm() + 0.5 * w.dot(mass.inertia * w);
}

/// Twists of prescribed bodies at the part s (s) of the step: V(t) + s (V(t + h) - V(t))/h.
auto root_twist(const Dynamics& dynamics, double s) {
  return [&dynamics, s](int body) {
    const Twist &V = dynamics.velocity[body], &A = dynamics.acceleration[body];
    return Twist{V.w + s * A.w, V.v + s * A.v};
  };
}

/// Rate, W, at which the weight of all bodies does work at the twists.
double weight_power(const Model& model, const Kinematics& kinematics, const Tree& tree,
                    const std::vector<Twist>& twists) {
  double power = 0.0;
  for (const int i : bodies_of(model, tree)) {
    const Body& body = model.bodies[i];
    power += body.mass.mass * body.gravity.dot(twists[i].at(kinematics.X_WB[i].R * body.mass.com));
  }
  return power;
}

/// J, of the weight of a tree's bodies; 0 at the world origin.
double weight_energy(const Model& model, const Kinematics& kinematics, const Tree& tree) {
  double energy = 0.0;
  for (const int i : bodies_of(model, tree)) {
    const Body& body = model.bodies[i];
    energy -= body.mass.mass * body.gravity.dot(kinematics.X_WB[i] * body.mass.com);
  }
  return energy;
}

/// With what prescribed bodies do to trees rooted in them left out: work of the forces that velocities make,
/// J. `moving`: twists of the roots at the middle of the step; `weight`: power of the tree's weight.
double velocity_work(const PreparedStep& p, const Tree& tree, const StepAccounts& w, double weight) {
  const Dynamics& d = p.dynamics;
  double power = -weight;
  for (int i = tree.v_begin; i < tree.v_begin + tree.nv; ++i)
    power += (d.force[i] - d.applied[i]) * w.v_mean[i];
  if (tree.single_free_body || p.model.motions.empty()) return p.h * power;
  // The tree's forces hold its root's acceleration a, -M_vr a, and its root's wrench the rest of what a does:
  // less both, with the momentum of the tree at the mean velocity times a.
  const int root = prescribed_root(p.model, tree);
  if (root < 0) return p.h * power;
  const int first = bodies_of(p.model, tree).front();
  const Twist& V = w.moving.bias_twist[first];
  power -= d.wrench[first].moment.dot(V.w) + d.wrench[first].force.dot(V.v);
  const Twist& A = d.acceleration[root];
  for (const int i : bodies_of(p.model, tree)) {
    const MassProperties& mass = p.model.bodies[i].mass;
    const Matrix3& R = p.kinematics.X_WB[i].R;
    const Vector3 c = R * mass.com;
    const Vector3 a = A.at(p.kinematics.X_WB[i].p + c - p.kinematics.X_WB[root].p);
    power +=
        mass.mass * w.mean[i].at(c).dot(a) + (R * (mass.inertia * (R.transpose() * w.mean[i].w))).dot(A.w);
  }
  return p.h * power;
}

/// Whether the trees that take no part sleep, and are some.
bool has_resting(const PreparedStep& p) {
  return p.is_whole && !p.trees.empty();
}

/// Of the trees that take no part.
MechanicalEnergy energy_of_others(const PreparedStep& p, const State& end, const StepAccounts& w) {
  TreeSet others(p.trees.size());
  std::transform(p.trees.begin(), p.trees.end(), others.begin(), [](char takes_part) { return !takes_part; });
  return energy_of_trees(p.model, w.end, w.twists, end.v, others);
}

/// Poses and twists at the end of a step, and what rests in it.
void place_end(const PreparedStep& p, const State& end, StepAccounts* w) {
  const Model& model = p.model;
  compute_kinematics(model, end.q, end.time, end.time, &w->end, trees_to_fill(p, &w->end.rest_number));
  const bool holds_others = is_held(w->rest_number, p.rest_number);
  const TreeSet& trees = trees_to_fill(p, &w->rest_number);
  copy_positions(model, trees, end.q, &w->q_end);
  compute_twists(model, w->end, end.v, &w->twists, trees);
  if (has_resting(p) && !holds_others) w->resting = energy_of_others(p, end, *w);
  w->has_end = true;
}

/// The mechanical energy at the end. What sleeps has a sum of its own: it is the same in step after step, and
/// after a resume.
MechanicalEnergy energy_at_end(const PreparedStep& p, const State& end, const StepAccounts& w) {
  if (!has_resting(p)) return mechanical_energy(p.model, w.end, w.twists, end);
  MechanicalEnergy energy = energy_of_trees(p.model, w.end, w.twists, end.v, p.trees);
  energy.kinetic += w.resting.kinetic;
  energy.potential += w.resting.potential;
  energy.springs = spring_energy(p.model, end.q);
  return energy;
}

/// scheme_gravity and scheme_mass_matrix.
void account_scheme(const PreparedStep& p, const SolvedStep& s, const TreeSet& trees, StepAccounts* w,
                    State* end) {
  const Model& model = p.model;
  EnergyAccounts& e = end->energy;
  const bool moves = !model.motions.empty();
  place_end(p, *end, w);
  if (moves) {
    w->moving = p.kinematics;
    set_root_twists(model, root_twist(p.dynamics, 0.5 * p.h), &w->moving);
  }
  const Kinematics& middle = moves ? w->moving : p.kinematics;
  e.work_prescribed += prescribed_joint_work(model, middle, p.dynamics, trees, p.state.v, s.v, p.h);
  compute_twists(model, middle, w->v_mean, &w->mean, trees);
  for_each_in(trees, 0, static_cast<int>(model.trees.size()), [&](int t) {
    const Tree& tree = model.trees[t];
    const double weight = weight_power(model, p.kinematics, tree, w->mean);
    e.scheme_gravity +=
        p.h * weight + weight_energy(model, w->end, tree) - weight_energy(model, p.kinematics, tree);
    end->tree_gain[t] += velocity_work(p, tree, *w, weight);
  });
  // Kinetic energies of the velocities found, at the start's pose and at the end's.
  if (moves) set_root_twists(model, root_twist(p.dynamics, p.h), &w->moving);
  compute_twists(model, middle, s.v, &w->mean, trees);
  for_each_in(trees, 0, static_cast<int>(model.trees.size()), [&](int t) {
    for (const int i : bodies_of(model, model.trees[t])) {
      const MassProperties& mass = model.bodies[i].mass;
      end->tree_gain[t] += kinetic_energy(mass, w->end.X_WB[i].R, w->twists[i]) -
                           kinetic_energy(mass, p.kinematics.X_WB[i].R, w->mean[i]);
    }
  });
  e.scheme_mass_matrix = end->tree_gain.sum();
}

/// Velocities before and after the step, and their mean; 0 of trees that are not accounted for.
void take_velocities(const PreparedStep& p, const SolvedStep& s, const TreeSet& trees, StepAccounts* w) {
  if (w->v0.size() != p.model.nv || w->trees != trees) {
    for (VectorX* v : {&w->v0, &w->v1, &w->v_mean}) v->setZero(p.model.nv);
    w->trees = trees;
  }
  for_each_tree(p.model, trees, [&](const Tree& tree) {
    const auto part = [&](auto& v) { return v.segment(tree.v_begin, tree.nv); };
    part(w->v0) = part(p.state.v);
    part(w->v1) = part(s.v);
    part(w->v_mean) = 0.5 * (part(p.state.v) + part(s.v));
  });
}

}  // namespace

bool is_end_of(const StepAccounts& work, const Model& model, const Participants& who, const State& state) {
  if (!model.motions.empty() || !work.has_end) return false;
  if (is_held(work.rest_number, who.rest_number) && is_held(state.rest_number, who.rest_number))
    return is_same_inside(model, who.trees, work.q_end, state.q);
  return work.q_end == state.q;
}

void begin_accounts(const PreparedStep& prepared, const SolvedStep& solved, StepAccounts* work,
                    State* state) {
  const PreparedStep& p = prepared;
  place_end(p, *state, work);
  state->energy.begin(energy_at_end(p, *state, *work), solved.forces.elastic_energy_start,
                      solved.row_forces.elastic_energy_start);
  state->tree_gain.setZero(static_cast<Eigen::Index>(p.model.trees.size()));
  state->tree_dissipated.setZero(static_cast<Eigen::Index>(p.model.trees.size()));
  collect_pair_overlaps(p.contacts, solved.forces, &work->overlaps);
  state->pair_energies.clear();
  for (const PairOverlap& row : work->overlaps)
    state->pair_energies.push_back(
        {.body_a = row.body_a, .body_b = row.body_b, .stored = row.energy, .left = row.energy});
}

void account_step(const PreparedStep& prepared, const SolvedStep& solved, const TreeSet& trees,
                  StepAccounts* work, PairWorks* works, State* end) {
  const PreparedStep& p = prepared;
  const SolvedStep& s = solved;
  const State& start = p.state;
  EnergyAccounts& e = end->energy;
  take_velocities(p, s, trees, work);
  e.normal_damping += s.forces.normal_damping;
  e.normal_spring_loss += s.forces.normal_spring_loss;
  e.dissipated_friction += s.forces.dissipated_friction;
  const double carried =
      p.with_supports ? p.h * carried_force_power(p.model, p.kinematics, start.time + p.h) : 0.0;
  double dissipated = s.row_forces.dissipated, work_forces = carried;
  if (!p.model.loaded_trees.empty())  // damping is a load
    dissipated += p.h * work->v_mean.dot(p.model.damping.cwiseProduct(work->v1));
  if (!p.model.forces.empty()) work_forces += p.h * p.dynamics.external.dot(work->v_mean);
  e.dissipated_joints += dissipated;
  e.work_forces += work_forces;
  const VectorX& theta = p.free_motion.theta;
  account_springs(p.model, theta, start.q, work->v0, work->v1, p.h, &e);
  e.work_actuators += s.row_forces.drive_work +
                      actuator_work(p.model, start, theta, work->v1, work->v_mean, start.time + p.h, p.h);
  e.work_prescribed += s.forces.bias_work + s.row_forces.bias_work - carried;
  account_scheme(p, s, trees, work, end);
  collect_pair_works(p.data, p.contacts, s.forces, works);
  e.normal_overlap_gain += add_pair_works(p.model, trees, 1e-6 * e.turned_over(), works, &end->pair_energies,
                                          &end->tree_dissipated, &work->ledger);
  e.set_state(energy_at_end(p, *end, *work), energy_left(end->pair_energies),
              s.row_forces.elastic_energy_end + work->rows_held);
}

void account_state(const PreparedStep& prepared, const SolvedStep& solved, StepAccounts* work, State* end) {
  place_end(prepared, *end, work);
  end->energy.set_state(energy_at_end(prepared, *end, *work), energy_left(end->pair_energies),
                        solved.row_forces.elastic_energy_end + work->rows_held);
}

}  // namespace csim
