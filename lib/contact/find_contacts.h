// Poses -> contacts: broad phase over bodies and their geometries, filters, narrow phase with manifolds.
#pragma once

#include <memory>
#include <optional>

#include "contact/contact_set.h"
#include "contact/end_overlap.h"
#include "core/rigid_transform.h"
#include "core/spatial.h"
#include "model/pair_table.h"

namespace csim {

class ContactSearch;
struct Model;

/// What the offering rule needs beside the poses.
struct ContactQuery {
  const std::vector<RigidTransform>* X_WB = nullptr;       // [B]
  const std::vector<Twist>* V0 = nullptr;                  // [B], at v0, world axes, body origins
  const std::vector<Twist>* V_star = nullptr;              // [B], at v*
  const std::vector<Vector3>* surface_velocity = nullptr;  // [B], world axes
  double step = 0.0;                                       // s
  double margin = 0.0;                                     // m, offered below this in any case
  double slack = 0.0;                                      // m, added to the reach (margin `auto`)
};

/// The geometries of a model prepared for queries (trees over each body's geometries and over mesh triangles,
/// pair filters), and a workspace that can be dropped without changing a bit. One per thread.
class ContactFinder {
 public:
  explicit ContactFinder(const Model& model);
  ~ContactFinder();
  ContactFinder(ContactFinder&&) noexcept;
  ContactFinder& operator=(ContactFinder&&) noexcept;

  /// Fills *contacts with the contact surface of every pair of pressure fields that overlap (margins
  /// included), and with every other pair that collides (pair table) and is offered: phi < max(margin, slack
  /// + reach), where reach is what the law can act on within the step, reach_distance + (step +
  /// reach_tau)(-v_n
  /// + reach_friction |v_t|): the larger of its values at V0 and V_star and 0, with the relative velocity (b
  /// minus a, surface velocity included) at the witness points. Of the many points of a triangle surface that
  /// face one way, eight stand for all (MeshReduction): those that matter where V0 and V_star lead.
  void find(const ContactQuery& query, ContactSet* contacts);

  /// How many points of the last `find`'s poses would close (phi + step v_n < reach_distance) at the
  /// velocities V of the end of the step without being among `contacts`, which `find` and `add_found` made of
  /// that `query`: a body that was hit meets others than those it was heading for. Of a surface's points that
  /// others stand for, those count that go deeper than all these. Where there are some, all
  /// points that the rule offers at V are kept for `add_found`. Points whose bodies are no faster than they
  /// were at V0 and V_star have been seen already; only pairs that are get a narrow phase. Pressure fields
  /// are found by poses alone, all of them by `find`.
  [[nodiscard]] PairCount look_again(const ContactQuery& query, const std::vector<Twist>& V,
                                     const ContactSet& contacts);

  /// Adds the points that the last `look_again` has kept.
  void add_found(ContactSet* contacts) const;

  /// Looks at the poses X_end where a step of length query.step with the velocities V ends. Contacts are
  /// linear in the velocities: two convex shapes that move without turning go no deeper than their contacts
  /// foresee, those that turn by an angle theta by up to theta times their size. Found are pairs that turn by
  /// more than 0.005 against each other and at X_end overlap deeper than at the start and than foreseen, by
  /// more than h^2 g (slack / 2, at most 2 % of the smaller body's radius; where bodies tumble in piles 40
  /// h^2 g and a quarter of it, end_overlap.cpp) and more than a tenth of the pair's way in the step or 5e-4
  /// of the smaller shape's radius; and pairs whose normal has turned round, so that they are pushed out on
  /// the other side. Judged are the pairs of `contacts` and of all points that `find` and `look_again` have
  /// seen near.
  [[nodiscard]] EndOverlap look_at_end(const ContactQuery& query, const std::vector<Twist>& V,
                                       const std::vector<RigidTransform>& X_end, const ContactSet& contacts);

  /// To be asked before `look_at_end`, whether that may find something: a body turns by more than 0.0025 in
  /// the step, or the velocities V leave a contact deep in the thinnest geometry. Needs no poses but the
  /// start's.
  [[nodiscard]] bool may_overlap(const ContactQuery& query, const std::vector<Twist>& V,
                                 const ContactSet& contacts);

  /// Fills *meetings with the pairs of pressure fields of the last `find` that move by more than 4 h^2 g and
  /// 2 % of their thickness in the step at the velocities V, and with what they store at X_end.
  void meet_fields(const ContactQuery& query, const std::vector<Twist>& V,
                   const std::vector<RigidTransform>& X_end, std::vector<FieldMeeting>* meetings);

  /// Whether `meet_fields` may find a pair: no poses of the end are needed for that.
  [[nodiscard]] bool may_meet(const ContactQuery& query, const std::vector<Twist>& V) const;

  /// Judges the passages of the last `find` again, at the velocities V that the step ends with: contacts may
  /// have held the bodies back.
  void confirm_passages(const std::vector<Twist>& V, double step, ContactSet* contacts);

 private:
  std::unique_ptr<ContactSearch> search_;
};

}  // namespace csim
