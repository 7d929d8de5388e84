#include "step/pair_sums.h"

#include <algorithm>
#include <tuple>

namespace csim {
namespace {

bool is_before(const PairSum& x, const PairSum& y) {
  return std::tie(x.body_a, x.body_b) < std::tie(y.body_a, y.body_b);
}

}  // namespace

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
  // Points are sorted by bodies, and faces are: this is an exception or the meeting of the two.
  if (!std::is_sorted(pairs->begin(), pairs->end(), is_before))
    std::sort(pairs->begin(), pairs->end(), is_before);
  std::size_t n = 0;
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const PairSum row = (*pairs)[i];
    if (n > 0 && !is_before((*pairs)[n - 1], row)) {
      (*pairs)[n - 1].impulse += row.impulse;
      (*pairs)[n - 1].peak_normal_force += row.peak_normal_force;
    } else {
      (*pairs)[n++] = row;
    }
  }
  pairs->resize(n);
}

void add_pairs(const PairList& more, double weight, PairList* sums, PairList* work) {
  work->clear();
  auto old = sums->cbegin();
  for (const PairSum& row : more) {
    while (old != sums->cend() && is_before(*old, row)) work->push_back(*old++);
    PairSum sum{row.body_a, row.body_b};
    if (old != sums->cend() && !is_before(row, *old)) sum = *old++;
    sum.impulse += weight * row.impulse;
    sum.peak_normal_force = std::max(sum.peak_normal_force, row.peak_normal_force);
    sum.contact_time += weight * row.contact_time;
    work->push_back(sum);
  }
  work->insert(work->end(), old, sums->cend());
  std::swap(*sums, *work);
}

}  // namespace csim
