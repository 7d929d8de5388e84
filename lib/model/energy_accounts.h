// Where the energy of a run went since its start: the columns of /energy that are sums over steps.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace csim {

/// J: kinetic with armature, gravity potential (0 at the world origin), joint springs.
struct MechanicalEnergy {
  double kinetic = 0.0, potential = 0.0, springs = 0.0;
};

/// J. total + dissipated() - work() - scheme() is `at_start` but for what no account explains.
struct EnergyAccounts {
  // Contacts along the normal: the law's damping; the loss of the implicit spring, an error of the scheme;
  // gained: energy of overlaps that the start of a step finds beyond what the step before has left.
  double normal_damping = 0.0, normal_spring_loss = 0.0, normal_overlap_gain = 0.0;
  double dissipated_friction = 0.0;  // contacts across it
  double dissipated_joints = 0.0;    // damping, dry friction, limits, constraints
  double work_actuators = 0.0;       // done on the system
  double work_prescribed = 0.0;      // likewise, by prescribed bodies and belts
  double work_forces = 0.0;          // likewise, by forces on bodies
  double scheme_gravity = 0.0;       // gained: gravity's work at the mean velocity for that along the path
  double scheme_mass_matrix = 0.0;   // gained: M(q0) for M(q1), work of Coriolis and gyroscopic forces
  double scheme_springs = 0.0;       // gained by springs of joints: bounded (spring_terms.h)
  double joint_spring_loss = 0.0;    // lost by those that the step does not resolve (spring_terms.h)

  // Of the state itself.
  double kinetic = 0.0, potential = 0.0;
  double elastic = 0.0;   // contacts, joint springs, soft constraints
  double overlaps = 0.0;  // contacts alone

  double at_start = 0.0;        // kinetic + potential + elastic of the initial state
  double most_in_motion = 0.0;  // kinetic + elastic energy of the start, or the largest kinetic one since
  double told = 0.0;            // energy from nothing at the last event of it
  double told_loss = 0.0;       // energy lost to the steps at the last event of it

  /// The energies of a state, with the elastic ones of its contacts and rows, J. Raises most_in_motion.
  void set_state(const MechanicalEnergy& energy, double contacts, double rows) {
    kinetic = energy.kinetic;
    potential = energy.potential;
    elastic = energy.springs + contacts + rows;
    overlaps = contacts;
    most_in_motion = std::max(most_in_motion, kinetic);
  }
  /// The accounts of a run that begins at a state.
  void begin(const MechanicalEnergy& energy, double contacts, double rows) {
    *this = {};
    set_state(energy, contacts, rows);
    at_start = total();
    most_in_motion = kinetic + elastic;
  }

  [[nodiscard]] double total() const { return kinetic + potential + elastic; }
  /// What contacts took along the normal and do not hold any more.
  [[nodiscard]] double dissipated_normal() const {
    return normal_damping + normal_spring_loss - normal_overlap_gain;
  }
  [[nodiscard]] double dissipated() const {
    return dissipated_normal() + dissipated_friction + dissipated_joints;
  }
  [[nodiscard]] double work() const { return work_actuators + work_prescribed + work_forces; }
  [[nodiscard]] double scheme() const {
    return scheme_gravity + scheme_mass_matrix + scheme_springs - joint_spring_loss;
  }
  /// What no account explains; > 0: gained.
  [[nodiscard]] double unexplained() const { return total() + dissipated() - work() - scheme() - at_start; }
  /// The scale of what moved: the largest energy in motion, what was dissipated and what was worked.
  [[nodiscard]] double turned_over() const {
    return most_in_motion + std::abs(dissipated_normal()) + std::abs(dissipated_friction) +
           std::abs(dissipated_joints) + std::abs(work_actuators) + std::abs(work_prescribed) +
           std::abs(work_forces);
  }
};

/// All members in the order of the checkpoint.
inline constexpr std::array kEnergyAccounts = {&EnergyAccounts::normal_damping,
                                               &EnergyAccounts::normal_spring_loss,
                                               &EnergyAccounts::normal_overlap_gain,
                                               &EnergyAccounts::dissipated_friction,
                                               &EnergyAccounts::dissipated_joints,
                                               &EnergyAccounts::work_actuators,
                                               &EnergyAccounts::work_prescribed,
                                               &EnergyAccounts::work_forces,
                                               &EnergyAccounts::scheme_gravity,
                                               &EnergyAccounts::scheme_mass_matrix,
                                               &EnergyAccounts::scheme_springs,
                                               &EnergyAccounts::joint_spring_loss,
                                               &EnergyAccounts::kinetic,
                                               &EnergyAccounts::potential,
                                               &EnergyAccounts::elastic,
                                               &EnergyAccounts::overlaps,
                                               &EnergyAccounts::at_start,
                                               &EnergyAccounts::most_in_motion,
                                               &EnergyAccounts::told,
                                               &EnergyAccounts::told_loss};
static_assert(sizeof(EnergyAccounts) == kEnergyAccounts.size() * sizeof(double), "list the new member too");

/// Of two bodies a < b in contact.
struct PairEnergy {
  int body_a = -1, body_b = -1;
  double stored = 0.0;  // J, what the contacts have taken along the normal since they touch, not given back
  double gained = 0.0;  // J, since the start: what they have given beyond that
  double left = 0.0;    // J, elastic, at the end of the last step
};

/// Sorted by (body_a, body_b), each pair once.
using PairEnergies = std::vector<PairEnergy>;

}  // namespace csim
