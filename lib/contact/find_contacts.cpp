#include "contact/find_contacts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "contact/broad_phase.h"
#include "contact/collision_body.h"
#include "contact/mesh_contacts.h"
#include "contact/narrow_phase.h"
#include "contact/offering_rule.h"
#include "core/require.h"
#include "model/model.h"

namespace csim {

namespace {

/// The largest reach any pair of the table has, as a rule.
PairRule farthest_rule(const PairTable& pairs) {
  PairRule farthest;
  for (const PairRule& rule : pairs.rules) {
    if (!rule.collide) continue;
    farthest.reach_tau = std::max(farthest.reach_tau, rule.reach_tau);
    farthest.reach_friction = std::max(farthest.reach_friction, rule.reach_friction);
    farthest.reach_distance = std::max(farthest.reach_distance, rule.reach_distance);
  }
  return farthest;
}

/// Bodies that cannot meet share a group: those welded together, and all that have no degree of freedom (a
/// contact between two of them would act on nothing).
std::vector<int> broad_phase_groups(const Model& model) {
  std::vector<int> groups;
  for (const Body& body : model.bodies) groups.push_back(body.tree < 0 ? 0 : 1 + body.weld_group);
  return groups;
}

std::vector<CollisionBody> make_bodies(const Model& model) {
  std::vector<std::vector<CollisionGeometry>> lists(model.bodies.size());
  std::map<const TriangleMesh*, std::shared_ptr<const MeshSurface>> surfaces;  // looked up, never walked
  for (std::size_t i = 0; i < model.geometries.size(); ++i) {
    const Geometry& geometry = model.geometries[i];
    if (geometry.pair_class < 0) continue;
    CollisionGeometry entry;
    entry.index = static_cast<int>(i);
    entry.pair_class = geometry.pair_class;
    entry.shape = geometry.shape;
    entry.X_BG = geometry.X_BG;
    entry.box_G = bounding_box(geometry.shape);
    entry.ball_B = bounding_ball(geometry.shape);
    entry.is_ball = std::holds_alternative<Sphere>(geometry.shape);
    entry.ball_B.center = geometry.X_BG * entry.ball_B.center;
    if (const Mesh* mesh = std::get_if<Mesh>(&geometry.shape)) {
      std::shared_ptr<const MeshSurface>& surface = surfaces[mesh->mesh.get()];
      if (!surface) surface = std::make_shared<const MeshSurface>(mesh->mesh);
      entry.surface = surface;
    }
    lists[geometry.body].push_back(std::move(entry));
  }
  std::vector<CollisionBody> bodies(model.bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b].set_geometries(std::move(lists[b]));
  return bodies;
}

/// The box around a box given in another frame; everything when it has no end.
Aabb in_other_frame(const RigidTransform& X, const Aabb& box) {
  return box.bounded() ? transformed(X, box) : everything();
}

auto sort_key(const PointContact& c) {
  return std::tie(c.body_a, c.body_b, c.geometry_a, c.geometry_b, c.feature);
}

}  // namespace

struct ContactFinder::Implementation {
  explicit Implementation(const Model& model)
      : pairs(model.pairs),
        farthest(farthest_rule(model.pairs)),
        bodies(make_bodies(model)),
        broad_phase(broad_phase_groups(model)) {
    for (const Geometry& geometry : model.geometries) body_of_geometry.push_back(geometry.body);
  }

  void find(const ContactQuery& query, ContactSet* contacts);
  void bound_bodies(const ContactQuery& query);
  void visit_bodies(int a, int b, const ContactQuery& query, ContactSet* contacts);
  void visit_geometries(const CollisionGeometry& a, const CollisionGeometry& b, double max_phi,
                        const PairRule& rule, const ContactQuery& query, ContactSet* contacts);
  void collect_near(int a, int b, double distance, const ContactQuery& query);
  void update_poses(int body, const std::vector<int>& near, const ContactQuery& query);
  void offer(const CollisionGeometry& a, const CollisionGeometry& b, const ManifoldPoint* begin,
             const ManifoldPoint* end, const PairRule& rule, const ContactQuery& query,
             ContactSet* contacts) const;

  PairTable pairs;
  PairRule farthest;
  std::vector<int> body_of_geometry;
  std::vector<CollisionBody> bodies;
  BroadPhase broad_phase;

  // Workspaces of one query.
  long stamp = 0;
  std::vector<double> speed;      // [B], m/s: no point of the body is faster at V0 or V_star, belt included
  std::vector<Aabb> reach_boxes;  // [B], inflated by half the margin or the own reach
  std::vector<int> near_a, near_b;
  Manifold manifold;
  MeshQuery mesh_query;
  std::vector<ManifoldPoint> mesh_points;
};

/// Each body's box grows by its own share of the pair's bound: max(margin, slack + reach_a + reach_b) is at
/// most the sum of the shares max(margin/2, (slack + distance)/2 + seconds * speed).
void ContactFinder::Implementation::bound_bodies(const ContactQuery& query) {
  speed.resize(bodies.size());
  reach_boxes.resize(bodies.size());
  ContactQuery half = query;
  half.margin = 0.5 * query.margin;
  half.slack = 0.5 * query.slack;
  PairRule rule = farthest;
  rule.reach_distance *= 0.5;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    double fastest = 0.0;
    for (const std::vector<Twist>* V : {query.V0, query.V_star}) {
      // A body without end that does not turn has one velocity; one that turns has no bound.
      const double w = (*V)[b].w.norm();
      fastest = std::max(fastest, (*V)[b].v.norm() + (w > 0.0 ? w * bodies[b].radius() : 0.0));
    }
    speed[b] = fastest + (*query.surface_velocity)[b].norm();
    reach_boxes[b] = bodies[b].empty() ? Aabb()
                                       : in_other_frame((*query.X_WB)[b], bodies[b].box())
                                             .inflated(offering_bound(rule, half, speed[b]));
  }
}

/// Fills near_a and near_b with the geometries of two bodies that may be within `distance` of the other
/// body's, their poses up to date: those of a near b's box, then those of b near what is left of these within
/// b's box, which of a wide floor is a small plate.
void ContactFinder::Implementation::collect_near(int a, int b, double distance, const ContactQuery& query) {
  near_a.assign(1, 0);  // of a body with one geometry: the broad phase has compared the boxes
  near_b.assign(1, 0);
  if (bodies[a].size() > 1 || bodies[b].size() > 1) {
    const RigidTransform X_AB = (*query.X_WB)[a].inverse() * (*query.X_WB)[b];
    const Aabb reach_of_b = in_other_frame(X_AB, bodies[b].box()).inflated(distance);
    if (bodies[a].size() > 1) bodies[a].collect(reach_of_b, &near_a);
    if (bodies[b].size() > 1) {
      Aabb region;
      for (const int i : near_a) region.add(bodies[a].box_of(i));
      region.lower = region.lower.cwiseMax(reach_of_b.lower);
      region.upper = region.upper.cwiseMin(reach_of_b.upper);
      if (region.empty()) {
        near_b.clear();
      } else {
        bodies[b].collect(in_other_frame(X_AB.inverse(), region).inflated(distance), &near_b);
      }
    }
  }
  update_poses(a, near_a, query);
  update_poses(b, near_b, query);
}

void ContactFinder::Implementation::update_poses(int body, const std::vector<int>& near,
                                                 const ContactQuery& query) {
  const RigidTransform& X_WB = (*query.X_WB)[body];
  for (int i : near) {
    CollisionGeometry& g = bodies[body].geometry(i);
    if (g.stamp == stamp) continue;
    g.stamp = stamp;
    g.X_WG = X_WB * g.X_BG;
    g.center_W = X_WB * g.ball_B.center;
  }
}

/// Offers the points of one pair of geometries that pass the rule.
void ContactFinder::Implementation::offer(const CollisionGeometry& a, const CollisionGeometry& b,
                                          const ManifoldPoint* begin, const ManifoldPoint* end,
                                          const PairRule& rule, const ContactQuery& query,
                                          ContactSet* contacts) const {
  for (const ManifoldPoint* point = begin; point != end; ++point) {
    PointContact contact;
    contact.geometry_a = a.index;
    contact.geometry_b = b.index;
    contact.body_a = body_of_geometry[a.index];
    contact.body_b = body_of_geometry[b.index];
    contact.feature = point->feature;
    contact.phi = point->phi;
    contact.normal = point->normal;
    contact.p_a = point->p_a;
    contact.p_b = point->p_b;
    if (is_offered(contact, rule, query)) contacts->points.push_back(contact);
  }
}

void ContactFinder::Implementation::visit_geometries(const CollisionGeometry& a, const CollisionGeometry& b,
                                                     double max_phi, const PairRule& rule,
                                                     const ContactQuery& query, ContactSet* contacts) {
  if (a.surface || b.surface) {
    if (a.surface && b.surface) return;
    const CollisionGeometry &mesh = a.surface ? a : b, &other = a.surface ? b : a;
    const bool degenerate =
        mesh_query.find(*mesh.surface, mesh.X_WG, other.shape, other.X_WG, max_phi, &mesh_points);
    if (b.surface) {
      for (ManifoldPoint& point : mesh_points) {
        std::swap(point.p_a, point.p_b);
        point.normal = -point.normal;
      }
    }
    contacts->num_degenerate += degenerate ? 1 : 0;
    offer(a, b, mesh_points.data(), mesh_points.data() + mesh_points.size(), rule, query, contacts);
    return;
  }
  query_pair(a.shape, a.X_WG, b.shape, b.X_WG, max_phi, &manifold);
  contacts->num_degenerate += manifold.degenerate ? 1 : 0;
  offer(a, b, manifold.begin(), manifold.end(), rule, query, contacts);
}

void ContactFinder::Implementation::visit_bodies(int a, int b, const ContactQuery& query,
                                                 ContactSet* contacts) {
  if (std::binary_search(pairs.excluded_bodies.begin(), pairs.excluded_bodies.end(), std::pair(a, b))) return;
  const double pair_speed = speed[a] + speed[b];
  const double farthest_gap = offering_bound(farthest, query, pair_speed);
  collect_near(a, b, farthest_gap, query);
  for (int i : near_a) {
    for (int j : near_b) {
      const CollisionGeometry *first = &bodies[a].geometry(i), *second = &bodies[b].geometry(j);
      const double reach = first->ball_B.radius + second->ball_B.radius + farthest_gap;
      if (!((first->center_W - second->center_W).squaredNorm() <= reach * reach)) continue;
      if (first->index > second->index) std::swap(first, second);
      const PairRule& rule = pairs.rule(first->pair_class, second->pair_class);
      if (!rule.collide) continue;
      const double max_phi = offering_bound(rule, query, pair_speed);
      if (may_touch(*first, *second, max_phi))
        visit_geometries(*first, *second, max_phi, rule, query, contacts);
    }
  }
}

void ContactFinder::Implementation::find(const ContactQuery& query, ContactSet* contacts) {
  const std::size_t n = bodies.size();
  CSIM_REQUIRE(query.X_WB->size() == n && query.V0->size() == n && query.V_star->size() == n &&
                   query.surface_velocity->size() == n,
               n, query.X_WB->size(), query.V0->size(), query.V_star->size(), query.surface_velocity->size());
  contacts->points.clear();
  contacts->num_degenerate = 0;
  ++stamp;
  bound_bodies(query);
  for (const auto& [a, b] : broad_phase.find(reach_boxes)) visit_bodies(a, b, query, contacts);
  // Pairs come in order already where geometries are listed body by body.
  const auto less = [](const PointContact& x, const PointContact& y) { return sort_key(x) < sort_key(y); };
  if (!std::is_sorted(contacts->points.begin(), contacts->points.end(), less)) {
    std::sort(contacts->points.begin(), contacts->points.end(), less);
  }
}

ContactFinder::ContactFinder(const Model& model) : implementation_(std::make_unique<Implementation>(model)) {}
ContactFinder::~ContactFinder() = default;
ContactFinder::ContactFinder(ContactFinder&&) noexcept = default;
ContactFinder& ContactFinder::operator=(ContactFinder&&) noexcept = default;

void ContactFinder::find(const ContactQuery& query, ContactSet* contacts) {
  implementation_->find(query, contacts);
}

}  // namespace csim
