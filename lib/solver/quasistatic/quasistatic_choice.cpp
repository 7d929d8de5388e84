#include "solver/quasistatic/quasistatic_choice.h"

#include <algorithm>

namespace csim {
namespace {

/// The velocities that are to be chosen are those of passive coordinates, whose Q becomes the metric; the
/// others are driven.
void open_coordinates(const QuasistaticProblem& problem, QuasistaticProblem* p) {
  for (int t = 0; t < problem.num_trees(); ++t) {
    const int size = problem.size[t];
    for (int k = 0, column = problem.block_begin[t]; k < size; ++k, column += size) {
      const bool is_open = problem.choice[column + k] != 0.0;
      p->is_passive[problem.begin[t] + k] = is_open ? 1 : 0;
      if (is_open) std::copy_n(problem.metric.begin() + column, size, p->Q.begin() + column);
    }
  }
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
  open_coordinates(problem, &p);
  hold_driven(&p);
  add_blocks(p, p.metric, -1.0, solution.v, &p.b);
  for (int k = 0; k < p.nv(); ++k) {
    if (p.is_passive[k] == 0) p.b[k] = 0.0;
    moves = moves || p.b[k] != 0.0;
  }
  if (!moves) return false;
  multiply_jacobian(problem, solution.v, work);
  std::vector<double>& s = *work;
  for (std::size_t j = 0; j < s.size(); ++j) s[j] += problem.e[j] + problem.compliance[j] * solution.z[j];
  const double least = kUndecided * std::max(max_norm(solution.z), load);
  for (const QuasistaticGroup& group : problem.groups) {
    QuasistaticGroup to = group;
    if (first_tree(p, group) < 0) continue;
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
