// What else happened in a step, as data.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace csim {

/// Subjects are the first pair of geometries, the phase of kPhase, the constraint of kBrokenConstraint, the
/// body of kFastSpin, kUnsupported, kHeldBack, kLeap, kTurningAttempt, kInfiniteAttempt and kEnergyLoss, or
/// the bodies, two or one, of kEnergyGain, kOverlapJump and kGainingAttempt; of kFellAsleep and
/// kStoppedBySleep the fastest body of the island, of kWoke one of those that wake together; values are
/// counts or measures.
enum class EventKind : int {
  kDegenerateQuery,  // contact queries took a conventional direction; count
  kNativeAnswer,     // pairs that contact.engine: fcl did not answer, or not right; count
  kFallback,         // contact points of pairs that met as points for want of a patch; count
  kUnforeseenHit,    // contact points closed within the step and were left to the next; count
  kPassage,          // pairs passed through each other; count
  kFastSpin,         // the gyroscopic moment turns the body's angular momentum far in the step; rad
  kInexactStep,      // taken with a residual above solver.tolerance (quasistatic: integrator's); residual
  kDividedStep,      // did not converge, or was too long (StepOutcome): taken in parts; count
  kSqueezed,         // no motion of the step resolves overlaps; m, of all together
  kUnsupported,      // contacts cannot balance gravity on the body; N or N m that are missing
  kAmbiguousForce,   // the motion of the step does not determine the force between the pair; N, its range
  kEnergyGain,       // energy from nothing beyond a part of that turned over; J, since the start
  kOverlapJump,      // the pair's overlaps hold more at the start than the step before has left; J
  kFrictionLag,      // coulomb: a step above friction_tolerance; lagged: a pair that touched lags; the lag
  kFailedStep,       // quasistatic: no method found the step's answer; the residual of the best one
  // Attempts that were refused (refusal.h), after which the step was divided or its length cut.
  kUnsolvedAttempt,  // the solver did not converge; residual
  kTurningAttempt,   // the tree of the body turns too far
  kInfiniteAttempt,  // a velocity is not finite
  kPassingAttempt,   // leads the pair through each other; pairs
  kCornerAttempt,    // leaves a corner of a mesh in the other body without a contact; pairs
  kGainingAttempt,   // overlaps at its end hold energy for nothing, most of it the pair's; J
  kEnergyLoss,  // steps of controlled error lost beyond a part of the energy turned over; J, since the start
  kPhase,       // a phase of the sequence begins; its index
  kUnexplainedDepth,  // the pair overlaps deeper than start and motion of the step explain; m
  kFellAsleep,        // an island falls asleep; the speed of its fastest tree then, m/s
  kStoppedBySleep,    // the same faster than what sticks creeps: it slid, rolled or swung; m/s
  kWoke,              // trees that fell asleep together wake; bodies
  kBrokenConstraint,  // the constraint broke at the end of the step; its reaction, N or N m
  kHeldBack,  // quasistatic: a drag held the arm of a cartesian drive; how far it would have turned, rad
  kLeap,      // quasistatic: a passive body moves by more than its size, or half a turn; in these
};
inline constexpr int kNumEventKinds = 30;

struct Event {
  EventKind kind = EventKind::kDegenerateQuery;
  int subject_a = -1, subject_b = -1;  // -1: none
  double value = 0.0;
};

/// The kind's name in /event/kind: "degenerate query", ..; and the kind of a name, none for any other.
[[nodiscard]] const char* to_string(EventKind kind);
[[nodiscard]] std::optional<EventKind> parse_event_kind(const std::string& name);
[[nodiscard]] std::size_t longest_event_name();  // bytes

/// Whether values of the kind are counts, which add up; of measures the largest stands for several.
[[nodiscard]] bool is_count(EventKind kind);

/// Whether the kind asks for attention (a run warns of it); the others say how a result was found.
[[nodiscard]] bool is_warning(EventKind kind);

/// Whether the subjects of the kind are bodies, and whether they are geometries.
[[nodiscard]] bool has_bodies(EventKind kind);
[[nodiscard]] bool has_geometries(EventKind kind);

/// The name of an event's subject, "" for none; and the subject of a name, -1 for any other.
[[nodiscard]] const std::string& subject_name(const Model& model, EventKind kind, int subject);
[[nodiscard]] int find_subject(const Model& model, EventKind kind, const std::string& name);

/// Appends an event of a step, or merges it with one of its kind and subjects: counts add up, of measures the
/// largest stays.
void add_event(const Event& event, std::vector<Event>* events);

/// All events of one kind in a run.
struct EventTotal {
  long count = 0;           // steps (of each subject)
  double first_time = 0.0;  // s, end of the first of these steps
  Event first;
  double value = 0.0;  // sum of counts, largest of measures
};

class EventTotals {
 public:
  /// An event of the step that ended at `time` (s).
  void add(const Event& event, double time);

  [[nodiscard]] const EventTotal& operator[](EventKind kind) const { return of_[static_cast<int>(kind)]; }

  /// The pair of geometries of most events kFrictionLag: these events alone, the first one's subjects.
  [[nodiscard]] EventTotal most_lagging_pair() const;

 private:
  std::map<std::pair<int, int>, EventTotal> lags_;  // kFrictionLag by subjects
  std::array<EventTotal, kNumEventKinds> of_;
};

}  // namespace csim
