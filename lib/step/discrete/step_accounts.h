// The energy of a step of the discrete scheme: where it went, account by account.
#pragma once

#include "model/dynamics.h"
#include "step/account/pair_energies.h"
#include "step/discrete/solved_step.h"

namespace csim {

/// Work space of `account_step`.
struct StepAccounts {
  Kinematics end;  // at the end of the step
  VectorX q_end;   // [nq], what `end` is of
  bool has_end = false;
  std::uint64_t rest_number = 0;  // of the step for which q_end, `twists` and `resting` were filled
  MechanicalEnergy resting;       // J, of the trees that sleep in it
  Kinematics moving;              // of the start, with other twists of prescribed bodies
  std::vector<Twist> twists, mean;
  VectorX v0, v1, v_mean;  // [nv], 0 of trees that are not
  TreeSet trees;           // accounted for
  double rows_held = 0.0;  // J, in the springs of rows of trees that take no part
  PairOverlaps overlaps;
  PairEnergies ledger;
};

/// Whether work.end are the poses at `state`, and those of any step of `who` from there: nothing is
/// prescribed.
[[nodiscard]] bool is_end_of(const StepAccounts& work, const Model& model, const Participants& who,
                             const State& state);

/// Begins the accounts of a run at *state, the start of a step with these forces: what overlaps store belongs
/// to it.
void begin_accounts(const PreparedStep& prepared, const SolvedStep& solved, StepAccounts* work, State* state);

/// Adds what a step did to `trees`, all that take part or some of them, to the accounts of *end, which holds
/// its q, v and time, and the accounts of its start. *works is what the contacts of each pair did. The forces
/// of `solved` must be those of these trees alone. What prescribed bodies do beside trees is accounted for
/// where Participants::with_supports says so. The energies of the state itself are of all trees. Work is done
/// at the mean velocity (v0 + v)/2, with which impulses change the kinetic energy by exactly their work:
///
///   dK + dU = W(contacts, rows, damping, springs, actuators, roots) + scheme_gravity + scheme_mass_matrix
///                + scheme_springs - joint_spring_loss (model/spring_terms.h)
///   scheme_gravity       dP + h (weight . mean velocity)
///   scheme_mass_matrix   K(q1, v) - K(q0, v) + h (Coriolis and gyroscopic forces . mean velocity)
///
/// Gains from nothing are kept by pair of bodies (pair_energies.h) and, of scheme_mass_matrix, by tree, as is
/// what contacts dissipate.
void account_step(const PreparedStep& prepared, const SolvedStep& solved, const TreeSet& trees,
                  StepAccounts* work, PairWorks* works, State* end);

/// The energies of the state *end itself, where trees that took no part in the step have come to another
/// place since its accounts.
void account_state(const PreparedStep& prepared, const SolvedStep& solved, StepAccounts* work, State* end);

}  // namespace csim
