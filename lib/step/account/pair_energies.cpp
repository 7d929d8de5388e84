#include "step/account/pair_energies.h"

#include <utility>

#include "step/account/merge_pairs.h"

namespace csim {
namespace {

template <typename Row>
Row row_of(const ContactPair& contact) {
  const auto [a, b] = std::minmax(contact.body_a, contact.body_b);
  Row row;
  row.body_a = a;
  row.body_b = b;
  return row;
}

}  // namespace

void collect_pair_works(const StepData& data, const ContactSet& contacts, const ContactForces& forces,
                        PairWorks* works) {
  works->clear();
  const ConvexProblem& convex = data.problem;
  for (int i = 0; i < convex.num_contacts(); ++i) {
    const int k = convex.source[i];
    const double start = forces.elastic_start[k], end = forces.elastic_end[k];
    if (start == 0.0 && end == 0.0 && forces.force[k].isZero(0.0)) continue;
    const std::vector<Vector3>& bias = data.path_bias;
    const double path = bias.empty() ? 0.0 : bias[i].dot(convex.contacts.normal[i]);
    const double mean = 0.5 * (data.start_velocities.normal[i] + forces.velocities.normal[i] - path);
    PairWork row = row_of<PairWork>(contacts.pair(k));
    row.taken = -forces.gamma[i].dot(convex.contacts.normal[i]) * mean;
    row.before = start;
    row.after = end;
    works->push_back(row);
  }
  merge_pairs(works, [](const PairWork& row, PairWork* sum) {
    sum->taken += row.taken;
    sum->before += row.before;
    sum->after += row.after;
  });
}

void collect_pair_overlaps(const ContactSet& contacts, const ContactForces& forces, PairOverlaps* overlaps) {
  overlaps->clear();
  for (int k = 0; k < contacts.size(); ++k)
    if (const double energy = forces.elastic_start[k]; energy > 0.0) {
      overlaps->push_back(row_of<PairOverlap>(contacts.pair(k)));
      overlaps->back().energy = energy;
    }
  merge_pairs(overlaps, [](const PairOverlap& row, PairOverlap* sum) { sum->energy += row.energy; });
}

OverlapGain energy_for_nothing(const Model& model, double h, const TreeSet& trees,
                               const PairOverlaps& overlaps, const PairWorks& works, OverlapGains* gains) {
  gains->clear();
  const double fall2 = h * h * model.gravity.squaredNorm();
  OverlapGain sum;
  double most = 0.0;
  auto work = works.cbegin();
  for (const PairOverlap& row : overlaps) {
    if (!has_either(trees, model, row.body_a, row.body_b)) continue;
    while (work != works.cend() && precedes(*work, row)) ++work;
    const bool is_known = work != works.cend() && !precedes(row, *work);
    const double explained = is_known ? work->explained() : 0.0;
    const double more = row.energy - explained;
    if (!(more > 0.0)) continue;
    const double gain = std::max(more - 0.5 * lighter_mass(model, row.body_a, row.body_b) * fall2, 0.0);
    sum.energy += gain;
    if (gain > 0.0) gains->push_back({row.body_a, row.body_b, gain});
    if (gain <= most) continue;
    most = gain;
    sum.body_a = row.body_a;
    sum.body_b = row.body_b;
  }
  return sum;
}

double add_pair_works(const Model& model, const TreeSet& trees, double least, PairWorks* works,
                      PairEnergies* ledger, PairEnergies* scratch) {
  scratch->clear();
  double jumped = 0.0;
  const auto leave = [&](const PairEnergy& old) {
    if (!has_either(trees, model, old.body_a, old.body_b)) {
      scratch->push_back(old);
      return;
    }
    jumped -= old.left;
    if (old.gained > least)
      scratch->push_back({.body_a = old.body_a, .body_b = old.body_b, .gained = old.gained});
  };
  auto old = ledger->cbegin();
  for (PairWork& work : *works) {
    while (old != ledger->cend() && precedes(*old, work)) leave(*old++);
    PairEnergy sum{.body_a = work.body_a, .body_b = work.body_b, .stored = work.taken, .left = work.after};
    work.jumped = work.before;
    if (old != ledger->cend() && !precedes(work, *old)) {
      sum.stored += old->stored;
      sum.gained = old->gained;
      work.jumped -= old->left;
      ++old;
    }
    jumped += work.jumped;
    if (sum.stored < 0.0) {
      sum.gained -= sum.stored;
      sum.stored = 0.0;
    }
    scratch->push_back(sum);
  }
  while (old != ledger->cend()) leave(*old++);
  std::swap(*ledger, *scratch);
  return jumped;
}

double energy_left(const PairEnergies& ledger) {
  double sum = 0.0;
  for (const PairEnergy& pair : ledger) sum += pair.left;
  return sum;
}

}  // namespace csim
