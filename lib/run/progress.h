// How far a run is, on stderr: a bar on a terminal, else one line per 10 %.
#pragma once

#include <chrono>

namespace csim {

enum class ProgressStyle { kNone, kBar, kLines };

class Progress {
 public:
  Progress(ProgressStyle style, long num_steps);

  /// Reports that `step` steps are done (time in s of the simulation). Cheap: looks at the clock at most
  /// every few steps.
  void update(long step, double time);

  /// Ends the bar's line.
  void finish();

 private:
  void print_bar(double fraction, double time);
  void print_line(double fraction, double time);
  [[nodiscard]] double elapsed_seconds() const;

  ProgressStyle style_;
  long num_steps_;
  long next_step_ = 0;  // lines: the step of the next 10 %
  bool bar_open_ = false;
  std::chrono::steady_clock::time_point start_, last_print_;
};

}  // namespace csim
