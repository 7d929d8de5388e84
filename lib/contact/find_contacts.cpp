#include "contact/find_contacts.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>

#include "contact/broad_phase.h"
#include "contact/collision_body.h"
#include "contact/mesh_contacts.h"
#include "contact/mesh_pair.h"
#include "contact/narrow_phase.h"
#include "contact/offering_rule.h"
#include "contact/passage_query.h"
#include "contact/patch_query.h"
#include "core/require.h"
#include "model/model.h"
#include "patch/divide_faces.h"

namespace csim {

namespace {

/// The largest reach any pair of the table has, as a rule.
PairRule farthest_rule(const PairTable& pairs) {
  PairRule farthest;
  for (const PairRule& rule : pairs.rules) {
    if (!rule.collide || rule.patch) continue;
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

/// Grows the bounds, in the geometry's frame, to those of its pressure field.
void add_margin(const PressureGeometry& pressure, CollisionGeometry* entry) {
  if (const auto* half_space = std::get_if<CompliantHalfSpace>(&pressure))
    entry->box_G = entry->box_G.inflated(half_space->margin);
  if (const auto* field = std::get_if<std::shared_ptr<const CompliantMesh>>(&pressure)) {
    for (const Vector3& p_G : (*field)->mesh.vertices) {
      entry->box_G.add(p_G);
      entry->ball_B.radius = std::max(entry->ball_B.radius, (p_G - entry->ball_B.center).norm());
    }
  }
}

CollisionGeometry make_geometry(const Geometry& geometry) {
  CollisionGeometry entry;
  entry.pair_class = geometry.pair_class;
  entry.shape = geometry.shape;
  entry.X_BG = geometry.X_BG;
  entry.is_turned = geometry.X_BG.R != Matrix3::Identity();
  entry.box_G = bounding_box(geometry.shape);
  entry.ball_B = bounding_ball(geometry.shape);
  add_margin(geometry.pressure, &entry);
  entry.ball_B.center = geometry.X_BG * entry.ball_B.center;
  entry.is_ball = std::holds_alternative<Sphere>(geometry.shape);
  return entry;
}

PatchOptions patch_options(const PatchSpec& spec) {
  PatchOptions options;
  // Without the rule every angle passes, rounding included.
  options.surface.least_cosine =
      spec.cull_angle_deg ? std::cos(*spec.cull_angle_deg * std::numbers::pi / 180.0) : -2.0;
  options.surface.triangles = spec.representation == PatchRepresentation::kTriangle;
  options.max_face_size = spec.max_face_size;
  options.drop_constant = spec.gradient_filter == GradientFilter::kDrop;
  switch (spec.quadrature) {
    case PatchQuadrature::kCentroid:
      options.quadrature = FaceQuadrature::kCentroid;
      break;
    case PatchQuadrature::kCenterOfPressure:
      options.quadrature = FaceQuadrature::kCenterOfPressure;
      break;
    case PatchQuadrature::kThreePoint:
      options.quadrature = FaceQuadrature::kThreePoint;
      break;
  }
  return options;
}

/// Prepares pressure fields and rigid surfaces, each once however many geometries share it.
class PatchGeometries {
 public:
  std::optional<PatchGeometry> prepare(const PressureGeometry& geometry) {
    if (const auto* mesh = std::get_if<std::shared_ptr<const CompliantMesh>>(&geometry))
      return shared(mesh->get());
    if (const auto* surface = std::get_if<std::shared_ptr<const TriangleMesh>>(&geometry))
      return shared(surface->get());
    if (const auto* half_space = std::get_if<CompliantHalfSpace>(&geometry)) return *half_space;
    if (std::holds_alternative<HalfSpace>(geometry)) return HalfSpace{};
    return std::nullopt;
  }

 private:
  template <typename T>
  PatchGeometry shared(const T* source) {
    std::optional<PatchGeometry>& prepared = prepared_[source];
    if (!prepared) prepared = prepare_patch_geometry(*source);
    return *prepared;
  }

  std::map<const void*, std::optional<PatchGeometry>> prepared_;  // looked up, never walked
};

/// Bodies look for their like among this many kinds of bodies, the latest.
constexpr std::size_t kRecentKinds = 32;

std::vector<CollisionBody> make_bodies(const Model& model) {
  std::vector<CollisionBody> bodies(model.bodies.size());
  std::vector<std::vector<CollisionGeometry>> lists(model.bodies.size());
  PatchGeometries patch_geometries;
  std::map<const TriangleMesh*, std::shared_ptr<const MeshSurface>> surfaces;  // looked up, never walked
  for (std::size_t i = 0; i < model.geometries.size(); ++i) {
    const Geometry& geometry = model.geometries[i];
    if (geometry.pair_class < 0) continue;
    CollisionGeometry entry = make_geometry(geometry);
    if (const Mesh* mesh = std::get_if<Mesh>(&geometry.shape)) {
      std::shared_ptr<const MeshSurface>& surface = surfaces[mesh->mesh.get()];
      if (!surface) surface = std::make_shared<const MeshSurface>(mesh->mesh);
      entry.surface = surface;
    }
    entry.patch = patch_geometries.prepare(geometry.pressure);
    lists[geometry.body].push_back(std::move(entry));
    bodies[geometry.body].index.push_back(static_cast<int>(i));
  }
  std::deque<std::shared_ptr<const CollisionShapes>> kinds;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (lists[b].empty()) continue;
    const auto like =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind->equals(lists[b]); });
    if (like != kinds.end()) {
      bodies[b].shapes = *like;
      continue;
    }
    bodies[b].shapes = std::make_shared<const CollisionShapes>(std::move(lists[b]));
    kinds.push_front(bodies[b].shapes);
    if (kinds.size() > kRecentKinds) kinds.pop_back();
  }
  return bodies;
}

/// The box around a box given in another frame; everything when it has no end.
Aabb in_other_frame(const RigidTransform& X, const Aabb& box) {
  return box.bounded() ? transformed(X, box) : everything();
}

auto sort_key(const PointContact& c) {
  return std::tie(c.body_a, c.body_b, c.geometry_a, c.geometry_b, c.feature);
}

auto sort_key(const ContactPatch& c) {
  return std::tie(c.body_a, c.body_b, c.geometry_a, c.geometry_b);
}

/// Pairs come in order already where geometries are listed body by body.
template <typename Contact>
void sort_contacts(std::vector<Contact>* contacts) {
  const auto less = [](const Contact& x, const Contact& y) { return sort_key(x) < sort_key(y); };
  if (!std::is_sorted(contacts->begin(), contacts->end(), less))
    std::sort(contacts->begin(), contacts->end(), less);
}

/// The ranges of patches stay valid; the points name their patches anew.
void sort_patches(ContactSet* contacts) {
  sort_contacts(&contacts->patches);
  for (std::size_t k = 0; k < contacts->patches.size(); ++k) {
    const ContactPatch& patch = contacts->patches[k];
    std::fill(contacts->patch_of_point.begin() + patch.point_begin,
              contacts->patch_of_point.begin() + patch.point_end, static_cast<int>(k));
  }
}

void clear(ContactSet* contacts) {
  contacts->points.clear();
  contacts->patches.clear();
  clear_faces(&contacts->surface);
  contacts->face_points.clear();
  contacts->patch_of_point.clear();
  contacts->num_degenerate = contacts->num_fallback = contacts->num_passages = 0;
  contacts->passage_a = contacts->passage_b = -1;
}

}  // namespace

struct ContactFinder::Implementation {
  explicit Implementation(const Model& model)
      : pairs(model.pairs),
        farthest(farthest_rule(model.pairs)),
        bodies(make_bodies(model)),
        broad_phase(broad_phase_groups(model)),
        patch_query(patch_options(model.patch)) {
    for (const Geometry& geometry : model.geometries) body_of_geometry.push_back(geometry.body);
  }

  void find(const ContactQuery& query, ContactSet* contacts);
  void bound_bodies(const ContactQuery& query);
  void visit_bodies(int a, int b, const ContactQuery& query, ContactSet* contacts);
  void visit_geometries(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                        const PairRule& rule, const ContactQuery& query, ContactSet* contacts);
  void visit_pressure_fields(const PlacedGeometry& a, const PlacedGeometry& b, ContactSet* contacts);
  /// Two geometries that may go through each other, and their bodies.
  struct Passage {
    PlacedGeometry a, b;
    int body_a, body_b;
    Vector3 arm_a, arm_b;  // m, from the bodies' origins to where the velocities are read
  };
  void watch_passage(const Passage& passage, const std::vector<Twist>& V, double step, ContactSet* contacts);
  void confirm_passages(const std::vector<Twist>& V, double step, ContactSet* contacts);
  void collect_near(int a, int b, double distance, const ContactQuery& query);
  void offer(const PlacedGeometry& a, const PlacedGeometry& b, const ManifoldPoint* begin,
             const ManifoldPoint* end, const PairRule& rule, const ContactQuery& query,
             ContactSet* contacts) const;

  PairTable pairs;
  PairRule farthest;
  std::vector<int> body_of_geometry;
  std::vector<CollisionBody> bodies;
  BroadPhase broad_phase;

  // Workspaces of one query.
  std::vector<double> speed;      // [B], m/s: no point of the body is faster at V0 or V_star, belt included
  std::vector<Aabb> reach_boxes;  // [B], inflated by half the margin or the own reach
  std::vector<int> near_a, near_b;
  std::vector<Vector3> centers_b;  // of near_b's balls, world
  Manifold manifold;
  MeshQuery mesh_query;
  MeshPairQuery mesh_pair_query;
  std::vector<ManifoldPoint> mesh_points;
  PatchQuery patch_query;
  PassageQuery passage_query;
  std::vector<Passage> passages, confirmed;
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
    reach_boxes[b] = Aabb();
    if (bodies[b].shapes == nullptr) continue;
    const CollisionShapes& shapes = *bodies[b].shapes;
    double fastest = 0.0;
    for (const std::vector<Twist>* V : {query.V0, query.V_star}) {
      // A body without end that does not turn has one velocity; one that turns has no bound.
      const double w = (*V)[b].w.norm();
      fastest = std::max(fastest, (*V)[b].v.norm() + (w > 0.0 ? w * shapes.radius() : 0.0));
    }
    speed[b] = fastest + (*query.surface_velocity)[b].norm();
    reach_boxes[b] =
        in_other_frame((*query.X_WB)[b], shapes.box()).inflated(offering_bound(rule, half, speed[b]));
  }
}

/// Fills near_a and near_b with the geometries of two bodies that may be within `distance` of the other
/// body's: those of a near b's box, then those of b near what is left of these within b's box, which of a
/// wide floor is a small plate.
void ContactFinder::Implementation::collect_near(int a, int b, double distance, const ContactQuery& query) {
  near_a.assign(1, 0);  // of a body with one geometry: the broad phase has compared the boxes
  near_b.assign(1, 0);
  const CollisionShapes &shapes_a = *bodies[a].shapes, &shapes_b = *bodies[b].shapes;
  if (shapes_a.size() == 1 && shapes_b.size() == 1) return;
  const RigidTransform X_AB = (*query.X_WB)[a].inverse() * (*query.X_WB)[b];
  const Aabb reach_of_b = in_other_frame(X_AB, shapes_b.box()).inflated(distance);
  if (shapes_a.size() > 1) shapes_a.collect(reach_of_b, &near_a);
  if (shapes_b.size() == 1) return;
  Aabb region;
  for (const int i : near_a) region.add(shapes_a.box_of(i));
  region.lower = region.lower.cwiseMax(reach_of_b.lower);
  region.upper = region.upper.cwiseMin(reach_of_b.upper);
  near_b.clear();
  if (region.empty()) return;
  shapes_b.collect(in_other_frame(X_AB.inverse(), region).inflated(distance), &near_b);
}

/// Offers the points of one pair of geometries that pass the rule.
void ContactFinder::Implementation::offer(const PlacedGeometry& a, const PlacedGeometry& b,
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
    if (!is_offered(contact, rule, query)) continue;
    contacts->points.push_back(contact);
    contacts->num_fallback += rule.fallback ? 1 : 0;
  }
}

void ContactFinder::Implementation::visit_pressure_fields(const PlacedGeometry& a, const PlacedGeometry& b,
                                                          ContactSet* contacts) {
  ContactPatch patch;
  patch.geometry_a = a.index;
  patch.geometry_b = b.index;
  patch.body_a = body_of_geometry[a.index];
  patch.body_b = body_of_geometry[b.index];
  patch_query.find(*a.geometry->patch, a.X_WG, *b.geometry->patch, b.X_WG, patch, contacts);
}

/// Keeps and counts the two when they go through each other within the step at the velocities V.
void ContactFinder::Implementation::watch_passage(const Passage& passage, const std::vector<Twist>& V,
                                                  double step, ContactSet* contacts) {
  const Vector3 velocity = V[passage.body_b].at(passage.arm_b) - V[passage.body_a].at(passage.arm_a);
  if (!passage_query.passes(passage.a, passage.b, step * velocity)) return;
  passages.push_back(passage);
  ++contacts->num_passages;
  const std::pair<int, int> pair = std::minmax(passage.a.index, passage.b.index);
  if (contacts->passage_a >= 0 && std::pair(contacts->passage_a, contacts->passage_b) < pair) return;
  std::tie(contacts->passage_a, contacts->passage_b) = pair;
}

void ContactFinder::Implementation::confirm_passages(const std::vector<Twist>& V, double step,
                                                     ContactSet* contacts) {
  passages.swap(confirmed);
  passages.clear();
  contacts->num_passages = 0;
  contacts->passage_a = contacts->passage_b = -1;
  for (const Passage& passage : confirmed) watch_passage(passage, V, step, contacts);
}

void ContactFinder::Implementation::visit_geometries(const PlacedGeometry& a, const PlacedGeometry& b,
                                                     double max_phi, const PairRule& rule,
                                                     const ContactQuery& query, ContactSet* contacts) {
  if (rule.patch) {
    visit_pressure_fields(a, b, contacts);
    return;
  }
  const auto &surface_a = a.geometry->surface, &surface_b = b.geometry->surface;
  if (surface_a || surface_b) {
    const PlacedGeometry &mesh = surface_a ? a : b, &other = surface_a ? b : a;
    const bool both = surface_a && surface_b;
    const bool degenerate =
        both ? mesh_pair_query.find(*surface_a, a.X_WG, *surface_b, b.X_WG, max_phi, &mesh_points)
             : mesh_query.find(*mesh.geometry->surface, mesh.X_WG, other.geometry->shape, other.X_WG, max_phi,
                               &mesh_points);
    if (!surface_a) {
      for (ManifoldPoint& point : mesh_points) {
        std::swap(point.p_a, point.p_b);
        point.normal = -point.normal;
      }
    }
    contacts->num_degenerate += degenerate ? 1 : 0;
    offer(a, b, mesh_points.data(), mesh_points.data() + mesh_points.size(), rule, query, contacts);
    return;
  }
  query_pair(a.geometry->shape, a.X_WG, b.geometry->shape, b.X_WG, max_phi, &manifold);
  contacts->num_degenerate += manifold.degenerate ? 1 : 0;
  offer(a, b, manifold.begin(), manifold.end(), rule, query, contacts);
}

void ContactFinder::Implementation::visit_bodies(int a, int b, const ContactQuery& query,
                                                 ContactSet* contacts) {
  if (std::binary_search(pairs.excluded_bodies.begin(), pairs.excluded_bodies.end(), std::pair(a, b))) return;
  // Each body has its own indices, needed once near geometries are found: long out of the cache.
  __builtin_prefetch(bodies[b].index.data());
  __builtin_prefetch(&bodies[b].index.back());
  const double pair_speed = speed[a] + speed[b];
  const double farthest_gap = offering_bound(farthest, query, pair_speed);
  collect_near(a, b, farthest_gap, query);
  const CollisionShapes &shapes_a = *bodies[a].shapes, &shapes_b = *bodies[b].shapes;
  const RigidTransform &X_WA = (*query.X_WB)[a], &X_WB = (*query.X_WB)[b];
  centers_b.clear();
  for (int j : near_b) centers_b.push_back(X_WB * shapes_b.geometry(j).ball_B.center);
  for (int i : near_a) {
    const CollisionGeometry& g_a = shapes_a.geometry(i);
    const Vector3 center_a = X_WA * g_a.ball_B.center;
    PlacedGeometry placed_a;  // at the first pair that needs it
    for (std::size_t k = 0; k < near_b.size(); ++k) {
      const CollisionGeometry& g_b = shapes_b.geometry(near_b[k]);
      const double reach = g_a.ball_B.radius + g_b.ball_B.radius + farthest_gap;
      const double squared_gap = (center_a - centers_b[k]).squaredNorm();
      if (!(squared_gap <= reach * reach)) continue;
      const PairRule& rule = pairs.rule(g_a.pair_class, g_b.pair_class);
      if (!rule.collide) continue;
      if (rule.patch && query.step * pair_speed > PassageQuery::thickness(g_a, g_b)) {
        // At the middle of the one that is finite.
        const Vector3 p = std::isfinite(g_b.ball_B.radius) ? centers_b[k] : center_a;
        watch_passage(
            {place(g_a, bodies[a].index[i], X_WA, center_a),
             place(g_b, bodies[b].index[near_b[k]], X_WB, centers_b[k]), a, b, p - X_WA.p, p - X_WB.p},
            *query.V_star, query.step, contacts);
      }
      // The bounds hold the margins, and beyond these there is no patch.
      const double max_phi = rule.patch ? 0.0 : offering_bound(rule, query, pair_speed);
      const double rule_reach = g_a.ball_B.radius + g_b.ball_B.radius + max_phi;
      if (rule_reach < 0.0 || squared_gap > rule_reach * rule_reach) continue;
      if (placed_a.geometry == nullptr) placed_a = place(g_a, bodies[a].index[i], X_WA, center_a);
      const PlacedGeometry placed_b = place(g_b, bodies[b].index[near_b[k]], X_WB, centers_b[k]);
      if (!may_touch(placed_a, placed_b, max_phi)) continue;
      if (placed_a.index < placed_b.index) {
        visit_geometries(placed_a, placed_b, max_phi, rule, query, contacts);
      } else {
        visit_geometries(placed_b, placed_a, max_phi, rule, query, contacts);
      }
    }
  }
}

void ContactFinder::Implementation::find(const ContactQuery& query, ContactSet* contacts) {
  const std::size_t n = bodies.size();
  CSIM_REQUIRE(query.X_WB->size() == n && query.V0->size() == n && query.V_star->size() == n &&
                   query.surface_velocity->size() == n,
               n, query.X_WB->size(), query.V0->size(), query.V_star->size(), query.surface_velocity->size());
  clear(contacts);
  passages.clear();
  bound_bodies(query);
  for (const auto& [a, b] : broad_phase.find(reach_boxes)) visit_bodies(a, b, query, contacts);
  sort_contacts(&contacts->points);
  sort_patches(contacts);
}

ContactFinder::ContactFinder(const Model& model) : implementation_(std::make_unique<Implementation>(model)) {}
ContactFinder::~ContactFinder() = default;
ContactFinder::ContactFinder(ContactFinder&&) noexcept = default;
ContactFinder& ContactFinder::operator=(ContactFinder&&) noexcept = default;

void ContactFinder::find(const ContactQuery& query, ContactSet* contacts) {
  implementation_->find(query, contacts);
}

void ContactFinder::confirm_passages(const std::vector<Twist>& V, double step, ContactSet* contacts) {
  implementation_->confirm_passages(V, step, contacts);
}

}  // namespace csim
