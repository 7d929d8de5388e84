#include "solver/quasistatic/quasistatic_ambiguity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr double kOpen = 1e-9;       // m/s: a gap that opens faster carries no force
constexpr double kSlides = 1e-9;     // m/s: slip from which the ray against it acts alone
constexpr double kAlike = 1e-6;      // of the slip: rays that are as much against it
constexpr double kAmbiguous = 1e-6;  // of |b|
constexpr double kSoftness = 1e-9;   // of the metric: a linear program has no cost of its own

}  // namespace

/// face_: min e^T z over z >= 0 with J^T z = J^T z of the solution is the dual of min -b^T v, J v + e >= 0.
void QuasistaticAmbiguity::keep_acting_rays(const QuasistaticProblem& problem,
                                            const QuasistaticSolution& solution) {
  face_ = problem;
  face_.executes_commands = face_.has_coulomb_friction = false;
  face_.groups.clear();
  face_.rays.clear();
  group_of_.clear();
  row_of_.clear();
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    QuasistaticGroup group = problem.groups[i];
    const Vector3 v = contact_velocity(problem, group, solution.v);
    if (v.z() + problem.e[group.row_begin] > kOpen) continue;
    double slip = 0.0;  // along the ray most against it, times mu
    for (int j = group.row_begin; j < group.row_end; ++j)
      slip = std::max(slip, -problem.rays[j].head<2>().dot(v.head<2>()));
    const int begin = face_.num_rows();
    for (int j = group.row_begin; j < group.row_end; ++j) {
      if (slip > kSlides && -problem.rays[j].head<2>().dot(v.head<2>()) < (1.0 - kAlike) * slip) continue;
      face_.rays.push_back(problem.rays[j]);
      row_of_.push_back(j);
    }
    group.row_begin = begin;
    group.row_end = face_.num_rows();
    if (problem.executes_commands) {
      if (group.tree_a >= 0 && !problem.is_passive[group.tree_a]) group.tree_a = -1;
      if (group.tree_b >= 0 && !problem.is_passive[group.tree_b]) group.tree_b = -1;
    }
    face_.groups.push_back(group);
    group_of_.push_back(static_cast<int>(i));
  }
  face_.e.assign(face_.rays.size(), 0.0);
  face_.compliance.assign(face_.rays.size(), 0.0);
  for (std::size_t k = 0; k < face_.Q.size(); ++k) {
    face_.Q[k] = 0.0;
    face_.choice[k] = kSoftness * problem.metric[k];
  }
  rows_.resize(row_of_.size());
  for (std::size_t j = 0; j < row_of_.size(); ++j) rows_[j] = solution.z[row_of_[j]];
  face_.b.assign(problem.b.size(), 0.0);
  add_transposed_jacobian(face_, rows_, &face_.b);
  for (double& b : face_.b) b = -b;
}

/// The largest sign times the normal impulse of a group; solution_.z is where.
double QuasistaticAmbiguity::extreme(int group, double sign) {
  std::fill(face_.e.begin(), face_.e.end(), 0.0);
  for (int j = face_.groups[group].row_begin; j < face_.groups[group].row_end; ++j) face_.e[j] = -sign;
  if (sign > 0.0) {
    existence_.find_squeeze(face_, &squeeze_);
    if (squeeze_.found) return std::numeric_limits<double>::infinity();
  }
  QuasistaticCertificate certificate;
  solver_.solve(face_, &solution_, &certificate);
  return sign * contact_impulse(face_, face_.groups[group], solution_.z).z();
}

void QuasistaticAmbiguity::find(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                AmbiguousForce* result) {
  keep_acting_rays(problem, solution);
  *result = {};
  double widest = kAmbiguous * max_norm(problem.b);
  for (std::size_t i = 0; i < face_.groups.size(); ++i) {
    const int group = static_cast<int>(i), of_problem = group_of_[i];
    const QuasistaticGroup& whole = problem.groups[of_problem];
    const double most = extreme(group, 1.0);
    const Vector3 first = contact_impulse(problem, whole, solution.z);
    // Without a bound: the solution and the impulses that balance themselves, to which the loads are added.
    const Vector3 second =
        std::isinf(most)
            ? Vector3(first + max_norm(problem.b) * contact_impulse(face_, face_.groups[i], squeeze_.y))
            : contact_impulse(face_, face_.groups[i], solution_.z);
    const double least = -extreme(group, -1.0);
    if (!(most - least > widest)) continue;
    widest = most - least;
    *result = {true, of_problem, least / problem.h, most / problem.h, first / problem.h, second / problem.h};
  }
}

}  // namespace csim
