// Poses -> contacts -> the problem of a quasistatic step.
#pragma once

#include <optional>

#include "contact/find_contacts.h"
#include "model/dynamics.h"
#include "problem/build_quasistatic_problem.h"

namespace csim {

/// Work space of the stages in their order: place, find_contacts, build. Each uses the poses placed last.
class QuasistaticAssembly {
 public:
  /// The model must outlive the assembly.
  QuasistaticAssembly(const Model& model, const Scene& scene);

  /// Poses at the positions q [nq] and time (s), with these constraints broken (State::broken).
  void place(const VectorX& q, double time, const std::vector<char>& broken);

  /// Contacts nearer than `threshold` (m).
  void find_contacts(double threshold, ContactSet* contacts);

  /// With two rays a contact: finds the plane in which the passive bodies move, for `build`; false where they
  /// move in none.
  [[nodiscard]] bool find_plane();

  /// The problem of a step with the actuators' commands [actuators] at its end; near-rigid contacts have
  /// their compliance. `tangents` [points of contacts]: the axes of which tangents are made (tangent_axis);
  /// null: each contact's own. `drags` [cartesian drives], 1/rad: as QuasistaticStep. Constraints are
  /// near-rigid, or springs.
  void build(const VectorX& command, const ContactSet& contacts, const std::vector<int>* tangents,
             const std::vector<double>& drags, QuasistaticProblem* problem);

  /// Turns a problem without answer into the near-rigid one, which always has one.
  void relax(QuasistaticProblem* problem);

  [[nodiscard]] const Kinematics& kinematics() const { return kinematics_; }
  /// [nv], N or N m: of forces on bodies, in the problem built last.
  [[nodiscard]] const VectorX& external() const { return dynamics_.external; }
  [[nodiscard]] const QuasistaticModel& quasistatic() const { return quasistatic_; }
  /// Of the problem built last.
  [[nodiscard]] const DriveTurning& turning() const { return turning_; }

 private:
  const Model& model_;
  IntegratorSpec spec_;
  double h_;  // s
  QuasistaticModel quasistatic_;
  ContactFinder finder_;
  DriveTurning turning_;
  std::optional<Vector3> plane_;  // unit normal, with two rays a contact
  Kinematics kinematics_;
  Dynamics dynamics_;
  State resting_;  // at the poses, v = 0
  std::vector<Twist> zero_twists_;
  std::vector<double> work_;
  std::vector<RowTerm> terms_;  // work space
};

}  // namespace csim
