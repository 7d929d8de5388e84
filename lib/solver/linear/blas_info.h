// The BLAS that the process has really loaded: which one a name like libblas.so.3 leads to is decided on the
// host, not in the build.
#pragma once

#include <string>

namespace csim {

/// For `csim --version` and a result's provenance: "OpenBLAS, 1 thread, SkylakeX, OpenBLAS 0.3.21 ..,
/// /usr/lib/.. /libblas.so.3" (processor whose kernels were chosen, on which the bits depend; build options;
/// the file that holds dgemm_); "unknown, <file>" of a BLAS that does not name itself; "none" where none is
/// loaded (load_supernodal() was not called, or failed).
[[nodiscard]] std::string describe_blas();

/// Sets OpenBLAS, MKL or BLIS to one thread for the whole process: its own threads make small systems many
/// times slower and change the bits; csim runs its threads over islands and runs. Does nothing for another
/// BLAS.
void use_one_blas_thread();

}  // namespace csim
