// What does not change during a run: a forest of trees of bodies and joints with their inertias and
// geometries. Generalised coordinates throughout: a free body is a tree with one free joint.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/rigid_transform.h"
#include "core/spatial.h"
#include "geometry/shape.h"
#include "mesh/pressure_field.h"
#include "model/command.h"
#include "model/energy_accounts.h"
#include "model/motion.h"
#include "model/pair_table.h"
#include "scene/scene.h"

namespace csim {

/// Every body has one joint that places it: the scene's joint of which it is the child; a free joint on the
/// world without one; a weld for fixed bodies (`scene_joint` < 0 in the last two cases).
struct Joint {
  JointType type = JointType::kFree;
  int scene_joint = -1;  // index in Scene::joints
  int parent = -1;       // body, -1: world
  RigidTransform X_PF;   // joint frame in the parent body (of a prescribed body: without meaning)
  Quaternion q_PF = Quaternion::Identity();  // its rotation
  Vector3 axis = Vector3::UnitZ();
  double pitch = 0.0;       // m per radian: screw
  int q_begin = 0, nq = 0;  // in State::q
  int v_begin = 0, nv = 0;  // in State::v
};

struct Body {
  std::string name;
  MassProperties mass;                // body axes
  Vector3 gravity = Vector3::Zero();  // m/s^2: the model's, or 0 where it is compensated
  Joint joint;
  int tree = -1;  // -1: moves as prescribed or not at all (fixed, prescribed, welded to such)
  // Bodies of one group move as one and do not meet; the world's group (fixed bodies) is 0. Nor do two bodies
  // without a tree meet.
  int weld_group = 0;
  int motion = -1;                             // index in Model::motions: prescribed
  Vector3 surface_velocity = Vector3::Zero();  // m/s, body axes
  // m, of a ball about the body origin that holds its colliding geometries; infinite with a half space.
  double radius = 0.0;
};

/// A connected tree of bodies with at least one degree of freedom, rooted in the world, a fixed or a
/// prescribed body.
struct Tree {
  int v_begin = 0, nv = 0;  // in State::v
  int q_begin = 0, nq = 0;  // in State::q
  int block_begin = 0;      // first entry of its nv x nv block in arrays of blocks (column-major)
  int bodies_begin = 0, bodies_end = 0;  // in Model::tree_bodies
  bool is_chain = true;                  // TreeBranches::is_chain
  bool single_free_body = false;         // one body, a free joint on the world: the fast path
  int free_body = -1;                    // of such a body, in Model::free_bodies
  bool is_plain = false;  // such a body without damping, armature: A = M, solved in closed form
};

/// How the coordinates of a tree follow each other from its root on, parents first and branch by branch; the
/// arrays are parts of Model's. A tree whose coordinates stand in another order is taken as one chain, in
/// which each is beyond all before it.
struct TreeBranches {
  bool is_chain = true;  // each coordinate is the parent of the next: the arrays are not read
  int n = 0;             // coordinates of the tree
  const int* parent;     // [n], the one before it on its way to the root; -1: none
  const int* run_begin;  // [n], first of the consecutive ones up to it of which each is the next one's parent
  const int* branch_end;  // [n], those from it to before this one are the ones beyond it, itself included
};

/// A single free body, with all that its closed forms read, side by side in memory (Model::free_bodies).
struct FreeBody {
  int body = -1, tree = -1;
  int q_begin = 0, v_begin = 0, block_begin = 0;
  bool placed = false;  // the joint frame is not the world's: X_WB = X_PF (rotation, position)
  bool plain = true;    // Tree::is_plain, beside what is read with it
  MassProperties mass;
};

/// What a geometry brings to contact surfaces, in its own frame: a pressure field, a rigid surface (a half
/// space's is HalfSpace), or nothing (point geometries).
using PressureGeometry = std::variant<std::monostate, std::shared_ptr<const CompliantMesh>,
                                      std::shared_ptr<const TriangleMesh>, CompliantHalfSpace, HalfSpace>;

/// One geometry of a body. Those with contact: none are included, with no pair class: they never meet
/// another.
struct Geometry {
  std::string name;  // body/geometry
  int body = -1;
  Shape shape;
  RigidTransform X_BG;  // in the body
  ContactKind kind = ContactKind::kPoint;
  int material = -1;
  int pair_class = -1;  // row of the pair table; -1: contact none
  PressureGeometry pressure;
};

/// A drive of a revolute, prismatic or screw joint, or a coordinate of a cartesian one.
struct Actuator {
  std::string name;
  // Index in Scene::joints, its tree, its coordinate in State::q and v; -1 of kCartesian.
  int joint = -1, tree = -1, q = -1, v = -1;
  ActuatorType type = ActuatorType::kEffort;
  double stiffness = 0.0, damping = 0.0;
  double effort_limit = std::numeric_limits<double>::infinity();  // N or N m
  bool feed_forward_velocity = false;
  Command command;
};

/// One coordinate of a joint: its tree, its places in State::q (-1: a quaternion's) and State::v.
struct JointCoordinate {
  int tree = -1, q = -1, v = -1;
};

/// Whose force a row is in the results: a joint's own, a drive's with a limit, a cartesian drive's, or a
/// constraint's.
enum class RowOwner { kJoint, kDrive, kCartesian, kConstraint };

/// A law on x = sum_k coefficient_k q_k. Its deviation is x - offset; of a stop the distance to the nearer
/// end of a range; of a drive x less its command.
struct CoordinateRow {
  RowOwner owner = RowOwner::kJoint;
  int index = -1;       // of the drive in Model::actuators, of the row among those of the constraints
  int constraint = -1;  // of kConstraint: in Model::constraint_names
  struct Term {
    JointCoordinate coordinate;
    double coefficient = 1.0;
  };
  std::vector<Term> terms;
  double offset = 0.0;                                  // m or rad
  std::optional<std::pair<double, double>> range = {};  // of a stop
  RowLaw law;                                           // g0, and rate of drives: those of a step

  /// sum_k coefficient_k q_k.
  [[nodiscard]] double value(const VectorX& q) const {
    double x = 0.0;
    for (const Term& term : terms) x += term.coefficient * q[term.coordinate.q];
    return x;
  }
};

/// Rows of a constraint between frames A and B on two bodies, made from their poses in each step
/// (model/body_pair.h).
struct BodyPair {
  ConstraintType type = ConstraintType::kBall;
  int constraint = -1;           // in Model::constraint_names; -1: of a cartesian drive
  int index = -1;                // of its first row among those of the constraints
  int body_a = -1, body_b = -1;  // -1: the world
  RigidTransform X_A, X_B;       // the frames in the bodies
  struct Row {
    double offset = 0.0;
    std::optional<std::pair<double, double>> range;
    RowLaw law;
  };
  std::vector<Row> rows;
};

/// What a constraint bears: a force, or a moment, of the rows [row_begin, row_end) of the constraints.
struct BreakingLoad {
  int constraint = -1;  // in Model::constraint_names
  int row_begin = 0, row_end = 0;
  bool is_vector = false;  // the rows are along the axes of a vector; else all along one direction
  double limit = 0.0;      // N or N m
};

/// Six coordinates of a cartesian actuator (model/cartesian_drive.h).
struct CartesianDrive {
  int actuator = -1;                             // the first of its coordinates in Model::actuators
  BodyPair pair;                                 // base, and the body with the frame in it; without rows
  std::array<double, 6> stiffness{}, damping{};  // linear ones first
  std::array<bool, 6> acts{};                    // a gain is not 0
  std::array<int, 6> group{};                    // RowLaw::group: one of the three of a vector that all act
};

/// A force or torque on a body over time.
struct Force {
  std::string name;
  int body = -1;
  Vector3 point = Vector3::Zero();  // m, body axes: where the force acts
  bool is_torque = false;
  ForceFrame frame = ForceFrame::kWorld;
  VectorCommand value;
};

/// What a phase of a sequence tells an actuator.
struct PhaseCommand {
  int actuator = -1;  // in Model::actuators
  bool is_ramp = false;
  double to = 0.0, duration = 0.0;  // s
  Command command;                  // of times since the phase began; no ramp
};

/// A phase of a sequence (model/sequence.h).
struct Phase {
  std::string name;
  std::string waits_for;               // "the position of joint 'lift' above 0.1"
  std::vector<PhaseCommand> commands;  // of the actuators that it names, by their indices
  ConditionSpec until;
  int coordinate = -1;                                       // of its joint in State::q or State::v
  double duration = 0.0;                                     // s, of its longest ramp or table
  double timeout = std::numeric_limits<double>::infinity();  // s
  OnTimeout on_timeout = OnTimeout::kError;
};

/// How far a run has come in the sequence of its model.
struct SequenceState {
  int phase = -1;        // in force; -1: the model has no sequence
  bool is_over = false;  // the last one has ended too; it stays in force
  double begin = 0.0;    // s, of the phase
  /// Whom an actuator follows: its own command, the phase's from the value `from` on, or the value `from`.
  enum class Source : int { kOwn, kPhase, kHeld };
  struct Followed {
    Source source = Source::kOwn;
    double from = 0.0;
    bool operator==(const Followed&) const = default;
  };
  std::vector<Followed> actuators;  // [actuators]; empty without a sequence
  bool operator==(const SequenceState&) const = default;
};

/// What the contacts of two bodies a < b do in every step while a tree of them is asleep.
struct RestingPair {
  int body_a = -1, body_b = -1;
  Vector3 impulse = Vector3::Zero();  // N s, of a step, on body b, world axes
  double normal_force = 0.0;          // N, of all contacts of the pair
  bool operator==(const RestingPair&) const = default;
};

/// Which trees rest, and since when (integrator.sleep_speed).
struct RestState {
  VectorX since;                   // [trees], s: since when a tree is slow; infinite: it is not
  std::vector<int> group;          // [trees], the first tree of those it fell asleep with; -1: it is awake
  std::vector<RestingPair> pairs;  // with a tree asleep, sorted by (body_a, body_b)
  VectorX v;                       // [nv], of trees asleep when they fell asleep; 0 of the others
};

struct Model {
  Vector3 gravity;
  std::vector<Body> bodies;            // the scene's order
  std::vector<int> topological_order;  // parents before children
  std::vector<int> articulated_order;  // the same without the single free bodies
  std::vector<Tree> trees;
  std::vector<int> tree_bodies;        // of the trees, one after the other: bodies_of
  std::vector<int> articulated_trees;  // indices in trees: all but the single free bodies
  std::vector<FreeBody> free_bodies;   // one per tree with single_free_body, in their order
  std::vector<Motion> motions;         // of the prescribed bodies
  std::vector<Geometry> geometries;    // the scene's order, contact: none included
  PairTable pairs;
  ContactEngine engine = ContactEngine::kNative;        // who answers contact queries of points
  PatchSpec patch;                                      // how contact surfaces become contact faces
  int num_joints = 0;                                   // joints of the scene
  VectorX damping, armature, stiffness, rest_position;  // [nv], per velocity coordinate
  std::vector<Actuator> actuators;                      // the scene's order, coordinate by coordinate
  std::vector<CartesianDrive> cartesian_drives;         // of the cartesian ones
  std::vector<Phase> phases;                            // of the sequence
  // Limits of joints, dry friction, drives with a limit, constraints: each in the scene's order.
  std::vector<CoordinateRow> rows;
  std::vector<BodyPair> body_pairs;           // constraints between bodies, in the scene's order
  int num_constraint_rows = 0;                // of all constraints of the scene
  std::vector<std::string> constraint_names;  // the scene's order
  std::vector<BreakingLoad> breaking_loads;   // constraint by constraint
  std::vector<Force> forces;                  // the scene's order
  VectorX drive_stiffness, drive_damping;     // [nv], gains of the other actuators, implicit in the step
  // [nv], of springs and all position drives, those with a limit too
  VectorX position_stiffness;
  std::vector<int> sprung_trees;  // indices of the trees where it is not 0
  std::vector<int> loaded_trees;  // indices of the trees with damping, armature, springs or drives with gains
  std::vector<std::pair<int, int>> springs;  // (q index, v index) of the coordinates with stiffness > 0
  int nq = 0, nv = 0;
  int block_size = 0;                              // entries of all tree blocks together
  std::vector<int> parent, run_begin, branch_end;  // [nv], see TreeBranches
  std::vector<int> jacobian_begin;                 // [B], see Kinematics
  int jacobian_size = 0;
};

/// The bodies of a tree of the model: parents before children, welded ones included.
[[nodiscard]] inline std::span<const int> bodies_of(const Model& model, const Tree& tree) {
  return std::span(model.tree_bodies).subspan(tree.bodies_begin, tree.bodies_end - tree.bodies_begin);
}

[[nodiscard]] inline TreeBranches branches_of(const Model& model, const Tree& tree) {
  return {tree.is_chain, tree.nv, model.parent.data() + tree.v_begin, model.run_begin.data() + tree.v_begin,
          model.branch_end.data() + tree.v_begin};
}

/// What of a state each tree has its part of.
struct TreeStates {
  VectorX q, v;       // with the columns of Model
  VectorX tree_gain;  // [trees], J: the parts of energy.scheme_mass_matrix, where steps know them
  /// [trees], J: what the contacts of each have dissipated so far, of a pair of trees half; likewise.
  VectorX tree_dissipated;
};

/// Of a state the step number, the running sums, and what no single tree has.
struct StepSums {
  long step = 0;
  double time = 0.0;       // s, = step * h with a constant step
  double next_step = 0.0;  // s, length that `continuous` tries next; 0: none yet
  VectorX tree_steps;      // [trees], s, lengths that `error_controlled` tries next; empty: none yet
  EnergyAccounts energy;
  PairEnergies pair_energies;  // of contacts, where steps know them
  SequenceState sequence;
  std::vector<char> broken;  // [constraints], whether one is gone (model/breaking.h); empty where none breaks
};

/// What a step begins with and changes.
struct StepState : StepSums, TreeStates {
  /// States with the same number have the same trees asleep, and of these the same TreeStates and RestState:
  /// what is derived from that may be kept. Who changes it sets this to 0, which says nothing; what trees
  /// awake have, and time with all that is prescribed, may differ. No part of a checkpoint: results do not
  /// depend on it.
  std::uint64_t rest_number = 0;
};

/// Everything of the simulation that changes. (What a solver remembers is apart: solver/solver_memory.h.)
struct State : StepState {
  RestState rest;  // empty where nothing ever sleeps
};

}  // namespace csim
