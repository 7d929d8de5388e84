#include "model/actuator.h"

#include <algorithm>
#include <cmath>

#include "model/sequence.h"

namespace csim {

namespace {

/// Without the limit.
double unlimited_effort(const Actuator& actuator, const CommandSample& command, double q, double v) {
  switch (actuator.type) {
    case ActuatorType::kPosition: {
      const double v_d = actuator.feed_forward_velocity ? command.rate : 0.0;
      return actuator.stiffness * (command.value - q) + actuator.damping * (v_d - v);
    }
    case ActuatorType::kVelocity:
      return actuator.damping * (command.value - v);
    case ActuatorType::kEffort:
      return command.value;
    case ActuatorType::kCartesian:
      break;
  }
  return 0.0;
}

}  // namespace

double actuator_effort(const Actuator& actuator, const CommandSample& command, double q, double v) {
  return std::clamp(unlimited_effort(actuator, command, q, v), -actuator.effort_limit, actuator.effort_limit);
}

CommandSample step_command(const Model& model, const SequenceState& sequence, std::size_t actuator,
                           double theta, double t_end, double h) {
  CommandSample command = command_at(model, sequence, actuator, t_end);
  if (model.actuators[actuator].type == ActuatorType::kPosition && theta < 1.0)
    command.value = command_at(model, sequence, actuator, t_end - (1.0 - theta) * h).value;
  return command;
}

bool is_row_drive(const Actuator& actuator) {
  return actuator.type == ActuatorType::kCartesian ||
         (actuator.type != ActuatorType::kEffort && std::isfinite(actuator.effort_limit));
}

void compute_actuator_efforts(const Model& model, const State& state, VectorX* commands, VectorX* efforts) {
  const auto n = static_cast<Eigen::Index>(model.actuators.size());
  commands->resize(n);
  efforts->resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Actuator& actuator = model.actuators[i];
    const CommandSample command = command_at(model, state.sequence, static_cast<std::size_t>(i), state.time);
    (*commands)[i] = command.value;
    const bool has_joint = actuator.joint >= 0;
    (*efforts)[i] =
        has_joint ? actuator_effort(actuator, command, state.q[actuator.q], state.v[actuator.v]) : 0.0;
  }
}

double actuator_work(const Model& model, const State& start, const VectorX& theta, const VectorX& v1,
                     const VectorX& v_mean, double t_end, double h) {
  double work = 0.0;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    if (is_row_drive(actuator)) continue;
    const double v = v1[actuator.v];
    const CommandSample command = step_command(model, start.sequence, i, theta[actuator.v], t_end, h);
    const double q = start.q[actuator.q] + theta[actuator.v] * (h * v);
    work += h * actuator_effort(actuator, command, q, v) * v_mean[actuator.v];
  }
  return work;
}

}  // namespace csim
