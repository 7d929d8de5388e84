// What one step, or one recorded frame, hands to the recorder: plain columns.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/types.h"
#include "model/energy_accounts.h"
#include "solver/quasistatic/quasistatic_certificate.h"
#include "solver/solve_report.h"

namespace csim {

/// Seconds of one step by stage: those of its solves, and the others. `assembly` holds all that builds the
/// problem, `total` everything.
struct StageSeconds : SolveSeconds {
  double total = 0, geometry = 0, gradients = 0, record = 0;
};

/// How the solver ended a step. Values are stored in /stats/step/status.
enum class StepStatus : int {
  kConverged = 0,      // momentum criterion met
  kCost = 1,           // cost criterion: round-off floor of the cost reached
  kRoundOff = 2,       // step below 1e-12 |v|_A: the residual cannot fall further
  kNoContact = 3,      // nothing to solve
  kNotConverged = 4,   // iteration limit (accepted by on_nonconvergence: accept)
  kShorterStep = 5,    // converged after the step was divided
  kInteriorPoint = 6,  // momentum criterion met, in an island or more through the interior point
  kIntegrated = 7,     // no problem to solve: a step of integrator.type continuous within its accuracy
  kRelaxed = 8,        // quasistatic: had no answer, the near-rigid problem was solved in its place
  kFailed = 9,         // quasistatic: the attempt that ended the run; the state is that before it
};

/// One row of /stats/step, /stats/iteration and /artefact.
struct StepStatistics {
  double time = 0;                 // s, end of the step
  int iterations = 0;              // largest over islands, summed over the solves of the step
  int line_search_iterations = 0;  // likewise
  int factorizations = 0;          // likewise
  double residual = 0;             // scaled momentum residual of the whole system
  double cost = 0;
  double condition = 0;  // largest over islands; NaN with condition_number: none
  long num_contacts = 0;
  long num_patches = 0;
  long num_faces = 0;        // of all patches
  long num_constraints = 0;  // scalar constraint equations: 3 a contact, and scalar rows
  int num_islands = 0;
  long factor_nonzeros = 0;  // sum over islands
  int num_rejected = 0;      // tries that were too long: steppers of variable length
  int num_parts = 1;         // that islands took while others made the step in one: error_controlled; else 1
  int num_rounds = 0;        // solves with contacts added that the velocities found have brought together
  int num_unforeseen = 0;    // contacts that close within the step and were left out: rounds are bounded
  int num_asleep = 0;        // bodies asleep at the end of the step
  StepStatus status = StepStatus::kNoContact;
  StageSeconds seconds;
  double gliding_distance = 0;         // m, max over contacts
  double stiction_tolerance = 0;       // m/s, effective, max over contacts
  double friction_lag = 0;             // see friction_lag of problem/friction_bounds.h
  double momentum_residual = 0;        // recomputed from the stored forces
  QuasistaticCertificate quasistatic;  // of integrator.type quasistatic
  // Iterations of all islands in island order; filled with output.iterations.
  std::vector<double> iteration_cost, iteration_gradient_norm, iteration_step_length;

  /// As made, with the memory of the iterations kept.
  void clear() {
    StepStatistics fresh;
    fresh.iteration_cost.swap(iteration_cost);
    fresh.iteration_gradient_norm.swap(iteration_gradient_norm);
    fresh.iteration_step_length.swap(iteration_step_length);
    for (auto* column :
         {&fresh.iteration_cost, &fresh.iteration_gradient_norm, &fresh.iteration_step_length}) {
      column->clear();
    }
    *this = std::move(fresh);
  }
};

/// The columns of /contact of one frame.
struct ContactRows {
  std::vector<int> geometry_a, geometry_b, kind, mode;
  std::vector<Vector3> point, normal, force, slip_velocity;
  std::vector<double> phi, stiffness, area, pressure, normal_force, slip_speed;

  [[nodiscard]] std::size_t size() const { return geometry_a.size(); }
  void resize(std::size_t n) {
    for (auto* column : {&geometry_a, &geometry_b, &kind, &mode}) column->resize(n);
    for (auto* column : {&point, &normal, &force, &slip_velocity}) column->resize(n);
    for (auto* column : {&phi, &stiffness, &area, &pressure, &normal_force, &slip_speed}) column->resize(n);
  }
};

/// The columns of /patch of one frame, and of its faces and their corners (empty unless recorded in full).
struct PatchRows {
  std::vector<int> geometry_a, geometry_b, num_faces, num_vertices, dropped_angle, constant_force_faces;
  std::vector<double> dropped_area, area, max_pressure;
  std::vector<Vector3> centroid, elastic_force, elastic_moment, force, moment;

  std::vector<double> face_area, face_pressure, face_gradient_a, face_gradient_b;  // [faces of all patches]
  std::vector<int> face_element_a, face_element_b;
  std::vector<Vector3> face_centroid, face_normal;
  std::vector<int> vertex_begin;  // [faces + 1]
  std::vector<Vector3> vertex;    // [corners of all faces]
  std::vector<double> vertex_pressure;

  [[nodiscard]] std::size_t size() const { return geometry_a.size(); }
  void resize(std::size_t n) {
    for (auto* column :
         {&geometry_a, &geometry_b, &num_faces, &num_vertices, &dropped_angle, &constant_force_faces}) {
      column->resize(n);
    }
    for (auto* column : {&dropped_area, &area, &max_pressure}) column->resize(n);
    for (auto* column : {&centroid, &elastic_force, &elastic_moment, &force, &moment}) column->resize(n);
  }
  void clear() {
    resize(0);
    for (auto* column : {&face_area, &face_pressure, &face_gradient_a, &face_gradient_b, &vertex_pressure})
      column->clear();
    for (auto* column : {&face_element_a, &face_element_b, &vertex_begin}) column->clear();
    for (auto* column : {&face_centroid, &face_normal, &vertex}) column->clear();
  }
};

using RowMatrixX = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// /gradient of one frame, with output.gradients: of the step that ends there.
struct GradientRows {
  RowMatrixX q;        // [nq, nq], d q+ / d q
  RowMatrixX command;  // [nq, actuators], d q+ / d command
  int num_kinks = 0;
  double seconds = 0.0;  // spent on them

  /// All NaN.
  void clear(long nq, long num_actuators) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    q.setConstant(nq, nq, kNone);
    command.setConstant(nq, num_actuators, kNone);
    num_kinks = 0;
    seconds = 0.0;
  }
};

/// The columns of /energy of one frame, J.
struct EnergyRow : EnergyAccounts {
  double total = 0, dissipated_normal = 0, dissipated = 0, work = 0, balance_error = 0, turned_over = 0;
};
[[nodiscard]] inline EnergyRow make_energy_row(const EnergyAccounts& accounts) {
  return {accounts,        accounts.total(),       accounts.dissipated_normal(), accounts.dissipated(),
          accounts.work(), accounts.unexplained(), accounts.turned_over()};
}

/// One frame of the trajectory.
struct Frame {
  double time = 0;
  int sequence_phase = -1;  // of the step that ends here; -1 without a sequence
  VectorX q, v;
  std::vector<Vector3> position, velocity, angular_velocity;  // [B], body origins, world axes
  std::vector<Quaternion> quaternion;                         // [B]
  std::vector<int> asleep;                                    // [B], 0 or 1, where anything ever sleeps
  EnergyRow energy;
  VectorX joint_position, joint_velocity, joint_effort;  // [nqj], [nvj], [nvj]
  VectorX actuator_command, actuator_effort;             // [n]
  VectorX constraint_violation, constraint_force;        // [rows of all constraints], 0 of those broken
  VectorX constraint_energy;           // likewise, J, in their springs at the end of the step; not recorded
  std::vector<int> constraint_broken;  // [constraints], 0 or 1, where any may break
  VectorX force_applied;               // [6 forces], force and torque about the com of each
  ContactRows contacts;
  PatchRows patches;
  GradientRows gradients;
};

}  // namespace csim
