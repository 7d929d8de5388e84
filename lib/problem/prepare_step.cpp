// What a new step size or a new A changes in the problem: scaling, Delassus weights, the law's constants.
#include <cmath>

#include "core/require.h"
#include "core/spatial.h"
#include "problem/convex_problem.h"

namespace csim {
namespace {

/// Adds J_c diag(A)^-1 J_c^T of one endpoint: its part of the contact's Delassus matrix; r is the contact's
/// arm.
void add_delassus(const ConvexProblem& problem, const ClusterEndpoint& endpoint, const Vector3& r,
                  Matrix3* W) {
  if (endpoint.tree < 0) return;
  const ProblemTree& tree = problem.trees[endpoint.tree];
  const double* const scale = problem.scale.data() + tree.v_begin;  // diag(A)^(-1/2)
  if (endpoint.jacobian_begin < 0) {
    // Velocity of the contact point: v + w x (p + r), so the columns of J are unit vectors and those of -[p +
    // r]x.
    const Matrix3 arm = skew(endpoint.p + r);
    const Vector3 angular = Vector3(scale[0], scale[1], scale[2]).cwiseAbs2();
    *W += arm * angular.asDiagonal() * arm.transpose();
    W->diagonal() += Vector3(scale[3], scale[4], scale[5]).cwiseAbs2();
    return;
  }
  const Eigen::Map<const Matrix6X> J(problem.jacobians.data() + endpoint.jacobian_begin, 6, tree.nv);
  for (int k = 0; k < tree.nv; ++k) {
    const Vector3 column = scale[k] * (J.col(k).tail<3>() + Vector3(J.col(k).head<3>()).cross(r));
    *W += column * column.transpose();
  }
}

/// w = |W|_F/3 of every contact of the cluster.
void fill_delassus(const ContactCluster& cluster, ConvexProblem* problem) {
  for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
    const Vector3 r = problem->contacts.arm[i];
    Matrix3 W = Matrix3::Zero();
    add_delassus(*problem, cluster.a, r, &W);
    add_delassus(*problem, cluster.b, r, &W);
    const double w = W.norm() / 3.0;
    // A contact that no coordinate moves: any weight will do, its impulse has no effect.
    problem->contacts.delassus[i] = w > 0.0 ? w : 1.0;
  }
}

}  // namespace

void prepare_step(double h, ConvexProblem* problem) {
  CSIM_REQUIRE(h > 0.0, h);
  problem->h = h;
  for (const ProblemTree& tree : problem->trees) {
    for (int k = 0; k < tree.nv; ++k) {
      const double a = problem->A[tree.A_begin + k * (tree.nv + 1)];
      CSIM_REQUIRE(a > 0.0, a, tree.model_tree, k);
      problem->scale[tree.v_begin + k] = 1.0 / std::sqrt(a);
    }
  }
  for (const ContactCluster& cluster : problem->clusters) fill_delassus(cluster, problem);
  problem->law->setup(problem->law_parameters, h, {0, problem->num_contacts()}, &problem->contacts);
}

}  // namespace csim
