#include "step/discrete/prepared_step.h"

#include <algorithm>
#include <utility>

#include "core/timer.h"
#include "step/discrete/step_bias.h"
#include "step/discrete/step_constants.h"

namespace csim {
namespace {

/// Trees that take no part keep the velocities of the start.
void hold_velocities(bool holds_others, PreparedStep* step) {
  PreparedStep& p = *step;
  if (p.trees.empty() || holds_others) return;
  for (std::size_t t = 0; t < p.model.trees.size(); ++t) {
    if (contains(p.trees, static_cast<int>(t))) continue;
    const Tree& tree = p.model.trees[t];
    p.free_motion.v_star.segment(tree.v_begin, tree.nv) = p.state.v.segment(tree.v_begin, tree.nv);
  }
}

/// The trees that are alone go on with v*, which is found to rounding: their energy is kept to that.
void settle_free_trees(StepStatistics* statistics, PreparedStep* step) {
  PreparedStep& p = *step;
  if (!p.options.mean_velocity_terms || p.model.articulated_trees.empty()) return;
  ScopedTimer timer(&statistics->seconds.assembly);
  p.settling.assign(p.model.trees.size(), 0);
  bool any = false;
  for (const int t : p.model.articulated_trees) {
    p.settling[t] = contains(p.trees, t) && p.data.problem_tree[t] < 0;
    any = any || p.settling[t];
  }
  if (any) take_mean_velocity(p.settling, p.free_motion.v_star, 0.0, &p);
}

/// No contact acts yet.
void clear_impulse(PreparedStep* step) {
  PreparedStep& p = *step;
  if (p.impulse.size() != p.model.nv) p.impulse.setZero(p.model.nv);
  for_each_tree(p.model, p.trees,
                [&](const Tree& tree) { p.impulse.segment(tree.v_begin, tree.nv).setZero(); });
}

/// Adds the inertia [nv of the model] with which a tree resists the acceleration of the prescribed body that
/// carries it.
void add_root_inertia(const PreparedStep& p, const Tree& tree, VectorX* forces) {
  const int root = prescribed_root(p.model, tree);
  if (root < 0) return;
  for (const int b : bodies_of(p.model, tree)) {
    const MassProperties& mass = p.model.bodies[b].mass;
    const Twist A =
        shift_twist(p.dynamics.acceleration[root], p.kinematics.X_WB[b].p - p.kinematics.X_WB[root].p);
    const Matrix3& R = p.kinematics.X_WB[b].R;
    const Vector3 c = R * mass.com, force = mass.mass * A.at(c);
    Vector6 wrench;
    wrench << R * (mass.inertia * (R.transpose() * A.w)) + c.cross(force), force;
    const Eigen::Map<const Matrix6X> J(p.kinematics.jacobians.data() + p.kinematics.jacobian_begin[b], 6,
                                       tree.nv);
    forces->segment(tree.v_begin, tree.nv).noalias() -= J.transpose() * wrench;
  }
}

/// The twists that forces and prescribed bodies make in the step, in trees on joints: without Coriolis and
/// gyroscopic forces, as what turns is pushed by nothing.
void find_pushes(const TreeSet& to_fill, PreparedStep* step) {
  PreparedStep& p = *step;
  if (!p.asks_for_pushes) return;
  p.v_pushed = p.free_motion.v_star;
  for (const int t : p.model.articulated_trees) {
    if (!contains(p.trees, t)) continue;
    const Tree& tree = p.model.trees[t];
    p.v_pushed.segment(tree.v_begin, tree.nv) = p.dynamics.applied.segment(tree.v_begin, tree.nv);
    add_weight(p.model, p.kinematics, tree, &p.v_pushed);
    add_root_inertia(p, tree, &p.v_pushed);
    subtract_implicit(p.model, tree, p.free_motion, p.state, p.h, &p.v_pushed);
    advance_velocities(p.model, t, p.free_motion, p.state, p.h, &p.v_pushed);
  }
  compute_twists(p.model, p.kinematics, p.v_pushed, &p.twists_pushed, to_fill);
}

/// Marks the bodies whose pairs are asked for.
void mark_asked(bool holds_others, PreparedStep* step) {
  PreparedStep& p = *step;
  const auto moves = [&](int body) { return p.is_whole && moves_as_prescribed(p.model, p.kinematics, body); };
  if (holds_others) {
    for (const int b : p.model.articulated_order)
      if (p.model.bodies[b].tree < 0) p.asked[b] = moves(b);
    return;
  }
  p.asked.resize(p.model.bodies.size());
  for (std::size_t b = 0; b < p.asked.size(); ++b)
    p.asked[b] = contains(p.trees, p.model.bodies[b].tree) || moves(static_cast<int>(b));
}

/// What depends on the length, but for the contacts: poses of what is prescribed, free motion, rows.
/// `holds_others`: what *step has of the other trees is that of its state already, for they sleep.
void set_length(double h, bool holds_others, Kinematics* poses, StepStatistics* statistics,
                PreparedStep* step) {
  PreparedStep& p = *step;
  ScopedTimer timer(&statistics->seconds.assembly);
  const double end = p.state.time + h;
  const TreeSet& trees = p.trees;  // no row couples one of these and another (tree_groups.h)
  p.h = h;
  p.unsettled_tree = -1;
  if (poses != nullptr) {
    std::swap(p.kinematics, *poses);
    p.kinematics.bias_step = end - p.state.time;
  } else {
    const TreeSet& to_place = trees_to_fill(p, &p.kinematics.rest_number);
    compute_kinematics(p.model, p.state.q, p.state.time, end, &p.kinematics, to_place);
  }
  compute_dynamics(p.model, p.kinematics, p.state, end, &p.dynamics, trees);
  if (p.options.mean_velocity_terms) {
    compute_spring_times(p.model, p.dynamics.mass, h, &p.springs, &p.free_motion.theta);
    take_commands(p.model, p.state.sequence, p.free_motion.theta, end, h, &p.dynamics);
  } else {
    if (p.free_motion.theta.size() != p.model.nv) p.free_motion.theta.setOnes(p.model.nv);
  }
  compute_free_motion(p.model, p.dynamics, p.state, h, &p.free_motion, trees, p.data.workers);
  if (p.options.mean_velocity_terms) {
    clear_impulse(&p);
    forget_contractions(p.model, &p.mean_velocity);
    take_mean_velocity(p.trees, p.free_motion.v_star, search_accuracy(p), &p);
  }
  hold_velocities(holds_others, &p);
  const bool is_mean = p.options.mean_velocity_terms;
  offer_rows(
      p.model,
      {p.kinematics, p.state, p.free_motion.v_star, h, end, is_mean, is_mean ? &p.free_motion : nullptr},
      &p.data.row_offers);
}

}  // namespace

PreparedStep::PreparedStep(const Model& the_model, const Scene& scene, const StepOptions& the_options)
    : model(the_model), options(the_options) {
  choose_contact_law(scene.contact, &data.problem);
  data.takes_chords = !options.mean_velocity_terms;
  asks_for_pushes = !model.articulated_trees.empty() &&
                    std::any_of(model.pairs.rules.begin(), model.pairs.rules.end(),
                                [](const PairRule& rule) { return rule.reach_friction > 0.0; });
  data.workers = mean_velocity.workers = options.newton.workers;
  trees.reserve(model.trees.size());
  data.trees.reserve(model.trees.size());
}

int prescribed_root(const Model& model, const Tree& tree) {
  int root = model.bodies[bodies_of(model, tree).front()].joint.parent;
  while (root >= 0 && model.bodies[root].motion < 0) root = model.bodies[root].joint.parent;
  return root;
}

double search_accuracy(const PreparedStep& step) {
  return kVelocitySearch * step.options.newton.relative_tolerance;
}

void take_mean_velocity(const TreeSet& trees, const VectorX& guess, double accuracy, PreparedStep* step) {
  PreparedStep& p = *step;
  const int unsettled =
      take_mean_velocity_terms(p.model, p.kinematics, p.state, trees, p.impulse, guess, accuracy, p.h,
                               &p.dynamics, &p.free_motion, &p.mean_velocity);
  if (p.unsettled_tree < 0 || contains(trees, p.unsettled_tree)) p.unsettled_tree = unsettled;
}

void prepare(const State& state, double h, const Participants& who, ContactFinder* finder,
             StepStatistics* statistics, PreparedStep* step, Kinematics* poses) {
  PreparedStep& p = *step;
  const bool holds_others = is_held(p.rest_number, who.rest_number);
  copy_state(p.model, who.trees, who.rest_number, state, static_cast<StepState*>(&p.state));
  p.trees = p.data.trees = who.trees;
  p.is_whole = who.is_whole;
  p.with_supports = who.with_supports;
  p.rest_number = who.rest_number;
  set_length(h, holds_others, poses, statistics, step);
  mark_asked(holds_others, step);
  {
    ScopedTimer timer(&statistics->seconds.geometry);
    p.query_step = h;
    const TreeSet all, &to_fill = holds_others ? p.trees : all;
    compute_twists(p.model, p.kinematics, p.state.v, &p.twists0, to_fill);
    compute_twists(p.model, p.kinematics, p.free_motion.v_star, &p.twists_star, to_fill);
    find_pushes(to_fill, &p);
    finder->find(contact_query(p), &p.contacts);
    finder->foresee(contact_query(p), &p.contacts);
  }
  build_problem(statistics, step);
  settle_free_trees(statistics, step);
}

void shorten(double h, StepStatistics* statistics, PreparedStep* step) {
  set_length(h, step->rest_number != 0, nullptr, statistics, step);
  build_problem(statistics, step);
  settle_free_trees(statistics, step);
}

void build_problem(StepStatistics* statistics, PreparedStep* step) {
  ScopedTimer timer(&statistics->seconds.assembly);
  build_contact_problem(step->model, step->kinematics, step->state, step->contacts, &step->data);
  begin_bias(step);
  set_step(step->h, step->free_motion, step->model, &step->data);
}

ContactQuery contact_query(const PreparedStep& step) {
  const double h = step.query_step;
  ContactQuery query;
  query.X_WB = &step.kinematics.X_WB;
  query.V0 = &step.twists0;
  query.V_star = &step.twists_star;
  if (step.asks_for_pushes) query.V_pushed = &step.twists_pushed;
  query.surface_velocity = &step.kinematics.surface_velocity_W;
  query.step = h;
  query.turns_about_centers = step.options.mean_velocity_terms;
  query.margin = step.options.margin;
  query.fall = kMarginSteps * h * h * step.model.gravity.norm();
  query.slack = step.options.margin_auto ? query.fall : 0.0;
  if (!step.trees.empty()) query.asked = &step.asked;
  query.rest_number = step.rest_number;
  return query;
}

}  // namespace csim
