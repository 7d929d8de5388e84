// Assertions of our own mistakes: they stay on in release builds and print the values that broke them.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace csim {

/// A broken invariant of the program itself (exit code 1), never a fault of the input.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {

template <typename... Values>
[[noreturn]] void fail_requirement(const char* condition, const char* names, const char* file, int line,
                                   const Values&... values) {
  std::ostringstream text;
  text.precision(17);
  text << file << ":" << line << ": internal error: requirement '" << condition << "' failed";
  if constexpr (sizeof...(values) > 0) {
    text << "; " << names << " =";
    ((text << " " << values), ...);
  }
  throw InternalError(text.str());
}

}  // namespace detail
}  // namespace csim

/// Throws InternalError unless `condition` holds; further arguments are values to print, e.g. CSIM_REQUIRE(x
/// < n, x, n).
#define CSIM_REQUIRE(condition, ...)                                         \
  do {                                                                       \
    if (!(condition)) {                                                      \
      ::csim::detail::fail_requirement(#condition, #__VA_ARGS__, __FILE__,   \
                                       __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
    }                                                                        \
  } while (false)
