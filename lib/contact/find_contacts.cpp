#include "contact/find_contacts.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numbers>

#include "contact/engine/load_fcl.h"
#include "contact/search/contact_search.h"
#include "model/model.h"
#include "patch/divide_faces.h"

namespace csim {

namespace {

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

std::unique_ptr<QueryEngine> make_engine(ContactEngine engine) {
  return engine == ContactEngine::kFcl ? make_fcl_engine() : nullptr;
}

/// The engine, where there is one, prepares the meshes.
std::vector<CollisionBody> make_bodies(const Model& model, QueryEngine* engine) {
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
      if (!surface) {
        surface = std::make_shared<const MeshSurface>(
            mesh->mesh, engine == nullptr ? nullptr : engine->make_triangle_search(*mesh->mesh));
      }
      entry.surface = surface;
    }
    entry.patch = patch_geometries.prepare(geometry.pressure);
    lists[geometry.body].push_back(std::move(entry));
    bodies[geometry.body].index.push_back(static_cast<int>(i));
  }
  std::deque<std::shared_ptr<const CollisionShapes>> kinds;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    bodies[b].is_fixed = model.bodies[b].tree < 0;
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
  for (const FreeBody& free : model.free_bodies) {
    bodies[free.body].is_free = true;
    bodies[free.body].center_B = free.mass.com;
  }
  return bodies;
}

std::vector<int> bodies_of_geometries(const Model& model) {
  std::vector<int> bodies;
  for (const Geometry& geometry : model.geometries) bodies.push_back(geometry.body);
  return bodies;
}

}  // namespace

ContactFinder::ContactFinder(const Model& model, Workers* workers) {
  std::unique_ptr<QueryEngine> engine = make_engine(model.engine);
  std::vector<CollisionBody> bodies = make_bodies(model, engine.get());
  search_ = std::make_unique<ContactSearch>(model.pairs, std::move(bodies), broad_phase_groups(model),
                                            bodies_of_geometries(model), patch_options(model.patch),
                                            std::move(engine), workers);
}
ContactFinder::~ContactFinder() = default;
ContactFinder::ContactFinder(ContactFinder&&) noexcept = default;
ContactFinder& ContactFinder::operator=(ContactFinder&&) noexcept = default;

void ContactFinder::find(const ContactQuery& query, ContactSet* contacts) {
  search_->find(query, contacts);
}

void ContactFinder::foresee(const ContactQuery& query, ContactSet* contacts) {
  search_->foresee(query, contacts);
}

PairCount ContactFinder::look_again(const ContactQuery& query, const std::vector<Twist>& V,
                                    const ContactSet& contacts) {
  return search_->look_again(query, V, contacts);
}

void ContactFinder::add_found(ContactSet* contacts) const {
  search_->add_found(contacts);
}

Passages ContactFinder::find_passages(const ContactQuery& query, const std::vector<Twist>& V,
                                      const std::vector<RigidTransform>& X_end, const ContactSet& contacts) {
  return search_->find_passages(query, V, X_end, contacts);
}

std::vector<UnexplainedDepth> ContactFinder::find_unexplained(
    const ContactSet& start, const std::vector<RigidTransform>& X_start, const ContactSet& end,
    const std::vector<RigidTransform>& X_end) const {
  return search_->find_unexplained(start, X_start, end, X_end);
}

void ContactFinder::find_acting(const ContactQuery& query, const std::vector<Twist>& V,
                                const ContactSet& contacts, std::vector<std::pair<int, int>>* pairs) const {
  search_->find_acting(query, V, contacts, pairs);
}

bool ContactFinder::is_beyond_middle(int geometry_a, int geometry_b,
                                     const std::vector<RigidTransform>& X_WB) {
  return search_->is_beyond_middle(geometry_a, geometry_b, X_WB);
}

}  // namespace csim
