// The convex problem of one step over the trees that anything acts on implicitly:
//
//   minimise over v   ell(v) = 1/2 (v - v*)^T A (v - v*) + sum_c ell_c(J_c v + b_c)          (Castro et al.
//   2023, eq. 2)
//
// The terms come in pools: contacts, three rows each, in clusters of one pair of bodies; and scalar rows on
// joint coordinates (row_pool.h). Trees, clusters, contacts and rows are sorted by island (connected
// component), so that every island is a contiguous range of each and can be solved apart. Trees that no pool
// acts on are not here: their v is v*.
#pragma once

#include <vector>

#include "core/tree_set.h"
#include "law/contact_law.h"
#include "problem/block_edge.h"
#include "problem/row_pool.h"

namespace csim {

class Workers;

/// One tree of the problem: its rows in the problem and in the model's vectors.
struct ProblemTree {
  int model_tree = -1;
  int nv = 0;
  int v_begin = 0;        // in the problem's vectors
  int model_v_begin = 0;  // in the model's vectors
  int A_begin = 0;        // first entry of its nv x nv block, column-major
};

/// One side of a cluster. A free body has the spatial velocity itself as coordinates (angular, linear of its
/// origin, world axes), so its Jacobian is a shift by p. An articulated one carries the Jacobian about the
/// reference point.
struct ClusterEndpoint {
  int tree = -1;  // index in ConvexProblem::trees; -1: this side does not move with v
  /// -1: single free body; else 6 x nv column-major in `jacobians`, signed (negative for side a).
  int jacobian_begin = -1;
  /// M, from the body's origin to the reference point O, world axes: single free body.
  Vector3 p = Vector3::Zero();
};

/// All contacts of one pair of bodies: they share one relative twist, one wrench and one 6 x 6 Hessian about
/// the reference point O. Two bodies of one tree share the endpoint b, whose Jacobian is that of the relative
/// motion.
struct ContactCluster {
  ClusterEndpoint a, b;
  ContactRange contacts;
  int edge = -1;  // of the island's edges: the off-diagonal block of the two trees; -1 with a single tree
  bool b_is_row = true;  // b's tree is the row of the edge, a's its column
};

/// A connected component.
struct Island {
  int tree_begin = 0, tree_end = 0;
  int v_begin = 0, v_end = 0;
  int cluster_begin = 0, cluster_end = 0;
  ContactRange contacts;
  RowRange rows;
  int edge_begin = 0, edge_end = 0;  // sorted, unique

  [[nodiscard]] int num_trees() const { return tree_end - tree_begin; }
  [[nodiscard]] int nv() const { return v_end - v_begin; }
};

struct ConvexProblem {
  double h = 0.0;  // s
  const ContactLaw* law = nullptr;
  LawParameters law_parameters;

  std::vector<ProblemTree> trees;
  std::vector<double> A;      // tree blocks, column-major
  std::vector<double> scale;  // [nv], D = diag(A)^(-1/2)
  // Both as long as the largest problem so far: Eigen's vectors allocate at every change of size.
  VectorX v_star;  // [nv]
  VectorX v0;      // [nv], velocities at the start of the step: the usual guess

  std::vector<ContactCluster> clusters;
  std::vector<double> jacobians;
  ContactColumns contacts;
  std::vector<int> source;  // [contacts], index in the ContactSet
  RowColumns rows;

  std::vector<Island> islands;
  std::vector<BlockEdge> edges;  // pairs of trees that share a cluster or a row, as indices within the island

  [[nodiscard]] int nv() const { return islands.empty() ? 0 : islands.back().v_end; }
  [[nodiscard]] int num_contacts() const { return contacts.size(); }
  [[nodiscard]] int num_rows() const { return rows.size(); }
};

/// Whether an island is of trees of the model that are in the set: all of it, or nothing.
[[nodiscard]] inline bool is_of(const ConvexProblem& problem, const Island& island, const TreeSet& trees) {
  return contains(trees, problem.trees[static_cast<std::size_t>(island.tree_begin)].model_tree);
}

/// After A and v* were filled for the step h (s): D, the Delassus weights w = |W|_F/3 with W = sum_t J_t
/// diag(A_t)^-1 J_t^T (world axes), and the constants of the law and of the rows.
void prepare_step(double h, ConvexProblem* problem, Workers* workers = nullptr);

/// v of the problem's trees out of the model's vector, and back (other entries of *model_v stay). *v grows
/// when it is shorter than nv.
void gather_velocities(const ConvexProblem& problem, const VectorX& model_v, VectorX* v);
void scatter_velocities(const ConvexProblem& problem, const VectorX& v, VectorX* model_v);

/// v_c = J v + b of the island's contacts; without the bias it maps a difference of velocities. `v` is of the
/// whole problem.
void contact_velocities(const ConvexProblem& problem, const Island& island, const VectorX& v, bool with_bias,
                        ContactVelocities* v_c);

/// The island's rows of J^T gamma; other rows of *out stay.
void generalized_impulse(const ConvexProblem& problem, const Island& island, const Vector3Columns& gamma,
                         VectorX* out);

/// Terms [begin, end) of a row, all of one tree.
struct TermRange {
  int begin = 0, end = 0;
};

/// The terms from `begin` on that have the tree of the first, before `end`.
[[nodiscard]] inline TermRange terms_of_tree(const RowColumns& rows, int begin, int end) {
  TermRange range{begin, begin};
  while (range.end < end && rows.terms[range.end].tree == rows.terms[begin].tree) ++range.end;
  return range;
}

/// Calls use(row, p, q) for every two runs of terms of a row whose trees differ, the later tree first: of
/// their terms the entry (p.v, q.v) of H, in the block of their edge, is c_p c_q G.
template <typename Use>
void for_each_row_edge(const ConvexProblem& problem, const Island& island, Use&& use) {
  const RowColumns& rows = problem.rows;
  for (int i = island.rows.begin; i < island.rows.end; ++i) {
    const int end = rows.term_begin[i + 1];
    for (TermRange p{0, rows.term_begin[i]}; p.end < end;) {
      p = terms_of_tree(rows, p.end, end);
      for (TermRange q{0, rows.term_begin[i]}; q.end < end;) {
        q = terms_of_tree(rows, q.end, end);
        if (rows.terms[p.begin].tree > rows.terms[q.begin].tree) use(i, p, q);
      }
    }
  }
}

/// The island's edge of two of the problem's trees, row > col, which share a cluster or a row.
[[nodiscard]] int find_edge(const ConvexProblem& problem, const Island& island, int row, int col);

/// The island's rows of A x; other rows of *out stay.
void multiply_A(const ConvexProblem& problem, const Island& island, const VectorX& x, VectorX* out);

/// Squared norms that the residual is made of (J): |D g|^2, |D A v|^2, |D J^T gamma|^2 with the rows' own
/// (row_impulse_norm2), |D A (v* - v0)|^2, g = A (v - v*) - J^T gamma. What a step exchanges is measured, not
/// what moves through it: of a fast top in a short step every impulse is a small part of its momentum.
struct MomentumNorms {
  double gradient = 0.0, momentum = 0.0, impulse = 0.0, change = 0.0;

  void add(const MomentumNorms& other) {
    gradient += other.gradient;
    momentum += other.momentum;
    impulse += other.impulse;
    change += other.change;
  }
  /// |D g| / sqrt(max(|D J^T gamma|^2, |D A (v* - v0)|^2) + (f |D A v|)^2), f of rounding; 0 when all are 0,
  /// NaN where a square is not finite.
  [[nodiscard]] double residual() const;

  /// sqrt((|D J^T gamma|^2 + |D A (v* - v0)|^2)/2 + (f |D A v|)^2), of an island. The mean of squares in
  /// place of the larger of the two adds up over islands: where each has converged, the residual of the whole
  /// system is at most e_r, and no island needs to know another. With the larger one of every island the
  /// whole could exceed that by sqrt(2).
  [[nodiscard]] double scale() const;

  /// |D g| <= e_a + e_r scale(), and both are finite: when an island has converged.
  [[nodiscard]] bool converged(double relative_tolerance, double absolute_tolerance) const;
};

}  // namespace csim
