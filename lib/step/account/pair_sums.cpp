#include "step/account/pair_sums.h"

#include <algorithm>

#include "step/account/merge_pairs.h"

namespace csim {

void collect_pairs(const ContactSet& contacts, const ContactForces& forces, double h, PairList* pairs) {
  pairs->clear();
  for (int k = 0; k < contacts.size(); ++k) {
    // Lagged friction acts for a step after the normal force has gone (mode 0).
    if (forces.force[k].isZero(0.0)) continue;
    const ContactPair contact = contacts.pair(k);
    PairSum row{contact.body_a, contact.body_b, h * forces.force[k], forces.normal_force[k], h};
    if (row.body_b < row.body_a) {
      std::swap(row.body_a, row.body_b);
      row.impulse = -row.impulse;
    }
    pairs->push_back(row);
  }
  merge_pairs(pairs, [](const PairSum& row, PairSum* sum) {
    sum->impulse += row.impulse;
    sum->peak_normal_force += row.peak_normal_force;
  });
}

void add_pairs(const PairList& more, double weight, PairList* sums, PairList* work) {
  work->clear();
  auto old = sums->cbegin();
  for (const PairSum& row : more) {
    while (old != sums->cend() && precedes(*old, row)) work->push_back(*old++);
    PairSum sum{row.body_a, row.body_b};
    if (old != sums->cend() && !precedes(row, *old)) sum = *old++;
    sum.impulse += weight * row.impulse;
    sum.peak_normal_force = std::max(sum.peak_normal_force, row.peak_normal_force);
    sum.contact_time += weight * row.contact_time;
    work->push_back(sum);
  }
  work->insert(work->end(), old, sums->cend());
  std::swap(*sums, *work);
}

}  // namespace csim
