#include "model/actuator.h"

#include <algorithm>
#include <cmath>

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
  }
  return 0.0;
}

}  // namespace

double actuator_effort(const Actuator& actuator, const CommandSample& command, double q, double v) {
  return std::clamp(unlimited_effort(actuator, command, q, v), -actuator.effort_limit, actuator.effort_limit);
}

CommandSample step_command(const Actuator& actuator, double theta, double t_end, double h) {
  CommandSample command = evaluate_command(actuator.command, t_end);
  if (actuator.type == ActuatorType::kPosition && theta < 1.0)
    command.value = evaluate_command(actuator.command, t_end - (1.0 - theta) * h).value;
  return command;
}

bool is_limited_drive(const Actuator& actuator) {
  return actuator.type != ActuatorType::kEffort && std::isfinite(actuator.effort_limit);
}

void compute_actuator_efforts(const Model& model, const VectorX& q, const VectorX& v, double t,
                              VectorX* commands, VectorX* efforts) {
  const auto n = static_cast<Eigen::Index>(model.actuators.size());
  commands->resize(n);
  efforts->resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Actuator& actuator = model.actuators[i];
    const CommandSample command = evaluate_command(actuator.command, t);
    (*commands)[i] = command.value;
    (*efforts)[i] = actuator_effort(actuator, command, q[actuator.q], v[actuator.v]);
  }
}

double actuator_work(const Model& model, const VectorX& theta, const VectorX& q0, const VectorX& v1,
                     const VectorX& v_mean, double t_end, double h) {
  double work = 0.0;
  for (const Actuator& actuator : model.actuators) {
    if (is_limited_drive(actuator)) continue;
    const double v = v1[actuator.v];
    const CommandSample command = step_command(actuator, theta[actuator.v], t_end, h);
    const double q = q0[actuator.q] + theta[actuator.v] * (h * v);
    work += h * actuator_effort(actuator, command, q, v) * v_mean[actuator.v];
  }
  return work;
}

}  // namespace csim
