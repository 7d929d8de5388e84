#include <algorithm>

#include "core/number_format.h"
#include "model/build_stages.h"
#include "scene/actuator_coordinates.h"

namespace csim {
namespace {

double last_time(const CommandSpec& command) {
  return command.times.empty() ? 0.0 : command.times.back();
}

/// "the position of joint 'lift' above 0.1": what a phase waits for.
std::string condition_text(const Scene& scene, const std::vector<std::string>& actuators,
                           const ConditionSpec& until) {
  const auto joint = [&](int index) { return "joint '" + scene.joints[index].name + "'"; };
  const auto body = [&](int index) { return "'" + scene.bodies[index].name + "'"; };
  std::string text;
  switch (until.type) {
    case ConditionType::kRamps:
      return "the end of its ramps";
    case ConditionType::kTime:
      return format_number(until.time) + " s";
    case ConditionType::kJointPosition:
      text = "the position of " + joint(until.position_joint);
      break;
    case ConditionType::kJointVelocity:
      text = "the velocity of " + joint(until.velocity_joint);
      break;
    case ConditionType::kActuatorEffort:
      text = "the effort of actuator '" + actuators[static_cast<std::size_t>(until.actuator)] + "'";
      break;
    case ConditionType::kPairForce:
      text = "the normal force between " + body(until.body_a) + " and " + body(until.body_b);
      break;
    case ConditionType::kBodyPosition:
      text = std::string("the position ") + "xyz"[static_cast<int>(until.axis)] + " of " + body(until.body);
      break;
  }
  return text +
         (until.above ? " above " + format_number(*until.above) : " below " + format_number(*until.below));
}

}  // namespace

void build_sequence(const Scene& scene, Model* model) {
  const std::vector<std::string> actuators = actuator_coordinates(scene);
  for (const PhaseSpec& spec : scene.sequence) {
    Phase phase;
    phase.name = spec.name;
    for (const PhaseCommandSpec& command : spec.commands) {
      phase.commands.push_back(
          {command.actuator, command.is_ramp, command.to, command.duration, make_command(command.command)});
      phase.duration =
          std::max(phase.duration, command.is_ramp ? command.duration : last_time(command.command));
    }
    std::ranges::sort(phase.commands, {}, &PhaseCommand::actuator);
    phase.until = spec.until;
    phase.waits_for = condition_text(scene, actuators, spec.until);
    const auto joint = [&](int index) { return model->bodies[scene.joints[index].child].joint; };
    if (spec.until.position_joint >= 0) phase.coordinate = joint(spec.until.position_joint).q_begin;
    if (spec.until.velocity_joint >= 0) phase.coordinate = joint(spec.until.velocity_joint).v_begin;
    if (spec.timeout) phase.timeout = *spec.timeout;
    phase.on_timeout = spec.on_timeout;
    model->phases.push_back(std::move(phase));
  }
}

}  // namespace csim
