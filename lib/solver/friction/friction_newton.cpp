#include "solver/friction/friction_newton.h"

#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>

#include "solver/friction/contact_blocks.h"

namespace csim {
namespace {

constexpr double kProximal = 1e-10;  // eps, of a mean diagonal 1: above round-off, below what moves a contact
constexpr int kNewtonStalled = 40;
constexpr int kHalvings = 12;

/// F = 0 at r, and dF = A dr + B du by contact.
struct Equations {
  VectorX F;
  std::vector<ContactBlock> A, B;
};

void add_friction(const FrictionSystem& system, const FrictionCone& cone, double p, const VectorX& r,
                  const VectorX& u, Equations* equations) {
  using Part = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2, 1>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2>;
  const int at = cone.first - system.row_begin[cone.contact], n = cone.size;
  ContactBlock &A = equations->A[cone.contact], &B = equations->B[cone.contact];
  const Part z = r.segment(cone.first, n) - u.segment(cone.first, n);
  const double radius = cone.mu * p, length = z.norm();
  const Square one = Square::Identity(n, n);
  if (p > 0.0 && length <= radius) {  // sticks
    equations->F.segment(cone.first, n) = u.segment(cone.first, n);
    B.block(at, at, n, n) = one;
    return;
  }
  const Part direction = length > 0.0 ? Part(z / length) : Part(Part::Zero(n));
  const Square across = (length > 0.0 ? radius / length : 0.0) * (one - direction * direction.transpose());
  equations->F.segment(cone.first, n) = r.segment(cone.first, n) - radius * direction;
  A.block(at, at, n, n) = one - across;
  B.block(at, at, n, n) = across;
  if (p > 0.0) {
    A.block(at, 0, n, 1) = -cone.mu * direction;
    B.block(at, 0, n, 1) = cone.mu * direction;
  }
}

Equations equations_at(const FrictionSystem& system, const VectorX& r) {
  const VectorX u = system.W * r + system.q;
  Equations equations{VectorX::Zero(r.size()), {}, {}};
  equations.A.resize(system.num_contacts());
  equations.B.resize(system.num_contacts());
  for (int c = 0; c < system.num_contacts(); ++c) {
    const int normal = system.row_begin[c], rows = system.row_begin[c + 1] - normal;
    equations.A[c].setZero(rows, rows);
    equations.B[c].setZero(rows, rows);
    const double p = std::max(0.0, r[normal] - u[normal]);
    equations.F[normal] = r[normal] - p;
    (p > 0.0 ? equations.B[c] : equations.A[c])(0, 0) = 1.0;
    for (int k = system.cone_begin[c]; k < system.cone_begin[c + 1]; ++k)
      if (system.cones[k].size > 0) add_friction(system, system.cones[k], p, r, u, &equations);
  }
  return equations;
}

using ColumnMatrix = Eigen::SparseMatrix<double>;

ColumnMatrix jacobian(const FrictionSystem& system, const Equations& equations) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < system.num_contacts(); ++c) {
    const int begin = system.row_begin[c], rows = system.row_begin[c + 1] - begin;
    for (int i = 0; i < rows; ++i) {
      entries.emplace_back(begin + i, begin + i, kProximal);
      for (int j = 0; j < rows; ++j) {
        entries.emplace_back(begin + i, begin + j, equations.A[c](i, j));
        const double b = equations.B[c](i, j);
        if (b == 0.0) continue;
        for (SparseMatrix::InnerIterator entry(system.W, begin + j); entry; ++entry)
          entries.emplace_back(begin + i, entry.col(), b * entry.value());
      }
    }
  }
  ColumnMatrix J(system.num_rows(), system.num_rows());
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

}  // namespace

void iterate_newton(const FrictionTask& task, int max_iterations, FrictionIterates* iterates) {
  VectorX r = iterates->best();
  Equations at = equations_at(task.system, r);
  const std::size_t begin = iterates->history().size();
  for (int i = 0; i < max_iterations && !iterates->solved(); ++i) {
    if (iterates->stalled() >= kNewtonStalled && iterates->history().size() - begin >= kNewtonStalled) return;
    Eigen::SparseLU<ColumnMatrix> factor(jacobian(task.system, at));
    if (factor.info() != Eigen::Success) return;
    const VectorX full = -factor.solve(at.F);
    if (!full.allFinite()) return;
    // Where no step along it lowers |F| the whole step is taken: into another piece.
    const double size = at.F.norm();
    Equations whole = equations_at(task.system, r + full), next = whole;
    double alpha = 1.0;
    for (int halving = 0; halving < kHalvings && !(next.F.norm() < (1.0 - 1e-4 * alpha) * size); ++halving) {
      alpha *= 0.5;
      next = equations_at(task.system, r + alpha * full);
    }
    const bool lower = next.F.norm() < (1.0 - 1e-4 * alpha) * size;
    r += (lower ? alpha : 1.0) * full;
    at = lower ? std::move(next) : std::move(whole);
    iterates->add(r);
  }
}

}  // namespace csim
