// Whether the motion of a quasistatic step with Coulomb's friction determines its contact forces.
#pragma once

#include "solver/quasistatic/quasistatic_existence.h"

namespace csim {

/// The force, N, that the motion determines least: all of these balance the passive bodies with the same
/// motion.
struct AmbiguousForce {
  bool found = false;
  int group = -1;                                   // of the problem
  Vector3 along = Vector3::Zero();                  // axes of the contact: its normal, or a tangent
  double least = 0.0, most = 0.0;                   // N along it; infinite where nothing bounds it
  Vector3 first = Vector3::Zero(), second = first;  // N, axes of the contact: of the solution, and another
};

/// Work space of the test.
class QuasistaticAmbiguity {
 public:
  /// The impulses that the motion v allows are z >= 0 on the rays that act (none of a contact that is open,
  /// of one that slides the ray against the slip), with J^T z that of the solution [Pang & Tedrake 2021, sec.
  /// III]. The smallest and largest normal force of each contact are linear programs over them, and where
  /// these agree those along its tangents. `found` where the range of one is more than 1e-6 of the loads
  /// |b|/h.
  void find(const QuasistaticProblem& problem, const QuasistaticSolution& solution, AmbiguousForce* result);

 private:
  void keep_acting_rays(const QuasistaticProblem& problem, const QuasistaticSolution& solution);
  double extreme(int group, const Vector3& along);
  void widen(const QuasistaticProblem& problem, const QuasistaticSolution& solution, int group,
             const Vector3& along, double* widest, AmbiguousForce* result);

  QuasistaticProblem face_;
  std::vector<int> group_of_, row_of_;  // of groups and rows of face_, in the problem
  QuasistaticExistence existence_;
  SqueezeCertificate squeeze_;
  QuasistaticSolver solver_;
  QuasistaticSolution solution_;
  std::vector<double> rows_;
};

}  // namespace csim
