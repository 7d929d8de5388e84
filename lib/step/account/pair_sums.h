// What pairs of bodies did to each other through their contacts, summed over time: the rows of /pair.
#pragma once

#include <vector>

#include "contact/contact_set.h"
#include "core/types.h"
#include "problem/contact_forces.h"

namespace csim {

/// Of a pair of bodies that touched; body_a < body_b.
struct PairSum {
  int body_a = -1, body_b = -1;
  Vector3 impulse = Vector3::Zero();  // N s, world axes, on body b, friction included
  double peak_normal_force = 0.0;     // N, largest over the steps, of the pair's normal forces together
  double contact_time = 0.0;          // s, of the steps with a force
};

/// Sorted by (body_a, body_b), each pair once.
using PairList = std::vector<PairSum>;

/// The pairs of a step of length h (s) whose contacts have a force. Memory of *pairs is kept.
void collect_pairs(const ContactSet& contacts, const ContactForces& forces, double h, PairList* pairs);

/// Adds `more` to *sums, with impulses and times scaled by `weight`: impulses and times add up, of the peaks
/// the larger stays. *work is scratch.
void add_pairs(const PairList& more, double weight, PairList* sums, PairList* work);

/// Sums from one row of /pair to the next.
struct PairSums {
  PairList sums;
  bool recorded = false;  // a row has these sums: those of the next row start anew

  void add(const PairList& step) {
    if (recorded) sums.clear();
    recorded = false;
    add_pairs(step, 1.0, &sums, &work_);
  }

 private:
  PairList work_;
};

}  // namespace csim
