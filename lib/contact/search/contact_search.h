// The work of a ContactFinder: pairs of bodies, of their geometries, of their features.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "contact/convex/narrow_phase.h"
#include "contact/find_contacts.h"
#include "contact/mesh/mesh_contacts.h"
#include "contact/mesh/mesh_pair.h"
#include "contact/mesh/mesh_reduce.h"
#include "contact/search/broad_phase.h"
#include "contact/search/collision_body.h"
#include "contact/search/patch_query.h"
#include "contact/search/swept_pair.h"

namespace csim {

/// The functions of ContactFinder's names are documented there.
class ContactSearch {
 public:
  /// bodies[B] with their `groups` (those of one never meet), and the body of each of Model::geometries; the
  /// engine that answers their queries (and prepared their meshes), null: our own code.
  ContactSearch(PairTable pairs, std::vector<CollisionBody> bodies, std::vector<int> groups,
                std::vector<int> body_of_geometry, const PatchOptions& patch_options,
                std::unique_ptr<QueryEngine> engine);

  void find(const ContactQuery& query, ContactSet* contacts);

  // foreseen.cpp
  void foresee(const ContactQuery& query, ContactSet* contacts);

  // look_again.cpp
  [[nodiscard]] PairCount look_again(const ContactQuery& query, const std::vector<Twist>& V,
                                     const ContactSet& contacts);
  void add_found(ContactSet* contacts) const;
  void find_acting(const ContactQuery& query, const std::vector<Twist>& V, const ContactSet& contacts,
                   std::vector<std::pair<int, int>>* pairs) const;

  // passages.cpp
  [[nodiscard]] Passages find_passages(const ContactQuery& query, const std::vector<Twist>& V,
                                       const std::vector<RigidTransform>& X_end, const ContactSet& contacts);
  [[nodiscard]] bool is_beyond_middle(int geometry_a, int geometry_b,
                                      const std::vector<RigidTransform>& X_WB);

  // unexplained.cpp
  [[nodiscard]] std::vector<UnexplainedDepth> find_unexplained(
      const ContactSet& start, const std::vector<RigidTransform>& X_start, const ContactSet& end,
      const std::vector<RigidTransform>& X_end) const;

 private:
  /// A contact point that was seen, and the rule of its pair.
  struct SeenPoint {
    PointContact contact;
    const PairRule* rule;
    bool is_placed = false;  // by `foresee`: it is of where the pair meets
  };
  /// A pair of geometries, one a surface, of whose contacts the reduction has left some out, those of a range
  /// of left_out_.
  struct ReducedPair {
    std::size_t begin, end;
    const PairRule* rule;
    double same_face;  // rad
    Matrix3 R_WS;      // of the surface
  };
  /// A contact point and its gap (m) at the end of the step, as its velocity foresees it.
  struct ClosestPoint {
    const PointContact* contact;
    double end_gap;
  };
  /// The points of a pair of geometries that foresee looked at: [begin, end) of those given, and what became
  /// of them in placed_ and left_.
  struct SweptPoints {
    std::size_t begin, end, placed_begin, placed_end, left_begin, left_end;
  };
  /// Two geometries with pressure fields that come far in the step: indices in Model::geometries.
  struct FastFields {
    int a, b;
  };

  /// Of two surfaces, and the number of the find() that asked for it last.
  struct KeptPairs {
    NearPairs pairs;
    long last_find = 0;
  };

  [[nodiscard]] double fastest(int body, const Twist& V) const;
  [[nodiscard]] double approach_speed(int a, int b, const std::vector<Twist>& V) const;
  [[nodiscard]] Aabb reach_box(int body, double speed, const ContactQuery& query) const;
  void bound_bodies(const ContactQuery& query);
  void collect_near(int a, int b, double distance, const ContactQuery& query);
  // `pair_speed`, m/s: no two points of the bodies meet faster. Without `contacts` points beyond the bound
  // for seen_speed_ go to seen_, and pressure fields, of which the poses alone tell, are left out.
  void visit_bodies(int a, int b, double pair_speed, const ContactQuery& query, ContactSet* contacts);
  void visit_geometries(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                        const PairRule& rule, const ContactQuery& query, ContactSet* contacts);
  void visit_pressure_fields(const PlacedGeometry& a, const PlacedGeometry& b, ContactSet* contacts);
  void offer(const PointContact& contact, const PairRule& rule, const ContactQuery& query,
             ContactSet* contacts);
  [[nodiscard]] PointContact contact_of(const PlacedGeometry& a, const PlacedGeometry& b,
                                        const ManifoldPoint& point) const;
  [[nodiscard]] double bound_seen(const PairRule& rule, const ContactQuery& query,
                                  const ContactSet* contacts) const;

  // visit_surfaces.cpp
  void forget_parted_surfaces();
  NearPairs* kept_pairs(const PlacedGeometry& a, const PlacedGeometry& b);
  bool query_surfaces(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi, NearPairs* kept);
  double reduce_candidates(const PlacedGeometry& a, const PlacedGeometry& b, const ContactQuery& query);
  void visit_surfaces(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi, const PairRule& rule,
                      const ContactQuery& query, ContactSet* contacts);
  void find_left_out(const ReducedPair& pair, const ContactQuery& query, const std::vector<Twist>& V,
                     const ContactSet& contacts);

  // foreseen.cpp
  [[nodiscard]] SweptPair sweep(const PointContact& c, const ContactQuery& query,
                                const std::vector<Twist>& V) const;
  [[nodiscard]] const PairRule& rule_of(const PointContact& c) const;
  [[nodiscard]] static bool holds_while_facing(const SweptPair& pair, const PointContact& c,
                                               const PairRule& rule, const ContactQuery& query);
  void query_points(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi);
  void place_at_touch(const SweptPair& pair, double t, double max_phi, std::size_t first_placed,
                      const PairRule& rule, const ContactQuery& query);
  void leave_rest(const PairRule& rule, const ContactQuery& query);
  void foresee_pair(const SeenPoint* begin, const SeenPoint* end, const ContactQuery& query);
  void note_partner(const PointContact& c, const PairRule& rule, const ContactQuery& query);
  [[nodiscard]] bool has_third_body(const PointContact& c) const;
  void drop_sweeps_with_third_bodies(const std::vector<SeenPoint>& points);
  void foresee_pairs(const std::vector<SeenPoint>& points, const std::vector<PointContact>& others,
                     const ContactQuery& query);

  // seams.cpp
  void sort_by_body(const std::vector<PointContact>& points);
  [[nodiscard]] bool is_held_off(const PointContact& d, int body, const std::vector<PointContact>& points,
                                 const ContactQuery& query) const;
  [[nodiscard]] bool is_held_off(const PointContact& d, const std::vector<PointContact>& points,
                                 const ContactQuery& query) const;
  void drop_held_off(const ContactQuery& query, std::vector<PointContact>* points);

  // look_again.cpp
  void see_faster_pairs(const ContactQuery& query, const std::vector<Twist>& V);
  void see_far_pairs(const ContactQuery& query, const std::vector<Twist>& V);
  void see(int a, int b, double seen_speed, const ContactQuery& query, const std::vector<Twist>& V);

  // passages.cpp
  [[nodiscard]] const CollisionGeometry& geometry_of(int geometry) const;
  [[nodiscard]] PlacedGeometry place_at(int geometry, const std::vector<RigidTransform>& X_WB) const;
  [[nodiscard]] double overlap_on_the_way(const PointContact& c, const ContactQuery& query,
                                          const std::vector<Twist>& V);
  [[nodiscard]] bool meets_on_the_way(const PointContact& c, const ContactQuery& query,
                                      const std::vector<Twist>& V);
  [[nodiscard]] const ManifoldPoint* deepest_point(const PlacedGeometry& a, const PlacedGeometry& b);
  [[nodiscard]] bool judge_end(const PlacedGeometry& a, const PlacedGeometry& b, const PointContact& c,
                               const ContactQuery& query, const std::vector<Twist>& V,
                               const std::vector<RigidTransform>& X_end, Passages* passages);
  void judge_shapes(const PointContact& c, const ContactQuery& query, const std::vector<Twist>& V,
                    const std::vector<RigidTransform>& X_end, Passages* passages);
  void find_passed_shapes(const ContactQuery& query, const std::vector<Twist>& V,
                          const std::vector<RigidTransform>& X_end, const ContactSet& contacts,
                          Passages* passages);
  [[nodiscard]] static bool is_far(double travel, const CollisionGeometry& a, const CollisionGeometry& b);
  [[nodiscard]] std::optional<SurfaceSum> sum_fields(const PlacedGeometry& a, const PlacedGeometry& b);
  [[nodiscard]] std::optional<double> most_pressed(const PlacedGeometry& a, const PlacedGeometry& b,
                                                   const Vector3& travel);
  [[nodiscard]] bool has_passed(const FastFields& fields, const Vector3& travel, const ContactQuery& query,
                                const std::vector<RigidTransform>& X_end);
  void find_passed_fields(const ContactQuery& query, const std::vector<Twist>& V,
                          const std::vector<RigidTransform>& X_end, Passages* passages);

  PairTable pairs_;
  PairRule farthest_;
  std::vector<int> body_of_geometry_;
  std::unique_ptr<QueryEngine> engine_;  // null: our own queries
  std::vector<CollisionBody> bodies_;
  BroadPhase broad_phase_;
  double least_shallow_;  // m: of the thinnest geometry, shallow_overlap

  // Workspaces of one step's queries.
  std::vector<double> speed_;      // [B], m/s: no point of the body is faster at V0 or V_star, belt included
  std::vector<Aabb> reach_boxes_;  // [B], inflated by half the margin or the own reach
  std::vector<int> near_a_, near_b_;
  std::vector<Vector3> centers_b_;  // of near_b's balls, world
  Manifold manifold_;
  MeshQuery mesh_query_;
  MeshPairQuery mesh_pair_query_;
  std::map<std::pair<int, int>, KeptPairs> near_pairs_;  // by the indices of geometries
  long num_finds_ = 0;
  std::vector<ManifoldPoint> mesh_points_;
  std::vector<SurfaceContact> candidates_;  // of one pair
  MeshReduction reduction_;
  PatchQuery patch_query_;
  std::vector<FastFields> fast_fields_;   // by the velocities V0 and V_star
  std::vector<double> near_speed_;        // [pairs of the broad phase], m/s: what `find` has looked for
  double seen_speed_ = 0.0;               // m/s, of the pair that look_again visits: likewise
  std::vector<SeenPoint> seen_;           // within a pair's bound, not offered
  std::size_t num_seen_at_first_ = 0;     // of them those of `find`; a round adds its own behind them
  std::vector<SurfaceContact> left_out_;  // by the reduction, offered or not
  std::vector<ReducedPair> reduced_;
  std::size_t num_reduced_at_first_ = 0;  // as num_seen_at_first_
  std::vector<SeenPoint> found_;          // of these, what look_again offers
  static constexpr int kNoPartner = -1, kSeveralPartners = -2;
  std::vector<int> partner_;  // [B], foresee: the other body of a body's contacts that act, or one of these
  std::vector<SweptPoints> swept_;                            // foresee
  std::vector<SeenPoint> placed_by_sweeps_, left_by_sweeps_;  // likewise
  std::vector<SeenPoint> offered_, placed_, left_,
      rest_;  // foresee: before, and of these what is a contact and what not
  std::vector<int> held_begin_, next_held_, held_;  // contacts of each body
  std::vector<bool> is_dropped_;                    // [contacts], held off by others
  std::vector<ClosestPoint> closest_;               // find_passages, of pairs that turn or close far
  std::vector<int> faster_, far_;  // bodies, look_again: those that have left their bound; near one of these
};

/// The pair of geometries of a point or patch, as sets are ordered by it.
template <typename Contact>
[[nodiscard]] auto pair_key(const Contact& c) {
  return std::tie(c.body_a, c.body_b, c.geometry_a, c.geometry_b);
}

/// Points and patches of a set in their order, which is that of these keys.
[[nodiscard]] inline auto sort_key(const PointContact& c) {
  return std::tuple_cat(pair_key(c), std::tie(c.feature));
}
[[nodiscard]] inline auto sort_key(const ContactPatch& c) {
  return pair_key(c);
}

/// Pairs come in order already where geometries are listed body by body.
template <typename Contact>
void sort_contacts(std::vector<Contact>* contacts) {
  const auto less = [](const Contact& x, const Contact& y) { return sort_key(x) < sort_key(y); };
  if (!std::is_sorted(contacts->begin(), contacts->end(), less))
    std::sort(contacts->begin(), contacts->end(), less);
}

}  // namespace csim
