// What holds between joints or bodies beside the trees that joints build: constraints of the scene as rows of
// the convex problem. The keys of each kind, their check and their rows stand in constraint.cpp; how a row
// between two bodies is measured in model/body_pair.cpp.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/types.h"
#include "law/row_law.h"

namespace csim {

struct Scene;

/// A pose as the file gives it; the quaternion is unit (w, x, y, z).
struct Pose {
  Vector3 xyz = Vector3::Zero();  // m
  Quaternion rotation = Quaternion::Identity();
};

enum class ConstraintType { kCoupler, kDistance, kBall, kWeld, kTendon };

struct ConstraintSpec {
  std::string name;
  ConstraintType type = ConstraintType::kCoupler;

  // kCoupler: q_a = ratio q_b + offset.
  int joint_a = -1, joint_b = -1;  // indices in Scene::joints: with one coordinate
  double ratio = 1.0;              // of q_a to q_b
  double offset = 0.0;             // m or rad, of q_a

  // kTendon: sum of coefficient q is `length`, or within `limits`.
  std::vector<std::pair<int, double>> joints;  // index in Scene::joints, with one coordinate; coefficient
  std::vector<double> limits;                  // lower < upper, or empty

  // Between two bodies.
  int a = -1, b = -1;                                            // index in Scene::bodies, -1: the world
  Vector3 point_a = Vector3::Zero(), point_b = Vector3::Zero();  // m, body axes: kDistance, kBall
  Pose pose_a, pose_b;                                           // of frames in the bodies: kWeld
  std::optional<double> length;                                  // m, kDistance; of kTendon m or rad
  std::optional<double> min, max;                                // m, kDistance

  double stiffness = std::numeric_limits<double>::infinity();  // N/m or N m/rad; infinity: rigid
  double relaxation_time = 0.0;                                // s, damping over stiffness
  double near_rigid = 0.1;                                     // beta, of the softest rigid constraint
  bool assemble = false;                                       // the start is moved to where it holds
  // Where its reaction exceeds these it breaks: N, or N m of joints that turn; N m, kWeld.
  std::optional<double> breaking_load, breaking_torque;
};

/// One row: a law on x, which is sum_k coefficient_k q(joint_k) of a constraint of joints, or measured
/// between two bodies. Its deviation is x - offset, or what x passes an end of its range by.
struct ConstraintRow {
  struct Term {
    int joint = -1;  // index in Scene::joints
    double coefficient = 1.0;
  };
  std::vector<Term> terms = {};
  double offset = 0.0;
  std::optional<std::pair<double, double>> range = {};  // of a stop; one end may be infinite
  bool is_angle = false;                                // x in rad, the force in N m; else m and N
  RowLaw law = {};
};

[[nodiscard]] std::vector<ConstraintRow> constraint_rows(const Scene& scene,
                                                         const ConstraintSpec& constraint);

/// Whether a constraint acts between the bodies a and b.
[[nodiscard]] bool is_between_bodies(const ConstraintSpec& constraint);

/// By how much x lies outside its range (below: < 0), or is off its offset.
[[nodiscard]] double row_violation(double x, double offset,
                                   const std::optional<std::pair<double, double>>& range);

}  // namespace csim
