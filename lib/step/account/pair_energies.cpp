#include "step/account/pair_energies.h"

#include <algorithm>
#include <utility>

#include "step/account/merge_pairs.h"

namespace csim {
namespace {

/// Sorts by bodies and adds up the rows of each pair.
void add_up(PairEnergies* pairs) {
  merge_pairs(pairs, [](const PairEnergy& row, PairEnergy* sum) {
    sum->stored += row.stored;
    sum->left += row.left;
    sum->jumped += row.jumped;
  });
}

PairEnergy make_row(const ContactPair& contact, double stored) {
  const auto [a, b] = std::minmax(contact.body_a, contact.body_b);
  return {.body_a = a, .body_b = b, .stored = stored};
}

}  // namespace

void collect_pair_energies(const StepProblem& problem, PairEnergies* pairs) {
  pairs->clear();
  const ConvexProblem& convex = problem.data.problem;
  const ContactForces& forces = problem.forces;
  for (int i = 0; i < convex.num_contacts(); ++i) {
    const int k = convex.source[i];
    const double start = forces.elastic_start[k], end = forces.elastic_end[k];
    if (start == 0.0 && end == 0.0 && forces.force[k].isZero(0.0)) continue;
    const double mean = 0.5 * (problem.data.start_velocities.normal[i] + forces.velocities.normal[i]);
    PairEnergy row =
        make_row(problem.contacts.pair(k), -forces.gamma[i].dot(convex.contacts.normal[i]) * mean);
    row.left = end;
    row.jumped = start;
    pairs->push_back(row);
  }
  add_up(pairs);
}

void collect_pair_overlaps(const StepProblem& problem, PairEnergies* pairs) {
  pairs->clear();
  for (int k = 0; k < problem.contacts.size(); ++k)
    if (const double stored = problem.forces.elastic_start[k]; stored > 0.0) {
      pairs->push_back(make_row(problem.contacts.pair(k), stored));
      pairs->back().left = stored;
    }
  add_up(pairs);
}

double energy_for_nothing(const Model& model, double h, const PairEnergies& overlaps,
                          const PairEnergies& ledger) {
  const double fall2 = h * h * model.gravity.squaredNorm();
  double sum = 0.0;
  auto old = ledger.cbegin();
  for (const PairEnergy& row : overlaps) {
    while (old != ledger.cend() && precedes(*old, row)) ++old;
    const bool is_known = old != ledger.cend() && !precedes(row, *old);
    const double explained = is_known ? old->explained : 0.0;
    if (const double more = row.stored - explained; more > 0.0)
      sum += std::max(more - 0.5 * lighter_mass(model, row.body_a, row.body_b) * fall2, 0.0);
  }
  return sum;
}

void add_pair_energies(const PairEnergies& found, double least, PairEnergies* ledger, PairEnergies* work) {
  work->clear();
  const auto leave = [&](const PairEnergy& old) {
    if (old.gained > least)
      work->push_back({.body_a = old.body_a, .body_b = old.body_b, .gained = old.gained});
  };
  auto old = ledger->cbegin();
  for (const PairEnergy& row : found) {
    while (old != ledger->cend() && precedes(*old, row)) leave(*old++);
    PairEnergy sum = row;
    sum.explained = std::max({row.stored, row.jumped, row.left});
    if (old != ledger->cend() && !precedes(row, *old)) {
      sum.stored += old->stored;
      sum.gained = old->gained;
      sum.jumped -= old->left;
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
