// The one file that sees FCL 0.7 (with libccd): the module csim_fcl.so.
//
// What FCL does not do, or not well, is kept out of here (docs/evidence/contact_queries.md has the
// measurements):
//  - `collide` with GST_LIBCCD knows nothing of pairs that are apart, and `distance` with signs aborts on
//    overlaps: first the one, then the other without signs.
//  - Depths and normals of GST_INDEP are wrong; GST_LIBCCD it is.
//  - A half space must come second, and has no distance: the plane is raised by the largest gap that is
//    asked for instead.
//  - A library that is built with assertions ends the program where GJK meets a case that it did not foresee.
//    FCL's headers hold GJK whole, so it is compiled here, without assertions: what it then finds is wrong,
//    or an exception, and the caller's check refuses it.
//  - Contacts of triangle meshes are those of single triangles. Only the trees are used.
#ifndef NDEBUG
#define NDEBUG
#endif
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <exception>
#include <unordered_map>

#include "contact/engine/query_engine.h"

namespace csim {
namespace {

/// Fractions of the size of a pair, to which FCL iterates (its default is 1e-6 m, whatever the size). Finer
/// portals of libccd make its normals worse, coarser ones too; GJK's distances gain down to 1e-9.
constexpr double kOverlapTolerance = 1e-6;
constexpr double kDistanceTolerance = 1e-9;
constexpr int kMaxIterations = 500;

fcl::Transform3d to_fcl(const RigidTransform& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

std::shared_ptr<const fcl::Convexd> make_convex(const ConvexPolytope& P) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(P.vertices.begin(), P.vertices.end());
  auto faces = std::make_shared<std::vector<int>>();  // of each: its number of vertices, its vertices
  for (std::size_t f = 0; f + 1 < P.face_begin.size(); ++f) {
    faces->push_back(P.face_begin[f + 1] - P.face_begin[f]);
    faces->insert(faces->end(), P.face_vertices.begin() + P.face_begin[f],
                  P.face_vertices.begin() + P.face_begin[f + 1]);
  }
  return std::make_shared<const fcl::Convexd>(vertices, static_cast<int>(P.face_normals.size()), faces);
}

/// A bounded shape with its pose, as FCL and libccd take it.
class PlacedShape {
 public:
  template <typename S>
  PlacedShape(std::shared_ptr<const S> shape, const RigidTransform& X, double size)
      : X_(to_fcl(X)), size_(size), type_(shape->getNodeType()) {
    using Initializer = fcl::detail::GJKInitializer<double, S>;
    object_ = {Initializer::createGJKObject(*shape, X_), &Initializer::deleteGJKObject};
    support_ = Initializer::getSupportFunction();
    shape_ = std::move(shape);
  }

  [[nodiscard]] const fcl::CollisionGeometryd* shape() const { return shape_.get(); }
  [[nodiscard]] const fcl::Transform3d& pose() const { return X_; }
  [[nodiscard]] double size() const { return size_; }  // m
  [[nodiscard]] fcl::NODE_TYPE type() const { return type_; }
  [[nodiscard]] void* object() const { return object_.get(); }
  [[nodiscard]] fcl::detail::GJKSupportFunction support() const { return support_; }

 private:
  std::shared_ptr<const fcl::CollisionGeometryd> shape_;
  fcl::Transform3d X_;
  double size_;
  fcl::NODE_TYPE type_;
  std::unique_ptr<void, void (*)(void*)> object_{nullptr, nullptr};
  fcl::detail::GJKSupportFunction support_;
};

/// Whether FCL has a closed form for the distance of the two.
bool has_closed_distance(fcl::NODE_TYPE a, fcl::NODE_TYPE b) {
  const auto meets_sphere = [](fcl::NODE_TYPE t) {
    return t == fcl::GEOM_SPHERE || t == fcl::GEOM_BOX || t == fcl::GEOM_CAPSULE || t == fcl::GEOM_CYLINDER;
  };
  if (a == fcl::GEOM_SPHERE) return meets_sphere(b);
  if (b == fcl::GEOM_SPHERE) return meets_sphere(a);
  return a == fcl::GEOM_CAPSULE && b == fcl::GEOM_CAPSULE;
}

/// The deepest contact of two overlapping shapes, kUnknown where FCL finds none.
PairDirection collide(const fcl::CollisionGeometryd* a, const fcl::Transform3d& X_A,
                      const fcl::CollisionGeometryd* b, const fcl::Transform3d& X_B, double size) {
  fcl::CollisionRequestd request;
  request.enable_contact = true;
  request.num_max_contacts = 8;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.gjk_tolerance = kOverlapTolerance * size;
  fcl::CollisionResultd result;
  PairDirection found;
  const std::size_t count = fcl::collide(a, X_A, b, X_B, request, result);
  for (std::size_t i = 0; i < count; ++i) {
    const fcl::Contactd& contact = result.getContact(i);
    if (found.status == PairDirection::Status::kOverlap && !(-contact.penetration_depth < found.phi))
      continue;
    found.status = PairDirection::Status::kOverlap;
    found.phi = -contact.penetration_depth;
    found.normal = contact.normal;
    found.p_a = contact.pos - 0.5 * found.phi * contact.normal;
    found.p_b = contact.pos + 0.5 * found.phi * contact.normal;
  }
  return found;
}

/// The closest points of two shapes that are apart, kUnknown where FCL finds none.
PairDirection distance(const PlacedShape& a, const PlacedShape& b) {
  const double tolerance = kDistanceTolerance * (a.size() + b.size());
  PairDirection found;
  double phi = -1.0;
  if (has_closed_distance(a.type(), b.type())) {
    const fcl::DistanceRequestd request(true, false, 0.0, 0.0, tolerance, fcl::GST_LIBCCD);
    fcl::DistanceResultd result;
    phi = fcl::distance(a.shape(), a.pose(), b.shape(), b.pose(), request, result);
    found.p_a = result.nearest_points[0];
    found.p_b = result.nearest_points[1];
  } else {
    fcl::detail::GJKDistanceImpl<double>(a.object(), a.support(), b.object(), b.support(), kMaxIterations,
                                         tolerance, fcl::detail::libccd_extension::ccdGJKDist2, &phi,
                                         &found.p_a, &found.p_b);
  }
  if (!(phi > 0.0)) return found;
  found.status = PairDirection::Status::kApart;
  found.phi = phi;
  found.normal = (found.p_b - found.p_a).normalized();
  return found;
}

/// FCL's tree of oriented boxes over a mesh.
class FclTriangles final : public TriangleSearch {
 public:
  explicit FclTriangles(const TriangleMesh& mesh) {
    model_.beginModel(static_cast<int>(mesh.triangles.size()), static_cast<int>(mesh.vertices.size()));
    for (const auto& [i, j, k] : mesh.triangles)
      model_.addTriangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    model_.endModel();
  }

  void find_near(const RigidTransform& X_MO, const Aabb& box_O, std::vector<int>* triangles) const override {
    triangles->clear();
    visit(0, fcl::OBBd(X_MO.R, X_MO * box_O.center(), box_O.half_size()), triangles);
  }

  void find_pairs(const TriangleSearch& other, const RigidTransform& X_MO, double distance,
                  std::vector<std::array<int, 2>>* pairs) const override {
    pairs->clear();
    visit_pair(0, static_cast<const FclTriangles&>(other), 0, X_MO, distance, pairs);
  }

 private:
  [[nodiscard]] const fcl::BVNode<fcl::OBBd>& node(int i) const { return model_.getBV(i); }

  void visit(int i, const fcl::OBBd& box, std::vector<int>* triangles) const {
    if (!node(i).bv.overlap(box)) return;
    if (node(i).isLeaf()) {
      triangles->push_back(node(i).primitiveId());
      return;
    }
    visit(node(i).leftChild(), box, triangles);
    visit(node(i).rightChild(), box, triangles);
  }

  void visit_pair(int i, const FclTriangles& other, int j, const RigidTransform& X_MO, double distance,
                  std::vector<std::array<int, 2>>* pairs) const {
    const auto &a = node(i), &b = other.node(j);
    fcl::OBBd grown = a.bv;
    grown.extent.array() += distance;
    if (!fcl::overlap(X_MO.R, X_MO.p, grown, b.bv)) return;
    if (a.isLeaf() && b.isLeaf()) {
      pairs->push_back({a.primitiveId(), b.primitiveId()});
    } else if (b.isLeaf() || (!a.isLeaf() && a.bv.size() > b.bv.size())) {
      visit_pair(a.leftChild(), other, j, X_MO, distance, pairs);
      visit_pair(a.rightChild(), other, j, X_MO, distance, pairs);
    } else {
      visit_pair(i, other, b.leftChild(), X_MO, distance, pairs);
      visit_pair(i, other, b.rightChild(), X_MO, distance, pairs);
    }
  }

  fcl::BVHModel<fcl::OBBd> model_;
};

/// An object of the broad phase whose box is given, not computed from a shape.
class BoxObject : public fcl::CollisionObjectd {
 public:
  BoxObject(const std::shared_ptr<fcl::CollisionGeometryd>& geometry, int index)
      : fcl::CollisionObjectd(geometry), index(index) {}
  void set(const Aabb& box) { aabb = fcl::AABBd(box.lower, box.upper); }
  int index;
};

class FclEngine final : public QueryEngine {
 public:
  void find_overlaps(const std::vector<Aabb>& boxes, std::vector<std::pair<int, int>>* pairs) override {
    // The shape of the tree depends on the boxes before; the set of overlapping boxes does not.
    if (objects_.size() != boxes.size()) {
      manager_.clear();
      objects_.clear();
      for (std::size_t i = 0; i < boxes.size(); ++i)
        objects_.push_back(std::make_unique<BoxObject>(any_shape_, static_cast<int>(i)));
      for (std::size_t i = 0; i < boxes.size(); ++i) objects_[i]->set(boxes[i]);
      for (const auto& object : objects_) manager_.registerObject(object.get());
      manager_.setup();
    } else {
      for (std::size_t i = 0; i < boxes.size(); ++i) objects_[i]->set(boxes[i]);
      manager_.update();
    }
    pairs->clear();
    manager_.collide(pairs, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
      static_cast<std::vector<std::pair<int, int>>*>(data)->emplace_back(index_of(a), index_of(b));
      return false;
    });
  }

  void find_near(const Aabb& box, std::vector<int>* near) override {
    near->clear();
    probe_.set(box);
    manager_.collide(&probe_, near, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
      static_cast<std::vector<int>*>(data)->push_back(std::max(index_of(a), index_of(b)));
      return false;
    });
  }

  PairDirection find_direction(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                               const RigidTransform& X_WB, double max_phi) override {
    try {
      const PlacedShape A = place(a, X_WA);
      if (std::holds_alternative<HalfSpace>(b)) return above_plane(A, X_WB, max_phi);
      const PlacedShape B = place(b, X_WB);
      const PairDirection overlap = collide(A.shape(), A.pose(), B.shape(), B.pose(), A.size() + B.size());
      return overlap.status == PairDirection::Status::kOverlap ? overlap : distance(A, B);
    } catch (const std::exception&) {  // a case that FCL did not foresee
      return {};
    }
  }

  std::unique_ptr<TriangleSearch> make_triangle_search(const TriangleMesh& mesh) override {
    return std::make_unique<FclTriangles>(mesh);
  }

 private:
  static int index_of(const fcl::CollisionObjectd* object) {
    return static_cast<const BoxObject*>(object)->index;
  }

  PlacedShape place(const Shape& shape, const RigidTransform& X) {
    if (const auto* s = std::get_if<Sphere>(&shape))
      return {std::make_shared<const fcl::Sphered>(s->radius), X, s->radius};
    if (const auto* s = std::get_if<Box>(&shape))
      return {std::make_shared<const fcl::Boxd>(s->size), X, s->size.maxCoeff()};
    if (const auto* s = std::get_if<Cylinder>(&shape))
      return {std::make_shared<const fcl::Cylinderd>(s->radius, s->length), X, s->radius + s->length};
    if (const auto* s = std::get_if<Capsule>(&shape))
      return {std::make_shared<const fcl::Capsuled>(s->radius, s->length), X, s->radius + s->length};
    if (const auto* s = std::get_if<Ellipsoid>(&shape))
      return {std::make_shared<const fcl::Ellipsoidd>(s->semi_axes), X, s->semi_axes.maxCoeff()};
    const auto& polytope = std::get<Convex>(shape).polytope;
    std::shared_ptr<const fcl::Convexd>& convex = polytopes_[polytope];
    if (convex == nullptr) convex = make_convex(*polytope);
    return {convex, X, (polytope->vertices[0] - convex->getInteriorPoint()).norm()};
  }

  static PairDirection above_plane(const PlacedShape& A, const RigidTransform& X_WB, double max_phi) {
    const fcl::Halfspaced raised(fcl::Vector3d::UnitZ(), max_phi);
    PairDirection found = collide(A.shape(), A.pose(), &raised, to_fcl(X_WB), A.size());
    if (found.status == PairDirection::Status::kOverlap) {
      found.phi += max_phi;
    } else {
      found.status = PairDirection::Status::kApart;
    }
    return found;
  }

  const std::shared_ptr<fcl::CollisionGeometryd> any_shape_ = std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0);
  fcl::DynamicAABBTreeCollisionManagerd manager_;
  std::vector<std::unique_ptr<BoxObject>> objects_;
  BoxObject probe_{any_shape_, -1};
  std::unordered_map<std::shared_ptr<const ConvexPolytope>, std::shared_ptr<const fcl::Convexd>>
      polytopes_;  // looked up, never walked
};

}  // namespace
}  // namespace csim

extern "C" csim::QueryEngine* csim_make_fcl_engine() {
  return new csim::FclEngine;
}
