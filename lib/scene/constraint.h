// What holds between joints beside the trees that they build: constraints of the scene as rows on coordinates
// of joints. The keys of each kind, their check and their row stand in constraint.cpp.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "law/row_law.h"

namespace csim {

struct Scene;

enum class ConstraintType { kCoupler };

/// q_a = ratio q_b + offset.
struct ConstraintSpec {
  std::string name;
  ConstraintType type = ConstraintType::kCoupler;
  int joint_a = -1, joint_b = -1;  // indices in Scene::joints: revolute or prismatic
  double ratio = 1.0;              // of q_a to q_b
  double offset = 0.0;             // m or rad, of q_a
  double stiffness = std::numeric_limits<double>::infinity();  // N/m or N m/rad of q_a; infinity: rigid
  double relaxation_time = 0.0;                                // s, damping over stiffness
  double near_rigid = 0.1;                                     // beta, of the softest rigid constraint
};

/// A law on x = sum_k coefficient_k q(joint_k), whose deviation is x - offset. It has the units of the first
/// joint.
struct ConstraintRow {
  struct Term {
    int joint = -1;  // index in Scene::joints: revolute or prismatic
    double coefficient = 1.0;
  };
  std::vector<Term> terms;
  double offset = 0.0;
  RowLaw law;
};

[[nodiscard]] ConstraintRow constraint_row(const ConstraintSpec& constraint);

/// x - offset at the joints' initial positions.
[[nodiscard]] double violation_at_start(const Scene& scene, const ConstraintRow& row);

}  // namespace csim
