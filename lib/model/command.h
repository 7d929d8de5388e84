// The command of an actuator over time.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace csim {

/// A command made ready for evaluation.
struct Command {
  CommandSpec spec;
  std::vector<double> slopes;  // 1/s, at the keys of a cubic or smooth table
};

[[nodiscard]] Command make_command(const CommandSpec& spec);

struct CommandSample {
  double value = 0.0;
  double rate = 0.0;  // 1/s; 0 for a square wave
};

/// Value and slope at time t (s). A table is interpolated as a prescribed motion is (keyframes.h). A square
/// wave is high while frac(t/period + phase/(2 pi)) < duty; a time within 1e-9 periods before an edge counts
/// as the edge, so that times n h with round-off count as the edge. A sine is mean + amplitude sin(2 pi
/// frequency t + phase).
[[nodiscard]] CommandSample evaluate_command(const Command& command, double t);

/// A vector over time made ready for evaluation.
struct VectorCommand {
  VectorCommandSpec spec;
  std::vector<Vector3> slopes;  // 1/s, at the keys of a cubic or smooth table
};

[[nodiscard]] VectorCommand make_vector_command(const VectorCommandSpec& spec);

/// Its value at time t (s), as of evaluate_command.
[[nodiscard]] Vector3 evaluate_vector_command(const VectorCommand& command, double t);

}  // namespace csim
