// The command of an actuator over time.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace csim {

/// A command made ready for evaluation.
struct Command {
  CommandSpec spec;
  std::vector<double> slopes;  // 1/s, at the keys of a cubic table
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

}  // namespace csim
