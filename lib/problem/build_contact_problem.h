// Contacts, scalar rows and the state of a step -> ConvexProblem. What depends on q and v alone is built
// once; another step size repeats `set_step` alone where there is no bias of contacts (contact_bias.h).
#pragma once

#include "contact/contact_set.h"
#include "core/workers.h"
#include "model/dynamics.h"
#include "problem/convex_problem.h"
#include "problem/offer_rows.h"

namespace csim {

/// The problem and the memory its building reuses; may be dropped without changing a result.
struct StepData {
  ConvexProblem problem;
  RowOffers row_offers;        // in
  TreeSet trees;               // in: the others take no part, nor do their contacts and rows
  bool takes_chords = false;   // in: bodies see the chords of prescribed motions (velocity_terms: start)
  Workers* workers = nullptr;  // in: share out islands and contacts; null: none

  // Of the contact velocities, m/s, where there is a bias of contacts (contact_bias.h); empty: none.
  std::vector<Vector3> path_bias;     // [contacts], the bias
  std::vector<Vector3> support_bias;  // [contacts], the rest: prescribed motions and surface velocities

  // Work space of the builder.
  struct Run {
    int body_a, body_b;
    int point_begin, point_end;  // in ContactSet::points
    int patch_begin, patch_end;  // in ContactSet::patches
    int num_contacts;            // points, and points of the patches' faces
    int island;
  };
  std::vector<Run> runs;
  std::vector<int> tree_root;      // union-find over the model's trees
  std::vector<int> tree_island;    // by root
  std::vector<int> problem_tree;   // by model tree, -1: not in the problem
  std::vector<int> first_of_turn;  // [nv of the model], of angular velocities: their first coordinate; or -1
  std::vector<int> order;          // runs by island
  std::vector<Vector3> reference;  // [clusters], the point about which their endpoints are
  std::vector<int> row_order;      // row offers that are taken, by island
  ContactVelocities start_velocities;  // at v0
};

/// Where contact k of the set acts: weight_a p_a + (1 - weight_a) p_b; a point of a face where it stands.
[[nodiscard]] Vector3 contact_position(const Model& model, const ContactSet& contacts, int k);

/// The law and its parameters as the scene asks for them. The combination must be valid (the scene's reader
/// checks it).
void choose_contact_law(const ContactSpec& spec, ConvexProblem* problem);

/// Fills the parts of data->problem that depend on (q, v) alone, from the contacts and data->row_offers:
/// trees, islands, clusters, Jacobians, contact columns, rows, v0. The law must have been chosen. Contacts
/// between bodies that no velocity coordinate moves are left out, and those of trees that take no part.
/// Contact point: weight_a p_a + (1 - weight_a) p_b; a point of a face stands where it is, with k = g A and
/// fe0 = A p (Masterjohn et al., Velocity Level Approximation of Pressure Field Contact Patches, section IV).
/// The contacts of a cluster: points, then those of its patches.
void build_contact_problem(const Model& model, const Kinematics& kinematics, const State& state,
                           const ContactSet& contacts, StepData* data);

/// Fills A and v* from the free motion of the step h (s) and prepares the problem for it (prepare_step).
void set_step(double h, const FreeMotion& free_motion, const Model& model, StepData* data);

}  // namespace csim
