#include "model/build_model.h"

#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "model/breaking.h"
#include "model/build_stages.h"
#include "model/cartesian_drive.h"
#include "model/dynamics.h"
#include "model/joint.h"
#include "model/quasistatic_model.h"
#include "model/sequence.h"

namespace csim {
namespace {

// Cholesky of M scaled to a unit diagonal; the first column whose pivot vanishes, or -1.
// The threshold is a few hundred units of round-off: a smaller pivot is cancellation noise.
int find_singular_column(const Eigen::Ref<const MatrixX>& M) {
  constexpr double kSmallestPivot = 1e-13;
  const int n = static_cast<int>(M.rows());
  for (int j = 0; j < n; ++j) {
    if (!(M(j, j) > 0.0)) return j;
  }
  const VectorX scale = M.diagonal().cwiseSqrt().cwiseInverse();
  MatrixX L = scale.asDiagonal() * M * scale.asDiagonal();
  for (int j = 0; j < n; ++j) {
    const double pivot = L(j, j) - L.row(j).head(j).squaredNorm();
    if (!(pivot > kSmallestPivot)) return j;
    L(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      L(i, j) = (L(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
    }
  }
  return -1;
}

// What is wrong with a body whose origin is so far from its centre of mass that its own inertia is rounding
// of m r^2; empty for others.
std::string describe_far_origin(const Body& body) {
  constexpr double kFar = 1e6;  // about kSmallestPivot^(-1/2)
  if (!(body.mass.mass > 0.0)) return {};
  const double gyration = std::sqrt(std::max(0.0, body.mass.inertia.trace()) / (2.0 * body.mass.mass));
  const Vector3& com = body.mass.com;
  if (com.norm() < kFar * gyration) return {};
  return format_text(
      "the centre of mass lies %.4g m from the body's origin, which loses the body's own inertia in "
      "rounding; "
      "expected an origin near the body: give its geometries pose: {xyz: [%.0f, %.0f, %.0f]} more, and the "
      "body's pose the opposite",
      com.norm(), -com.x(), -com.y(), -com.z());
}

void set_free_state(const BodySpec& spec, const Joint& joint, State* state) {
  const Quaternion q = spec.pose.rotation.normalized();
  state->q.segment<7>(joint.q_begin) << q.w(), q.x(), q.y(), q.z(), spec.pose.xyz;
  state->v.segment<6>(joint.v_begin) << spec.angular_velocity, spec.linear_velocity;
}

void set_joint_state(const JointSpec& spec, const Joint& joint, State* state, Problems* problems) {
  for (int i = 0; i < joint.nq; ++i) state->q[joint.q_begin + i] = spec.position[i];
  for (int i = 0; i < joint.nv; ++i) state->v[joint.v_begin + i] = spec.velocity[i];
  if (!has_quaternion(joint.type)) return;
  auto q = state->q.segment<4>(joint.q_begin);
  if (!(q.norm() > 0.0)) {
    problems->push_back({"joints." + spec.name + ".position",
                         "the quaternion (w, x, y, z) is zero, expected one of length 1"});
    return;
  }
  q.normalize();
}

}  // namespace

void build_forces(const Scene& scene, Model* model, Problems* problems) {
  for (const ForceSpec& spec : scene.forces) {
    const Body& body = model->bodies[spec.body];
    if (body.tree < 0) {
      problems->push_back({"forces." + spec.name + ".body",
                           "'" + body.name + "', which nothing moves, expected a body that a force moves"});
      continue;
    }
    model->forces.push_back({spec.name, spec.body, spec.point.value_or(body.mass.com), spec.is_torque,
                             spec.frame, make_vector_command(spec.value)});
  }
}

void build_state(const Scene& scene, const Model& model, State* state, Problems* problems) {
  *state = State();
  state->q.setZero(model.nq);
  state->v.setZero(model.nv);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Joint& joint = model.bodies[i].joint;
    if (joint.nv == 0) continue;
    if (joint.scene_joint < 0) {
      set_free_state(scene.bodies[i], joint, state);
    } else {
      set_joint_state(scene.joints[joint.scene_joint], joint, state, problems);
    }
  }
  state->sequence = begin_sequence(model);
  state->broken = all_whole(model);
}

/// A cartesian drive between two bodies that no coordinate moves against each other.
void check_cartesian_drives(const Scene& scene, const Model& model, const State& state, Problems* problems) {
  if (model.cartesian_drives.empty()) return;
  Kinematics kinematics;
  CartesianMeasure measure;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  std::size_t drive = 0;
  for (const ActuatorSpec& spec : scene.actuators) {
    if (spec.type != ActuatorType::kCartesian) continue;
    const CartesianDrive& one = model.cartesian_drives[drive++];
    measure_cartesian(model, one, kinematics, state.sequence, state.time, &measure);
    std::vector<RowTerm> terms;
    for (const ScrewRow& row : measure.rows)
      append_terms(model, kinematics, one.pair, measure.point, row, &terms);
    if (terms.empty())
      problems->push_back(
          {"actuators." + spec.name + ".body",
           "'" + scene.bodies[spec.cartesian.body].name +
               "', which nothing moves against the base, expected a body that a joint moves, or a free one"});
  }
}

void check_mass_matrices(const Scene& scene, const Model& model, const State& state, Problems* problems) {
  Kinematics kinematics;
  Dynamics dynamics;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  compute_dynamics(model, kinematics, state, state.time, &dynamics);
  for (const Tree& tree : model.trees) {
    const Eigen::Map<const MatrixX> M(dynamics.mass.data() + tree.block_begin, tree.nv, tree.nv);
    const int column = find_singular_column(M);
    if (column < 0) continue;
    for (int index : bodies_of(model, tree)) {
      const Body& body = model.bodies[index];
      const int coordinate = tree.v_begin + column - body.joint.v_begin;
      if (coordinate < 0 || coordinate >= body.joint.nv) continue;
      const std::string joint = body.joint.scene_joint >= 0
                                    ? "joint '" + scene.joints[body.joint.scene_joint].name + "'"
                                    : "its free joint";
      if (const std::string far = describe_far_origin(body); !far.empty()) {
        problems->push_back({"bodies." + body.name, far});
        continue;
      }
      problems->push_back(
          {"bodies." + body.name,
           "the mass matrix of its tree is singular at the start: coordinate " + std::to_string(coordinate) +
               " of " + joint +
               " moves without inertia; expected mass and inertia on this body or one that it "
               "carries, or armature on the joint"});
    }
  }
}

void build_model(const Scene& scene, Model* model, State* state, Problems* problems,
                 std::vector<std::string>* notes) {
  const std::size_t problems_before = problems->size();
  *model = Model();
  model->gravity = scene.gravity;
  model->engine = scene.contact.engine;
  model->patch = scene.contact.patch;
  build_bodies(scene, model, problems);
  if (problems->size() > problems_before) return;
  build_trees(scene, model, notes);
  build_sequence(scene, model);
  build_geometries(scene, model, problems, notes);
  if (problems->size() > problems_before) return;
  build_masses(scene, model, problems, notes);
  build_forces(scene, model, problems);
  build_pair_table(scene, model, problems, notes);
  check_integrator(scene, *model, problems);
  note_keys_without_effect(scene, notes);
  build_state(scene, *model, state, problems);
  assemble_constraints(scene, *model, state, problems, notes);
  if (problems->size() == problems_before) check_quasistatic(scene, *model, *state, problems, notes);
  if (problems->size() == problems_before) check_cartesian_drives(scene, *model, *state, problems);
  if (problems->size() == problems_before) check_mass_matrices(scene, *model, *state, problems);
  if (problems->size() == problems_before) note_stiff_damping(scene, *model, *state, notes);
}

}  // namespace csim
