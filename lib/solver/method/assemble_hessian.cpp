#include "solver/method/assemble_hessian.h"

#include <algorithm>

#include "core/spatial.h"
#include "solver/linear/multiply_columns.h"

namespace csim {
namespace {

using Block = Eigen::Map<MatrixX>;
using Block6 = Eigen::Map<Matrix6>;
using JacobianMap = Eigen::Map<const Matrix6X>;

/// Whether the cluster's contacts add anything to H: each G is positive semidefinite, zero where its trace
/// is.
bool acts(const ContactCluster& cluster, const ContactHessians& G) {
  for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i)
    if (G.xx[i] + G.yy[i] + G.zz[i] != 0.0) return true;
  return false;
}

bool is_free(const ClusterEndpoint& endpoint) {
  return endpoint.tree >= 0 && endpoint.jacobian_begin < 0;
}

/// Sum of Phi^T G Phi over the cluster's contacts; false when it is zero (no contact acts).
bool sum_cluster(const ContactCluster& cluster, const ContactColumns& contacts, const ContactHessians& G,
                 Matrix6* sum) {
  // Moment-moment (lower), moment-force and force-force (lower) parts.
  double mm[6] = {}, mf[9] = {}, ff[6] = {};
  bool any = false;
  for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
    const double xx = G.xx[i], yx = G.yx[i], zx = G.zx[i], yy = G.yy[i], zy = G.zy[i], zz = G.zz[i];
    if (xx + yy + zz == 0.0) continue;  // positive semidefinite: the whole matrix is zero
    any = true;
    const double rx = contacts.arm.x[i], ry = contacts.arm.y[i], rz = contacts.arm.z[i];
    // K = [r]x G, column by column r x G_j.
    const double k00 = ry * zx - rz * yx, k10 = rz * xx - rx * zx, k20 = rx * yx - ry * xx;
    const double k01 = ry * zy - rz * yy, k11 = rz * yx - rx * zy, k21 = rx * yy - ry * yx;
    const double k02 = ry * zz - rz * zy, k12 = rz * zx - rx * zz, k22 = rx * zy - ry * zx;
    mf[0] += k00, mf[1] += k10, mf[2] += k20;
    mf[3] += k01, mf[4] += k11, mf[5] += k21;
    mf[6] += k02, mf[7] += k12, mf[8] += k22;
    // [r]x G [r]x^T = K [r]x^T, row by row r x K_i.
    mm[0] += ry * k02 - rz * k01;
    mm[1] += ry * k12 - rz * k11;
    mm[2] += ry * k22 - rz * k21;
    mm[3] += rz * k10 - rx * k12;
    mm[4] += rz * k20 - rx * k22;
    mm[5] += rx * k21 - ry * k20;
    ff[0] += xx, ff[1] += yx, ff[2] += zx, ff[3] += yy, ff[4] += zy, ff[5] += zz;
  }
  if (!any) return false;
  *sum << mm[0], mm[1], mm[2], mf[0], mf[3], mf[6],  //
      mm[1], mm[3], mm[4], mf[1], mf[4], mf[7],      //
      mm[2], mm[4], mm[5], mf[2], mf[5], mf[8],      //
      mf[0], mf[1], mf[2], ff[0], ff[1], ff[2],      //
      mf[3], mf[4], mf[5], ff[1], ff[3], ff[4],      //
      mf[6], mf[7], mf[8], ff[2], ff[4], ff[5];
  return true;
}

/// X Phi with Phi = [[I, 0], [-[p]x, I]]: the velocity of O from the twist of the body's origin.
void shift_right(const Vector3& p, Matrix6* X) {
  for (int i = 0; i < 6; ++i) {
    const double a = (*X)(i, 3), b = (*X)(i, 4), c = (*X)(i, 5);
    (*X)(i, 0) += p.y() * c - p.z() * b;
    (*X)(i, 1) += p.z() * a - p.x() * c;
    (*X)(i, 2) += p.x() * b - p.y() * a;
  }
}

/// Phi^T X: the moment about the body's origin from the wrench about O.
template <typename Matrix>
void shift_left(const Vector3& p, Matrix* X) {
  for (int j = 0; j < X->cols(); ++j) {
    const double a = (*X)(3, j), b = (*X)(4, j), c = (*X)(5, j);
    (*X)(0, j) += p.y() * c - p.z() * b;
    (*X)(1, j) += p.z() * a - p.x() * c;
    (*X)(2, j) += p.x() * b - p.y() * a;
  }
}

/// Both sides free bodies, or one free and the other not moving. The reference point is as a rule the origin
/// of b, or of a where b does not move.
void add_free_cluster(const ContactCluster& cluster, int edge, const Island& island, const Matrix6& G,
                      BlockSymmetricMatrix* H) {
  const auto diagonal_block = [&](const ClusterEndpoint& e) {
    return Block6(H->diagonal_block(e.tree - island.tree_begin));
  };
  const bool is_shifted_b = !cluster.b.p.isZero(0.0);
  if (is_free(cluster.b)) {
    if (is_shifted_b) {
      Matrix6 X = G;
      shift_left(cluster.b.p, &X);
      shift_right(cluster.b.p, &X);
      diagonal_block(cluster.b) += X;
    } else {
      diagonal_block(cluster.b) += G;
    }
  }
  if (!is_free(cluster.a)) return;
  Matrix6 X = G;
  shift_right(cluster.a.p, &X);
  if (edge >= 0) {
    Matrix6 shifted;
    if (is_shifted_b) shift_left(cluster.b.p, &(shifted = X));
    const Matrix6& Y = is_shifted_b ? shifted : X;  // Phi_b^T G Phi_a; side a carries the minus
    if (cluster.b_is_row) {
      Block6(H->edge_block(edge)) -= Y;
    } else {
      Block6(H->edge_block(edge)) -= Y.transpose();
    }
  }
  shift_left(cluster.a.p, &X);
  diagonal_block(cluster.a) += X;
}

/// The coordinates of an endpoint's tree that move it, and of an articulated one their columns of J.
void find_moving(const ConvexProblem& problem, const ClusterEndpoint& endpoint,
                 HessianBuffer::MovingColumns* moving) {
  moving->index.clear();
  moving->J.clear();
  const int nv = problem.trees[endpoint.tree].nv;
  const double* column = problem.jacobians.data() + endpoint.jacobian_begin;
  for (int j = 0; j < nv; ++j, column += 6) {
    if (!is_free(endpoint)) {
      if (std::all_of(column, column + 6, [](double x) { return x == 0.0; })) continue;
      moving->J.insert(moving->J.end(), column, column + 6);
    }
    moving->index.push_back(j);
  }
  const std::size_t n = moving->J.size() / 6;
  moving->Jt.resize(6 * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < 6; ++k) moving->Jt[k * n + j] = moving->J[6 * j + k];
}

/// out = J^T x for a wrench x: sums along the coordinates, so that each is in one order.
void multiply_transposed(int n, const double* __restrict Jt, const double* x, double* __restrict out) {
  for (int i = 0; i < n; ++i) out[i] = Jt[i] * x[0];
  for (int k = 1; k < 6; ++k) {
    const double* const row = Jt + static_cast<std::ptrdiff_t>(k) * n;
    for (int i = 0; i < n; ++i) out[i] += row[i] * x[k];
  }
}

/// G J of an endpoint, 6 x its moving coordinates, into `out`.
void multiply_jacobian(const ClusterEndpoint& endpoint, const HessianBuffer::MovingColumns& moving,
                       double sign, const Matrix6& G, Block* out) {
  if (!is_free(endpoint)) {
    multiply_columns(G, JacobianMap(moving.J.data(), 6, out->cols()), out->data());
    return;
  }
  Matrix6 X = sign * G;
  shift_right(endpoint.p, &X);
  *out = X;
}

/// block += J^T X, or its transpose, for X of 6 rows with the columns `other`; *X is overwritten.
void add_transposed_product(const ClusterEndpoint& endpoint, const HessianBuffer::MovingColumns& moving,
                            double sign, Block* X, const std::vector<int>& other, bool transposed,
                            std::vector<double>* product, Block block) {
  const auto rows = static_cast<Eigen::Index>(moving.index.size()), cols = X->cols();
  product->resize(static_cast<std::size_t>(rows * cols));
  Block P(product->data(), rows, cols);
  if (is_free(endpoint)) {
    shift_left(endpoint.p, X);
    P = sign * *X;
  } else {
    for (Eigen::Index j = 0; j < cols; ++j)
      multiply_transposed(static_cast<int>(rows), moving.Jt.data(), X->data() + 6 * j, P.data() + rows * j);
  }
  for (Eigen::Index j = 0; j < cols; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i)
      (transposed ? block(other[j], moving.index[i]) : block(moving.index[i], other[j])) += P(i, j);
  }
}

/// The general case: at least one articulated side.
void add_general_cluster(const ConvexProblem& problem, const ContactCluster& cluster, int edge,
                         const Island& island, const Matrix6& G, BlockSymmetricMatrix* H,
                         HessianBuffer* buffer) {
  auto& [a, b, X_data, product] = *buffer;
  const auto multiply = [&](const ClusterEndpoint& endpoint, const auto& moving, double sign) {
    X_data.resize(6 * moving.index.size());
    Block X(X_data.data(), 6, static_cast<Eigen::Index>(moving.index.size()));
    multiply_jacobian(endpoint, moving, sign, G, &X);
    return X;
  };
  const auto add_diagonal = [&](const ClusterEndpoint& endpoint, auto* moving, double sign) {
    if (endpoint.tree < 0) return;
    find_moving(problem, endpoint, moving);
    Block X = multiply(endpoint, *moving, sign);
    const int nv = problem.trees[endpoint.tree].nv;
    add_transposed_product(endpoint, *moving, sign, &X, moving->index, false, &product,
                           Block(H->diagonal_block(endpoint.tree - island.tree_begin), nv, nv));
  };
  add_diagonal(cluster.a, &a, -1.0);
  add_diagonal(cluster.b, &b, 1.0);
  if (edge < 0) return;
  Block X = multiply(cluster.a, a, -1.0);
  const int nv_a = problem.trees[cluster.a.tree].nv, nv_b = problem.trees[cluster.b.tree].nv;
  const int rows = cluster.b_is_row ? nv_b : nv_a, cols = cluster.b_is_row ? nv_a : nv_b;
  add_transposed_product(cluster.b, b, 1.0, &X, a.index, !cluster.b_is_row, &product,
                         Block(H->edge_block(edge), rows, cols));
}

/// c_p c_q G of every two terms of every row.
void add_rows(const ConvexProblem& problem, const Island& island, const std::vector<double>& G,
              const EdgePlaces* places, BlockSymmetricMatrix* H) {
  const RowColumns& rows = problem.rows;
  const auto add = [&](int i, TermRange rows_of, TermRange columns_of, double* block) {
    const ProblemTree& tree = problem.trees[rows.terms[rows_of.begin].tree];
    const int v_begin = problem.trees[rows.terms[columns_of.begin].tree].v_begin;
    for (int l = columns_of.begin; l < columns_of.end; ++l) {
      const double factor = rows.terms[l].coefficient * G[i];
      double* const column = block + static_cast<std::ptrdiff_t>(rows.terms[l].v - v_begin) * tree.nv;
      for (int k = rows_of.begin; k < rows_of.end; ++k)
        column[rows.terms[k].v - tree.v_begin] += rows.terms[k].coefficient * factor;
    }
  };
  for (int i = island.rows.begin; i < island.rows.end; ++i) {
    const int end = rows.term_begin[i + 1];
    // Runs of terms of one tree, each with all that have the same.
    for (TermRange p{0, rows.term_begin[i]}; p.end < end;) {
      p = terms_of_tree(rows, p.end, end);
      const int tree = rows.terms[p.begin].tree;
      for (TermRange q{0, rows.term_begin[i]}; q.end < end;) {
        q = terms_of_tree(rows, q.end, end);
        if (rows.terms[q.begin].tree == tree) add(i, p, q, H->diagonal_block(tree - island.tree_begin));
      }
    }
  }
  for_each_row_edge(problem, island, [&](int i, TermRange p, TermRange q) {
    const int edge = find_edge(problem, island, rows.terms[p.begin].tree, rows.terms[q.begin].tree);
    add(i, p, q, H->edge_block(places == nullptr ? edge : (*places)[edge]));
  });
}

void set_sizes(const ConvexProblem& problem, const Island& island, BlockSymmetricMatrix* H) {
  H->size.resize(island.num_trees());
  for (int t = 0; t < island.num_trees(); ++t) H->size[t] = problem.trees[island.tree_begin + t].nv;
}

}  // namespace

void set_hessian_pattern(const ConvexProblem& problem, const Island& island, BlockSymmetricMatrix* H) {
  const auto begin = problem.edges.begin() + island.edge_begin, end = problem.edges.begin() + island.edge_end;
  bool same =
      H->num_blocks() == island.num_trees() && std::equal(begin, end, H->edges.begin(), H->edges.end());
  for (int t = 0; same && t < island.num_trees(); ++t)
    same = H->size[t] == problem.trees[island.tree_begin + t].nv;
  if (same) return;
  // In H's own memory, which has seen larger patterns.
  set_sizes(problem, island, H);
  H->edges.assign(begin, end);
  H->set_pattern(H->size, H->edges);
}

void set_hessian_pattern(const ConvexProblem& problem, const Island& island, const ContactHessians& G,
                         const std::vector<double>& v_n, double reach, EdgePlaces* places,
                         BlockSymmetricMatrix* H) {
  const auto may_act = [&](const ContactCluster& cluster) {
    for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i)
      if (problem.contacts.phi0[i] + problem.h * v_n[i] < problem.h * reach) return true;
    return acts(cluster, G);
  };
  std::vector<int>& place = places->place;
  place.assign(island.edge_end - island.edge_begin, -1);
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const ContactCluster& cluster = problem.clusters[k];
    if (cluster.edge >= 0 && may_act(cluster)) place[cluster.edge] = 0;
  }
  const auto& terms = problem.rows.terms;
  for_each_row_edge(problem, island, [&](int, TermRange p, TermRange q) {
    place[find_edge(problem, island, terms[p.begin].tree, terms[q.begin].tree)] = 0;
  });
  set_sizes(problem, island, H);
  H->edges.clear();
  for (std::size_t e = 0; e < place.size(); ++e) {
    if (place[e] < 0) continue;
    place[e] = H->num_edges();  // the island's edges are sorted as those of H
    H->edges.push_back(problem.edges[island.edge_begin + e]);
  }
  H->set_pattern(H->size, H->edges);
}

bool pattern_holds(const ConvexProblem& problem, const Island& island, const ContactHessians& G,
                   const EdgePlaces& places) {
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const ContactCluster& cluster = problem.clusters[k];
    if (cluster.edge >= 0 && places[cluster.edge] < 0 && acts(cluster, G)) return false;
  }
  return true;
}

void assemble_hessian(const ConvexProblem& problem, const Island& island, const PoolHessians& G,
                      BlockSymmetricMatrix* H, HessianBuffer* buffer, const EdgePlaces* places) {
  // The diagonal blocks of H lie as those of A.
  const double* const A = problem.A.data() + problem.trees[island.tree_begin].A_begin;
  std::copy(A, A + H->diagonal.size(), H->diagonal.begin());
  std::fill(H->off_diagonal.begin(), H->off_diagonal.end(), 0.0);
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const ContactCluster& cluster = problem.clusters[k];
    Matrix6 sum;
    if (!sum_cluster(cluster, problem.contacts, G, &sum)) continue;
    const int edge = cluster.edge < 0 || places == nullptr ? cluster.edge : (*places)[cluster.edge];
    if (cluster.a.jacobian_begin < 0 && cluster.b.jacobian_begin < 0) {
      add_free_cluster(cluster, edge, island, sum, H);
    } else {
      add_general_cluster(problem, cluster, edge, island, sum, H, buffer);
    }
  }
  add_rows(problem, island, G.row, places, H);
}

}  // namespace csim
