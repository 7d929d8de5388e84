#include "problem/convex_problem.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

using MapX = Eigen::Map<const VectorX>;
using BlockMap = Eigen::Map<const MatrixX>;
using JacobianMap = Eigen::Map<const Matrix6X>;

/// Adds the twist (w, v) of the endpoint at the reference point, with the sign of its side.
inline void add_twist(const ConvexProblem& problem, const ClusterEndpoint& endpoint, double sign,
                      const double* v, Vector6* twist) {
  if (endpoint.tree < 0) return;
  const ProblemTree& tree = problem.trees[endpoint.tree];
  const double* const v_tree = v + tree.v_begin;
  if (endpoint.jacobian_begin >= 0) {
    const JacobianMap J(problem.jacobians.data() + endpoint.jacobian_begin, 6, tree.nv);
    twist->noalias() += J * MapX(v_tree, tree.nv);
    return;
  }
  const Vector3 w(v_tree[0], v_tree[1], v_tree[2]);
  const Vector3 v_O = Vector3(v_tree[3], v_tree[4], v_tree[5]) + w.cross(endpoint.p);
  twist->head<3>() += sign * w;
  twist->tail<3>() += sign * v_O;
}

/// Adds J^T of a wrench (moment about the reference point, force) on side b.
inline void add_wrench(const ConvexProblem& problem, const ClusterEndpoint& endpoint, double sign,
                       const Vector6& wrench, double* out) {
  if (endpoint.tree < 0) return;
  const ProblemTree& tree = problem.trees[endpoint.tree];
  double* const out_tree = out + tree.v_begin;
  if (endpoint.jacobian_begin >= 0) {
    const JacobianMap J(problem.jacobians.data() + endpoint.jacobian_begin, 6, tree.nv);
    Eigen::Map<VectorX>(out_tree, tree.nv).noalias() += J.transpose() * wrench;
    return;
  }
  const Vector3 force = wrench.tail<3>();
  const Vector3 moment = wrench.head<3>() + endpoint.p.cross(force);
  Eigen::Map<Vector3>(out_tree, 3) += sign * moment;
  Eigen::Map<Vector3>(out_tree + 3, 3) += sign * force;
}

}  // namespace

double MomentumNorms::residual() const {
  const double largest = std::max(momentum, impulse);
  return largest > 0.0 ? std::sqrt(gradient / largest) : std::sqrt(gradient);
}

void gather_velocities(const ConvexProblem& problem, const VectorX& model_v, VectorX* v) {
  v->resize(problem.nv());
  for (const ProblemTree& tree : problem.trees) {
    v->segment(tree.v_begin, tree.nv) = model_v.segment(tree.model_v_begin, tree.nv);
  }
}

void scatter_velocities(const ConvexProblem& problem, const VectorX& v, VectorX* model_v) {
  for (const ProblemTree& tree : problem.trees) {
    model_v->segment(tree.model_v_begin, tree.nv) = v.segment(tree.v_begin, tree.nv);
  }
}

void contact_velocities(const ConvexProblem& problem, const Island& island, const VectorX& v, bool with_bias,
                        ContactVelocities* v_c) {
  const ContactColumns& c = problem.contacts;
  const double bias_weight = with_bias ? 1.0 : 0.0;
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const ContactCluster& cluster = problem.clusters[k];
    Vector6 twist = Vector6::Zero();
    add_twist(problem, cluster.a, -1.0, v.data(), &twist);
    add_twist(problem, cluster.b, 1.0, v.data(), &twist);
    for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
      const double rx = c.arm.x[i], ry = c.arm.y[i], rz = c.arm.z[i];
      const double vx = twist[3] + twist[1] * rz - twist[2] * ry + bias_weight * c.bias.x[i];
      const double vy = twist[4] + twist[2] * rx - twist[0] * rz + bias_weight * c.bias.y[i];
      const double vz = twist[5] + twist[0] * ry - twist[1] * rx + bias_weight * c.bias.z[i];
      const double nx = c.normal.x[i], ny = c.normal.y[i], nz = c.normal.z[i];
      const double v_n = vx * nx + vy * ny + vz * nz;
      v_c->normal[i] = v_n;
      v_c->tangential.x[i] = vx - v_n * nx;
      v_c->tangential.y[i] = vy - v_n * ny;
      v_c->tangential.z[i] = vz - v_n * nz;
    }
  }
}

void generalized_impulse(const ConvexProblem& problem, const Island& island, const Vector3Columns& gamma,
                         VectorX* out) {
  const Vector3Columns& arm = problem.contacts.arm;
  std::fill(out->data() + island.v_begin, out->data() + island.v_end, 0.0);
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const ContactCluster& cluster = problem.clusters[k];
    Vector6 wrench = Vector6::Zero();
    for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
      const double gx = gamma.x[i], gy = gamma.y[i], gz = gamma.z[i];
      wrench[0] += arm.y[i] * gz - arm.z[i] * gy;
      wrench[1] += arm.z[i] * gx - arm.x[i] * gz;
      wrench[2] += arm.x[i] * gy - arm.y[i] * gx;
      wrench[3] += gx;
      wrench[4] += gy;
      wrench[5] += gz;
    }
    add_wrench(problem, cluster.a, -1.0, wrench, out->data());
    add_wrench(problem, cluster.b, 1.0, wrench, out->data());
  }
}

void multiply_A(const ConvexProblem& problem, const Island& island, const VectorX& x, VectorX* out) {
  for (int t = island.tree_begin; t < island.tree_end; ++t) {
    const ProblemTree& tree = problem.trees[t];
    const double* const block = problem.A.data() + tree.A_begin;
    if (tree.nv == 6) {
      Eigen::Map<Vector6>(out->data() + tree.v_begin).noalias() =
          Eigen::Map<const Matrix6>(block) * Eigen::Map<const Vector6>(x.data() + tree.v_begin);
    } else {
      out->segment(tree.v_begin, tree.nv).noalias() =
          BlockMap(block, tree.nv, tree.nv) * x.segment(tree.v_begin, tree.nv);
    }
  }
}

}  // namespace csim
