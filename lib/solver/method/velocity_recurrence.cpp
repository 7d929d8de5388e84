#include "solver/method/velocity_recurrence.h"

#include <algorithm>
#include <cmath>

#include "law/lane_sum.h"

namespace csim {
namespace {

/// Velocities that differ from a combination of others by less than this part are linearly dependent.
constexpr double kIndependent = 1e-12;

}  // namespace

VelocityRecurrence fit_recurrence(const ConvexProblem& problem, const Island& island, const Iterate& iterate,
                                  std::array<VectorX, kMaxOrder + 1>* work) {
  const int begin = island.v_begin, n = island.nv();
  const auto scaled = [&](const VectorX& v, double* out) {
    for (int i = 0; i < n; ++i) out[i] = v[begin + i] / problem.scale[begin + i];
  };
  VelocityRecurrence result;
  double R[kMaxOrder][kMaxOrder];  // upper triangle of v_before = Q R
  double b[kMaxOrder];             // Q^T v
  double* const rest = (*work)[kMaxOrder].data() + begin;
  scaled(iterate.v, rest);
  const int most = std::min(kMaxOrder, static_cast<int>(iterate.v_before.size()));
  for (int j = 0; j < most; ++j) {
    double* const q = (*work)[j].data() + begin;
    scaled(iterate.v_before[j], q);
    const double size2 = dot(q, q, n);
    for (int i = 0; i < j; ++i) R[i][j] = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < j; ++i) {
        const double* const q_i = (*work)[i].data() + begin;
        const double r = dot(q_i, q, n);
        R[i][j] += r;
        for (int k = 0; k < n; ++k) q[k] -= r * q_i[k];
      }
    }
    const double norm = std::sqrt(dot(q, q, n));
    if (!(norm > kIndependent * std::sqrt(size2))) break;
    R[j][j] = norm;
    for (int k = 0; k < n; ++k) q[k] /= norm;
    b[j] = dot(q, rest, n);
    for (int k = 0; k < n; ++k) rest[k] -= b[j] * q[k];
    double* const c = result.coefficients[j];
    for (int i = j; i >= 0; --i) {
      c[i] = b[i];
      for (int k = i + 1; k <= j; ++k) c[i] -= R[i][k] * c[k];
      c[i] /= R[i][i];
    }
    result.order = j + 1;
  }
  return result;
}

}  // namespace csim
