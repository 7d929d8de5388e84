// Random quasistatic problems, and the same as dense matrices.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <utility>

#include "problem/quasistatic_problem.h"

namespace csim::testing_support {

/// Three trees of 6, 2 and 3 rows; groups of one to four rays on one or two of them.
class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : engine_(seed) {}

  QuasistaticProblem make(int num_groups, int rays, bool feasible) {
    QuasistaticProblem p;
    p.h = 0.01;
    p.size = {6, 2, 3};
    p.begin = {0, 6, 8, 11};
    p.block_begin = {0, 36, 40};
    p.is_passive = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0};
    for (auto* blocks : {&p.Q, &p.choice, &p.metric}) blocks->assign(49, 0.0);
    for (int t = 0; t < 3; ++t) {
      const int n = p.size[t];
      const MatrixX X = MatrixX::NullaryExpr(n, n, [&] { return uniform(); });
      Eigen::Map<MatrixX>(p.Q.data() + p.block_begin[t], n, n) =
          X * X.transpose() + 0.1 * MatrixX::Identity(n, n);
    }
    p.metric = p.Q;
    for (int k = 0; k < 11; ++k) p.b.push_back(uniform());
    for (int i = 0; i < num_groups; ++i) add_group(&p, i, rays, feasible);
    p.compliance.assign(p.rays.size(), 0.0);
    return p;
  }

  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine_); }

 private:
  void add_group(QuasistaticProblem* p, int i, int rays, bool feasible) {
    QuasistaticGroup group;
    const auto append = [&](int tree) {
      const int begin = static_cast<int>(p->jacobians.size());
      for (int k = 0; k < 3 * p->size[tree]; ++k) p->jacobians.push_back(uniform());
      return begin;
    };
    group.side_begin = static_cast<int>(p->sides.size());
    p->sides.push_back({i % 3, append(i % 3)});
    if (i % 2 == 0) {
      const int other = (i + 1 + i / 2 % 2) % 3;
      p->sides.push_back({other, append(other)});
    }
    group.side_end = static_cast<int>(p->sides.size());
    group.row_begin = p->num_rows();
    for (int j = 0; j < rays; ++j) {
      const double angle = 2.0 * M_PI * j / rays;
      p->rays.emplace_back(0.5 * std::cos(angle), 0.5 * std::sin(angle), 1.0);
      p->e.push_back(feasible ? std::abs(uniform()) - 0.05 : uniform());
    }
    group.row_end = p->num_rows();
    p->groups.push_back(group);
  }

  std::mt19937 engine_;
};

struct Dense {
  MatrixX Q, J;
  VectorX b, e;
};

inline Dense dense(const QuasistaticProblem& p) {
  Dense d{MatrixX::Zero(p.nv(), p.nv()), MatrixX::Zero(p.num_rows(), p.nv()),
          Eigen::Map<const VectorX>(p.b.data(), p.nv()), Eigen::Map<const VectorX>(p.e.data(), p.num_rows())};
  for (int t = 0; t < p.num_trees(); ++t) {
    const int n = p.size[t];
    d.Q.block(p.begin[t], p.begin[t], n, n) = Eigen::Map<const MatrixX>(p.Q.data() + p.block_begin[t], n, n);
  }
  for (const QuasistaticGroup& g : p.groups) {
    for (int j = g.row_begin; j < g.row_end; ++j) {
      for (int i = g.side_begin; i < g.side_end; ++i) {
        const auto [tree, begin] = p.sides[i];
        if (tree < 0) continue;
        d.J.row(j).segment(p.begin[tree], p.size[tree]) +=
            p.rays[j].transpose() * Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>(
                                        p.jacobians.data() + begin, 3, p.size[tree]);
      }
    }
  }
  return d;
}

}  // namespace csim::testing_support
