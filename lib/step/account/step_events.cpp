#include "step/account/step_events.h"

namespace csim {
namespace {

// Radians by which the gyroscopic moment turns the angular momentum of a free body in a step. With
// velocity_terms: start it adds about the square of this, 5 to 10 %, to the energy of the spin; with the mean
// velocity the momentum turns from its direction by some hundredths of this.
constexpr double kFastSpin = 0.3;

/// Free bodies whose gyroscopic moment w x I w at the start turns their angular momentum by more than
/// kFastSpin in the step.
void collect_fast_spins(const PreparedStep& prepared, std::vector<Event>* events) {
  const double h = prepared.h;
  for (const FreeBody& free : prepared.model.free_bodies) {
    const Vector3 w = prepared.state.v.segment<3>(free.v_begin);
    if (h * h * w.squaredNorm() < kFastSpin * kFastSpin) continue;  // |w x I w| <= |w| |I w|
    const Matrix3& R = prepared.kinematics.X_WB[free.body].R;
    const Vector3 momentum = R * (free.mass.inertia * (R.transpose() * w));
    const double turned = h * w.cross(momentum).norm();
    if (turned < kFastSpin * momentum.norm()) continue;
    events->push_back({EventKind::kFastSpin, free.body, -1, turned / momentum.norm()});
  }
}

/// Whether the solver gave up at a residual above the tolerance: at the round-off level, or without
/// convergence (on_nonconvergence: accept).
bool is_inexact(const SolveReport& report, double tolerance) {
  const bool converged = report.status == SolveStatus::kConverged || report.status == SolveStatus::kNoContact;
  return !converged && report.residual > tolerance;
}

}  // namespace

void add_pair_event(EventKind kind, const PairCount& count, std::vector<Event>* events) {
  if (count.count == 0) return;
  add_event({kind, count.geometry_a, count.geometry_b, static_cast<double>(count.count)}, events);
}

void collect_query_events(const ContactSet& contacts, std::vector<Event>* events) {
  add_pair_event(EventKind::kDegenerateQuery, contacts.degenerate, events);
  add_pair_event(EventKind::kNativeAnswer, contacts.unanswered, events);
  add_pair_event(EventKind::kFallback, contacts.fallback, events);
}

void collect_start_events(const PreparedStep& prepared, std::vector<Event>* events) {
  collect_query_events(prepared.contacts, events);
  collect_fast_spins(prepared, events);
}

void collect_end_events(const StepOptions& options, const SolvedStep& solved,
                        const StepStatistics& statistics, std::vector<Event>* events) {
  if (is_inexact(solved.report, options.newton.relative_tolerance))
    add_event({EventKind::kInexactStep, -1, -1, solved.report.residual}, events);
  if (solved.velocity_residual > 0.0)  // the limit of updates was reached
    add_event({EventKind::kInexactStep, -1, -1, solved.velocity_residual}, events);
  if (options.repeats_friction && statistics.friction_lag > options.friction_tolerance)
    add_event({EventKind::kFrictionLag, -1, -1, statistics.friction_lag}, events);
}

}  // namespace csim
