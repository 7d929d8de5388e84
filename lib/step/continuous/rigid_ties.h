// Rigid constraints at the acceleration level: the forces lambda of their rows with which the accelerations
// keep what they hold,
//
//   M v' = f + J^T lambda,   x'' = J v' + c = -2 w x' - w^2 x,   w = 1/T
//
// with c the acceleration of x at zero coordinate accelerations (RowOffer::acceleration). What rounding and
// the error of a step leave of x fades with the time T [Baumgarte 1972, Stabilization of constraints]. The
// forces follow from W lambda = -(c + 2 w x' + w^2 x + J M^-1 f), W = J M^-1 J^T, island by island. Where
// rows say the same twice, or nothing, W is singular: of all lambda that fit best the smallest counts. Rows
// along the axes of one vector share one scale, so that this is the same whatever the axes.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <vector>

#include "model/dynamics.h"
#include "problem/offer_rows.h"

namespace csim {

/// Finds the forces of rigid ties (is_rigid_tie), with the work space for it, which may be dropped without
/// changing a bit.
class RigidTies {
 public:
  /// The model must outlive this. `period` (s): T.
  RigidTies(const Model& model, double period) : model_(model), rate_(1.0 / period) {}

  /// Changes *accelerations [nv], which are those without the ties, to those with them; v [nv]. `mass`,
  /// `factor`: tree blocks of M and their factors (factor_trees). Returns lambda (N or N m), [offers], 0 of
  /// rows that are no ties.
  const VectorX& hold(const RowOffers& offers, const std::vector<double>& mass,
                      const std::vector<double>& factor, const VectorX& v, VectorX* accelerations);

  /// Changes velocities that the ties do not allow as an inelastic blow does; returns its impulses (N s or N
  /// m s), likewise.
  const VectorX& stop(const RowOffers& offers, const std::vector<double>& mass,
                      const std::vector<double>& factor, VectorX* v);

 private:
  /// The ties of one island.
  struct Island {
    std::vector<int> rows;  // of the offers
    MatrixX W;              // scaled: the largest on the diagonal of each group is 1
    VectorX scale;
    VectorX b;  // the right side, then the solution
    Eigen::LLT<MatrixX> cholesky;
    // Where W is singular: W = Q T Q^T, T tridiagonal, and the eigenvectors of T.
    Eigen::Tridiagonalization<MatrixX> tridiagonal;
    Eigen::SelfAdjointEigenSolver<MatrixX> eigen;
    VectorX diagonal, below;  // of T
    VectorX parts;            // of b, along the eigenvectors
  };

  void find_islands(const RowOffers& offers);
  void fill(const RowOffers& offers, const std::vector<double>& mass, const std::vector<double>& factor,
            const VectorX& x, Island* island);
  void move_to_targets(const RowOffers& offers, const std::vector<double>& mass,
                       const std::vector<double>& factor, VectorX* x);

  void grow(std::size_t num_rows);
  static void set_scale(const RowOffers& offers, Island* island);
  static void solve(Island* island);

  const Model& model_;
  double rate_;                               // w, 1/s
  std::vector<int> parent_, island_of_root_;  // [trees]
  std::vector<Island> islands_;               // as many as there ever were
  std::size_t num_islands_ = 0;
  VectorX column_;            // [nv]
  VectorX targets_, lambda_;  // [offers], or longer
};

}  // namespace csim
