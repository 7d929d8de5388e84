// What a new step size or a new A changes in the problem: scaling, Delassus weights, the law's constants.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/require.h"
#include "core/workers.h"
#include "problem/convex_problem.h"

namespace csim {
namespace {

/// A symmetric 3 x 3 matrix.
struct Symmetric3 {
  double xx = 0.0, yx = 0.0, zx = 0.0, yy = 0.0, zy = 0.0, zz = 0.0;

  [[nodiscard]] double norm() const {
    return std::sqrt(xx * xx + yy * yy + zz * zz + 2.0 * (yx * yx + zx * zx + zy * zy));
  }
};

/// Adds J_c diag(A)^-1 J_c^T of one endpoint: its part of the contact's Delassus matrix; r is the contact's
/// arm.
void add_delassus(const ConvexProblem& problem, const ClusterEndpoint& endpoint, const Vector3& r,
                  Symmetric3* W) {
  if (endpoint.tree < 0) return;
  const ProblemTree& tree = problem.trees[endpoint.tree];
  const double* const scale = problem.scale.data() + tree.v_begin;  // diag(A)^(-1/2)
  if (endpoint.jacobian_begin < 0) {
    // Velocity of the contact point: v + w x q with q = p + r, so the columns of J are unit vectors and
    // those of -[q]x.
    const double x = endpoint.p.x() + r.x(), y = endpoint.p.y() + r.y(), z = endpoint.p.z() + r.z();
    const double a = scale[0] * scale[0], b = scale[1] * scale[1], c = scale[2] * scale[2];
    W->xx += b * z * z + c * y * y + scale[3] * scale[3];
    W->yy += a * z * z + c * x * x + scale[4] * scale[4];
    W->zz += a * y * y + b * x * x + scale[5] * scale[5];
    W->yx -= c * x * y;
    W->zx -= b * x * z;
    W->zy -= a * y * z;
    return;
  }
  const Eigen::Map<const Matrix6X> J(problem.jacobians.data() + endpoint.jacobian_begin, 6, tree.nv);
  for (int k = 0; k < tree.nv; ++k) {
    const Vector3 column = scale[k] * (J.col(k).tail<3>() + Vector3(J.col(k).head<3>()).cross(r));
    W->xx += column.x() * column.x();
    W->yx += column.y() * column.x();
    W->zx += column.z() * column.x();
    W->yy += column.y() * column.y();
    W->zy += column.z() * column.y();
    W->zz += column.z() * column.z();
  }
}

/// w = |W|_F/3 of every contact of the cluster.
void fill_delassus(const ContactCluster& cluster, ConvexProblem* problem) {
  for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
    const Vector3 r = problem->contacts.arm[i];
    Symmetric3 W;
    add_delassus(*problem, cluster.a, r, &W);
    add_delassus(*problem, cluster.b, r, &W);
    const double w = W.norm() / 3.0;
    // A contact that no coordinate moves: any weight will do, its impulse has no effect.
    problem->contacts.delassus[i] = w > 0.0 ? w : 1.0;
  }
}

/// c^T A^-1 c of an angular velocity of the tree, whose three coordinates begin at v.
double turning_delassus(const ConvexProblem& problem, const ProblemTree& tree, int v, const Vector3& c) {
  const int first = v - tree.v_begin;
  const Eigen::Map<const MatrixX> A(problem.A.data() + tree.A_begin, tree.nv, tree.nv);
  const Matrix3 block = A.block<3, 3>(first, first);
  return c.dot(block.inverse() * c);
}

/// c^T B^-1 c of a row (row_pool.h).
double row_delassus(const ConvexProblem& problem, int i) {
  const RowColumns& rows = problem.rows;
  const int begin = rows.term_begin[i], end = rows.term_begin[i + 1];
  double w = 0.0;
  for (int k = begin; k < end; ++k) {
    const RowTerm& term = rows.terms[k];
    const int turning = rows.turning[k];
    if (turning < 0) {
      const double scaled = term.coefficient * problem.scale[term.v];
      w += scaled * scaled;
    } else if (std::find(rows.turning.begin() + begin, rows.turning.begin() + k, turning) ==
               rows.turning.begin() + k) {
      Vector3 c = Vector3::Zero();
      for (int l = k; l < end; ++l)
        if (rows.turning[l] == turning) c[rows.terms[l].v - turning] += rows.terms[l].coefficient;
      w += turning_delassus(problem, problem.trees[term.tree], turning, c);
    }
  }
  return w;
}

/// The constants of all rows, group by group.
void set_all_rows(double h, ConvexProblem* problem) {
  RowColumns& rows = problem->rows;
  for (RowRange group; group.begin < rows.size(); group.begin = group.end) {
    group.end = group.begin + rows.law[group.begin].group;
    double sum = 0.0;
    for (int i = group.begin; i < group.end; ++i) sum += row_delassus(*problem, i);
    // Rows that no coordinate moves: any weight will do, as for contacts.
    const double w = sum > 0.0 ? sum / (group.end - group.begin) : 1.0;
    set_rows(h, w, group, &rows);
  }
}

}  // namespace

void prepare_step(double h, ConvexProblem* problem, Workers* workers) {
  CSIM_REQUIRE(h > 0.0, h);
  problem->h = h;
  for (const ProblemTree& tree : problem->trees) {
    for (int k = 0; k < tree.nv; ++k) {
      const double a = problem->A[tree.A_begin + k * (tree.nv + 1)];
      CSIM_REQUIRE(a > 0.0, a, tree.model_tree, k);
      problem->scale[tree.v_begin + k] = 1.0 / std::sqrt(a);
    }
  }
  constexpr double kCost = 0.2;  // us, of a pair of bodies
  for_shares(workers, static_cast<int>(problem->clusters.size()), kCost, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) fill_delassus(problem->clusters[k], problem);
  });
  set_all_rows(h, problem);
  problem->law->setup(problem->law_parameters, h, {0, problem->num_contacts()}, &problem->contacts);
}

}  // namespace csim
