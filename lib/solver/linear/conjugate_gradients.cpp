#include "solver/linear/conjugate_gradients.h"

#include <algorithm>

#include "law/lane_sum.h"

namespace csim {

bool ConjugateGradients::solve(const BlockSymmetricMatrix& H, LinearSolver* factor, const double* scale,
                               const double* b, double tolerance, int max_iterations, double* x) {
  const int n = H.rows();
  for (auto* column : {&residual, &preconditioned, &direction, &product}) column->resize(n);
  std::copy_n(b, n, residual.data());
  std::fill_n(x, n, 0.0);
  std::fill_n(direction.data(), n, 0.0);
  double energy = 1.0;  // r . z, z = (L L^T)^-1 r
  for (int i = 0; i < max_iterations; ++i) {
    std::copy_n(residual.data(), n, preconditioned.data());
    factor->solve(preconditioned.data());
    const double energy_before = energy;
    energy = dot(residual.data(), preconditioned.data(), n);
    const double beta = energy / energy_before;
    for (int k = 0; k < n; ++k) direction[k] = preconditioned[k] + beta * direction[k];
    H.multiply(direction.data(), product.data());
    const double curvature = dot(direction.data(), product.data(), n);
    if (!(energy > 0.0 && curvature > 0.0)) return false;  // round-off
    const double alpha = energy / curvature;
    for (int k = 0; k < n; ++k) {
      x[k] += alpha * direction[k];
      residual[k] -= alpha * product[k];
      product[k] = scale[k] * residual[k];
    }
    if (dot(product.data(), product.data(), n) <= tolerance * tolerance) return true;
  }
  return false;
}

}  // namespace csim
