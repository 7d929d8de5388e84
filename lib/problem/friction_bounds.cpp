#include "problem/friction_bounds.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

// Of the change of the bounds. Below the former a step takes too many repetitions; a longer change than that
// of the repetition itself leads away where bounds go in circles.
constexpr double kLeastRelaxation = 0.1, kLargestRelaxation = 1.0;

double bound_of(const ConvexProblem& problem, const Vector3Columns& gamma, int i) {
  return problem.contacts.friction[i] * std::max(0.0, gamma[i].dot(problem.contacts.normal[i]));
}

double island_lag(const ConvexProblem& problem, const Island& island, const Vector3Columns& gamma) {
  double largest = 0.0, lag = 0.0;
  for (int i = island.contacts.begin; i < island.contacts.end; ++i) {
    const double before = problem.law->friction_bound(problem.contacts, i);
    const double after = bound_of(problem, gamma, i);
    largest = std::max({largest, before, after});
    lag = std::max(lag, std::abs(after - before));
  }
  return largest > 0.0 ? lag / largest : 0.0;
}

}  // namespace

double friction_lag(const ConvexProblem& problem, const Vector3Columns& gamma, const TreeSet& trees) {
  double lag = 0.0;
  if (problem.law->friction_bound == nullptr) return lag;
  for (const Island& island : problem.islands)
    if (is_of(problem, island, trees)) lag = std::max(lag, island_lag(problem, island, gamma));
  return lag;
}

bool find_lagging_islands(const ConvexProblem& problem, const Vector3Columns& gamma, double tolerance,
                          std::vector<char>* islands) {
  islands->resize(problem.islands.size());
  bool any = false;
  for (std::size_t k = 0; k < islands->size(); ++k) {
    (*islands)[k] = island_lag(problem, problem.islands[k], gamma) > tolerance;
    any = any || (*islands)[k];
  }
  return any;
}

void repeat_friction(const Vector3Columns& gamma, const std::vector<char>& islands,
                     FrictionRepetition* repetition, ConvexProblem* problem) {
  FrictionRepetition& r = *repetition;
  const int num_contacts = problem->num_contacts();
  if (static_cast<int>(r.bound.size()) != num_contacts) r.begin(num_contacts, problem->islands.size());
  for (std::size_t k = 0; k < problem->islands.size(); ++k) {
    if (!islands[k]) continue;
    const Island& island = problem->islands[k];
    // t <- -t (r0 . (r - r0)) / |r - r0|^2
    double along = 0.0, squared = 0.0;
    for (int i = island.contacts.begin; i < island.contacts.end; ++i) {
      r.bound[i] = problem->law->friction_bound(problem->contacts, i);
      const double residual = bound_of(*problem, gamma, i) - r.bound[i];
      const double change = residual - r.residual[i];
      along += r.residual[i] * change;
      squared += change * change;
      r.residual[i] = residual;
    }
    double& t = r.relaxation[k];
    t = t > 0.0 && squared > 0.0 ? std::clamp(-t * along / squared, kLeastRelaxation, kLargestRelaxation)
                                 : kLargestRelaxation;
    for (int i = island.contacts.begin; i < island.contacts.end; ++i)
      problem->law->set_friction_bound(problem->law_parameters, r.bound[i] + t * r.residual[i], i,
                                       &problem->contacts);
  }
}

}  // namespace csim
