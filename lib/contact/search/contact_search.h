// The work of a ContactFinder: pairs of bodies, of their geometries, of their features.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
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
#include "contact/search/findings.h"
#include "contact/search/patch_query.h"
#include "contact/search/swept_pair.h"
#include "core/workers.h"

namespace csim {

/// The functions of ContactFinder's names are documented there.
class ContactSearch {
 public:
  /// bodies[B] with their `groups` (those of one never meet), and the body of each of Model::geometries; the
  /// engine that answers their queries (and prepared their meshes), null: our own code, the
  /// pairs shared out to the workers.
  ContactSearch(PairTable pairs, std::vector<CollisionBody> bodies, std::vector<int> groups,
                std::vector<int> body_of_geometry, const PatchOptions& patch_options,
                std::unique_ptr<QueryEngine> engine, Workers* workers);

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
  /// Of two surfaces, and the number of the find() that asked for it last.
  struct KeptPairs {
    NearPairs pairs;
    long last_find = 0;
  };

  /// Work space of a worker, for one pair after the other.
  struct PairScratch {
    explicit PairScratch(const PatchOptions& patch_options) : patch_query(patch_options) {}

    std::vector<int> near_a, near_b;
    std::vector<Vector3> centers_b;  // of near_b's balls, world
    Manifold manifold;
    MeshQuery mesh_query;
    MeshPairQuery mesh_pair_query;
    std::vector<ManifoldPoint> mesh_points;
    std::vector<SurfaceContact> candidates;  // of one pair
    MeshReduction reduction;
    PatchQuery patch_query;
    std::vector<SeenPoint> rest;  // foresee
    std::vector<int> far;         // bodies, look_again: near one that has left its bound
  };

  /// What looks at pairs of a query in their order, and where it puts what it finds.
  struct Visitor {
    PairScratch* scratch;
    Findings* findings;
    ContactSet* contacts;     // null: look_again
    double seen_speed = 0.0;  // m/s, of the pair that look_again visits: what it was looked at for before
  };

  /// Shares [0, count) out to the workers: look_at(begin, end, visitor). What their visitors find is added,
  /// in the order of the shares, to all_ and *contacts (where there are any).
  template <typename LookAt>
  void share_out(int count, ContactSet* contacts, const LookAt& look_at);

  [[nodiscard]] double fastest(int body, const Twist& V) const;
  [[nodiscard]] double approach_speed(int a, int b, const std::vector<Twist>& V) const;
  [[nodiscard]] double pair_speed(int a, int b, const std::vector<Twist>& V, const ContactQuery& query) const;
  [[nodiscard]] Aabb reach_box(int body, double speed, const ContactQuery& query) const;
  bool bound_bodies(const ContactQuery& query);
  void collect_near(int a, int b, double distance, const ContactQuery& query, PairScratch* scratch) const;
  // `pair_speed`, m/s: no two points of the bodies meet faster. Without contacts points beyond the bound for
  // seen_speed are seen alone, and pressure fields, of which the poses alone tell, are left out.
  void visit_bodies(int a, int b, double pair_speed, const ContactQuery& query, const Visitor& visitor);
  void visit_geometries(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                        const PairRule& rule, const ContactQuery& query, const Visitor& visitor);
  void visit_pressure_fields(const PlacedGeometry& a, const PlacedGeometry& b, const Visitor& visitor) const;
  static void offer(const PointContact& contact, const PairRule& rule, const ContactQuery& query,
                    const Visitor& visitor);
  [[nodiscard]] PointContact contact_of(const PlacedGeometry& a, const PlacedGeometry& b,
                                        const ManifoldPoint& point) const;
  [[nodiscard]] static double bound_seen(const PairRule& rule, const ContactQuery& query,
                                         const Visitor& visitor);

  // visit_surfaces.cpp
  void forget_parted_surfaces();
  NearPairs* kept_pairs(const PlacedGeometry& a, const PlacedGeometry& b);
  static bool query_surfaces(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                             NearPairs* kept, PairScratch* scratch);
  static double reduce_candidates(const PlacedGeometry& a, const PlacedGeometry& b, const ContactQuery& query,
                                  PairScratch* scratch);
  void visit_surfaces(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi, const PairRule& rule,
                      const ContactQuery& query, const Visitor& visitor);
  void find_left_out(const ReducedPair& pair, const ContactQuery& query, const std::vector<Twist>& V,
                     const ContactSet& contacts);

  void find_met_at_end(const ContactQuery& query, const std::vector<Twist>& V, const ContactSet& contacts);

  // foreseen.cpp
  [[nodiscard]] Vector3 pivot_arm(int body, const ContactQuery& query) const;
  [[nodiscard]] bool is_pushed(const PointContact& c, const ContactQuery& query) const;
  [[nodiscard]] SweptPair sweep(const PointContact& c, const ContactQuery& query,
                                const std::vector<Twist>& V) const;
  [[nodiscard]] const PairRule& rule_of(const PointContact& c) const;
  [[nodiscard]] bool holds_while_facing(const SweptPair& pair, const PointContact& c, const PairRule& rule,
                                        const ContactQuery& query) const;
  void query_points(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi, PairScratch* scratch);
  void place_at_touch(const SweptPair& pair, double t, double max_phi, std::size_t first_placed,
                      const PairRule& rule, const ContactQuery& query, const Visitor& visitor);
  void leave_rest(const PairRule& rule, const ContactQuery& query, const Visitor& visitor) const;
  void foresee_pair(const SeenPoint* begin, const SeenPoint* end, const ContactQuery& query,
                    const Visitor& visitor);
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
  void see(int a, int b, const ContactQuery& query, const std::vector<Twist>& V, const Visitor& visitor);

  // passages.cpp
  [[nodiscard]] PlacedGeometry place_at(int geometry, const std::vector<RigidTransform>& X_WB) const;
  [[nodiscard]] const ManifoldPoint* deepest_overlap(const PlacedGeometry& a, const PlacedGeometry& b,
                                                     PairScratch* scratch);
  [[nodiscard]] double overlap_of(const PlacedGeometry& a, const PlacedGeometry& b, PairScratch* scratch);
  [[nodiscard]] static Vector3 carried_normal(const PointContact& c, const ContactQuery& query,
                                              const std::vector<Twist>& V,
                                              const std::vector<RigidTransform>& X_end);
  [[nodiscard]] bool has_given_way(const PlacedGeometry& a, const PlacedGeometry& b, const PointContact& c,
                                   const ContactQuery& query, const std::vector<Twist>& V,
                                   const std::vector<RigidTransform>& X_end, PairScratch* scratch);
  [[nodiscard]] bool is_deeper_on_the_way(const PointContact& c, double travel, double shallow,
                                          const ContactQuery& query, const std::vector<Twist>& V,
                                          PairScratch* scratch);
  [[nodiscard]] bool meets_on_the_way(const PointContact& c, const ContactQuery& query,
                                      const std::vector<Twist>& V);
  [[nodiscard]] static const ManifoldPoint* deepest_point(const PlacedGeometry& a, const PlacedGeometry& b,
                                                          Manifold* manifold);
  [[nodiscard]] bool judge_end(const PlacedGeometry& a, const PlacedGeometry& b, const PointContact& c,
                               const ContactQuery& query, const std::vector<Twist>& V,
                               const std::vector<RigidTransform>& X_end, const Visitor& visitor);
  void judge_shapes(const PointContact& c, const ContactQuery& query, const std::vector<Twist>& V,
                    const std::vector<RigidTransform>& X_end, const Visitor& visitor);
  void find_passed_shapes(const ContactQuery& query, const std::vector<Twist>& V,
                          const std::vector<RigidTransform>& X_end, const ContactSet& contacts);
  [[nodiscard]] static bool is_far(double travel, const CollisionGeometry& a, const CollisionGeometry& b);
  [[nodiscard]] static std::optional<SurfaceSum> sum_fields(const PlacedGeometry& a, const PlacedGeometry& b,
                                                            PairScratch* scratch);
  [[nodiscard]] static std::optional<double> most_pressed(const PlacedGeometry& a, const PlacedGeometry& b,
                                                          const Vector3& travel, PairScratch* scratch);
  [[nodiscard]] bool has_passed(const FastFields& fields, const Vector3& travel, const ContactQuery& query,
                                const std::vector<RigidTransform>& X_end, PairScratch* scratch);
  void find_passed_fields(const ContactQuery& query, const std::vector<Twist>& V,
                          const std::vector<RigidTransform>& X_end);

  PairTable pairs_;
  PairRule farthest_;
  std::vector<int> body_of_geometry_;
  std::unique_ptr<QueryEngine> engine_;  // null: our own queries
  std::vector<CollisionBody> bodies_;
  std::vector<int> fixed_;                            // of these, with shapes: at rest or prescribed
  std::vector<const CollisionGeometry*> geometries_;  // of Model::geometries; null: it does not collide
  BroadPhase broad_phase_;
  double least_shallow_;  // m: of the thinnest geometry, shallow_overlap

  Workers* workers_;     // null: none
  double cost_of_pair_;  // us

  // Workspaces of one step's queries.
  std::vector<PairScratch> scratch_;  // [workers]
  std::vector<Findings> shares_;      // of pairs, of a loop that is shared out
  std::vector<ContactSet> contacts_of_shares_;
  std::vector<double> speed_;      // [B], m/s: no point of the body is faster at V0 or V_star, belt included
  std::vector<Aabb> reach_boxes_;  // [B], inflated by half the margin or the own reach
  /// Of the query of which these are.
  struct Bounded {
    std::uint64_t rest_number = 0;
    double step = 0.0, margin = 0.0, slack = 0.0;
    bool operator==(const Bounded&) const = default;
  };
  Bounded bounded_;
  std::vector<char> asked_;      // likewise, [B]
  std::mutex near_pairs_mutex_;  // guards the map; an entry is used by who looks at its pair
  std::map<std::pair<int, int>, KeptPairs> near_pairs_;  // by the indices of geometries
  long num_finds_ = 0;
  Findings all_;
  std::vector<double> near_speed_;    // [pairs of the broad phase], m/s: what they were looked at for
  std::size_t num_seen_near_ = 0;     // of all_.seen those of these pairs; a round adds far ones behind them
  std::size_t num_reduced_near_ = 0;  // likewise
  std::vector<SeenPoint> found_;      // of these, what look_again offers
  static constexpr int kNoPartner = -1, kSeveralPartners = -2;
  std::vector<int> partner_;  // [B], foresee: the other body of a body's contacts that act, or one of these
  std::vector<SeenPoint> placed_by_sweeps_, left_by_sweeps_;  // likewise
  std::vector<SeenPoint> offered_;                            // likewise, before
  std::vector<std::size_t> pair_begin_;                       // likewise, where those of each pair begin
  std::vector<int> held_begin_, next_held_, held_;            // contacts of each body
  std::vector<char> may_drop_, is_dropped_;                   // [contacts], held off by others
  std::vector<int> faster_;  // bodies, look_again: those that have left their bound
};

template <typename LookAt>
void ContactSearch::share_out(int count, ContactSet* contacts, const LookAt& look_at) {
  const int shares = num_shares(workers_, count, cost_of_pair_);
  if (shares == 1) {
    look_at(0, count, Visitor{scratch_.data(), &all_, contacts});
    return;
  }
  if (static_cast<int>(shares_.size()) < shares) {
    shares_.resize(shares);
    contacts_of_shares_.resize(shares);
  }
  workers_->run(shares, [&](int k, int worker) {
    clear(&shares_[k]);
    clear(&contacts_of_shares_[k]);
    const Share part = share(count, shares, k);
    look_at(part.begin, part.end,
            Visitor{&scratch_[worker], &shares_[k], contacts == nullptr ? nullptr : &contacts_of_shares_[k]});
  });
  for (int k = 0; k < shares; ++k) {
    append(shares_[k], &all_);
    if (contacts != nullptr) append(contacts_of_shares_[k], contacts);
  }
}

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
