// A product whose sums have one order wherever the memory lies.
#pragma once

#include "core/types.h"

namespace csim {

/// out = G J, 6 x J.cols() column-major, column by column. For a whole product of run-time size the order of
/// Eigen's sums depends on the alignment of the result, and with it the bits of a run.
inline void multiply_columns(const Matrix6& G, const Eigen::Map<const Matrix6X>& J, double* out) {
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    const Vector6 column = G * J.col(j);
    Eigen::Map<Vector6>(out + 6 * j) = column;
  }
}

}  // namespace csim
