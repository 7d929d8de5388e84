#include "problem/quasistatic_problem.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace csim {
namespace {

constexpr double kNearRigid = 0.01;  // beta

/// The velocities, or forces, of a tree with the Jacobian J.
template <typename Jacobian, typename Vector>
auto segment(const QuasistaticProblem& problem, const Jacobian& J, int tree, Vector* x) {
  using Column = Eigen::Matrix<double, Jacobian::ColsAtCompileTime, 1>;
  using Segment = Eigen::Map<std::conditional_t<std::is_const_v<Vector>, const Column, Column>>;
  return Segment(x->data() + problem.begin[tree], J.cols());
}

/// The factor of the metric of a tree, in *work.
auto factor_of(const QuasistaticProblem& problem, int tree, std::vector<double>* work) {
  return Eigen::Map<MatrixX>(work->data() + problem.block_begin[tree], problem.size[tree],
                             problem.size[tree]);
}

void factor_metric(const QuasistaticProblem& problem, std::vector<double>* work) {
  work->resize(problem.metric.size() + 3 * problem.b.size());
  std::copy(problem.metric.begin(), problem.metric.end(), work->begin());
  for (int t = 0; t < problem.num_trees(); ++t) {
    Eigen::Map<MatrixX> A = factor_of(problem, t, work);
    const Eigen::LLT<Eigen::Ref<MatrixX>> in_place(A);
  }
}

/// J A^-1 J^T of a group, given the factors of A.
Matrix3 inverse_mass(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                     std::vector<double>* work) {
  Matrix3 W = Matrix3::Zero();
  for_each_side(problem, group, [&](const auto& J, int tree) {
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, 3>> Y(work->data() + problem.metric.size(),
                                                           problem.size[tree], 3);
    Y = J.transpose();
    factor_of(problem, tree, work).template triangularView<Eigen::Lower>().solveInPlace(Y);
    W.noalias() += Y.transpose() * Y;
  });
  return W;
}

/// beta^2/(4 pi^2).
double softness(double beta) {
  return beta * beta / (4.0 * std::numbers::pi * std::numbers::pi);
}

}  // namespace

int first_tree(const QuasistaticProblem& problem, const QuasistaticGroup& group) {
  for (int i = group.side_begin; i < group.side_end; ++i)
    if (problem.sides[i].tree >= 0) return problem.sides[i].tree;
  return -1;
}

bool is_moved_by(const QuasistaticProblem& problem, const QuasistaticGroup& group, int tree) {
  const auto sides = problem.sides.begin();
  return std::any_of(sides + group.side_begin, sides + group.side_end,
                     [&](const QuasistaticSide& side) { return side.tree == tree; });
}

bool has_passive(const QuasistaticProblem& problem, int tree) {
  const auto begin = problem.is_passive.begin() + problem.begin[tree];
  return std::any_of(begin, begin + problem.size[tree], [](char is_passive) { return is_passive != 0; });
}

void hold_driven(QuasistaticProblem* problem) {
  for (QuasistaticSide& side : problem->sides) {
    if (side.tree < 0) continue;
    bool is_moved = false;
    for (int k = 0; k < problem->size[side.tree]; ++k) {
      if (problem->is_passive[problem->begin[side.tree] + k] != 0) {
        is_moved = true;
      } else {
        std::fill_n(problem->jacobians.begin() + side.jacobian + 3 * k, 3, 0.0);
      }
    }
    if (!is_moved) side.tree = -1;
  }
}

Vector3 contact_velocity(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                         const std::vector<double>& v) {
  Vector3 v_c = Vector3::Zero();
  for_each_side(problem, group,
                [&](const auto& J, int tree) { v_c += J.lazyProduct(segment(problem, J, tree, &v)); });
  return v_c;
}

Vector3 contact_impulse(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                        const std::vector<double>& z) {
  Vector3 impulse = Vector3::Zero();
  for (int j = group.row_begin; j < group.row_end; ++j) impulse += z[j] * problem.rays[j];
  return impulse;
}

double pressing_impulse(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                        const std::vector<double>& z) {
  const Vector3 impulse = contact_impulse(problem, group, z);
  return group.is_linkage() ? impulse.norm() : impulse.z();
}

Matrix3 row_matrix(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                   const std::vector<double>& weights) {
  Matrix3 G = Matrix3::Zero();
  for (int j = group.row_begin; j < group.row_end; ++j)
    G.noalias() += weights[j] * problem.rays[j] * problem.rays[j].transpose();
  return G;
}

void multiply_jacobian(const QuasistaticProblem& problem, const std::vector<double>& v,
                       std::vector<double>* rows) {
  rows->resize(problem.rays.size());
  for (const QuasistaticGroup& group : problem.groups) {
    const Vector3 v_c = contact_velocity(problem, group, v);
    const double x = v_c.x(), y = v_c.y(), z = v_c.z();  // in registers for all rows
    for (int j = group.row_begin; j < group.row_end; ++j) {
      const Vector3& ray = problem.rays[j];
      (*rows)[j] = ray.x() * x + ray.y() * y + ray.z() * z;
    }
  }
}

void add_transposed_jacobian(const QuasistaticProblem& problem, const std::vector<double>& z,
                             std::vector<double>* x) {
  for (const QuasistaticGroup& group : problem.groups) {
    const Vector3 impulse = contact_impulse(problem, group, z);
    for_each_side(problem, group, [&](const auto& J, int tree) {
      segment(problem, J, tree, x) += J.transpose().lazyProduct(impulse);
    });
  }
}

void add_blocks(const QuasistaticProblem& problem, const std::vector<double>& blocks, double factor,
                const std::vector<double>& v, std::vector<double>* x) {
  for (int t = 0; t < problem.num_trees(); ++t) {
    const int n = problem.size[t];
    const double* column = blocks.data() + problem.block_begin[t];
    Eigen::Map<VectorX> x_t(x->data() + problem.begin[t], n);
    for (int k = 0; k < n; ++k, column += n)
      x_t += factor * v[problem.begin[t] + k] * Eigen::Map<const VectorX>(column, n);
  }
}

void make_near_rigid(QuasistaticProblem* problem, std::vector<double>* work) {
  factor_metric(*problem, work);
  for (const QuasistaticGroup& group : problem->groups) {
    if (group.is_linkage()) continue;
    const double R = softness(kNearRigid) * inverse_mass(*problem, group, work).norm() / 3.0;
    // The rows of a pyramid share the normal impulse; the first row of a cone counts it times mu.
    for (int j = group.row_begin; j < group.row_end; ++j) {
      problem->compliance[j] = R * (group.is_cone ? problem->rays[j].squaredNorm()
                                                  : static_cast<double>(group.row_end - group.row_begin));
    }
  }
}

void make_constraints_near_rigid(QuasistaticProblem* problem, std::vector<double>* work) {
  const auto is_rigid = [](const QuasistaticGroup& group) { return group.near_rigid > 0.0; };
  if (std::none_of(problem->groups.begin(), problem->groups.end(), is_rigid)) return;
  factor_metric(*problem, work);
  for (const QuasistaticGroup& group : problem->groups) {
    if (!is_rigid(group)) continue;
    const double R = softness(group.near_rigid) * inverse_mass(*problem, group, work).trace() /
                     static_cast<double>(group.row_end - group.row_begin);
    std::fill(problem->compliance.begin() + group.row_begin, problem->compliance.begin() + group.row_end, R);
  }
}

bool has_cones(const QuasistaticProblem& problem) {
  return std::any_of(problem.groups.begin(), problem.groups.end(),
                     [](const QuasistaticGroup& group) { return group.is_cone; });
}

void commanded_velocity(const QuasistaticProblem& problem, std::vector<double>* v) {
  v->assign(problem.b.size(), 0.0);
  for (int t = 0; t < problem.num_trees(); ++t) {
    for (int k = 0; k < problem.size[t]; ++k) {
      const int i = problem.begin[t] + k;
      if (problem.is_passive[i] == 0)
        (*v)[i] = problem.b[i] / problem.Q[problem.block_begin[t] + k * (problem.size[t] + 1)];
    }
  }
}

double largest_weight(const QuasistaticProblem& problem) {
  double largest = problem.least_weight;
  for (int t = 0; t < problem.num_trees(); ++t) {
    for (int k = 0; k < problem.size[t]; ++k) {
      const int place = problem.block_begin[t] + k * (problem.size[t] + 1);
      largest = std::max(largest, problem.Q[place] + problem.choice[place]);
    }
  }
  return largest;
}

double max_norm(const std::vector<double>& x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace csim
