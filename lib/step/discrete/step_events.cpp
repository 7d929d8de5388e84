#include "step/discrete/step_events.h"

#include <algorithm>
#include <cmath>

#include "step/account/merge_pairs.h"
#include "step/account/query_events.h"
#include "step/discrete/step_constants.h"

namespace csim {
namespace {

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

/// Whether the two bodies of contact i of the problem were in contact in the step before: what has just met
/// has no normal force that friction could be bounded by, whatever the step.
bool touched_before(const PreparedStep& prepared, int i) {
  const ContactPair pair = prepared.contacts.pair(prepared.data.problem.source[i]);
  const auto [a, b] = std::minmax(pair.body_a, pair.body_b);
  const PairEnergies& ledger = prepared.state.pair_energies;
  const PairEnergy key{.body_a = a, .body_b = b};
  const auto found = std::lower_bound(ledger.begin(), ledger.end(), key, precedes<PairEnergy, PairEnergy>);
  return found != ledger.end() && !precedes(key, *found) && (found->stored > 0.0 || found->left > 0.0);
}

/// Adds an event of the pair whose bound of friction differs most from what the normal force of the step
/// makes of it, if by more than `least` of the largest in its island; of pairs that were in contact before.
void collect_lag(const PreparedStep& prepared, const SolvedStep& solved, double least,
                 std::vector<Event>* events) {
  const ConvexProblem& convex = prepared.data.problem;
  Event worst{EventKind::kFrictionLag, -1, -1, least};
  for (const Island& island : convex.islands) {
    double largest = 0.0, change = 0.0;
    int contact = -1;
    for (int i = island.contacts.begin; i < island.contacts.end; ++i) {
      const double before = convex.law->friction_bound(convex.contacts, i);
      const double normal = std::max(solved.forces.gamma[i].dot(convex.contacts.normal[i]), 0.0);
      const double after = convex.contacts.friction[i] * normal;
      largest = std::max({largest, before, after});
      if (std::abs(after - before) <= change || !touched_before(prepared, i)) continue;
      change = std::abs(after - before);
      contact = i;
    }
    if (contact < 0 || !(change > worst.value * largest)) continue;
    const ContactPair pair = prepared.contacts.pair(convex.source[contact]);
    worst = {EventKind::kFrictionLag, pair.geometry_a, pair.geometry_b, change / largest};
  }
  if (worst.subject_a >= 0) add_event(worst, events);
}

/// Whether the solver gave up at a residual above the tolerance: at the round-off level, or without
/// convergence (on_nonconvergence: accept).
bool is_inexact(const SolveReport& report, double tolerance) {
  const bool converged = report.status == SolveStatus::kConverged || report.status == SolveStatus::kNoContact;
  return !converged && report.residual > tolerance;
}

}  // namespace

void collect_start_events(const PreparedStep& prepared, std::vector<Event>* events) {
  collect_query_events(prepared.contacts, events);
  collect_fast_spins(prepared, events);
}

void collect_end_events(const PreparedStep& prepared, const SolvedStep& solved,
                        const StepStatistics& statistics, std::vector<Event>* events) {
  const StepOptions& options = prepared.options;
  if (is_inexact(solved.report, options.newton.relative_tolerance))
    add_event({EventKind::kInexactStep, -1, -1, solved.report.residual}, events);
  if (solved.velocity_residual > 0.0)  // the limit of updates was reached
    add_event({EventKind::kInexactStep, -1, -1, solved.velocity_residual}, events);
  if (options.repeats_friction && statistics.friction_lag > options.friction_tolerance)
    add_event({EventKind::kFrictionLag, -1, -1, statistics.friction_lag}, events);
  if (!options.repeats_friction && statistics.friction_lag > kLargeLag)
    collect_lag(prepared, solved, kLargeLag, events);
}

}  // namespace csim
