#include "solver/quasistatic/quasistatic_choice.h"

#include <algorithm>

namespace csim {
namespace {

/// Whether the velocities of a tree are to be chosen.
bool is_open(const QuasistaticProblem& problem, int tree) {
  const auto begin = problem.choice.begin() + problem.block_begin[tree];
  return std::any_of(begin, begin + problem.size[tree] * problem.size[tree],
                     [](double weight) { return weight != 0.0; });
}

void append_row(const Vector3& ray, double slack, bool holds, QuasistaticProblem* p) {
  p->rays.push_back(ray);
  p->e.push_back(holds ? 0.0 : std::max(slack, 0.0));
  p->holds.push_back(holds ? 1 : 0);
}

/// The rows of a friction cone with the impulses z and slacks s.
void append_cone(const QuasistaticProblem& problem, const QuasistaticGroup& group, double least,
                 const std::vector<double>& z, const std::vector<double>& s, QuasistaticGroup* to,
                 QuasistaticProblem* p) {
  const int row = group.row_begin;
  const Vector3* rays = problem.rays.data() + row;
  const Vector2 z_t(z[row + 1], z[row + 2]);
  to->is_cone = z[row] + z_t.norm() <= least;
  if (to->is_cone) {
    for (int j = 0; j < 3; ++j) {
      append_row(rays[j], 0.0, false, p);
      p->e.back() = s[row + j];
    }
  } else if (z[row] - z_t.norm() > least) {
    for (int j = 0; j < 3; ++j) append_row(rays[j], 0.0, true, p);
  } else {
    const Vector2 d = -z_t.normalized();  // of the slip
    append_row(rays[0] - d.x() * rays[1] - d.y() * rays[2], 0.0, true, p);
    append_row(d.x() * rays[2] - d.y() * rays[1], 0.0, true, p);
    append_row(rays[0], s[row], false, p);
  }
}

}  // namespace

bool build_choice(const QuasistaticProblem& problem, double load, const QuasistaticSolution& solution,
                  std::vector<double>* work, QuasistaticProblem* choice) {
  QuasistaticProblem& p = *choice;
  p = problem;
  p.groups.clear();
  p.rays.clear();
  p.e.clear();
  p.holds.clear();
  std::fill(p.choice.begin(), p.choice.end(), 0.0);
  std::fill(p.b.begin(), p.b.end(), 0.0);
  p.least_weight = 0.0;
  bool moves = false;
  for (int t = 0; t < p.num_trees(); ++t) {
    if (!is_open(problem, t)) continue;
    const int begin = p.block_begin[t], size = p.size[t];
    std::copy_n(p.metric.begin() + begin, size * size, p.Q.begin() + begin);
    Eigen::Map<VectorX> b(p.b.data() + p.begin[t], size);
    b.noalias() -= Eigen::Map<const MatrixX>(p.metric.data() + begin, size, size) *
                   Eigen::Map<const VectorX>(solution.v.data() + p.begin[t], size);
    moves = moves || !b.isZero(0.0);
  }
  if (!moves) return false;
  multiply_jacobian(problem, solution.v, work);
  std::vector<double>& s = *work;
  for (std::size_t j = 0; j < s.size(); ++j) s[j] += problem.e[j] + problem.compliance[j] * solution.z[j];
  const double least = kUndecided * std::max(max_norm(solution.z), load);
  for (const QuasistaticGroup& group : problem.groups) {
    QuasistaticGroup to = group;
    if (to.tree_a >= 0 && !is_open(problem, to.tree_a)) to.tree_a = -1;
    if (to.tree_b >= 0 && !is_open(problem, to.tree_b)) to.tree_b = -1;
    if (to.tree_a < 0 && to.tree_b < 0) continue;
    to.row_begin = p.num_rows();
    if (group.is_cone) {
      append_cone(problem, group, least, solution.z, s, &to, &p);
    } else {
      for (int j = group.row_begin; j < group.row_end; ++j)
        append_row(problem.rays[j], s[j], problem.is_held(j) || solution.z[j] > least, &p);
    }
    to.row_end = p.num_rows();
    p.groups.push_back(to);
  }
  p.compliance.assign(p.rays.size(), 0.0);
  return true;
}

}  // namespace csim
