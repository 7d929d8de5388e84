#include "solver/quasistatic/quasistatic_scale.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kSmallestOverlap = 1e-9;   // m/s: below, an overlap is rounding of positions of about 1 m
constexpr double kIdle = 1e-9;              // of the load: an impulse that counts as none
constexpr double kRestingSpeed = 1e-6;      // m/s, scale of speeds where nothing moves
constexpr double kRoundedMobility = 1e-12;  // of that of a coordinate: a lever of a micrometre

/// 1/(n^T A^-1 n) of a group along n in its axes, 0 where it has nothing to move: a normal through the axis
/// of a joint moves it by rounding alone.
double effective_mass(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                      const Vector3& n = Vector3::UnitZ()) {
  double mobility = 0.0, largest = 0.0;  // of its coordinates, 1/kg, each moved by 1
  for_each_side(problem, group, [&](const auto& J, int tree) {
    for (int k = 0; k < problem.size[tree]; ++k) {
      const int place = problem.block_begin[tree] + k * (problem.size[tree] + 1);
      const double mass = problem.Q[place] > 0.0 ? problem.Q[place] : problem.metric[place];
      if (mass <= 0.0) continue;
      const double lever = n.dot(J.col(k));
      mobility += lever * lever / mass;
      largest = std::max(largest, 1.0 / mass);
    }
  });
  return mobility > kRoundedMobility * largest ? 1.0 / mobility : 0.0;
}

/// Of the barrier at the gap (m/s), or where it has made room.
double barrier_load(const QuasistaticProblem& problem, double gap, double mass) {
  return problem.barrier / std::max(gap, std::sqrt(problem.barrier / mass));
}

/// Of a constraint or drive, of its worst row alone: deviation/h over the mobility and the compliance.
double linkage_load(const QuasistaticProblem& problem, const QuasistaticGroup& group) {
  double load = 0.0;
  for (int j = group.row_begin; j < group.row_end; ++j) {
    const double mass = effective_mass(problem, group, problem.rays[j]);
    if (mass == 0.0) continue;
    const double speed = problem.is_held(j) ? std::abs(problem.e[j]) : -problem.e[j];
    load = std::max(load, std::max(speed, kSmallestOverlap) / (1.0 / mass + problem.compliance[j]));
    if (problem.barrier > 0.0 && !problem.is_held(j))
      load = std::max(load, barrier_load(problem, problem.e[j], mass));
  }
  return load;
}

}  // namespace

double load_of(const QuasistaticProblem& problem) {
  double load = max_norm(problem.b);
  for (const QuasistaticGroup& group : problem.groups) {
    if (group.is_linkage()) {
      load = std::max(load, linkage_load(problem, group));
      continue;
    }
    const double mass = effective_mass(problem, group);
    if (mass == 0.0) continue;
    const double gap = problem.e[group.row_begin] / problem.rays[group.row_begin].z();  // phi/h, of cones too
    load = std::max(load, mass * std::max(-gap, kSmallestOverlap));
    if (problem.barrier > 0.0) load = std::max(load, barrier_load(problem, gap, mass));
  }
  return load;
}

QuasistaticScale scale_of(const QuasistaticProblem& problem, double load, const std::vector<double>& z,
                          const std::vector<double>& speeds) {
  return {std::max(max_norm(z), kIdle * load),
          std::max({max_norm(problem.e), max_norm(speeds), kRestingSpeed})};
}

QuasistaticScale rounding_of(const QuasistaticProblem& problem) {
  double largest = 0.0;
  for (const QuasistaticGroup& group : problem.groups)
    largest = std::max(largest, effective_mass(problem, group));
  return {largest * kSmallestOverlap, kSmallestOverlap};
}

}  // namespace csim
