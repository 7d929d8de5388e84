#include "solver/friction/gauss_seidel.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace csim {
namespace {

constexpr int kSweepsPerJudgement = 10;

/// (W + alpha diag(0, I)) r = -g on the first `size` + 1 rows.
Vector3 impulse(const Matrix3& W, const Vector3& g, int size, double alpha) {
  Matrix3 matrix = W;
  for (int i = 1; i < 3; ++i) matrix(i, i) += alpha;
  // Rows that are not there are decoupled.
  for (int i = size + 1; i < 3; ++i) matrix(i, i) = 1.0;
  return matrix.partialPivLu().solve(-g);
}

}  // namespace

Vector3 solve_contact(const Matrix3& W, const Vector3& g, int size, double mu) {
  if (g[0] >= 0.0) return Vector3::Zero();
  const auto excess = [mu](const Vector3& r) { return r.tail<2>().norm() - mu * r[0]; };
  const Vector3 sticking = impulse(W, g, size, 0.0);
  if (size == 0) return {std::max(-g[0] / W(0, 0), 0.0), 0.0, 0.0};
  if (sticking.allFinite() && sticking[0] >= 0.0 && excess(sticking) <= 0.0) return sticking;
  // The excess is negative once alpha outweighs W: r_T is small then, and r_N > 0. It is not at alpha = 0.
  const auto excess_at = [&](double alpha) { return excess(impulse(W, g, size, alpha)); };
  double high = W.trace();
  while (!(excess_at(high) < 0.0) && std::isfinite(high)) high *= 16.0;
  double low = high / 16.0;
  for (; excess_at(low) < 0.0 && low > std::numeric_limits<double>::min(); low /= 16.0) high = low;
  for (double middle = std::sqrt(low * high); middle > low && middle < high; middle = std::sqrt(low * high))
    (excess_at(middle) < 0.0 ? high : low) = middle;
  return impulse(W, g, size, high);
}

int sweep_contacts(const FrictionTask& task, int max_sweeps, FrictionIterates* iterates) {
  const FrictionSystem& system = task.system;
  if (task.problem.dimension == 5) return 0;
  std::vector<Matrix3> blocks(system.num_contacts(), Matrix3::Zero());
  for (int c = 0; c < system.num_contacts(); ++c) {
    const int begin = system.row_begin[c], rows = system.row_begin[c + 1] - begin;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) blocks[c](i, j) = system.W.coeff(begin + i, begin + j);
    // Round-off of a contact whose directions are not independent.
    blocks[c].diagonal().array() += 1e-14;
  }
  VectorX r = iterates->best();
  int sweeps = 0;
  while (sweeps < max_sweeps && !iterates->solved()) {
    for (int c = 0; c < system.num_contacts(); ++c) {
      const int begin = system.row_begin[c], rows = system.row_begin[c + 1] - begin;
      Vector3 g = Vector3::Zero();
      for (int i = 0; i < rows; ++i) {
        double sum = system.q[begin + i];
        for (SparseMatrix::InnerIterator entry(system.W, begin + i); entry; ++entry)
          if (entry.col() < begin || entry.col() >= begin + rows) sum += entry.value() * r[entry.col()];
        g[i] = sum;
      }
      const FrictionCone& cone = system.cones[system.cone_begin[c]];
      r.segment(begin, rows) = solve_contact(blocks[c], g, cone.size, cone.mu).head(rows);
    }
    ++sweeps;
    if (sweeps % kSweepsPerJudgement == 0 || sweeps == max_sweeps) iterates->add(r);
  }
  return sweeps;
}

}  // namespace csim
