#include "problem/convex_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require.h"

namespace csim {
namespace {

// A v is known to some 1e-15 of itself: with a tolerance of 1e-5 this part of it counts as exchanged.
constexpr double kRoundOff = 1e-9;

using MapX = Eigen::Map<const VectorX>;
using BlockMap = Eigen::Map<const MatrixX>;
using JacobianMap = Eigen::Map<const Matrix6X>;

/// Angular and linear parts of a twist or a wrench. Scalars, so that they live in registers while the few
/// contacts of a cluster pass.
struct Screw {
  double wx = 0.0, wy = 0.0, wz = 0.0, vx = 0.0, vy = 0.0, vz = 0.0;
};

/// Adds the twist (w, v) of an articulated endpoint at the reference point; its Jacobian carries the sign.
[[gnu::noinline]] void add_articulated_twist(const ConvexProblem& problem, const ClusterEndpoint& endpoint,
                                             const double* v, Screw* twist) {
  const ProblemTree& tree = problem.trees[endpoint.tree];
  const JacobianMap J(problem.jacobians.data() + endpoint.jacobian_begin, 6, tree.nv);
  Vector6 product;
  product.noalias() = J * MapX(v + tree.v_begin, tree.nv);
  twist->wx += product[0], twist->wy += product[1], twist->wz += product[2];
  twist->vx += product[3], twist->vy += product[4], twist->vz += product[5];
}

/// Adds the twist of the endpoint at the reference point, with the sign of its side.
[[gnu::always_inline]] inline void add_twist(const ConvexProblem& problem, const ClusterEndpoint& endpoint,
                                             double sign, const double* v, Screw* twist) {
  if (endpoint.tree < 0) return;
  if (endpoint.jacobian_begin >= 0) {
    Screw articulated;
    add_articulated_twist(problem, endpoint, v, &articulated);
    twist->wx += articulated.wx, twist->wy += articulated.wy, twist->wz += articulated.wz;
    twist->vx += articulated.vx, twist->vy += articulated.vy, twist->vz += articulated.vz;
    return;
  }
  const double* const u = v + problem.trees[endpoint.tree].v_begin;
  const double px = endpoint.p.x(), py = endpoint.p.y(), pz = endpoint.p.z();
  twist->wx += sign * u[0];
  twist->wy += sign * u[1];
  twist->wz += sign * u[2];
  twist->vx += sign * (u[3] + (u[1] * pz - u[2] * py));
  twist->vy += sign * (u[4] + (u[2] * px - u[0] * pz));
  twist->vz += sign * (u[5] + (u[0] * py - u[1] * px));
}

/// Adds J^T of a wrench (moment about the reference point, force) on side b.
[[gnu::noinline]] void add_articulated_wrench(const ConvexProblem& problem, const ClusterEndpoint& endpoint,
                                              const Screw& wrench, double* out) {
  const ProblemTree& tree = problem.trees[endpoint.tree];
  const JacobianMap J(problem.jacobians.data() + endpoint.jacobian_begin, 6, tree.nv);
  Vector6 columns;
  columns << wrench.wx, wrench.wy, wrench.wz, wrench.vx, wrench.vy, wrench.vz;
  Eigen::Map<VectorX>(out + tree.v_begin, tree.nv).noalias() += J.transpose() * columns;
}

[[gnu::always_inline]] inline void add_wrench(const ConvexProblem& problem, const ClusterEndpoint& endpoint,
                                              double sign, const Screw& wrench, double* out) {
  if (endpoint.tree < 0) return;
  if (endpoint.jacobian_begin >= 0) {
    const Screw copy = wrench;  // the one that is passed on lies in memory, the other in registers
    return add_articulated_wrench(problem, endpoint, copy, out);
  }
  double* const u = out + problem.trees[endpoint.tree].v_begin;
  const double px = endpoint.p.x(), py = endpoint.p.y(), pz = endpoint.p.z();
  u[0] += sign * (wrench.wx + (py * wrench.vz - pz * wrench.vy));
  u[1] += sign * (wrench.wy + (pz * wrench.vx - px * wrench.vz));
  u[2] += sign * (wrench.wz + (px * wrench.vy - py * wrench.vx));
  u[3] += sign * wrench.vx;
  u[4] += sign * wrench.vy;
  u[5] += sign * wrench.vz;
}

}  // namespace

double MomentumNorms::residual() const {
  const double largest = std::max(impulse, change) + kRoundOff * kRoundOff * momentum;
  // Squares that overflow have no quotient: a finite gradient would be none beside them.
  if (!std::isfinite(gradient) || !std::isfinite(largest)) return std::numeric_limits<double>::quiet_NaN();
  return largest > 0.0 ? std::sqrt(gradient / largest) : std::sqrt(gradient);
}

double MomentumNorms::scale() const {
  return std::sqrt(0.5 * (impulse + change) + kRoundOff * kRoundOff * momentum);
}

bool MomentumNorms::converged(double relative_tolerance, double absolute_tolerance) const {
  const double allowed = absolute_tolerance + relative_tolerance * scale();
  return std::sqrt(gradient) <= allowed && std::isfinite(allowed);
}

void gather_velocities(const ConvexProblem& problem, const VectorX& model_v, VectorX* v) {
  if (v->size() < problem.nv()) v->resize(problem.nv());
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
    Screw twist;
    add_twist(problem, cluster.a, -1.0, v.data(), &twist);
    add_twist(problem, cluster.b, 1.0, v.data(), &twist);
    for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
      const double rx = c.arm.x[i], ry = c.arm.y[i], rz = c.arm.z[i];
      const double vx = twist.vx + twist.wy * rz - twist.wz * ry + bias_weight * c.bias.x[i];
      const double vy = twist.vy + twist.wz * rx - twist.wx * rz + bias_weight * c.bias.y[i];
      const double vz = twist.vz + twist.wx * ry - twist.wy * rx + bias_weight * c.bias.z[i];
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
    Screw wrench;
    for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
      const double gx = gamma.x[i], gy = gamma.y[i], gz = gamma.z[i];
      wrench.wx += arm.y[i] * gz - arm.z[i] * gy;
      wrench.wy += arm.z[i] * gx - arm.x[i] * gz;
      wrench.wz += arm.x[i] * gy - arm.y[i] * gx;
      wrench.vx += gx;
      wrench.vy += gy;
      wrench.vz += gz;
    }
    add_wrench(problem, cluster.a, -1.0, wrench, out->data());
    add_wrench(problem, cluster.b, 1.0, wrench, out->data());
  }
}

int find_edge(const ConvexProblem& problem, const Island& island, int row, int col) {
  const BlockEdge wanted{row - island.tree_begin, col - island.tree_begin};
  const auto begin = problem.edges.begin() + island.edge_begin, end = problem.edges.begin() + island.edge_end;
  const auto found = std::lower_bound(begin, end, wanted);
  CSIM_REQUIRE(found != end && *found == wanted, row, col);
  return static_cast<int>(found - begin);
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
