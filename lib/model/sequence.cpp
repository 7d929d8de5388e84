#include "model/sequence.h"

#include <algorithm>
#include <limits>

namespace csim {
namespace {

using Source = SequenceState::Source;

constexpr double kTimeSlack = 1e-9;  // s

/// What a phase tells an actuator; null where it does not name it.
const PhaseCommand* command_of(const Phase& phase, std::size_t actuator) {
  const int index = static_cast<int>(actuator);
  const auto found = std::ranges::lower_bound(phase.commands, index, {}, &PhaseCommand::actuator);
  return found != phase.commands.end() && found->actuator == index ? &*found : nullptr;
}

/// `elapsed`: s, since the phase began.
CommandSample evaluate_phase_command(const PhaseCommand& command, double from, double elapsed) {
  if (!command.is_ramp) return evaluate_command(command.command, elapsed);
  if (elapsed >= command.duration) return {command.to, 0.0};
  const double rate = (command.to - from) / command.duration;
  return {from + rate * std::max(elapsed, 0.0), rate};
}

/// Puts the phase in force at time t (s); actuators that it does not name hold what a phase before told them.
void enter_phase(const Model& model, int phase, double t, SequenceState* sequence) {
  const SequenceState before = *sequence;
  sequence->phase = phase;
  sequence->begin = t;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    SequenceState::Followed& followed = sequence->actuators[i];
    const bool is_named = command_of(model.phases[static_cast<std::size_t>(phase)], i) != nullptr;
    if (!is_named && followed.source == Source::kOwn) continue;
    followed = {is_named ? Source::kPhase : Source::kHeld, command_at(model, before, i, t).value};
  }
}

}  // namespace

CommandSample command_at(const Model& model, const SequenceState& sequence, std::size_t actuator, double t) {
  if (sequence.actuators.empty()) return evaluate_command(model.actuators[actuator].command, t);
  const SequenceState::Followed& followed = sequence.actuators[actuator];
  if (followed.source == Source::kHeld) return {followed.from, 0.0};
  if (followed.source == Source::kOwn) return evaluate_command(model.actuators[actuator].command, t);
  const Phase& phase = model.phases[static_cast<std::size_t>(sequence.phase)];
  return evaluate_phase_command(*command_of(phase, actuator), followed.from, t - sequence.begin);
}

bool fits(const Model& model, const SequenceState& sequence) {
  if (model.phases.empty()) return sequence.phase < 0 && sequence.actuators.empty();
  if (sequence.phase < 0 || sequence.phase >= static_cast<int>(model.phases.size()) ||
      sequence.actuators.size() != model.actuators.size())
    return false;
  const Phase& phase = model.phases[static_cast<std::size_t>(sequence.phase)];
  for (std::size_t i = 0; i < sequence.actuators.size(); ++i)
    if (sequence.actuators[i].source == Source::kPhase && command_of(phase, i) == nullptr) return false;
  return true;
}

SequenceState begin_sequence(const Model& model) {
  SequenceState sequence;
  if (model.phases.empty()) return sequence;
  sequence.actuators.resize(model.actuators.size());
  enter_phase(model, 0, 0.0, &sequence);
  return sequence;
}

void end_phase(const Model& model, double t, SequenceState* sequence) {
  if (sequence->phase + 1 < static_cast<int>(model.phases.size())) {
    enter_phase(model, sequence->phase + 1, t, sequence);
  } else {
    sequence->is_over = true;
  }
}

bool has_passed(double length, double begin, double t) {
  return t - begin + kTimeSlack >= length;
}

double next_phase_time(const Model& model, const SequenceState& sequence, double t) {
  double next = std::numeric_limits<double>::infinity();
  if (sequence.phase < 0 || sequence.is_over) return next;
  const Phase& phase = model.phases[static_cast<std::size_t>(sequence.phase)];
  double length = phase.timeout;
  if (phase.until.type == ConditionType::kRamps) length = std::min(length, phase.duration);
  if (phase.until.type == ConditionType::kTime) length = std::min(length, phase.until.time);
  for (const double one : {length, phase.duration})
    if (!has_passed(one, sequence.begin, t)) next = std::min(next, sequence.begin + one);
  return next;
}

bool is_phase_over(const Phase& phase, double begin, double t, double value) {
  switch (phase.until.type) {
    case ConditionType::kRamps:
      return has_passed(phase.duration, begin, t);
    case ConditionType::kTime:
      return has_passed(phase.until.time, begin, t);
    default:
      return phase.until.above ? value > *phase.until.above : value < *phase.until.below;
  }
}

}  // namespace csim
