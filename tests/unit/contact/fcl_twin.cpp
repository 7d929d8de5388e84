// The one file of the tests that sees FCL.
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>

#include "unit/contact/shape_oracle.h"

namespace csim::test {

namespace {

std::shared_ptr<fcl::CollisionGeometryd> make_geometry(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return std::make_shared<fcl::Sphered>(s->radius);
  if (const auto* s = std::get_if<Box>(&shape)) return std::make_shared<fcl::Boxd>(s->size);
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return std::make_shared<fcl::Cylinderd>(s->radius, s->length);
  if (const auto* s = std::get_if<Capsule>(&shape))
    return std::make_shared<fcl::Capsuled>(s->radius, s->length);
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) return std::make_shared<fcl::Ellipsoidd>(s->semi_axes);
  if (std::holds_alternative<HalfSpace>(shape))
    return std::make_shared<fcl::Halfspaced>(fcl::Vector3d::UnitZ(), 0.0);
  const ConvexPolytope& P = *std::get<Convex>(shape).polytope;
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(P.vertices.begin(), P.vertices.end());
  auto faces = std::make_shared<std::vector<int>>();
  for (std::size_t f = 0; f + 1 < P.face_begin.size(); ++f) {
    faces->push_back(P.face_begin[f + 1] - P.face_begin[f]);
    for (int i = P.face_begin[f]; i < P.face_begin[f + 1]; ++i) faces->push_back(P.face_vertices[i]);
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(P.face_normals.size()), faces);
}

fcl::Transform3d make_pose(const RigidTransform& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

}  // namespace

struct FclPairs::Implementation {
  std::vector<fcl::CollisionObjectd> a, b;
};

FclPairs::FclPairs(const std::function<Pair(int)>& pair, int count)
    : implementation_(std::make_unique<Implementation>()) {
  for (int i = 0; i < count; ++i) {
    const Pair p = pair(i);
    implementation_->a.emplace_back(make_geometry(*p.a), make_pose(*p.X_A));
    implementation_->b.emplace_back(make_geometry(*p.b), make_pose(*p.X_B));
  }
}

FclPairs::~FclPairs() = default;

bool FclPairs::collide(int i) const {
  fcl::CollisionRequestd request;
  request.enable_contact = true;
  request.num_max_contacts = 8;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  fcl::CollisionResultd result;
  return fcl::collide(&implementation_->a[i], &implementation_->b[i], request, result) > 0;
}

std::optional<FclContact> fcl_collide(const Shape& a, const RigidTransform& X_A, const Shape& b,
                                      const RigidTransform& X_B) {
  const auto geometry_a = make_geometry(a), geometry_b = make_geometry(b);
  fcl::CollisionRequestd request;
  request.enable_contact = true;
  request.num_max_contacts = 32;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  fcl::CollisionResultd result;
  fcl::collide(geometry_a.get(), make_pose(X_A), geometry_b.get(), make_pose(X_B), request, result);
  if (!result.isCollision()) return std::nullopt;
  FclContact contact;
  contact.num_contacts = static_cast<int>(result.numContacts());
  for (int i = 0; i < contact.num_contacts; ++i) {
    const auto& c = result.getContact(i);
    if (i == 0 || c.penetration_depth > contact.depth) {
      contact.depth = c.penetration_depth;
      contact.normal = c.normal;
    }
  }
  return contact;
}

}  // namespace csim::test
