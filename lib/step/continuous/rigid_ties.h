// Rigid constraints at the acceleration level: the forces lambda of their rows with which the accelerations
// keep what they hold,
//
//   M v' = f + J^T lambda,   x'' = J v' + c = -2 w x' - w^2 x,   w = 1/T
//
// with c the acceleration of x at zero coordinate accelerations (RowOffer::acceleration). What rounding and
// the error of a step leave of x fades with the time T [Baumgarte 1972, Stabilization of constraints]. Stops,
// which press one way alone (limits, ropes), hold their distance g from the end in the same way,
//
//   0 <= lambda  _|_  g'' + 2 w_s (g' - r) >= 0,   r = -w_s g/2 before the end, min(-w_s g/2, 1 m/s) beyond
//
// so that they take the speed with which an end is met, without a rebound, on the last 2/w_s |g'| before it,
// and let go of what leaves. With 1/w_s a step of the discrete scheme this is its stop, too, which halves
// what is left of the way in each step. All of this is a function of the state: nothing remembers which stops
// act.
//
// The forces follow from W lambda = -(c + 2 w x' + w^2 x + J M^-1 f), W = J M^-1 J^T, island by island. Which
// stops act is found by block principal pivoting [Judice & Pires 1994, A block principal pivoting algorithm
// for large-scale strictly monotone linear complementarity problems]. Where
// rows say the same twice, or nothing, W is singular: of all lambda that fit best the smallest counts. Rows
// along the axes of one vector share one scale, so that this is the same whatever the axes.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <vector>

#include "model/dynamics.h"
#include "problem/offer_rows.h"

namespace csim {

/// Finds the forces of rigid rows (is_rigid), with the work space for it, which may be dropped without
/// changing a bit.
class RigidTies {
 public:
  /// The model must outlive this. `period`, `stop_period` (s): T, 1/w_s.
  RigidTies(const Model& model, double period, double stop_period)
      : model_(model), rate_(1.0 / period), stop_rate_(1.0 / stop_period) {}

  /// Changes *accelerations [nv], which are those without the rigid rows, to those with them; v [nv]. `mass`,
  /// `factor`: tree blocks of M and their factors (factor_trees). Returns lambda (N or N m), [offers], 0 of
  /// rows that are not rigid. Where no set of acting stops is found the accelerations are no numbers.
  const VectorX& hold(const RowOffers& offers, const std::vector<double>& mass,
                      const std::vector<double>& factor, const VectorX& v, VectorX* accelerations);

  /// Whether the last `hold` found the stops that act.
  [[nodiscard]] bool is_found() const { return is_found_; }

  /// Changes velocities that the ties, without the stops, do not allow as an inelastic blow does; returns its
  /// impulses (N s or N m s), likewise.
  const VectorX& stop(const RowOffers& offers, const std::vector<double>& mass,
                      const std::vector<double>& factor, VectorX* v);

 private:
  /// The rows of one island that act.
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

  void begin(const RowOffers& offers);
  [[nodiscard]] bool is_wrong(const RowOffers& offers, std::size_t row, const VectorX& x) const;
  int pivot(const RowOffers& offers, const VectorX& x, int fewest, int* patience);
  static void set_scale(const RowOffers& offers, Island* island);
  static void solve(Island* island);

  const Model& model_;
  bool is_found_ = true;
  double rate_, stop_rate_;                   // w, w_s, 1/s
  std::vector<int> parent_, island_of_root_;  // [trees]
  std::vector<Island> islands_;               // as many as there ever were
  std::size_t num_islands_ = 0;
  VectorX column_;          // [nv]
  std::vector<char> acts_;  // [offers]
  std::vector<std::size_t> wrong_;
  VectorX free_;              // [nv], accelerations without the rigid rows
  VectorX targets_, lambda_;  // [offers], or longer
};

}  // namespace csim
