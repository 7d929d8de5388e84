#include "step/quasistatic/quasistatic_trust.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/cartesian_drive.h"
#include "problem/build_quasistatic_problem.h"

namespace csim {
namespace {

constexpr double kPart = 0.5;                  // of the fall that the model promises may be missing
constexpr double kFirst = 1.0 / kLargestTurn;  // 1/rad: loads alone turn no joint further
constexpr double kLargest = 1e3 * kFirst;      // they turn joints by less than a milliradian

}  // namespace

QuasistaticTrust::QuasistaticTrust(const Model& model, const DriveTurning& turning)
    : model_(model), turning_(turning) {
  has_arm_.assign(model.cartesian_drives.size(), 0);
  for (const TurningArm& arm : turning.arms()) has_arm_[static_cast<std::size_t>(arm.drive)] = 1;
  restart();
}

void QuasistaticTrust::restart() {
  drags_.assign(has_arm_.size(), 0.0);
  turns_.assign(has_arm_.size(), 0.0);
  is_settled_.assign(has_arm_.size(), 0);
}

bool QuasistaticTrust::is_as_modelled(const CartesianDrive& drive, const QuasistaticProblem& problem,
                                      const QuasistaticSolution& solution, const VectorX& command) const {
  std::array<double, 6> start{}, way{};  // of the deviation, and as modelled
  double least_fall = 0.0, excess = 0.0, rounding = 0.0;
  for (const QuasistaticGroup& group : problem.groups) {
    if (group.drive < drive.actuator || group.drive >= drive.actuator + 6) continue;
    const auto row = static_cast<std::size_t>(group.row_begin);
    const double v = contact_velocity(problem, group, solution.v).z();
    const double energy = 0.5 / problem.compliance[row] * v * v;
    least_fall += energy;
    if (group.drive_row == DriveRow::kTurning) excess -= energy;
    if (group.drive_row != DriveRow::kPull) continue;
    const auto i = static_cast<std::size_t>(group.drive - drive.actuator);
    start[i] = problem.h * problem.e[row];
    way[i] = problem.h * v;
  }
  CartesianMeasure measure;
  measure_cartesian_at(drive, end_, command, &measure);
  const double size = measure.point.norm() + command.segment<3>(drive.actuator).norm();
  for (std::size_t i = 0; i < measure.rows.size(); ++i) {
    const double x = measure.rows[i].x, k = drive.stiffness[i], modelled = start[i] + way[i];
    excess += 0.5 * k * (x - modelled) * (i < 3 ? x + modelled : way[i]);
    const double error = kQuasistaticRounding * (i < 3 ? size : 1.0);
    rounding += k * error * (std::abs(x) + error);
  }
  return excess <= kPart * least_fall + rounding;
}

bool QuasistaticTrust::must_repeat(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                   const VectorX& command, const VectorX& q_end, double time) {
  if (turning_.arms().empty()) return false;
  compute_kinematics(model_, q_end, time, time, &end_);
  v_ = Eigen::Map<const VectorX>(solution.v.data(), problem.nv());
  bool repeats = false;
  for (std::size_t i = 0; i < has_arm_.size(); ++i) {
    if (has_arm_[i] == 0 || is_settled_[i] != 0) continue;
    const CartesianDrive& drive = model_.cartesian_drives[i];
    const bool is_first = drags_[i] == 0.0;
    if (is_first) turns_[i] = turning_.largest_turn(static_cast<int>(i), v_, problem.h);
    const bool is_too_far = is_first && turns_[i] > kLargestTurn;
    if (!is_too_far && is_as_modelled(drive, problem, solution, command)) continue;
    drags_[i] = is_first ? kFirst : 2.0 * drags_[i];
    if (drags_[i] > kLargest) {
      drags_[i] = turns_[i] > kLargestTurn ? kFirst : 0.0;
      is_settled_[i] = 1;
    }
    repeats = true;
  }
  return repeats;
}

void QuasistaticTrust::add_events(std::vector<Event>* events) const {
  for (std::size_t i = 0; i < drags_.size(); ++i)
    if (drags_[i] > 0.0 || is_settled_[i] != 0)
      add_event({EventKind::kHeldBack, model_.cartesian_drives[i].pair.body_b, -1, turns_[i]}, events);
}

}  // namespace csim
