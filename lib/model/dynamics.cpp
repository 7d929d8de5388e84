#include "model/dynamics.h"

#include "model/actuator.h"
#include "model/force.h"
#include "model/joint.h"
#include "model/sequence.h"

namespace csim {
namespace {

// ---- Single free bodies
// -------------------------------------------------------------------------------------------------------------

// With c = R com and I the inertia about the centre of mass, world axes, unknown (w', v') of the origin:
//   m (v' + w' x c + w x (w x c)) = m g
//   I w' + w x I w + c x m (v' + w' x c + w x (w x c)) = c x m g
void compute_free_body(const Model& model, const FreeBody& free, const Matrix3& R_WB, const VectorX& v,
                       Dynamics* dynamics) {
  const double m = free.mass.mass;
  const Vector3 w = v.segment<3>(free.v_begin);
  const Vector3 c = R_WB * free.mass.com;
  const Matrix3 I = R_WB * free.mass.inertia * R_WB.transpose();
  Eigen::Map<Matrix6>(dynamics->mass.data() + free.block_begin) = spatial_inertia(m, c, I);
  const Vector3 force = m * (model.bodies[free.body].gravity - w.cross(w.cross(c)));
  const auto applied = dynamics->applied.segment<6>(free.v_begin);
  dynamics->force.segment<3>(free.v_begin) = c.cross(force) - w.cross(I * w) + applied.head<3>();
  dynamics->force.segment<3>(free.v_begin + 3) = force + applied.tail<3>();
}

// ---- Articulated trees
// --------------------------------------------------------------------------------------------------------------

// Velocity and acceleration of a prescribed body over the step from t to t_end.
void drive_root(const Motion& motion, double t, double t_end, Twist* V, Twist* A) {
  const MotionState start = evaluate_motion(motion, t);
  *V = start.velocity;
  *A = start.acceleration;
  if (t_end <= t) return;
  const Twist end = evaluate_motion(motion, t_end).velocity;
  *A = {(end.w - start.velocity.w) / (t_end - t), (end.v - start.velocity.v) / (t_end - t)};
}

// World axes, of the kinematics' pose.
PlacedInertia place_inertia(const Model& model, const Kinematics& kinematics, int index) {
  const MassProperties& mass = model.bodies[index].mass;
  const Matrix3& R = kinematics.X_WB[index].R;
  return {R * mass.com, R * mass.inertia * R.transpose()};
}

// The wrench that gives one body its acceleration against gravity, about its origin.
Wrench inertial_wrench(const Body& body, const PlacedInertia& placed, const Twist& V, const Twist& A) {
  const Vector3& c = placed.com;
  const Matrix3& I = placed.inertia;
  Wrench f;
  f.force = body.mass.mass * (A.v + A.w.cross(c) + V.w.cross(V.w.cross(c)) - body.gravity);
  f.moment = I * A.w + V.w.cross(I * V.w) + c.cross(f.force);
  return f;
}

// The composite of one body alone.
CompositeInertia own_inertia(const MassProperties& mass, const PlacedInertia& placed) {
  const Matrix3 c_cross = skew(placed.com);
  return {mass.mass, mass.mass * placed.com, placed.inertia - mass.mass * c_cross * c_cross};
}

// Adds the composite of a child, whose origin lies at r from the parent's, to the parent's.
void add_composite(const CompositeInertia& child, const Vector3& r, CompositeInertia* parent) {
  const Matrix3 r_cross = skew(r), h_cross = skew(child.moment);
  parent->mass += child.mass;
  parent->moment += child.moment + child.mass * r;
  parent->inertia += child.inertia - h_cross * r_cross - r_cross * h_cross - child.mass * r_cross * r_cross;
}

// Columns of the tree block that belong to the joint of `index`: momenta of the composite body, carried
// towards the root [Featherstone 2008, table 6.2].
void fill_mass_columns(const Model& model, const Kinematics& kinematics, int index, Dynamics* dynamics) {
  const Body& body = model.bodies[index];
  const Tree& tree = model.trees[body.tree];
  Eigen::Map<MatrixX> M(dynamics->mass.data() + tree.block_begin, tree.nv, tree.nv);
  const CompositeInertia& I = dynamics->composite[index];
  for (int k = 0; k < body.joint.nv; ++k) {
    const int column = body.joint.v_begin - tree.v_begin + k;
    const double* S = kinematics.jacobians.data() + kinematics.jacobian_begin[index] + 6 * column;
    const Eigen::Map<const Vector3> w(S), v(S + 3);
    Vector3 momentum = I.mass * v + w.cross(I.moment);
    Vector3 angular = I.inertia * w + I.moment.cross(v);
    for (int i = index;;) {
      const Body& ancestor = model.bodies[i];
      const int begin = ancestor.joint.v_begin - tree.v_begin;
      const double* S_i = kinematics.jacobians.data() + kinematics.jacobian_begin[i] + 6 * begin;
      for (int j = 0; j < ancestor.joint.nv; ++j, S_i += 6) {
        M(begin + j, column) = M(column, begin + j) =
            Eigen::Map<const Vector3>(S_i).dot(angular) + Eigen::Map<const Vector3>(S_i + 3).dot(momentum);
      }
      const int parent = ancestor.joint.parent;
      if (parent < 0 || model.bodies[parent].tree != body.tree) {
        dynamics->root_momentum[tree.v_begin + column] << angular, momentum;
        break;
      }
      angular += (kinematics.X_WB[i].p - kinematics.X_WB[parent].p).cross(momentum);
      i = parent;
    }
  }
}

void compute_tree_mass(const Model& model, const Kinematics& kinematics, const Tree& tree,
                       Dynamics* dynamics) {
  std::fill_n(dynamics->mass.begin() + tree.block_begin, tree.nv * tree.nv, 0.0);
  const std::span<const int> bodies = bodies_of(model, tree);
  for (int index : bodies)
    dynamics->composite[index] = own_inertia(model.bodies[index].mass, dynamics->placed[index]);
  for (auto it = bodies.rbegin(); it != bodies.rend(); ++it) {
    const int parent = model.bodies[*it].joint.parent;
    fill_mass_columns(model, kinematics, *it, dynamics);
    if (parent < 0 || model.bodies[parent].tree < 0) continue;
    add_composite(dynamics->composite[*it], kinematics.X_WB[*it].p - kinematics.X_WB[parent].p,
                  &dynamics->composite[parent]);
  }
}

//   w = w_P + w_r,  v = v_P + w_P x r + v_r
//   w' = w_P' + w_P x w_r + bias,  v' = v_P' + w_P' x r + w_P x (w_P x r) + 2 w_P x v_r + bias
// In the recursion over a tree this stands inline.
[[gnu::always_inline]] inline void propagate(const Model& model, const Kinematics& kinematics,
                                             const VectorX& q, const VectorX& v, int index, Twist* velocity,
                                             Twist* acceleration) {
  static const Twist at_rest;
  static const RigidTransform world;
  const Body& body = model.bodies[index];
  const Joint& joint = body.joint;
  const bool has_parent = joint.parent >= 0;
  const RigidTransform& X_WP = has_parent ? kinematics.X_WB[joint.parent] : world;
  const Twist& V_P = has_parent ? velocity[joint.parent] : at_rest;
  const Twist& A_P = has_parent ? acceleration[joint.parent] : at_rest;
  const Vector3 r = kinematics.X_WB[index].p - X_WP.p;

  Twist relative, bias;
  if (joint.nv > 0) {
    const double* column = kinematics.jacobians.data() + kinematics.jacobian_begin[index] +
                           6 * (joint.v_begin - model.trees[body.tree].v_begin);
    for (int j = 0; j < joint.nv; ++j, column += 6) {
      relative.w += v[joint.v_begin + j] * Eigen::Map<const Vector3>(column);
      relative.v += v[joint.v_begin + j] * Eigen::Map<const Vector3>(column + 3);
    }
    if (has_bias_acceleration(joint.type)) {
      const Matrix3 R_WF = X_WP.R * joint.X_PF.R;
      bias = joint_bias_acceleration(joint.type, q.data() + joint.q_begin, v.data() + joint.v_begin);
      bias = {R_WF * bias.w, R_WF * bias.v};
    }
  }
  Twist& V = velocity[index];
  V = shift_twist(V_P, r);
  V.w += relative.w;
  V.v += relative.v;
  Twist& A = acceleration[index];
  A.w = A_P.w + V_P.w.cross(relative.w) + bias.w;
  A.v = A_P.v + A_P.w.cross(r) + V_P.w.cross(V_P.w.cross(r)) + 2.0 * V_P.w.cross(relative.v) + bias.v;
}

}  // namespace

void propagate_motion(const Model& model, const Kinematics& kinematics, const VectorX& q, const VectorX& v,
                      int index, std::vector<Twist>* velocity, std::vector<Twist>* acceleration) {
  propagate(model, kinematics, q, v, index, velocity->data(), acceleration->data());
}

void compute_tree_forces(const Model& model, const Kinematics& kinematics, const Tree& tree, const VectorX& q,
                         const VectorX& v, Dynamics* dynamics) {
  const std::span<const int> bodies = bodies_of(model, tree);
  for (int index : bodies) {
    propagate(model, kinematics, q, v, index, dynamics->velocity.data(), dynamics->acceleration.data());
    dynamics->wrench[index] = inertial_wrench(model.bodies[index], dynamics->placed[index],
                                              dynamics->velocity[index], dynamics->acceleration[index]);
  }
  for (auto it = bodies.rbegin(); it != bodies.rend(); ++it) {
    const int index = *it;
    const Joint& joint = model.bodies[index].joint;
    const Wrench& f = dynamics->wrench[index];
    const double* S =
        kinematics.jacobians.data() + kinematics.jacobian_begin[index] + 6 * (joint.v_begin - tree.v_begin);
    for (int j = 0; j < joint.nv; ++j, S += 6) {
      dynamics->force[joint.v_begin + j] =
          dynamics->applied[joint.v_begin + j] -
          (Eigen::Map<const Vector3>(S).dot(f.moment) + Eigen::Map<const Vector3>(S + 3).dot(f.force));
    }
    if (joint.parent < 0 || model.bodies[joint.parent].tree < 0) continue;
    const Vector3 r = kinematics.X_WB[index].p - kinematics.X_WB[joint.parent].p;
    Wrench& f_P = dynamics->wrench[joint.parent];
    f_P.force += f.force;
    f_P.moment += f.moment + r.cross(f.force);
  }
}

void compute_dynamics(const Model& model, const Kinematics& kinematics, const State& state, double t_end,
                      Dynamics* dynamics, const TreeSet& trees) {
  const std::size_t num_bodies = model.bodies.size();
  dynamics->mass.resize(model.block_size);
  dynamics->force.resize(model.nv);
  dynamics->root_momentum.resize(model.nv);
  dynamics->velocity.resize(num_bodies);
  dynamics->acceleration.resize(num_bodies);
  dynamics->wrench.resize(num_bodies);
  dynamics->composite.resize(num_bodies);
  dynamics->placed.resize(num_bodies);

  const bool is_any_applied = !model.springs.empty() || !model.actuators.empty() || !model.forces.empty();
  if (dynamics->applied.size() != model.nv || is_any_applied)
    compute_spring_forces(model, state.q, &dynamics->applied);
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    if (is_row_drive(actuator)) continue;
    dynamics->applied[actuator.v] +=
        actuator_effort(actuator, command_at(model, state.sequence, i, t_end), state.q[actuator.q], 0.0);
  }
  if (dynamics->external.size() != model.nv || !model.forces.empty()) dynamics->external.setZero(model.nv);
  if (!model.forces.empty()) {
    add_forces(model, kinematics, t_end, &dynamics->external);
    dynamics->applied += dynamics->external;
  }
  for_each_free_body(model, trees, [&](const FreeBody& free) {
    compute_free_body(model, free, kinematics.X_WB[free.body].R, state.v, dynamics);
  });
  for (int index : model.articulated_order) {
    const int motion = model.bodies[index].motion;
    if (motion >= 0) {
      drive_root(model.motions[motion], state.time, t_end, &dynamics->velocity[index],
                 &dynamics->acceleration[index]);
    } else if (model.bodies[index].tree < 0) {
      propagate_motion(model, kinematics, state.q, state.v, index, &dynamics->velocity,
                       &dynamics->acceleration);
    }
  }
  for (int t : model.articulated_trees) {
    if (!contains(trees, t)) continue;
    for (int index : bodies_of(model, model.trees[t]))
      dynamics->placed[index] = place_inertia(model, kinematics, index);
    compute_tree_forces(model, kinematics, model.trees[t], state.q, state.v, dynamics);
    compute_tree_mass(model, kinematics, model.trees[t], dynamics);
  }
  for (int t : model.loaded_trees) {
    if (!contains(trees, t)) continue;
    const Tree& tree = model.trees[t];
    Eigen::Map<MatrixX>(dynamics->mass.data() + tree.block_begin, tree.nv, tree.nv).diagonal() +=
        model.armature.segment(tree.v_begin, tree.nv);
  }
}

void compute_spring_forces(const Model& model, const VectorX& q, VectorX* forces) {
  forces->setZero(model.nv);
  for (const auto& [iq, iv] : model.springs)
    (*forces)[iv] = -model.stiffness[iv] * (q[iq] - model.rest_position[iv]);
}

double prescribed_joint_work(const Model& model, const Kinematics& kinematics, const Dynamics& dynamics,
                             const TreeSet& trees, const VectorX& v0, const VectorX& v1, double h) {
  double work = 0.0;
  for (int t : model.articulated_trees) {
    if (!contains(trees, t)) continue;
    const Tree& tree = model.trees[t];
    const int first = bodies_of(model, tree).front();
    const Twist& V = kinematics.bias_twist[first];
    Vector3 moment = h * dynamics.wrench[first].moment;
    Vector3 force = h * dynamics.wrench[first].force;
    for (int i = tree.v_begin; i < tree.v_begin + tree.nv; ++i) {
      moment += (v1[i] - v0[i]) * dynamics.root_momentum[i].head<3>();
      force += (v1[i] - v0[i]) * dynamics.root_momentum[i].tail<3>();
    }
    work += moment.dot(V.w) + force.dot(V.v);
  }
  return work;
}

void add_weight(const Model& model, const Kinematics& kinematics, const Tree& tree, VectorX* forces) {
  for (const int b : bodies_of(model, tree)) {
    const Body& body = model.bodies[b];
    const Vector3 weight = body.mass.mass * body.gravity;
    Vector6 wrench;
    wrench << (kinematics.X_WB[b].R * body.mass.com).cross(weight), weight;
    const Eigen::Map<const Matrix6X> J(kinematics.jacobians.data() + kinematics.jacobian_begin[b], 6,
                                       tree.nv);
    forces->segment(tree.v_begin, tree.nv).noalias() += J.transpose() * wrench;
  }
}

}  // namespace csim
