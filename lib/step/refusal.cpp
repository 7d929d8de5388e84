#include "step/refusal.h"

#include <array>
#include <iomanip>
#include <sstream>

namespace csim {
namespace {

// The overlap that a step has not foreseen is of the second order of its length, its energy of the fourth;
// errors of position are of the second.
constexpr std::array<RefusalRule, kNumRefusalKinds> kRules{{
    {"none", "", false, false, 0, std::nullopt},
    {"not converged", "residual", false, true, 0, EventKind::kUnsolvedAttempt},
    {"turning", "", true, true, 0, EventKind::kTurningAttempt},
    {"not finite", "", true, true, 0, EventKind::kInfiniteAttempt},
    {"unsettled", "of the momentum", true, false, 0, EventKind::kTurningAttempt},
    {"passage", "pairs", false, false, 0, EventKind::kPassingAttempt},
    {"free corner", "pairs", false, false, 0, EventKind::kCornerAttempt},
    {"overlap gain", "J, of all pairs", true, false, 4, EventKind::kGainingAttempt},
    {"error", "of integrator.accuracy", true, false, 2, std::nullopt},
    {"meeting", "", true, false, 0, std::nullopt},
    {"interrupted", "", false, true, 0, std::nullopt},
}};

template <typename Named>
std::string name_of(const std::vector<Named>& all, int index) {
  return "'" + all[static_cast<std::size_t>(index)].name + "'";
}

std::string subjects(const Model& model, const Refusal& refusal) {
  const auto name = [&](int index) {
    return rule_of(refusal.kind).has_bodies ? name_of(model.bodies, index) : name_of(model.geometries, index);
  };
  if (refusal.subject_a < 0) return "";
  return name(refusal.subject_a) + (refusal.subject_b < 0 ? "" : " and " + name(refusal.subject_b));
}

}  // namespace

const RefusalRule& rule_of(RefusalKind kind) {
  return kRules[static_cast<std::size_t>(kind)];
}

std::string describe(const Model& model, const Refusal& refusal) {
  const std::string who = subjects(model, refusal);
  std::ostringstream text;
  text << std::setprecision(3);
  switch (refusal.kind) {
    case RefusalKind::kNone:
      break;
    case RefusalKind::kNotConverged:
      text << "the solver did not converge";
      break;
    case RefusalKind::kTurning:
      text << "no mean velocity for the Coriolis and gyroscopic forces of " << who
           << " and the bodies jointed to it, which turn too far in a step; a shorter time.step prevents it";
      break;
    case RefusalKind::kNotFinite:
      text << "a velocity is not finite, or too large to square";
      break;
    case RefusalKind::kUnsettled:
      text << "the Coriolis and gyroscopic forces of " << who
           << " and of what it touches, which turn too far in a step, were not found to " << refusal.amount
           << " of the momentum";
      break;
    case RefusalKind::kPassage:
      text << who << " pass through each other";
      break;
    case RefusalKind::kFreeCorner:
      text << "a corner of a mesh overlaps between " << who << ", and no contact holds it";
      break;
    case RefusalKind::kOverlapGain:
      text << "unexpected overlaps store " << refusal.amount
           << " J of energy from nothing, most of it between " << who << "; " << refusal.allowed
           << " J are allowed";
      break;
    case RefusalKind::kError:
      text << "the largest error, " << refusal.amount << " times integrator.accuracy, is that of body " << who
           << ", coordinate " << refusal.coordinate;
      break;
    case RefusalKind::kMeeting:
      text << who << " come together";
      break;
    case RefusalKind::kInterrupted:
      text << "interrupted";
      break;
  }
  return text.str();
}

void add_refusal(const Refusal& refusal, std::vector<Event>* events) {
  if (const std::optional<EventKind> kind = rule_of(refusal.kind).event)
    add_event({*kind, refusal.subject_a, refusal.subject_b, refusal.amount}, events);
}

}  // namespace csim
