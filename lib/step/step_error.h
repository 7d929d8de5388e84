// How large the error of a step is, as one number.
#pragma once

#include <vector>

#include "core/tree_set.h"
#include "model/model.h"

namespace csim {

/// Scaled by the accuracy: <= 1 is good enough. With the coordinate that it comes from.
struct StepError {
  double value = 0.0;
  int body = -1, coordinate = -1;  // velocity coordinate of the body's own joint
};

/// The largest difference of the positions q_a and q_b of these trees over the accuracy (m; rad): of a
/// quaternion the angle 2 |q_a - q_b|, of a free body's place the distance, the same in a turned world. A
/// difference that is not finite has an infinite error. Fills *by_tree [trees] with the largest of each, 0 of
/// the others.
[[nodiscard]] StepError position_errors(const Model& model, const VectorX& q_a, const VectorX& q_b,
                                        double accuracy, const TreeSet& trees, VectorX* by_tree);

/// The largest scaled error over all coordinates; place and turn of a free body, and the turn of a ball
/// joint, are vectors, measured by their lengths, the same in a turned world. Every coordinate is measured in
/// metres by the length
///
///   r_i = sqrt(M_ii/m)          M mass matrix of the tree, m its mass (1 for a tree without mass)
///
/// so that r_i |v_i| is the speed at which the tree's mass has the energy of this coordinate alone: 1 for
/// the place of a free body, that about the hinge for a hinge; of the turn e of a body r |e| is (e^T M
/// e/m)^0.5 of its block of M. With the accuracy a
///
///   velocities   r_i |e_i| / (a (kErrorSpeed + r_i |v_i|))      |v_i| the larger of both ends of the step
///   positions    r_i |e_i| / (a kErrorLength)                   quaternions: the angle 2 |e|, the largest
///   radius
///
/// (places have no natural size: only the absolute error can count).
class StepErrorNorm {
 public:
  /// The tolerance of a body at rest is a kErrorSpeed: at the default accuracy the default stiction
  /// tolerance. Larger, and resting contact rattles where friction is regularised.
  static constexpr double kErrorSpeed = 0.1;  // m/s
  /// Larger than what a speed within its tolerance makes of a step of 10 ms, so that it binds where a
  /// position goes wrong by itself: fast rotation.
  static constexpr double kErrorLength = 0.01;  // m

  /// The model must outlive this.
  StepErrorNorm(const Model& model, double accuracy);

  /// Takes the lengths from the tree blocks of M.
  void set_mass(const std::vector<double>& mass);

  /// Of errors e_q [nq], e_v [nv] of a step from v0 to v1. A number that is not finite has an infinite error.
  [[nodiscard]] StepError evaluate(const VectorX& e_q, const VectorX& e_v, const VectorX& v0,
                                   const VectorX& v1) const;

 private:
  const Model& model_;
  double accuracy_;
  std::vector<double> tree_mass_;  // kg
  VectorX length_;                 // [nv], m
  // [bodies], of those whose joint turns freely: its block of M/m (m^2), and the root of its largest
  // eigenvalue (m).
  std::vector<Matrix3> turning_;
  std::vector<double> radius_;
};

}  // namespace csim
