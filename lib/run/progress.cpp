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

Progress::Progress(ProgressStyle style, long num_steps)
    : style_(style), num_steps_(num_steps), start_(std::chrono::steady_clock::now()), last_print_(start_) {
  next_step_ = std::max(1L, (num_steps + 9) / 10);
}

double Progress::elapsed_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::update(long step, double time) {
  if (style_ == ProgressStyle::kNone || num_steps_ == 0) return;
  const double fraction = static_cast<double>(step) / static_cast<double>(num_steps_);
  if (style_ == ProgressStyle::kLines) {
    if (step < next_step_) return;
    print_line(fraction, time);
    while (next_step_ <= step) next_step_ += std::max(1L, (num_steps_ + 9) / 10);
    return;
  }
  if (step % kStepsBetweenLooks != 0 && step != num_steps_) return;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_print_).count() < kRefreshSeconds && step != num_steps_)
    return;
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
