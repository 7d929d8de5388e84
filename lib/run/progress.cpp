#include "run/progress.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace csim {
namespace {

constexpr int kBarWidth = 40;            // characters
constexpr double kRefreshSeconds = 0.1;  // of the bar
constexpr long kStepsBetweenLooks = 16;  // at the clock

}  // namespace

Progress::Progress(ProgressStyle style)
    : style_(style), start_(std::chrono::steady_clock::now()), last_print_(start_) {}

double Progress::elapsed_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::update(double fraction, double time) {
  if (style_ == ProgressStyle::kNone) return;
  const bool is_done = fraction >= 1.0;
  if (style_ == ProgressStyle::kLines) {
    const int tenths = static_cast<int>(10.0 * fraction);
    if (tenths < next_line_) return;
    print_line(fraction, time);
    next_line_ = tenths + 1;
    return;
  }
  if (++num_updates_ % kStepsBetweenLooks != 0 && !is_done) return;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_print_).count() < kRefreshSeconds && !is_done) return;
  last_print_ = now;
  print_bar(fraction, time);
}

void Progress::print_bar(double fraction, double time) {
  const int filled = static_cast<int>(fraction * kBarWidth);
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '.');
  const double elapsed = elapsed_seconds();
  const double remaining = fraction > 0 ? elapsed * (1 - fraction) / fraction : 0.0;
  std::fprintf(stderr, "\r[%s] %3.0f %%  t = %.4g s  %.0f s left   ", bar.c_str(), 100 * fraction, time,
               remaining);
  std::fflush(stderr);
  bar_open_ = true;
}

void Progress::print_line(double fraction, double time) {
  std::fprintf(stderr, "csim: %3.0f %%  t = %.4g s  %.1f s elapsed\n", 100 * fraction, time,
               elapsed_seconds());
}

void Progress::finish() {
  if (!bar_open_) return;
  std::fputc('\n', stderr);
  bar_open_ = false;
}

}  // namespace csim
