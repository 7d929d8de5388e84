#include "run/progress.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "core/seconds_text.h"

namespace csim {
namespace {

constexpr int kBarWidth = 40;            // characters
constexpr double kRefreshSeconds = 0.1;  // of the bar
constexpr double kLineSeconds = 2.0;     // between two lines, at least
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
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - last_print_).count() < kLineSeconds && !is_done) return;
    last_print_ = now;
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
  std::fprintf(stderr, "\r[%s] %3.0f %%  t = %.4g s  %-18s", bar.c_str(), 100 * fraction, time,
               (seconds_text(remaining) + " left").c_str());
  std::fflush(stderr);
  bar_open_ = true;
}

void Progress::print_line(double fraction, double time) {
  std::fprintf(stderr, "csim: %3.0f %%  t = %.4g s  %s elapsed\n", 100 * fraction, time,
               seconds_text(elapsed_seconds()).c_str());
}

void Progress::finish() {
  if (!bar_open_) return;
  std::fputc('\n', stderr);
  bar_open_ = false;
}

}  // namespace csim
