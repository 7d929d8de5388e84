#include "model/command.h"

#include <cmath>
#include <numbers>

#include "model/keyframes.h"

namespace csim {
namespace {

bool is_high(const CommandSpec& spec, double t) {
  constexpr double kEdgeSlack = 1e-9;  // periods
  const double cycles = t / spec.period + spec.phase / (2.0 * std::numbers::pi) + kEdgeSlack;
  return cycles - std::floor(cycles) < spec.duty;
}

}  // namespace

Command make_command(const CommandSpec& spec) {
  Command command{spec, {}};
  if (spec.type == CommandType::kTable)
    command.slopes = keyframe_slopes(spec.interpolation, spec.times, spec.values);
  return command;
}

CommandSample evaluate_command(const Command& command, double t) {
  const CommandSpec& spec = command.spec;
  switch (spec.type) {
    case CommandType::kConstant:
      return {spec.value, 0.0};
    case CommandType::kTable: {
      const KeyframeSample<double> sample =
          interpolate_keyframes(spec.times, spec.values, command.slopes, spec.interpolation, t);
      return {sample.value, sample.rate};
    }
    case CommandType::kSquare:
      return {is_high(spec, t) ? spec.high : spec.low, 0.0};
    case CommandType::kSine: {
      const double rate = 2.0 * std::numbers::pi * spec.frequency;
      const double angle = rate * t + spec.phase;
      return {spec.mean + spec.amplitude * std::sin(angle), rate * spec.amplitude * std::cos(angle)};
    }
  }
  return {};
}

VectorCommand make_vector_command(const VectorCommandSpec& spec) {
  VectorCommand command{spec, {}};
  if (spec.type == CommandType::kTable)
    command.slopes = keyframe_slopes(spec.interpolation, spec.times, spec.values);
  return command;
}

Vector3 evaluate_vector_command(const VectorCommand& command, double t) {
  const VectorCommandSpec& spec = command.spec;
  switch (spec.type) {
    case CommandType::kTable:
      return interpolate_keyframes(spec.times, spec.values, command.slopes, spec.interpolation, t).value;
    case CommandType::kSine:
      return spec.mean + std::sin(2.0 * std::numbers::pi * spec.frequency * t + spec.phase) * spec.amplitude;
    default:
      return spec.value;
  }
}

}  // namespace csim
