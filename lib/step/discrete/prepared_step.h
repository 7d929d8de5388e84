// A step before its velocities are known: what follows from the state at its start and its length.
#pragma once

#include "contact/find_contacts.h"
#include "model/spring_terms.h"
#include "model/velocity_terms.h"
#include "problem/contact_bias.h"
#include "step/discrete/step_options.h"
#include "step/step_result.h"

namespace csim {

/// The state, poses, free motion, contacts, and the convex problem they make. Corrections refine the free
/// motion, the contacts and the problem at the velocities found.
struct PreparedStep {
  /// The model and the options must outlive this, and stay as they are.
  PreparedStep(const Model& the_model, const Scene& scene, const StepOptions& the_options);

  const Model& model;
  const StepOptions& options;
  State state;  // at its start, without `rest`, of which `trees` is what matters
  /// Those that take part. The others go on with the velocities of `state`, free of contacts and rows.
  TreeSet trees;
  bool is_whole = true;                     // they are all that are awake: the others rest
  bool with_supports = true;                // Participants
  std::uint64_t rest_number = 0;            // likewise
  double h = 0.0;                           // s
  double query_step = 0.0;                  // s, for which the contacts were found; >= h
  Kinematics kinematics;                    // at the start
  Dynamics dynamics;                        // of the start, but for the velocities of its forces
  FreeMotion free_motion;                   // A, v*
  int unsettled_tree = -1;                  // whose mean velocity was not found
  std::vector<Twist> twists0, twists_star;  // [B], at v0 and at v*, of the contact query
  std::vector<Twist> twists_pushed;         // likewise, ContactQuery::V_pushed; empty: as at v*
  ContactSet contacts;
  StepData data;

  bool asks_for_pushes = false;  // whether friction lifts what is pushed, and there are trees on joints
  VectorX v_pushed;              // work space, [nv of the model]

  MeanVelocityWorkspace mean_velocity;  // work space
  std::vector<char> asked;              // likewise, [B], bodies of `trees`
  std::vector<char> asked_again;        // likewise, of the second contact query
  TreeSet settling;                     // likewise, of the correction of velocity terms
  VectorX impulse;                      // likewise, [nv of the model]
  SpringWorkspace springs;              // likewise
  // Likewise, of the bias of contacts (step_bias.h).
  BodyPaths paths;
  std::vector<Vector3> bias;          // m/s, of the contacts of the problem
  std::vector<double> contact_speed;  // m/s, likewise
};

/// Of which trees a buffer has to be filled, which was filled last for the number *held: those of `step`, or
/// all. It is now filled for the step's number.
[[nodiscard]] inline const TreeSet& trees_to_fill(const PreparedStep& step, std::uint64_t* held) {
  static const TreeSet all;
  const bool holds_others = is_held(*held, step.rest_number);
  *held = step.rest_number;
  return holds_others ? step.trees : all;
}

/// Who takes a step.
struct Participants {
  TreeSet trees;         // empty: all
  bool is_whole = true;  // all that are awake; else a part of a step that the others take by themselves
  /// What prescribed bodies do beside trees is accounted for with them: once a step.
  bool with_supports = true;
  /// StepState::rest_number of states in which all other trees sleep; 0: of none. What a buffer holds of
  /// these, filled for a state of that number, is not filled again.
  std::uint64_t rest_number = 0;
  bool operator==(const Participants&) const = default;
};

/// Prepares the step of length h (s) of these trees from `state`. Pairs are offered that could touch at the
/// velocities before the step or at those without contact, one body of them of these trees at least or, where
/// all take part that are awake, prescribed and moving. `poses`: at the state, of a model in which nothing is
/// prescribed; they change places with those of *step. Null: they are not known yet.
void prepare(const State& state, double h, const Participants& who, ContactFinder* finder,
             StepStatistics* statistics, PreparedStep* step, Kinematics* poses = nullptr);

/// Another, shorter length (s) from the same state: the contacts stay those of the longest.
void shorten(double h, StepStatistics* statistics, PreparedStep* step);

/// Coriolis and gyroscopic forces of these trees at the mean of the velocities before and after the step,
/// with the impulses `impulse` of the step, searched from `guess` to the relative `accuracy` (as in
/// take_mean_velocity_terms): fills dynamics, v* and unsettled_tree.
void take_mean_velocity(const TreeSet& trees, const VectorX& guess, double accuracy, PreparedStep* step);

/// The prescribed body that carries a tree on joints, itself on welds perhaps; -1: none.
[[nodiscard]] int prescribed_root(const Model& model, const Tree& tree);

/// That of trees with contacts or rows.
[[nodiscard]] double search_accuracy(const PreparedStep& step);

/// Contacts, state and free motion as they are -> problem.
void build_problem(StepStatistics* statistics, PreparedStep* step);

/// What the contact query of the step asks for.
[[nodiscard]] ContactQuery contact_query(const PreparedStep& step);

}  // namespace csim
