// The signal of the number SIGNAL_AT_LOAD comes while the libraries of a program start: LD_PRELOAD the
// module.
#include <csignal>
#include <cstdlib>

namespace {

[[gnu::constructor]] void send() {
  if (const char* const number = std::getenv("SIGNAL_AT_LOAD")) std::raise(std::atoi(number));
}

}  // namespace
