// Why an attempt of a step is not taken.
#pragma once

#include <optional>
#include <string>

#include "model/model.h"
#include "step/event.h"

namespace csim {

enum class RefusalKind : int {
  kNone,
  kNotConverged,  // of the solver
  kTurning,       // a tree turns so far in the step that its mean velocity was not found
  kNotFinite,     // a velocity
  kUnsettled,     // a tree turns so far that its velocity-dependent forces and those of contacts do not agree
  kPassage,       // the step leads a pair through each other
  kFreeCorner,    // a corner of a mesh lies in another body at the end, and no contact holds it
  kOverlapGain,   // overlaps at the end hold energy for nothing
  kError,         // integrator.accuracy is not kept
  kMeeting,       // bodies that are stepped anew meet others of the same step
  kInterrupted,   // somebody asked the stepper to stop (Stepper::stop_when)
};
inline constexpr int kNumRefusalKinds = 11;

struct Refusal {
  RefusalKind kind = RefusalKind::kNone;
  int subject_a = -1, subject_b = -1;  // RefusalRule::has_bodies; -1: none
  double amount = 0.0;                 // RefusalRule::amount
  double allowed = 0.0;                // likewise
  int coordinate = -1;                 // of the body's joint, of kError
  double gained = 0.0;                 // IslandGain::gained, of kOverlapGain

  [[nodiscard]] explicit operator bool() const { return kind != RefusalKind::kNone; }
};

/// What a kind of refusal means.
struct RefusalRule {
  const char* name;
  const char* amount;  // what Refusal::amount is, with its unit; "" for none
  bool has_bodies;     // subjects are bodies, not geometries
  bool is_failure;     // there is no end of the step to take, however short it is
  /// What a shorter length does: the order of the amount in the length, 0 where it cannot be foretold.
  int order;
  std::optional<EventKind> event;  // of an attempt refused so
};
[[nodiscard]] const RefusalRule& rule_of(RefusalKind kind);

/// "'a' and 'b' pass through each other", ..: a clause. Of failures of the solver only the kind.
[[nodiscard]] std::string describe(const Model& model, const Refusal& refusal);

/// Adds the event of a refused attempt, with its pair and its amount.
void add_refusal(const Refusal& refusal, std::vector<Event>* events);

}  // namespace csim
