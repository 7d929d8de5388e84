// Crashes of the HDF5 library on damaged files, told as what they are.
#pragma once

#include <array>
#include <csignal>
#include <string>

#include "record/reader.h"

namespace csim::cli {

/// While it lives, a crash ends the process with exit code 2 and a sentence that names the file that is read.
/// Opening a file looks first whether its structure can be read (record/report/trial_reading.h); what is left
/// are rows, which HDF5 1.10 copies out of chunks that are shorter than the file says.
class CrashGuard {
 public:
  explicit CrashGuard(const std::string& file);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr std::array<int, 5> kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  std::array<struct sigaction, 5> before_{};
};

/// read_result with a CrashGuard, which lives no longer: what crashes after it is no fault of the file.
template <typename Read>
auto read_guarded(const std::string& file, const Read& read) {
  const CrashGuard guard(file);
  return read_result(file, read);
}

}  // namespace csim::cli
