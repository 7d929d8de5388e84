// What pairs of bodies take from each other along the normals of their contacts, and give back.
#pragma once

#include <algorithm>
#include <vector>

#include "contact/contact_set.h"
#include "model/energy_accounts.h"
#include "model/model.h"
#include "problem/build_contact_problem.h"
#include "problem/contact_forces.h"

namespace csim {

/// What the contacts of two bodies a < b did in one step, J.
struct PairWork {
  int body_a = -1, body_b = -1;
  double taken = 0.0;   // along the normal: -gamma_n times the mean normal velocity
  double before = 0.0;  // elastic, at the start
  double after = 0.0;   // elastic, at the end as the contacts foresee it
  double jumped = 0.0;  // of `before` what the step before had not left
  double rubbed = 0.0;  // dissipated across the normals

  /// The most that overlaps at the end of the step may hold of right.
  [[nodiscard]] double explained() const { return std::max({taken, before, after}); }
};

/// Elastic energy (J) of the overlaps of two bodies a < b.
struct PairOverlap {
  int body_a = -1, body_b = -1;
  double energy = 0.0;
};

/// Sorted by (body_a, body_b), each pair once.
using PairWorks = std::vector<PairWork>;
using PairOverlaps = std::vector<PairOverlap>;

/// Pairs that press or overlap in a step that was solved; `jumped` is left to the ledger. Memory of *works is
/// kept.
void collect_pair_works(const StepData& data, const ContactSet& contacts, const ContactForces& forces,
                        PairWorks* works);

/// Of the overlaps at the start of a step, what forces.elastic_start has of them.
void collect_pair_overlaps(const ContactSet& contacts, const ContactForces& forces, PairOverlaps* overlaps);

/// Energy (J) that the overlaps of two bodies a < b hold for nothing.
struct PairGain {
  int body_a = -1, body_b = -1;
  double energy = 0.0;
  int island = -1;  // its first tree
};
using PairGains = std::vector<PairGain>;  // of each pair that holds some, sorted by (body_a, body_b)

/// The same of an island, and what it may hold so.
struct IslandGain {
  double energy = 0.0, allowed = 0.0;  // J
  int body_a = -1, body_b = -1;        // that hold most of it
  int island = -1;                     // its first tree
  double gained = 0.0;                 // of what is allowed, by one of its trees in the parts before
  double limit = 1.0;                  // of what is allowed, that it may hold at the end of the part

  /// Of what is allowed.
  [[nodiscard]] double part() const { return energy > 0.0 ? energy / allowed : 0.0; }
  [[nodiscard]] bool is_refused() const { return part() > limit; }
};

/// Of the overlaps at the end of a step of `trees` whose contacts did `works`, with a body of these: neither
/// did they hold it at its start, nor have their contacts taken it, nor did it leave it. Of each pair less
/// what a body gains in free fall for h (s), the length of the next step. Fills *gains, without the islands.
void find_energy_for_nothing(const Model& model, double h, const TreeSet& trees, const PairOverlaps& overlaps,
                             const PairWorks& works, PairGains* gains);

/// Takes the pairs of a step of `trees` into the ledger, and fills `jumped` of *works. A contact is passive:
/// while two bodies touch it gives back no more than it has taken; what it gives beyond that the pair gains
/// from nothing. Pairs of these trees that no longer touch are dropped, but for gains beyond `least` (J).
/// What a pair has dissipated is added to State::tree_dissipated. *scratch is work space. Returns what the
/// overlaps of these pairs hold at the start of the step beyond what the step before has left, J.
double add_pair_works(const Model& model, const TreeSet& trees, double least, PairWorks* works,
                      PairEnergies* ledger, VectorX* tree_dissipated, PairEnergies* scratch);

/// J, what the overlaps of all pairs hold.
[[nodiscard]] double energy_left(const PairEnergies& ledger);

}  // namespace csim
