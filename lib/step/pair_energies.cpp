#include "step/pair_energies.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace csim {
namespace {

bool is_before(const PairEnergy& x, const PairEnergy& y) {
  return std::tie(x.body_a, x.body_b) < std::tie(y.body_a, y.body_b);
}

/// Sorts by bodies and adds up the rows of each pair.
void merge(PairEnergies* pairs) {
  if (!std::is_sorted(pairs->begin(), pairs->end(), is_before))
    std::sort(pairs->begin(), pairs->end(), is_before);
  std::size_t n = 0;
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const PairEnergy row = (*pairs)[i];
    if (n > 0 && !is_before((*pairs)[n - 1], row)) {
      (*pairs)[n - 1].stored += row.stored;
    } else {
      (*pairs)[n++] = row;
    }
  }
  pairs->resize(n);
}

void add_row(const ContactPair& contact, double stored, PairEnergies* pairs) {
  const auto [a, b] = std::minmax(contact.body_a, contact.body_b);
  pairs->push_back({a, b, stored, 0.0});
}

}  // namespace

void collect_pair_energies(const StepProblem& problem, PairEnergies* pairs) {
  pairs->clear();
  const ConvexProblem& convex = problem.data.problem;
  const ContactForces& forces = problem.forces;
  for (int i = 0; i < convex.num_contacts(); ++i) {
    const int k = convex.source[i];
    const bool overlaps = forces.elastic_start[k] > 0.0 || forces.elastic_end[k] > 0.0;
    if (!overlaps && forces.force[k].isZero(0.0)) continue;
    const double mean = 0.5 * (problem.data.start_velocities.normal[i] + forces.velocities.normal[i]);
    add_row(problem.contacts.pair(k), -forces.gamma[i].dot(convex.contacts.normal[i]) * mean, pairs);
  }
  merge(pairs);
}

void collect_pair_overlaps(const StepProblem& problem, PairEnergies* pairs) {
  pairs->clear();
  for (int k = 0; k < problem.contacts.size(); ++k)
    if (const double stored = problem.forces.elastic_start[k]; stored > 0.0)
      add_row(problem.contacts.pair(k), stored, pairs);
  merge(pairs);
}

void add_pair_energies(const PairEnergies& found, double least, PairEnergies* ledger, PairEnergies* work) {
  work->clear();
  const auto leave = [&](const PairEnergy& old) {
    if (old.gained > least) work->push_back({old.body_a, old.body_b, 0.0, old.gained});
  };
  auto old = ledger->cbegin();
  for (const PairEnergy& row : found) {
    while (old != ledger->cend() && is_before(*old, row)) leave(*old++);
    PairEnergy sum = row;
    if (old != ledger->cend() && !is_before(row, *old)) {
      sum.stored += old->stored;
      sum.gained = old->gained;
      ++old;
    }
    if (sum.stored < 0.0) {
      sum.gained -= sum.stored;
      sum.stored = 0.0;
    }
    work->push_back(sum);
  }
  while (old != ledger->cend()) leave(*old++);
  std::swap(*ledger, *work);
}

}  // namespace csim
