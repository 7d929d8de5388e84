// What the contacts did in a step: forces, slip, artefacts and the momentum balance recomputed from them.
#pragma once

#include "problem/row_forces.h"

namespace csim {

/// Columns in the order of the ContactSet (contacts that were left out of the problem have zeros), and sums.
struct ContactForces {
  std::vector<Vector3> point;  // m, world
  std::vector<Vector3> force;  // N, world, on body b
  std::vector<Vector3>
      slip_velocity;  // m/s, world, of b minus a, surface velocity included, without the normal part
  std::vector<double> normal_force;  // N
  std::vector<double> slip_speed;    // m/s
  std::vector<double> stiffness;     // N/m, as the pair has it
  std::vector<int> mode;             // 0 no normal force, 1 stiction, 2 slip

  double gliding_distance = 0.0;      // m, largest over contacts
  double stiction_tolerance = 0.0;    // m/s, effective, largest over contacts with a normal force
  double elastic_energy_start = 0.0;  // J, of all contact springs at phi0
  double elastic_energy_end = 0.0;    // J, the same at phi0 + h v_n, the end of the step to first order
  // J, minus the work of the impulses at the mean of the velocities before and after. The normal part, less
  // the change of energy of springs whose force is f at the end, is damping (h f - gamma_n) v_n and the loss
  // of the implicit scheme, gamma_n (v_n - v_n0)/2 - h f v_n + E0 - E1.
  double normal_damping = 0.0, normal_spring_loss = 0.0, dissipated_friction = 0.0;
  double bias_work = 0.0;  // J, done on the system by prescribed bodies and belts: -sum of gamma . b

  std::vector<double> elastic_start, elastic_end;  // J, the parts of the elastic energies by contact

  // By contact of the problem, in its order, and work space.
  ContactVelocities velocities;  // m/s
  Vector3Columns gamma;          // N s, world, on body b
  VectorX model_impulse;         // [nv of the model]
  std::vector<char> in_contact;
};

/// Evaluates the law at v (of the problem of `data`): fills forces->velocities and forces->gamma alone, of
/// these islands; null: of all. Those of others stay where they are of as many contacts.
void evaluate_contacts(const StepData& data, const VectorX& v, const std::vector<char>* islands,
                       ContactForces* forces);

/// Evaluates the law at v (of the problem of `data`) and fills *forces; of islands whose trees are not among
/// `trees` as if nothing acted.
void compute_contact_forces(const StepData& data, const Model& model, const ContactSet& contacts,
                            const VectorX& v, ContactForces* forces, const TreeSet& trees = {});

/// kg, of those of two bodies that move; infinite when neither does.
[[nodiscard]] double lighter_mass(const Model& model, int body_a, int body_b);

/// Fills forces->elastic_start alone, with what the overlaps may give (J): their energies, those of points as
/// if none were stiffer than 3e5 m/h^2, m the lighter body's mass, h = `whole_step` (s), of which the step of
/// `data` may be a part.
void compute_overlap_gains(const StepData& data, const Model& model, const ContactSet& contacts,
                           double whole_step, ContactForces* forces);

/// The same columns of the acceleration level (continuous_law.h), whose forces hold at the state itself: both
/// elastic energies are those of the state; `dissipated_..`, `bias_work` and the columns by contact of the
/// problem are left alone.
void collect_continuous_forces(const ConvexProblem& problem, const Model& model, const ContactSet& contacts,
                               const ContactVelocities& v, const Vector3Columns& force,
                               ContactForces* forces);

/// The scaled momentum residual |D (A (v - v*) - h sum J^T f)| / max(|D A (v* - v0)|, |D h sum J^T f|) over
/// those of `trees` that are in the problem, recomputed from the stored points and forces of contacts through
/// the Jacobians of the bodies and from the forces of rows; `v0` and `v` are the model's velocities before
/// and after the step. Of *forces only the work space changes.
[[nodiscard]] double momentum_residual(const Model& model, const Kinematics& kinematics,
                                       const FreeMotion& free_motion, double h, const ContactSet& contacts,
                                       const RowForces& rows, const VectorX& v0, const VectorX& v,
                                       ContactForces* forces, const TreeSet& trees = {});

}  // namespace csim
