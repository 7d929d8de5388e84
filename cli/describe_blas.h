// The BLAS really loaded, in one line.
#pragma once

#include <string>

#include "solver/linear/blas_info.h"

namespace csim::cli {

/// "OpenBLAS, 1 thread, SkylakeX, OpenBLAS 0.3.21 …, /usr/lib/…/libblas.so.3"; "none" where none is
/// loaded: it comes with load_supernodal().
[[nodiscard]] inline std::string describe_blas() {
  const BlasInfo info = blas_info();
  if (info.num_threads == 0) return "none";
  std::string text =
      info.name + ", " + std::to_string(info.num_threads) + (info.num_threads == 1 ? " thread" : " threads");
  for (const std::string& part : {info.core_type, info.config, info.file}) {
    if (!part.empty()) text += ", " + part;
  }
  return text;
}

}  // namespace csim::cli
