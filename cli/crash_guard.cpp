#include "cli/crash_guard.h"

#include <unistd.h>

#include <cstddef>

#include "cli/commands.h"

namespace csim::cli {
namespace {

std::string message;  // made before the crash: a handler must not allocate

void tell(int) {
  const char* rest = message.data();
  for (std::size_t left = message.size(); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, rest, left);
    if (written <= 0) break;
    rest += written, left -= static_cast<std::size_t>(written);
  }
  ::_exit(kInvalidInput);
}

}  // namespace

CrashGuard::CrashGuard(const std::string& file) {
  message = "csim: error: " + file + ": is damaged: the HDF5 library crashed on reading it\n";
  struct sigaction action {};
  action.sa_handler = tell;
  for (std::size_t i = 0; i < kCrashes.size(); ++i) ::sigaction(kCrashes[i], &action, &before_[i]);
}

CrashGuard::~CrashGuard() {
  for (std::size_t i = 0; i < kCrashes.size(); ++i) ::sigaction(kCrashes[i], &before_[i], nullptr);
}

}  // namespace csim::cli
