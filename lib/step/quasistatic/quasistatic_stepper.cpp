#include "step/quasistatic/quasistatic_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "core/timer.h"
#include "model/body_pair.h"
#include "model/cartesian_drive.h"
#include "model/joint.h"
#include "model/sequence.h"
#include "step/account/query_events.h"

namespace csim {
namespace {

constexpr double kAutoThreshold = 0.005;  // m, contact_threshold: auto without any motion
constexpr double kAutoReach = 1.5;        // of the longest way of a point that the commands move
constexpr double kAllPairs = 1e6;         // m, contact_threshold: inf

/// Whether a velocity coordinate is the rate of a position coordinate that is an angle.
bool is_angle(JointType type, int k) {
  return turns(type) || type == JointType::kUniversal || (type == JointType::kPlanar && k == 2);
}

}  // namespace

QuasistaticStepper::QuasistaticStepper(const Model& model, const Scene& scene)
    : model_(model),
      spec_(scene.integrator),
      h_(scene.time.step),
      assembly_(model, scene),
      filler_(model, scene.output),
      columns_(make_state_columns(model)),
      trust_(model, assembly_.turning()),
      zero_twists_(model.bodies.size()) {
  command_.setZero(static_cast<Eigen::Index>(model.actuators.size()));
  forces_.limits.setZero(model.nv);
  forces_.rows.clear(model);
  if (scene.output.gradients) gradients_.emplace(model, scene);
}

void QuasistaticStepper::start(State* state) {
  state->v.setZero();
  memory_.restart(state->v, model_.trees.size());
  find_contacts(*state, 0.0);
  collect_quasistatic_forces(model_, contacts_, problem_, solution_, &forces_);  // none yet
  start_drives(*state);
  state->energy.begin(
      {0.0, mechanical_energy(model_, assembly_.kinematics(), zero_twists_, *state).potential, 0.0}, 0.0,
      constraint_energy(model_, assembly_.kinematics(), *state));
  state->tree_gain.setZero(static_cast<Eigen::Index>(model_.trees.size()));
  state->tree_dissipated.setZero(static_cast<Eigen::Index>(model_.trees.size()));
  state->pair_energies.clear();
}

/// The forces of cartesian drives at the start, of their springs alone.
void QuasistaticStepper::start_drives(const State& state) {
  for (std::size_t i = 0; i < model_.actuators.size(); ++i)
    command_[static_cast<Eigen::Index>(i)] = command_at(model_, state.sequence, i, state.time).value;
  CartesianMeasure measure;
  for (const CartesianDrive& drive : model_.cartesian_drives) {
    measure_cartesian_at(drive, assembly_.kinematics(), command_, &measure);
    for (int i = 0; i < 6; ++i)
      forces_.rows.drive[drive.actuator + i] = -drive.stiffness[i] * measure.rows[i].x;
  }
}

/// Of a point of a body, but for those that drives alone place where `carried` is false, with these changes
/// of the coordinates.
double QuasistaticStepper::longest_way(const VectorX& v, bool carried) {
  compute_twists(model_, assembly_.kinematics(), v, &twists_);
  double way = 0.0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    if (body.tree >= 0 && (carried || assembly_.quasistatic().is_carried[b] == 0))
      way = std::max(way, twists_[b].v.norm() + body.radius * twists_[b].w.norm());
  }
  return way;
}

/// How far a body moves in the step: in its sizes, beyond which its contacts are no longer the planes they
/// were; and in half turns of its joint, beyond which poses do not tell the way.
double QuasistaticStepper::leap_of(const Body& body, const Twist& twist, const VectorX& v) const {
  const Joint& joint = body.joint;
  double leap = body.radius > 0.0 ? h_ * twist.v.norm() / body.radius : 0.0;
  if (has_quaternion(joint.type) && spec_.rotation == QuasistaticRotation::kExponential)  // else always less
    leap = std::max(leap, h_ * v.segment<3>(joint.v_begin).norm() / std::numbers::pi);
  for (int k = 0; k < joint.nv; ++k)
    if (is_angle(joint.type, k))
      leap = std::max(leap, h_ * std::abs(v[joint.v_begin + k]) / std::numbers::pi);
  return leap;
}

/// Of bodies that drives alone do not place: an event for each that moves so far.
void QuasistaticStepper::tell_leaps(const VectorX& v) {
  compute_twists(model_, assembly_.kinematics(), v, &twists_);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (model_.bodies[b].tree < 0 || assembly_.quasistatic().is_carried[b] != 0) continue;
    const double leap = leap_of(model_.bodies[b], twists_[b], v);
    if (leap > 1.0) add_event({EventKind::kLeap, static_cast<int>(b), -1, leap}, &outcome_.events);
  }
}

/// The pairs that are contacts of the step, m.
double QuasistaticStepper::contact_threshold(const State& state) {
  if (spec_.contact_threshold) return std::min(*spec_.contact_threshold, kAllPairs);
  v_.setZero(model_.nv);
  for (std::size_t i = 0; i < model_.actuators.size(); ++i) {
    const Actuator& actuator = model_.actuators[i];
    if (actuator.joint >= 0)
      v_[actuator.v] = command_[static_cast<Eigen::Index>(i)] - state.q[actuator.q];  // m or rad of the step
  }
  return std::min(kAutoThreshold + kAutoReach * longest_way(v_, true), kAllPairs);
}

/// Poses, commands of the step's end, contacts.
void QuasistaticStepper::find_contacts(const State& state, double least_threshold) {
  assembly_.place(state.q, state.time, state.broken);
  const double t_end = static_cast<double>(state.step + 1) * h_;
  for (std::size_t i = 0; i < model_.actuators.size(); ++i)
    command_[static_cast<Eigen::Index>(i)] = command_at(model_, state.sequence, i, t_end).value;
  threshold_ = std::max(contact_threshold(state), least_threshold);
  assembly_.find_contacts(threshold_, &contacts_);
}

const StepOutcome& QuasistaticStepper::attempt(const State& state, double) {
  outcome_.restart();
  outcome_.memory = memory_;  // of no use here
  outcome_.statistics.condition = std::numeric_limits<double>::quiet_NaN();
  ScopedTimer timer(&outcome_.statistics.seconds.total);
  make_step(state);
  if (gradients_) start_ = state;
  outcome_.statistics.time = static_cast<double>(state.step + 1) * h_;
  return outcome_;
}

/// contact_threshold: auto knows how far drives go. A step in which a body that they do not place goes
/// further than its contacts were sought (it falls from a grip) is made again with more of them; one that
/// leaves the model of a cartesian drive, with a drag.
void QuasistaticStepper::make_step(const State& state) {
  double way = 0.0;
  trust_.restart();
  for (;;) {
    try_step(state, kAutoReach * way);
    if (!outcome_.ok) return;
    const State& end = outcome_.state;
    if (trust_.must_repeat(problem_, solution_, command_, end.q, end.time)) continue;
    way = std::max(way, h_ * longest_way(end.v, false));
    if (spec_.contact_threshold || way <= threshold_ || threshold_ >= kAllPairs) break;
  }
  trust_.add_events(&outcome_.events);
  tell_leaps(outcome_.state.v);
}

/// A step with the contacts nearer than the threshold, at least `least_threshold` (m).
void QuasistaticStepper::try_step(const State& state, double least_threshold) {
  StageSeconds& seconds = outcome_.statistics.seconds;
  {
    ScopedTimer timer(&seconds.geometry);
    outcome_.events.clear();
    find_contacts(state, least_threshold);
    collect_query_events(contacts_, &outcome_.events);
  }
  {
    ScopedTimer timer(&seconds.assembly);
    if (!assembly_.find_plane())
      return fail(state,
                  "the passive bodies no longer move in one plane; expected "
                  "integrator.rays_per_contact: 4 or more");
    assembly_.build(command_, contacts_, nullptr, trust_.drags(), &problem_);
  }
  {
    ScopedTimer timer(&seconds.solve);
    solve();
  }
  judge(state);
  if (outcome_.ok) advance(state);
}

void QuasistaticStepper::solve() {
  failure_.clear();
  if (is_complementarity_problem(spec_)) {
    failure_ = lcp_.solve(problem_, &solution_, &certificate_);
  } else {
    solver_.solve(problem_, &solution_, &certificate_);
  }
}

/// Solves the same step with contacts that yield and joints that are springs.
void QuasistaticStepper::relax() {
  failure_.clear();
  assembly_.relax(&problem_);
  solver_.solve(problem_, &solution_, &certificate_);
}

bool QuasistaticStepper::is_solved() const {
  return failure_.empty() && solution_.ok && certificate_.largest() <= kLargestError;
}

/// With executed commands; adds an event where not.
bool QuasistaticStepper::has_determined_forces() {
  ambiguity_.find(problem_, solution_, &ambiguous_);
  if (!ambiguous_.found) return true;
  Event event{EventKind::kAmbiguousForce, -1, -1, ambiguous_.most - ambiguous_.least};
  if (const int contact = problem_.groups[ambiguous_.group].contact; contact >= 0) {
    event.subject_a = contacts_.points[contact].geometry_a;
    event.subject_b = contacts_.points[contact].geometry_b;
  }
  add_event(event, &outcome_.events);
  return false;
}

/// 1/2 v^T Q v - b^T v, J.
double QuasistaticStepper::cost() {
  work_.assign(problem_.b.size(), 0.0);
  add_blocks(problem_, problem_.Q, 0.5, solution_.v, &work_);
  double sum = 0.0;
  for (std::size_t k = 0; k < work_.size(); ++k) sum += (work_[k] - problem_.b[k]) * solution_.v[k];
  return sum;
}

/// Whether the solution may be taken, and why not. Bodies that are squeezed get the relaxed problem where
/// asked for.
QuasistaticStepper::Verdict QuasistaticStepper::examine() {
  Verdict verdict{is_solved(), false, ""};
  if (verdict.has_answer) {
    if (certificate_.largest() <= spec_.tolerance) return verdict;
    // What gravity lacks in balance `choice` takes up, with a velocity that means nothing.
    verdict.reason =
        describe_missing_support(model_, problem_, spec_.tolerance, &existence_, &outcome_.events);
    verdict.has_answer = verdict.reason.empty();
    return verdict;
  }
  verdict.reason =
      describe_missing_answer(model_, contacts_, problem_, spec_.tolerance, &existence_, &outcome_.events);
  const auto is_squeeze = [](const Event& event) { return event.kind == EventKind::kSqueezed; };
  verdict.is_relaxed = spec_.on_infeasible == OnInfeasible::kRelax &&
                       std::any_of(outcome_.events.begin(), outcome_.events.end(), is_squeeze);
  if (!verdict.is_relaxed) return verdict;
  relax();
  verdict.has_answer = is_solved();
  if (!verdict.has_answer) verdict.reason += ", nor does the near-rigid problem";
  return verdict;
}

/// Of an answer with this residual.
StepStatus QuasistaticStepper::status_of(double residual, bool is_relaxed) const {
  if (!(residual <= spec_.tolerance)) return StepStatus::kNotConverged;
  if (problem_.groups.empty()) return StepStatus::kNoContact;
  if (is_relaxed) return StepStatus::kRelaxed;
  const bool is_polished = problem_.barrier == 0.0 && !problem_.has_coulomb_friction;
  return is_polished && !(residual < QuasistaticPolish::kExact) ? StepStatus::kInteriorPoint
                                                                : StepStatus::kConverged;
}

void QuasistaticStepper::fill_statistics(bool is_relaxed) {
  StepStatistics& s = outcome_.statistics;
  s.iterations = solution_.iterations;
  s.factorizations = solution_.factorizations;
  s.num_contacts = contacts_.size();
  s.num_constraints = problem_.num_rows();
  const bool has_tableau = is_complementarity_problem(spec_) && !is_relaxed;
  s.num_islands = has_tableau ? lcp_.num_islands() : solver_.num_islands();
  if (!has_tableau) s.factor_nonzeros = solver_.factor_nonzeros();
  s.quasistatic = certificate_;
  s.residual =
      solution_.ok || !failure_.empty() ? certificate_.largest() : std::numeric_limits<double>::quiet_NaN();
  s.status = status_of(s.residual, is_relaxed);
  if (solution_.ok) s.cost = cost();
}

/// Statistics, and whether the solution may be taken.
void QuasistaticStepper::judge(const State& state) {
  const Verdict verdict = examine();
  fill_statistics(verdict.is_relaxed);
  const double residual = outcome_.statistics.residual;
  if (!verdict.has_answer) return fail(state, verdict.reason);
  if (residual > spec_.tolerance) add_event({EventKind::kInexactStep, -1, -1, residual}, &outcome_.events);
  if (problem_.executes_commands && !has_determined_forces() && spec_.on_ambiguous == OnAmbiguous::kError)
    fail(state, describe_ambiguity(model_, contacts_, problem_, ambiguous_));
}

void QuasistaticStepper::fail(const State& state, const std::string& reason) {
  std::ostringstream text;
  text << "step " << state.step + 1 << " at t = " << state.time << " s: ";
  if (reason.empty()) {
    add_event({EventKind::kFailedStep, -1, -1, outcome_.statistics.residual}, &outcome_.events);
    if (failure_.empty()) {
      text << "the interior point ended with a residual of " << outcome_.statistics.residual
           << ", though nothing is squeezed and contacts balance gravity, at least with impulses without "
              "bound";
      if (max_norm(problem_.choice) > 0.0) text << "; integrator.mass: full or scaled gives bodies inertia";
    } else {
      text << failure_;
    }
  } else {
    text << reason;
  }
  outcome_.statistics.status = StepStatus::kFailed;
  outcome_.statistics.momentum_residual = std::numeric_limits<double>::quiet_NaN();  // no forces are stored
  outcome_.ok = false;
  outcome_.message = text.str();
}

void QuasistaticStepper::advance(const State& state) {
  State& end = outcome_.state;
  end = state;
  end.v = Eigen::Map<const VectorX>(solution_.v.data(), model_.nv);
  advance_quasistatic(model_, {h_, spec_.rotation}, end.v, &v_, &end.q);
  ++end.step;
  end.time = static_cast<double>(end.step) * h_;
  collect_quasistatic_forces(model_, contacts_, problem_, solution_, &forces_);
  collect_pairs(contacts_, forces_.contacts, h_, &outcome_.pairs);
  outcome_.deepest = deepest_overlap(contacts_);
  load_.assign(model_.nv, 0.0);
  add_transposed_jacobian(problem_, solution_.z, &load_);
  for (int i = 0; i < model_.nv; ++i) load_[i] = load_[i] / h_ + problem_.load[i];
  outcome_.statistics.gliding_distance = forces_.contacts.gliding_distance;
  outcome_.statistics.momentum_residual = recorded_residual(problem_, solution_, forces_, &work_);
  account(&end);
}

/// Of an actuator at the end of the step: its spring, or what carries the loads where commands are executed.
double QuasistaticStepper::effort(const Actuator& actuator, double command, double q) const {
  return problem_.executes_commands ? -load_[actuator.v] : actuator.stiffness * (command - q);
}

/// Work of the actuators, and of what carries the weight of bodies that they place; dissipation of contacts,
/// limits and constraints, these beside what goes into their springs; what the weights do on the bodies'
/// paths, which turn, beyond their work at the velocities of the step.
void QuasistaticStepper::account(State* end) {
  EnergyAccounts& e = end->energy;
  e.normal_damping += forces_.contacts.normal_damping;
  e.dissipated_friction += forces_.contacts.dissipated_friction;
  const double elastic = forces_.rows.elastic_energy_end;
  e.dissipated_joints += forces_.dissipated_limits + forces_.rows.dissipated - (elastic - e.elastic);
  e.elastic = elastic;
  e.work_actuators += forces_.rows.drive_work;
  for (std::size_t i = 0; i < model_.actuators.size(); ++i) {
    const Actuator& actuator = model_.actuators[i];
    if (actuator.joint < 0) continue;
    const double command = command_[static_cast<Eigen::Index>(i)];
    e.work_actuators += h_ * effort(actuator, command, end->q[actuator.q]) * end->v[actuator.v];
  }
  compute_twists(model_, assembly_.kinematics(), end->v, &twists_);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Body& body = model_.bodies[b];
    if (body.tree < 0) continue;
    const Vector3 v_com = twists_[b].at(assembly_.kinematics().X_WB[b].R * body.mass.com);
    const double weight_work = h_ * body.mass.mass * body.gravity.dot(v_com);
    e.scheme_gravity += weight_work;
    if (assembly_.quasistatic().is_carried[b] != 0) e.work_actuators -= weight_work;
  }
  e.work_forces += h_ * assembly_.external().dot(end->v);
  const double potential = filler_.mechanical_energy_at(*end).potential;
  e.scheme_gravity += potential - e.potential;
  e.potential = potential;
}

void QuasistaticStepper::fill_efforts(const State& state, bool with_limits, Frame* frame) {
  v_.setZero(model_.nv);
  if (with_limits) v_ = forces_.limits + forces_.rows.joint;
  for (std::size_t i = 0; i < model_.actuators.size(); ++i) {
    const Actuator& actuator = model_.actuators[i];
    const auto k = static_cast<Eigen::Index>(i);
    if (actuator.joint < 0) {
      frame->actuator_effort[k] = forces_.rows.drive[k];
      continue;
    }
    frame->actuator_effort[k] = effort(actuator, frame->actuator_command[k], state.q[actuator.q]);
    v_[actuator.v] += frame->actuator_effort[k];
  }
  gather_columns(columns_.joint_v, v_, &frame->joint_effort);
}

void QuasistaticStepper::fill_motion(const State& state, Frame* frame) {
  const StepForces forces{nullptr, nullptr, &forces_.rows};
  filler_.fill(state, {&forces, 1}, false, frame);
  fill_efforts(state, true, frame);
}

void QuasistaticStepper::fill_constraint_forces(const State& /*state*/, Frame* frame) {
  const StepForces forces{nullptr, nullptr, &forces_.rows};
  csim::fill_constraint_forces(model_, {&forces, 1}, frame);
}

void QuasistaticStepper::fill_frame(const State& state, bool with_contacts, Frame* frame) {
  const StepForces forces{&contacts_, &forces_.contacts, &forces_.rows};
  filler_.fill(state, {&forces, with_contacts ? 1U : 0U}, with_contacts, frame);
  fill_efforts(state, with_contacts, frame);
  if (gradients_) {
    frame->gradients.clear(model_.nq, static_cast<long>(model_.actuators.size()));
    ScopedTimer timer(&frame->gradients.seconds);
    if (with_contacts && start_.q.size() == model_.nq)
      gradients_->find({&start_, &command_, &contacts_, threshold_, &trust_.drags(), &problem_, &solution_},
                       &assembly_, &frame->gradients);
  }
}

}  // namespace csim
