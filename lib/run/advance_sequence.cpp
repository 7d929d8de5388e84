#include "run/advance_sequence.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "model/sequence.h"

namespace csim {
namespace {

/// N, the sum of normal forces between two bodies in the step: of one in parts, the largest.
double pair_force(const PairList& pairs, int a, int b) {
  const auto [first, second] = std::minmax(a, b);
  for (const PairSum& pair : pairs)
    if (pair.body_a == first && pair.body_b == second) return pair.peak_normal_force;
  return 0.0;
}

/// What the condition of the phase looks at, at the end of the step.
double measure(const Phase& phase, const StepOutcome& outcome, const State& state, Stepper* stepper,
               Frame* frame) {
  const ConditionSpec& until = phase.until;
  switch (until.type) {
    case ConditionType::kJointPosition:
      return state.q[phase.coordinate];
    case ConditionType::kJointVelocity:
      return state.v[phase.coordinate];
    case ConditionType::kPairForce:
      return pair_force(outcome.pairs, until.body_a, until.body_b);
    case ConditionType::kActuatorEffort:
      stepper->fill_motion(state, frame);
      return frame->actuator_effort[until.actuator];
    case ConditionType::kBodyPosition:
      stepper->fill_motion(state, frame);
      return frame->position[static_cast<std::size_t>(until.body)][static_cast<int>(until.axis)];
    default:
      return 0.0;
  }
}

}  // namespace

Event phase_event(const State& state) {
  const int phase = state.sequence.phase;
  return {EventKind::kPhase, phase, -1, static_cast<double>(phase)};
}

std::string advance_sequence(const Model& model, const StepOutcome& outcome, Stepper* stepper, State* state,
                             std::vector<Event>* events, Frame* frame) {
  SequenceState& sequence = state->sequence;
  if (sequence.phase < 0 || sequence.is_over) return "";
  const Phase& phase = model.phases[static_cast<std::size_t>(sequence.phase)];
  const double value = measure(phase, outcome, *state, stepper, frame);
  if (!is_phase_over(phase, sequence.begin, state->time, value)) {
    if (!has_passed(phase.timeout, sequence.begin, state->time)) return "";
    if (phase.on_timeout == OnTimeout::kError) {
      std::ostringstream text;
      text << "phase '" << phase.name << "' timed out after " << phase.timeout << " s, at t = " << state->time
           << " s: it waits for " << phase.waits_for;
      if (phase.until.above || phase.until.below) text << ", found " << value;
      return text.str();
    }
  }
  const int before = sequence.phase;
  end_phase(model, state->time, &sequence);
  if (sequence.phase != before) events->push_back(phase_event(*state));
  return "";
}

}  // namespace csim
