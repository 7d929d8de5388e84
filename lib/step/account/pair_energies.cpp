#include "step/account/pair_energies.h"

#include <algorithm>
#include <tuple>
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
    const Vector3 normal = convex.contacts.normal[i];
    const Vector3 bias = data.path_bias.empty() ? Vector3(Vector3::Zero()) : data.path_bias[i];
    const double path = bias.dot(normal);
    const double mean = 0.5 * (data.start_velocities.normal[i] + forces.velocities.normal[i] - path);
    const Vector3 slip = data.start_velocities.tangential[i] + forces.velocities.tangential[i];
    PairWork row = row_of<PairWork>(contacts.pair(k));
    row.taken = -forces.gamma[i].dot(normal) * mean;
    row.rubbed = -0.5 * forces.gamma[i].dot(slip - (bias - path * normal));
    row.before = start;
    row.after = end;
    works->push_back(row);
  }
  // In an order of their own, so that sums do not depend on how many rows of others there are.
  std::sort(works->begin(), works->end(), [](const PairWork& x, const PairWork& y) {
    return std::tie(x.body_a, x.body_b, x.taken, x.before, x.after, x.rubbed) <
           std::tie(y.body_a, y.body_b, y.taken, y.before, y.after, y.rubbed);
  });
  merge_pairs(works, [](const PairWork& row, PairWork* sum) {
    sum->taken += row.taken;
    sum->before += row.before;
    sum->after += row.after;
    sum->rubbed += row.rubbed;
  });
}

void collect_pair_overlaps(const ContactSet& contacts, const ContactForces& forces, PairOverlaps* overlaps) {
  overlaps->clear();
  for (int k = 0; k < contacts.size(); ++k)
    if (const double energy = forces.elastic_start[k]; energy > 0.0) {
      overlaps->push_back(row_of<PairOverlap>(contacts.pair(k)));
      overlaps->back().energy = energy;
    }
  std::sort(overlaps->begin(), overlaps->end(), [](const PairOverlap& x, const PairOverlap& y) {
    return std::tie(x.body_a, x.body_b, x.energy) < std::tie(y.body_a, y.body_b, y.energy);
  });
  merge_pairs(overlaps, [](const PairOverlap& row, PairOverlap* sum) { sum->energy += row.energy; });
}

void find_energy_for_nothing(const Model& model, double h, const TreeSet& trees, const PairOverlaps& overlaps,
                             const PairWorks& works, PairGains* gains) {
  gains->clear();
  const double fall2 = h * h * model.gravity.squaredNorm();
  auto work = works.cbegin();
  for (const PairOverlap& row : overlaps) {
    if (!has_either(trees, model, row.body_a, row.body_b)) continue;
    while (work != works.cend() && precedes(*work, row)) ++work;
    const bool is_known = work != works.cend() && !precedes(row, *work);
    const double explained = is_known ? work->explained() : 0.0;
    const double more = row.energy - explained;
    if (!(more > 0.0)) continue;
    const double gain = more - 0.5 * lighter_mass(model, row.body_a, row.body_b) * fall2;
    if (gain > 0.0) gains->push_back({row.body_a, row.body_b, gain});
  }
}

double add_pair_works(const Model& model, const TreeSet& trees, double least, PairWorks* works,
                      PairEnergies* ledger, VectorX* tree_dissipated, PairEnergies* scratch) {
  scratch->clear();
  double jumped = 0.0;
  const auto dissipate = [&](int body_a, int body_b, double energy) {
    const int a = model.bodies[body_a].tree, b = model.bodies[body_b].tree;
    const double share = a >= 0 && b >= 0 ? 0.5 * energy : energy;
    for (const int tree : {a, b})
      if (tree >= 0) (*tree_dissipated)[tree] += share;
  };
  const auto leave = [&](const PairEnergy& old) {
    if (!has_either(trees, model, old.body_a, old.body_b)) {
      scratch->push_back(old);
      return;
    }
    jumped -= old.left;
    dissipate(old.body_a, old.body_b, old.left);
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
    dissipate(work.body_a, work.body_b, work.taken + work.before - work.jumped - work.after + work.rubbed);
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
