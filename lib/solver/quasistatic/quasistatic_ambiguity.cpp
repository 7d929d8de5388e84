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
  if (problem.executes_commands) hold_driven(&face_);
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

/// The largest impulse of a group along a direction; solution_.z is where, or squeeze_.y the way to infinity.
double QuasistaticAmbiguity::extreme(int group, const Vector3& along) {
  std::fill(face_.e.begin(), face_.e.end(), 0.0);
  for (int j = face_.groups[group].row_begin; j < face_.groups[group].row_end; ++j)
    face_.e[j] = -along.dot(face_.rays[j]);
  existence_.find_squeeze(face_, &squeeze_);
  if (squeeze_.found) return std::numeric_limits<double>::infinity();
  QuasistaticCertificate certificate;
  solver_.solve(face_, &solution_, &certificate);
  return along.dot(contact_impulse(face_, face_.groups[group], solution_.z));
}

/// Takes over the range of a group's impulse along a direction where it is wider than *widest.
void QuasistaticAmbiguity::widen(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                 int group, const Vector3& along, double* widest, AmbiguousForce* result) {
  const QuasistaticGroup& whole = problem.groups[group_of_[group]];
  const double least = -extreme(group, -along), most = extreme(group, along);
  if (!(most - least > *widest)) return;
  *widest = most - least;
  const Vector3 first = contact_impulse(problem, whole, solution.z);
  // Without a bound: the solution and the impulses that balance themselves, to which the loads are added.
  const Vector3 second =
      std::isinf(most)
          ? Vector3(first + max_norm(problem.b) * contact_impulse(face_, face_.groups[group], squeeze_.y))
          : contact_impulse(face_, face_.groups[group], solution_.z);
  *result = {true,
             group_of_[group],
             along,
             least / problem.h,
             most / problem.h,
             first / problem.h,
             second / problem.h};
}

void QuasistaticAmbiguity::find(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                AmbiguousForce* result) {
  keep_acting_rays(problem, solution);
  *result = {};
  double widest = kAmbiguous * max_norm(problem.b);
  const auto num_groups = static_cast<int>(face_.groups.size());
  for (int i = 0; i < num_groups; ++i) widen(problem, solution, i, Vector3::UnitZ(), &widest, result);
  if (result->found) return;
  for (int i = 0; i < num_groups; ++i) {
    const QuasistaticGroup& group = face_.groups[i];
    for (const Vector3& tangent : {Vector3(Vector3::UnitX()), Vector3(Vector3::UnitY())}) {
      const bool has_friction =
          std::any_of(face_.rays.begin() + group.row_begin, face_.rays.begin() + group.row_end,
                      [&](const Vector3& ray) { return ray.dot(tangent) != 0.0; });
      if (has_friction) widen(problem, solution, i, tangent, &widest, result);
    }
  }
}

}  // namespace csim
