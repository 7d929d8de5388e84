// A loop in as many threads as the machine has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace csim {

/// Calls f(begin, end) for the ranges of [0, count) side by side; f does not throw, and its results do not
/// depend on the ranges. Few are done here.
template <typename F>
void parallel_ranges(std::size_t count, const F& f) {
  constexpr std::size_t kWorthAThread = 1000;
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t parts = std::clamp<std::size_t>(count / kWorthAThread, 1, most);
  std::vector<std::jthread> threads;
  for (std::size_t part = 1; part < parts; ++part)
    threads.emplace_back([&, part] { f(count * part / parts, count * (part + 1) / parts); });
  f(std::size_t{0}, count / parts);
}

}  // namespace csim
