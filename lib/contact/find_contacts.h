// Poses -> contacts: broad phase over bodies and their geometries, filters, narrow phase with manifolds.
#pragma once

#include <memory>
#include <optional>

#include "contact/contact_set.h"
#include "core/rigid_transform.h"
#include "core/spatial.h"
#include "model/pair_table.h"

namespace csim {

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
  /// minus a, surface velocity included) at the witness points.
  void find(const ContactQuery& query, ContactSet* contacts);

  /// Judges the passages of the last `find` again, at the velocities V that the step ends with: contacts may
  /// have held the bodies back.
  void confirm_passages(const std::vector<Twist>& V, double step, ContactSet* contacts);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace csim
