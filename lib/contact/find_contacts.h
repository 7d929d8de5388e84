// Poses -> contacts: broad phase over bodies and their geometries, filters, narrow phase with manifolds.
#pragma once

#include <memory>
#include <optional>

#include "contact/contact_set.h"
#include "core/rigid_transform.h"
#include "core/spatial.h"
#include "model/pair_table.h"

namespace csim {

class ContactSearch;
class Workers;
struct Model;

/// What the offering rule needs beside the poses.
struct ContactQuery {
  const std::vector<RigidTransform>* X_WB = nullptr;       // [B]
  const std::vector<Twist>* V0 = nullptr;                  // [B], at v0, world axes, body origins
  const std::vector<Twist>* V_star = nullptr;              // [B], at v*
  const std::vector<Twist>* V_pushed = nullptr;            // [B], at v* without Coriolis forces; null: V_star
  const std::vector<Vector3>* surface_velocity = nullptr;  // [B], world axes
  double step = 0.0;                                       // s
  /// Free bodies turn about their centres of mass, which go straight in the step; else about their origins.
  bool turns_about_centers = false;
  double margin = 0.0;  // m, offered below this in any case
  double slack = 0.0;   // m, added to the reach (margin `auto`)
  double fall = 0.0;    // m, for which what rests would fall in the step
  /// [B], whose pairs are asked for, with each other and with all others; null: all.
  const std::vector<char>* asked = nullptr;
  /// Bodies of trees asked for in neither of two queries with the same number, which is not 0, are in the
  /// same place in both, at rest. Of what is prescribed it says nothing.
  std::uint64_t rest_number = 0;
};

/// The geometries of a model prepared for queries (trees over each body's geometries and over mesh triangles,
/// pair filters), and a workspace that can be dropped without changing a bit: for one thread that calls.
class ContactFinder {
 public:
  /// `workers`, which must outlive this, share out the pairs; null: none.
  explicit ContactFinder(const Model& model, Workers* workers = nullptr);
  ~ContactFinder();
  ContactFinder(ContactFinder&&) noexcept;
  ContactFinder& operator=(ContactFinder&&) noexcept;

  /// Fills *contacts with the contact surface of every pair of pressure fields that overlap (margins
  /// included), and with every other pair that collides (pair table) and is offered: phi < max(margin, slack
  /// + reach), where reach is what the law can act on within the step, reach_distance + (step +
  /// reach_tau)(-v_n
  /// + reach_friction |v_t|): the larger of its values at V0 and V_star and 0, with the relative velocity (b
  /// minus a, surface velocity included) at the witness points. Of the many points of a triangle surface that
  /// face one way, nine stand for all (MeshReduction): those that matter where V0 and V_star lead.
  void find(const ContactQuery& query, ContactSet* contacts);

  /// Takes the contacts of `find` that are apart at the start, of pairs that move, where the motion at V_star
  /// brings them together: as they are where their features face each other all step long, else those of the
  /// first touch, else none; and none where another contact of the body holds it off what it is about to meet
  /// (docs/theory.md, "Contacts foreseen").
  void foresee(const ContactQuery& query, ContactSet* contacts);

  /// How many points of the last `find`'s poses would close (phi + step v_n < reach_distance) at the
  /// velocities V of the end of the step without being among `contacts`, which `find` and `add_found` made of
  /// that `query`: a body that was hit meets others than those it was heading for. Of a surface's points that
  /// others stand for, those count that go deeper than all these. Of `query` other bodies may be asked for
  /// than before: those whose velocities have changed since the last call. Where there are none, those count
  /// that surfaces which were hit meet at the end of the step, deeper than `contacts` foresee. Where there
  /// are some, all points that the rule offers at V are kept for `add_found`. Points whose bodies are no
  /// faster than they were at V0 and V_star have been seen already; only pairs that are get a narrow phase.
  /// Pressure fields are found by poses alone, all of them by `find`.
  [[nodiscard]] PairCount look_again(const ContactQuery& query, const std::vector<Twist>& V,
                                     const ContactSet& contacts);

  /// Adds the points that the last `look_again` has kept.
  void add_found(ContactSet* contacts) const;

  /// The pairs that a step of length query.step with the velocities V, from the poses of the last `find` to
  /// X_end, leads through each other: convex shapes that turn, or whose law is too soft for their speed, and
  /// come to overlap with the way out on the other side; pressure fields that move by more than a tenth of
  /// the thinner one and are on the other side, beyond the other's middle, or all within it. Judged are the
  /// pairs of `contacts` and of all points that `find` and `look_again` have seen near, and the fields that
  /// V0 or V_star moves that far: not those that a hit within the step makes as fast.
  [[nodiscard]] Passages find_passages(const ContactQuery& query, const std::vector<Twist>& V,
                                       const std::vector<RigidTransform>& X_end, const ContactSet& contacts);

  /// Whether two pressure fields overlap, but no face of their surface presses them apart.
  [[nodiscard]] bool is_beyond_middle(int geometry_a, int geometry_b,
                                      const std::vector<RigidTransform>& X_WB);

  /// Whether the law may act on a pair of `contacts` within the step at the velocities V: a point offered
  /// without margins, any patch. Fills *pairs with these (bodies a < b, once each).
  void find_acting(const ContactQuery& query, const std::vector<Twist>& V, const ContactSet& contacts,
                   std::vector<std::pair<int, int>>* pairs) const;

  /// The pairs of contact points of `end`, a set of `find` at the poses X_end, that overlap deeper than they
  /// did in `start` at X_start, and deeper than their points have moved since, by more than a quarter of the
  /// smaller one's diameter: the query has found a way out that is not the way in.
  [[nodiscard]] std::vector<UnexplainedDepth> find_unexplained(
      const ContactSet& start, const std::vector<RigidTransform>& X_start, const ContactSet& end,
      const std::vector<RigidTransform>& X_end) const;

 private:
  std::unique_ptr<ContactSearch> search_;
};

}  // namespace csim
