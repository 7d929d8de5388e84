// The BLAS that the process has really loaded: which one a name like libblas.so.3 leads to is decided on the
// host, not in the build.
#pragma once

#include <string>

namespace csim {

/// For `csim --version` and a result's provenance. All strings are "none" when no BLAS is loaded
/// (load_supernodal() was not called, or failed).
struct BlasInfo {
  std::string name;       // OpenBLAS, BLIS, MKL or unknown (the reference BLAS does not name itself)
  std::string file;       // the shared object that holds dgemm_
  std::string config;     // build options as the library states them, empty where it has no such call
  std::string core_type;  // processor whose kernels were chosen, empty likewise; bits depend on it
  /// Threads it would use, 1 where it cannot say (the reference BLAS has one), 0 without BLAS.
  int num_threads = 0;
};

/// Asks the loaded library, through symbols looked up at run time.
[[nodiscard]] BlasInfo blas_info();

/// The same in one line: "OpenBLAS, 1 thread, SkylakeX, OpenBLAS 0.3.21 …, /usr/lib/…/libblas.so.3"; "none"
/// where none is loaded.
[[nodiscard]] std::string describe_blas();

/// Sets the BLAS to one thread for the whole process: its own threads make small systems many times slower
/// and change the bits; csim runs its threads over islands and runs. Does nothing for a library without such
/// a call.
void use_one_blas_thread();

}  // namespace csim
