// How far a run is, on stderr: a bar on a terminal, else a line per 10 %, at most one in two seconds, and one
// at the end: of a short run that one alone.
#pragma once

#include <chrono>

namespace csim {

enum class ProgressStyle { kNone, kBar, kLines };

class Progress {
 public:
  explicit Progress(ProgressStyle style);

  /// Reports after each step how much of the run is done, 0 to 1 (time in s of the simulation). Cheap: looks
  /// at the clock at most every few steps.
  void update(double fraction, double time);

  /// Ends the bar's line.
  void finish();

 private:
  void print_bar(double fraction, double time);
  void print_line(double fraction, double time);
  [[nodiscard]] double elapsed_seconds() const;

  ProgressStyle style_;
  long num_updates_ = 0;
  int next_line_ = 1;  // lines: at this many tenths
  bool bar_open_ = false;
  std::chrono::steady_clock::time_point start_, last_print_;
};

}  // namespace csim
