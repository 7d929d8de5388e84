// Poses and contacts -> the quasistatic problem.
#pragma once

#include <optional>

#include "contact/contact_set.h"
#include "model/quasistatic_model.h"
#include "problem/drive_turning.h"
#include "problem/quasistatic_problem.h"

namespace csim {

/// Weight of the mass of passive bodies in QuasistaticProblem::choice without any actuator.
inline constexpr double kChoiceAlone = 1e-6;

/// Of positions, angles or the terms of a sum: what is their rounding, some 60 units in the last place. A
/// body that exactly fits between two others has a way through, though one of the gaps may be rounded to
/// -1e-16 m.
inline constexpr double kQuasistaticRounding = 1.4e-14;

/// What a step is built from beside the poses.
struct QuasistaticStep {
  double h = 0.0;                              // s
  const State* state = nullptr;                // at the start
  const VectorX* command = nullptr;            // [actuators], of the step's end
  const std::vector<double>* mass = nullptr;   // tree blocks of M (armature left out)
  const VectorX* external = nullptr;           // [nv], N or N m, of forces on bodies
  const std::vector<int>* tangents = nullptr;  // [contact points], axis a of each; null: tangent_axis
  const DriveTurning* turning = nullptr;       // of the poses and commands
  const std::vector<double>* drags = nullptr;  // [cartesian drives], 1/rad: of their arms, in their loads
  std::vector<RowTerm>* terms = nullptr;       // work space
};

/// Fills *problem. Tangents of a contact: t1 = (a x n)/|a x n|, t2 = n x t1 with a world axis a; with two
/// rays t1 = w x n in the plane with the unit normal w. Contacts between bodies of which none moves, and
/// pressure fields, are left out; so are constraints that are broken, and their rows that nothing moves.
void build_quasistatic_problem(const Model& model, const QuasistaticModel& quasistatic,
                               const IntegratorSpec& spec, const Kinematics& kinematics,
                               const ContactSet& contacts, const std::optional<Vector3>& plane,
                               const QuasistaticStep& step, QuasistaticProblem* problem);

/// The world axis (0, 1, 2) of the smallest component of n, of which a contact's tangents are made:
/// components within 1e-9 of it count as equal, the first wins.
[[nodiscard]] int tangent_axis(const Vector3& n);

/// The axes (t1, t2, n) of a contact, as columns, with a = `axis`.
[[nodiscard]] Matrix3 contact_axes(const Vector3& n, const std::optional<Vector3>& plane, int axis);

}  // namespace csim
