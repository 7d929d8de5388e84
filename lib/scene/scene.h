// The description of a run: what a scene file says, with every default filled in and every name resolved to
// an index. Plain structs, SI units, no YAML. Names and meanings are those of the scene format
// (schemas/scene.schema.json documents each key).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/solver_choices.h"
#include "core/types.h"
#include "law/law_facts.h"
#include "scene/constraint.h"

namespace csim {

struct TimeSpec {
  double step = 1e-3;  // s, > 0
  double end = 0.0;    // s, >= 0, required
};

inline constexpr double kRigid = std::numeric_limits<double>::infinity();  // stiffness: rigid

struct MaterialSpec {
  std::string name;
  double friction = 0.5;
  double stiffness = 1e6;                   // N/m, or kRigid
  double hunt_crossley_dissipation = 50.0;  // s/m
  double relaxation_time = 1e-3;            // s
  double hydroelastic_modulus = 1e7;        // Pa
  std::optional<double>
      hertz_stiffness;  // N/m^1.5; required of a material that meets another under contact.normal: hertz
};

enum class ShapeType { kSphere, kBox, kCylinder, kCapsule, kEllipsoid, kHalfSpace, kConvex, kMesh, kTetmesh };

/// A shape and its own keys; those of other shapes keep their defaults. Axes along z, centred at the geometry
/// frame.
struct ShapeSpec {
  ShapeType type = ShapeType::kSphere;
  double radius = 0.0;                  // m: sphere, cylinder, capsule
  double length = 0.0;                  // m: cylinder, capsule (of the cylindrical part)
  Vector3 size = Vector3::Zero();       // m: box, full lengths
  Vector3 semi_axes = Vector3::Zero();  // m: ellipsoid
  std::string file;                     // convex, mesh, tetmesh; as written (relative to the scene file)
  std::string resolved_file;            // the same, absolute, ready to open
  std::vector<Vector3> points;          // m: convex without a file
  Vector3 scale = Vector3::Ones();      // convex, mesh, tetmesh
};

/// kPointOrRigid: a half space without the key, a point shape to point shapes and rigid to compliant ones.
enum class ContactKind { kPoint, kRigid, kCompliant, kNone, kPointOrRigid };
enum class MeshStrategyType { kSingle, kDense };

/// Red, green, blue and perhaps opacity, 0 to 1; empty: none is given.
using Rgba = std::vector<double>;

struct GeometrySpec {
  std::string name;  // "geometry_<i>" by default
  ShapeSpec shape;
  Pose pose;          // in the body frame
  int material = -1;  // index in Scene::materials; -1 only with contact: none
  ContactKind contact = ContactKind::kPoint;
  std::vector<std::string> groups;
  Rgba color;  // for the viewer; empty: the body's

  // Of pressure-field geometries.
  double resolution = 0.0;      // m, edge length aimed at; 0: the shape has no curved surface
  double margin = 0.0;          // m, of the layer in which contact is prepared
  double slab_thickness = 0.0;  // m, compliant half space
  MeshStrategyType mesh_strategy = MeshStrategyType::kSingle;
};

/// Prescribed motion of a body (X(t) in the world), or none.
enum class MotionType { kNone, kKeyframes, kVelocity, kSine };
enum class Interpolation { kStep, kLinear, kCubic, kSmooth };

struct MotionSpec {
  MotionType type = MotionType::kNone;
  std::vector<double> times;  // s, increasing: keyframes
  std::vector<Vector3> xyz;   // m, one a time: keyframes (constant pose position when empty)
  std::vector<Vector3> rpy;   // rad, one a time: keyframes (no rotation when empty)
  Interpolation interpolation = Interpolation::kLinear;
  Vector3 velocity = Vector3::Zero();          // m/s, world axes: velocity
  Vector3 angular_velocity = Vector3::Zero();  // rad/s, world axes: velocity
  Vector3 amplitude = Vector3::Zero();         // m, world axes: sine, displacement about `pose`
  double frequency = 0.0;                      // Hz: sine
  double phase = 0.0;                          // rad: sine
};

enum class MassSource { kNone, kExplicit, kSolid, kDensity };

struct BodySpec {
  std::string name;
  bool fixed = false;                          // also true with motion or surface_velocity
  MassSource mass_source = MassSource::kNone;  // kNone: fixed bodies only
  double mass = 0.0;                           // kg: kExplicit, kSolid
  double density = 0.0;                        // kg/m^3: kDensity
  std::array<double, 6> inertia{};  // kg m^2, xx yy zz xy xz yz about the com, body axes: kExplicit
  Vector3 com = Vector3::Zero();    // m, body frame: kExplicit
  Pose pose;  // of the body frame in the world (a joint's child: identity, the joint places it)
  Vector3 linear_velocity = Vector3::Zero();   // m/s, of the body origin, world axes (free bodies)
  Vector3 angular_velocity = Vector3::Zero();  // rad/s, world axes (free bodies)
  std::vector<GeometrySpec> geometry;
  MotionSpec motion;
  Vector3 surface_velocity = Vector3::Zero();  // m/s, body axes; a belt
  bool gravity_compensation = false;           // gravity does not act on it
  Rgba color;                                  // for the viewer, of geometries without their own
};

enum class JointType { kFree, kWeld, kRevolute, kPrismatic, kPlanar, kBall, kUniversal, kScrew };

struct JointSpec {
  std::string name;
  JointType type = JointType::kFree;
  int parent = -1;                  // body index; -1 is the world
  int child = -1;                   // body index
  Pose pose;                        // of the joint frame in the parent body
  Vector3 axis = Vector3::UnitZ();  // unit, joint frame: revolute, prismatic, screw, planar (normal)
  double pitch = 0.0;               // m a turn, > 0 right-handed: screw
  std::vector<double> position;     // one per position coordinate (nq of the type), defaults filled
  std::vector<double> velocity;     // one per velocity coordinate (nv of the type)
  std::vector<double> damping;      // N s/m or N m s/rad, one per velocity coordinate
  std::vector<double> friction;     // N or N m, one per velocity coordinate; dry friction
  std::vector<double> armature;     // kg or kg m^2, one per velocity coordinate
  std::vector<double>
      stiffness;  // N/m or N m/rad, one per velocity coordinate (revolute, prismatic, planar, universal)
  std::vector<double> rest_position;  // one per velocity coordinate
  std::vector<double> limits;         // m or rad, lower < upper; none: empty (revolute, prismatic)
  bool collide = false;               // the two bodies of the joint collide
};

/// What an actuator is told, or what a force is over time.
enum class CommandType { kConstant, kTable, kSquare, kSine };

struct CommandSpec {
  CommandType type = CommandType::kConstant;
  double value = 0.0;                 // constant
  std::vector<double> times, values;  // s, increasing, and one value a time: table
  Interpolation interpolation = Interpolation::kLinear;
  double low = 0.0, high = 0.0, period = 1.0, duty = 0.5;  // s; part of the period that is high: square
  double mean = 0.0, amplitude = 0.0, frequency = 0.0;     // Hz: sine
  double phase = 0.0;                                      // rad: square, sine
};

enum class ActuatorType { kPosition, kVelocity, kEffort, kCartesian };

/// Along and about the axes of a frame, N/m and N m/rad or N s/m and N m s/rad.
struct Gains {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};

/// Of a cartesian actuator: between a frame of a body and a pose in its base.
struct CartesianSpec {
  int body = -1, base = -1;  // indices in Scene::bodies; base -1: the world
  Pose pose;                 // of the frame in the body
  Gains stiffness, damping;  // axes of the base
  Pose target;               // of the frame in the base
  MotionSpec motion;         // in its place: kKeyframes
};

struct ActuatorSpec {
  std::string name;
  int joint = -1;  // index in Scene::joints: revolute, prismatic or screw; not of kCartesian
  ActuatorType type = ActuatorType::kEffort;
  double stiffness = 0.0;              // N/m or N m/rad: position
  double damping = 0.0;                // N s/m or N m s/rad: position, velocity
  std::optional<double> effort_limit;  // N or N m
  bool feed_forward_velocity = false;  // position
  CommandSpec command;                 // m, rad, m/s, rad/s, N or N m; not of kCartesian
  CartesianSpec cartesian;
};

/// A vector over time: kConstant, kTable or kSine.
struct VectorCommandSpec {
  CommandType type = CommandType::kConstant;
  Vector3 value = Vector3::Zero();  // constant
  std::vector<double> times;        // s, increasing: table
  std::vector<Vector3> values;      // one a time
  Interpolation interpolation = Interpolation::kLinear;
  Vector3 mean = Vector3::Zero(), amplitude = Vector3::Zero();  // sine
  double frequency = 0.0;                                       // Hz
  double phase = 0.0;                                           // rad
};

enum class ForceFrame { kWorld, kBody };

struct ForceSpec {
  std::string name;
  int body = -1;                          // index in Scene::bodies
  std::optional<Vector3> point;           // m, body axes, where a force acts; none: the centre of mass
  bool is_torque = false;                 // N m, in place of a force
  VectorCommandSpec value;                // N or N m
  ForceFrame frame = ForceFrame::kWorld;  // whose axes
};

/// What a phase of a sequence tells an actuator: a constant or table, whose times begin with the phase, or a
/// ramp from the command before the phase.
struct PhaseCommandSpec {
  int actuator = -1;  // index among the coordinates of all actuators (actuator_coordinates.h)
  CommandSpec command;
  bool is_ramp = false;
  double to = 0.0, duration = 0.0;  // m, rad, ..; s: ramp
};

/// What ends a phase: a quantity above or below a bound, or a time. kRamps: its ramps and tables are over.
enum class ConditionType {
  kRamps,
  kTime,
  kJointPosition,
  kJointVelocity,
  kActuatorEffort,
  kPairForce,
  kBodyPosition
};

enum class WorldAxis { kX, kY, kZ };

struct ConditionSpec {
  ConditionType type = ConditionType::kRamps;
  double time = 0.0;                             // s, since the phase began: kTime
  int position_joint = -1, velocity_joint = -1;  // kJointPosition; kJointVelocity
  int actuator = -1;                             // kActuatorEffort; as PhaseCommandSpec
  int body_a = -1, body_b = -1;                  // kPairForce
  int body = -1;                                 // kBodyPosition
  WorldAxis axis = WorldAxis::kZ;                // likewise
  std::optional<double> above, below;            // one of them, but for kTime and kRamps
};

enum class OnTimeout { kError, kNext };

struct PhaseSpec {
  std::string name;
  std::vector<PhaseCommandSpec> commands;
  ConditionSpec until;
  std::optional<double> timeout;  // s
  OnTimeout on_timeout = OnTimeout::kError;
};

/// A side of a pair or exclusion: a body, one geometry, all of a material, or all of a group.
enum class SelectorType { kBody, kGeometry, kMaterial, kGroup };
struct Selector {
  SelectorType type = SelectorType::kBody;
  int body = -1;      // kBody, kGeometry
  int geometry = -1;  // kGeometry: index within the body
  int material = -1;  // kMaterial
  std::string group;  // kGroup
  std::string text;   // as written
};

struct PairSpec {
  Selector a, b;
  std::optional<double> friction, stiffness, hunt_crossley_dissipation, relaxation_time;
};

struct ExcludeSpec {
  Selector a, b;
};

enum class PatchRepresentation { kPolygon, kTriangle };
enum class PatchQuadrature { kCenterOfPressure, kCentroid, kThreePoint };
enum class GradientFilter { kKeep, kDrop };

/// Who answers the geometric queries of points.
enum class ContactEngine { kNative, kFcl };

/// What pairs do that give neither a patch nor points.
enum class Fallback { kPoint, kError };

/// How pressure-field patches become contact faces.
struct PatchSpec {
  PatchRepresentation representation = PatchRepresentation::kPolygon;
  PatchQuadrature quadrature = PatchQuadrature::kCenterOfPressure;
  std::optional<double> max_face_size;           // m; none: faces as they are
  std::optional<double> cull_angle_deg = 112.5;  // none: no angle rule
  GradientFilter gradient_filter = GradientFilter::kKeep;
};

struct ContactSpec {
  ContactEngine engine = ContactEngine::kNative;
  ContactModel model = ContactModel::kCoulomb;
  NormalLaw normal = NormalLaw::kHuntCrossley;  // by default that of the model
  double barrier_stiffness = 0.0;               // J (log) or N/m (ipc)
  double barrier_thickness = 0.0;               // m
  double stiction_tolerance = 1e-4;             // m/s
  double sigma = 1e-3;
  bool regularise_stiction = true;   // eq 44, Lagged and Similar
  double near_rigid = 0.0;           // SAP's beta
  double friction_tolerance = 1e-2;  // kCoulomb
  int max_repetitions = 30;          // kCoulomb
  std::optional<double> margin;      // m; none: auto
  Fallback fallback = Fallback::kPoint;
  PatchSpec patch;
  std::vector<PairSpec> pairs;
  std::vector<ExcludeSpec> exclude;
};

enum class OnNonconvergence { kFail, kAccept, kShorterStep };

struct SolverSpec {
  MethodKind method = MethodKind::kAuto;
  double tolerance = 1e-5;            // e_r
  double absolute_tolerance = 1e-14;  // e_a, sqrt(J)
  int max_iterations = 500;
  LineSearchKind line_search = LineSearchKind::kLoose;
  HessianKind hessian = HessianKind::kPrimalDual;
  LinearSolverKind linear_solver = LinearSolverKind::kAuto;
  OnNonconvergence on_nonconvergence = OnNonconvergence::kFail;
  ConditionKind condition_number = ConditionKind::kEstimate;
};

enum class IntegratorType { kDiscrete, kErrorControlled, kContinuous, kQuasistatic };

/// In the order of their names in the format.
enum class QuasistaticKind { kQp, kSocp, kLcp, kLogBarrier, kLogBarrierSocp, kPlanningLcp, kNearRigid };
enum class QuasistaticMass { kNone, kFull, kScaled };
enum class QuasistaticRotation { kLinear, kExponential };
enum class OnInfeasible { kError, kRelax };
enum class OnAmbiguous { kError, kFlag };

/// The velocities of Coriolis and gyroscopic forces: the mean of the step's start and end, or its start.
enum class VelocityTerms { kMean, kStart };

struct IntegratorSpec {
  IntegratorType type = IntegratorType::kDiscrete;
  VelocityTerms velocity_terms = VelocityTerms::kMean;  // kDiscrete
  double accuracy = 1e-3;          // of a step: kErrorControlled m or rad, kContinuous relative
  std::optional<double> max_step;  // s, of these two; none: rows of the output alone end steps
  // kDiscrete: islands whose bodies are slower (m/s) for as long (s) fall asleep; none: nothing does.
  std::optional<double> sleep_speed;
  double sleep_time = 0.5;

  // kQuasistatic
  QuasistaticKind problem = QuasistaticKind::kQp;
  int rays_per_contact = 4;
  std::optional<double> contact_threshold;  // m, infinity: all pairs; none: auto
  QuasistaticMass mass = QuasistaticMass::kNone;
  double mass_scale = 5.0;
  double regularization = 1e-6;
  bool passive_joints = false;    // a tree may have joints with an actuator and joints without
  double barrier_weight = 100.0;  // 1/J
  double tolerance = 1e-9;
  OnInfeasible on_infeasible = OnInfeasible::kError;
  OnAmbiguous on_ambiguous = OnAmbiguous::kError;
  QuasistaticRotation rotation = QuasistaticRotation::kLinear;
};

/// Where positions and velocities start from instead of what bodies and joints say: a row of a result.
struct InitialSpec {
  std::string from;            // result file as written (relative to the scene file); "": none
  std::string resolved_from;   // the same, absolute
  std::optional<double> time;  // s, of the row; none: the last one
};

enum class PatchOutput { kNone, kSummary, kFull };

/// What ends a run with exit code 3; infinity: none.
struct GuardSpec {
  double energy_gain = 0.5;                                      // energy from nothing over that turned over
  double penetration = std::numeric_limits<double>::infinity();  // m
  double contacts = std::numeric_limits<double>::infinity();
};

struct OutputSpec {
  double period = 0.01;  // s
  bool contacts = true;
  PatchOutput patches = PatchOutput::kSummary;
  bool iterations = false;
  bool gradients = false;            // kQuasistatic
  std::optional<double> checkpoint;  // s of simulated time between checkpoints; none: at interruption only
};

struct Scene {
  std::string name;
  Vector3 gravity{0.0, 0.0, -9.81};  // m/s^2
  TimeSpec time;
  std::vector<MaterialSpec> materials;
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  std::vector<ActuatorSpec> actuators;
  std::vector<ConstraintSpec> constraints;
  std::vector<ForceSpec> forces;
  std::vector<PhaseSpec> sequence;
  ContactSpec contact;
  SolverSpec solver;
  IntegratorSpec integrator;
  GuardSpec guards;
  InitialSpec initial;
  OutputSpec output;
};

}  // namespace csim
