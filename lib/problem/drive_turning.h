// How the pull of cartesian drives turns with the joints of their arms, in quasistatic steps.
//
// The springs of a drive pull with f = -K x at the start of the step. Linearised about it alone, a step takes
// the frame straight on, however far its command is; but the frame moves on arcs. The second derivative of
// the energy of the springs has, beside J^T K J, the part
//
//   G_jk = -f . (w_j x u_k)    joint j nearer to the base than k
//
// with the angular velocity w_j that coordinate j gives the frame and the velocity u_k that k does, of the
// frame against the base: a pull that stretches an arm holds it like a pendulum. Its positive part is springs
// at rest (a sum of squares, so that the problem stays convex; Newton's method, whose steps decrease the
// energy, where J^T K J alone goes back and forth for ever with a command out of reach). A torque adds
// nothing: the rotation vector bends the energy less than K. A body without joints reaches every command and
// needs nothing of this.
//
// Where a step leaves what its model knows it is made again with a drag, springs at rest in the coordinates
// that turn [Levenberg 1944, A method for the solution of certain non-linear problems in least squares]. Both
// vanish as the arm comes to rest.
#pragma once

#include <Eigen/Eigenvalues>
#include <vector>

#include "model/quasistatic_model.h"

namespace csim {

/// A joint may turn this far in a step (rad): its sine is 4 % less.
inline constexpr double kLargestTurn = 0.5;

/// Springs at rest that belong to a drive: stiffness/2 |J dq|^2 with a row of J for each coordinate.
struct TurningArm {
  struct Coordinate {
    int v = -1, body = -1;  // in State::v; whose joint it is
    double sign = 1.0;      // -1: carries the base
  };
  int drive = -1, tree = -1;            // in Model::cartesian_drives, Model::trees
  std::vector<Coordinate> coordinates;  // passive ones, from the base to the frame
  std::vector<char> turns;              // [coordinates]
  double stiffness = 0.0;               // N/m or N m/rad; 0: the drive moves none of them
  MatrixX J;                            // symmetric
  VectorX pull;                         // [coordinates], N or N m: of the drive
  MatrixX G;                            // work space
  MatrixX w, u;                         // 3 x [coordinates]
  Eigen::SelfAdjointEigenSolver<MatrixX> eigen;
};

class DriveTurning {
 public:
  /// Both must outlive this.
  DriveTurning(const Model& model, const QuasistaticModel& quasistatic);

  /// Fills the springs at the poses, with the commands [actuators].
  void find(const Kinematics& kinematics, const VectorX& command);

  /// How far the velocities v [nv] turn a joint of the drive's arms in the time h (s), rad.
  [[nodiscard]] double largest_turn(int drive, const VectorX& v, double h) const;

  [[nodiscard]] const std::vector<TurningArm>& arms() const { return arms_; }

 private:
  void find_arm(const Kinematics& kinematics, const VectorX& command, TurningArm* arm);

  const Model& model_;
  std::vector<TurningArm> arms_;
};

}  // namespace csim
