#include "problem/drive_turning.h"

#include <algorithm>
#include <cmath>

#include "model/cartesian_drive.h"
#include "model/joint.h"

namespace csim {
namespace {

// Of the drive's own stiffness, ten times integrator.regularization by default. Less would hold a motion that
// nothing else holds and that is chosen (QuasistaticProblem::choice), with a spring too soft for the solver
// to tell from the choice.
constexpr double kNone = 1e-5;

/// The body and those that carry it, itself first, of its tree; none of a body without joints.
std::vector<int> carriers_of(const Model& model, int body) {
  std::vector<int> carriers;
  const int tree = body < 0 ? -1 : model.bodies[static_cast<std::size_t>(body)].tree;
  if (tree >= 0 && model.trees[static_cast<std::size_t>(tree)].single_free_body) return carriers;
  for (; tree >= 0 && body >= 0 && model.bodies[static_cast<std::size_t>(body)].tree == tree;
       body = model.bodies[static_cast<std::size_t>(body)].joint.parent)
    carriers.push_back(body);
  return carriers;
}

/// The passive coordinates of the joints that move the one body and not the other, from the root of the tree
/// to the body.
std::vector<TurningArm::Coordinate> coordinates_between(const Model& model,
                                                        const QuasistaticModel& quasistatic, int body,
                                                        int other, double sign) {
  const std::vector<int> others = carriers_of(model, other);
  std::vector<int> carriers = carriers_of(model, body);
  std::reverse(carriers.begin(), carriers.end());
  std::vector<TurningArm::Coordinate> coordinates;
  for (const int carrier : carriers) {
    if (std::find(others.begin(), others.end(), carrier) != others.end()) continue;
    const Joint& joint = model.bodies[static_cast<std::size_t>(carrier)].joint;
    for (int k = joint.v_begin; k < joint.v_begin + joint.nv; ++k)
      if (quasistatic.actuator[static_cast<std::size_t>(k)] < 0) coordinates.push_back({k, carrier, sign});
  }
  return coordinates;
}

/// The derivative of u_k by coordinate j, nearer to the base. The axes of a joint with a quaternion are those
/// of its parent: turns about two of them in one are the mean of both orders, and its translations turn with
/// what it carries only as that sees them.
Vector3 turned(const Model& model, const TurningArm& arm, Eigen::Index j, Eigen::Index k) {
  const auto& [v, body, sign] = arm.coordinates[static_cast<std::size_t>(k)];
  const Vector3 w_j = arm.w.col(j), u_j = arm.u.col(j), w_k = arm.w.col(k), u_k = arm.u.col(k);
  if (body != arm.coordinates[static_cast<std::size_t>(j)].body ||
      !has_quaternion(model.bodies[static_cast<std::size_t>(body)].joint.type))
    return w_j.cross(u_k);
  if (!w_j.isZero(0.0) && !w_k.isZero(0.0)) return 0.5 * (w_j.cross(u_k) + w_k.cross(u_j));
  return sign < 0.0 ? Vector3(w_j.cross(u_k) + w_k.cross(u_j)) : Vector3::Zero();
}

}  // namespace

DriveTurning::DriveTurning(const Model& model, const QuasistaticModel& quasistatic) : model_(model) {
  for (std::size_t i = 0; i < model.cartesian_drives.size(); ++i) {
    const BodyPair& pair = model.cartesian_drives[i].pair;
    std::vector<TurningArm::Coordinate> base =
        coordinates_between(model, quasistatic, pair.body_a, pair.body_b, -1.0);
    const std::vector<TurningArm::Coordinate> frame =
        coordinates_between(model, quasistatic, pair.body_b, pair.body_a, 1.0);
    std::reverse(base.begin(), base.end());
    base.insert(base.end(), frame.begin(), frame.end());
    for (const TurningArm::Coordinate& coordinate : base) {
      const int tree = model.bodies[static_cast<std::size_t>(coordinate.body)].tree;
      auto arm = std::find_if(arms_.begin(), arms_.end(), [&](const TurningArm& one) {
        return one.drive == static_cast<int>(i) && one.tree == tree;
      });
      if (arm == arms_.end()) {
        arm = arms_.emplace(arms_.end());
        arm->drive = static_cast<int>(i);
        arm->tree = tree;
      }
      arm->coordinates.push_back(coordinate);
    }
  }
  for (TurningArm& arm : arms_) {
    const auto n = static_cast<Eigen::Index>(arm.coordinates.size());
    arm.turns.resize(arm.coordinates.size());
    arm.pull.setZero(n);
    arm.J.setZero(n, n);
    arm.G.setZero(n, n);
    arm.w.setZero(3, n);
    arm.u.setZero(3, n);
    arm.eigen = Eigen::SelfAdjointEigenSolver<MatrixX>(n);
  }
}

void DriveTurning::find(const Kinematics& kinematics, const VectorX& command) {
  for (TurningArm& arm : arms_) find_arm(kinematics, command, &arm);
}

void DriveTurning::find_arm(const Kinematics& kinematics, const VectorX& command, TurningArm* arm) {
  const CartesianDrive& drive = model_.cartesian_drives[static_cast<std::size_t>(arm->drive)];
  CartesianMeasure measure;
  measure_cartesian_at(drive, kinematics, command, &measure);
  const Tree& tree = model_.trees[static_cast<std::size_t>(arm->tree)];
  const auto n = static_cast<Eigen::Index>(arm->coordinates.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto& [v, joint, sign] = arm->coordinates[static_cast<std::size_t>(k)];
    const auto body = static_cast<std::size_t>(sign < 0.0 ? drive.pair.body_a : drive.pair.body_b);
    const double* columns = kinematics.jacobians.data() + kinematics.jacobian_begin[body];
    const Eigen::Map<const Vector6> column(columns + 6 * (v - tree.v_begin));
    const Vector3 r = measure.point - kinematics.X_WB[body].p;
    arm->w.col(k) = sign * column.head<3>();
    arm->u.col(k) = sign * (column.tail<3>() + column.head<3>().cross(r));
    arm->turns[static_cast<std::size_t>(k)] = column.head<3>().isZero(0.0) ? 0 : 1;
  }
  Vector3 f = Vector3::Zero();
  arm->pull.setZero();
  arm->G.setZero();  // its diagonal: stiffness of the drive in each coordinate
  for (int i = 0; i < 6; ++i) {
    const ScrewRow& row = measure.rows[static_cast<std::size_t>(i)];
    const double stiffness = drive.stiffness[static_cast<std::size_t>(i)];
    f -= stiffness * row.x * row.linear;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double along = row.linear.dot(arm->u.col(k)) + row.angular.dot(arm->w.col(k));
      arm->pull[k] -= stiffness * row.x * along;
      arm->G(k, k) += stiffness * along * along;
    }
  }
  arm->stiffness = arm->G.diagonal().maxCoeff();
  if (arm->stiffness == 0.0) return;
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index j = 0; j <= k; ++j)
      arm->G(j, k) = arm->G(k, j) = -f.dot(turned(model_, *arm, j, k)) / arm->stiffness;
  arm->eigen.compute(arm->G);
  // The root of the positive part, which changes smoothly where eigenvectors turn.
  arm->J.setZero();
  for (Eigen::Index i = 0; i < n; ++i) {
    const double value = arm->eigen.eigenvalues()[i];
    if (value <= kNone) continue;
    const auto& vector = arm->eigen.eigenvectors().col(i);
    arm->J.noalias() += std::sqrt(value) * vector * vector.transpose();
  }
}

double DriveTurning::largest_turn(int drive, const VectorX& v, double h) const {
  double turn = 0.0;
  for (const TurningArm& arm : arms_) {
    for (std::size_t k = 0; arm.drive == drive && k < arm.coordinates.size(); ++k) {
      if (arm.turns[k] == 0) continue;
      const Joint& joint = model_.bodies[static_cast<std::size_t>(arm.coordinates[k].body)].joint;
      const double rate =
          has_quaternion(joint.type) ? v.segment<3>(joint.v_begin).norm() : std::abs(v[arm.coordinates[k].v]);
      turn = std::max(turn, h * rate);
    }
  }
  return turn;
}

}  // namespace csim
