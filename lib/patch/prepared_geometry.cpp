#include "patch/prepared_geometry.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/require.h"

namespace csim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int n>
Box4 box_around(const std::array<Vector3, n>& points) {
  Box4 box = Box4::empty();
  for (const Vector3& p : points)
    box.add(Box4{{p.x(), p.y(), p.z(), kInfinity}, {p.x(), p.y(), p.z(), -kInfinity}});
  return box;
}

double radius_of(const std::vector<Vector3>& points) {
  double squared = 0.0;
  for (const Vector3& p : points) squared = std::max(squared, p.squaredNorm());
  return std::sqrt(squared);
}

/// A tet's place in the block of its leaf.
void set_lane(const PreparedTet& tet, int lane, TetBlock* block) {
  for (int i = 0; i < 4; ++i) {
    block->x[i][lane] = tet.x[i];
    block->y[i][lane] = tet.y[i];
    block->z[i][lane] = tet.z[i];
    block->pressure[i][lane] = tet.pressure[i];
    block->face_x[i][lane] = tet.faces[i].x;
    block->face_y[i][lane] = tet.faces[i].y;
    block->face_z[i][lane] = tet.faces[i].z;
    block->face_offset[i][lane] = tet.faces[i].offset;
  }
  for (int i = 0; i < 3; ++i) block->gradient[i][lane] = tet.field.gradient[i];
  block->constant[lane] = tet.field.constant;
  block->steepness[lane] = tet.steepness;
}

/// The plane of a face, outward. Two tets compute the plane between them from the same three vertices in the
/// same order, so that one has the exact negative of the other and what is clipped by both is parted without
/// gap or overlap.
Plane face_plane(const std::array<int, 4>& tet, const std::vector<Vector3>& vertices, int face) {
  std::array<int, 3> v;
  for (int k = 0; k < 3; ++k) v[k] = tet[kTetFaces[face][k]];
  double sign = 1.0;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      if (v[k] > v[k + 1]) {
        std::swap(v[k], v[k + 1]);
        sign = -sign;
      }
    }
  }
  const Vector3& a = vertices[v[0]];
  const Vector3 normal = (vertices[v[1]] - a).cross(vertices[v[2]] - a).normalized();
  return {sign * normal.x(), sign * normal.y(), sign * normal.z(), sign * normal.dot(a)};
}

PreparedTet prepare_tet(const std::array<Vector3, 4>& v, const std::array<double, 4>& p) {
  PreparedTet tet{};
  tet.field = linear_field(v, p);
  tet.steepness = tet.field.gradient.norm();
  for (int i = 0; i < 4; ++i) {
    tet.x[i] = v[i].x();
    tet.y[i] = v[i].y();
    tet.z[i] = v[i].z();
    tet.pressure[i] = p[i];
  }
  return tet;
}

void rotate(const Matrix3& R, const double (&x)[8], const double (&y)[8], const double (&z)[8],
            Eight (&result)[3]) {
  const Eight3 v{Eight::load(x), Eight::load(y), Eight::load(z)};
  for (int i = 0; i < 3; ++i) {
    result[i] = dot({Eight::all(R(i, 0)), Eight::all(R(i, 1)), Eight::all(R(i, 2))}, v);
  }
}

void transform_points(const RigidTransform& X, const double (&x)[8], const double (&y)[8],
                      const double (&z)[8], double (&rx)[8], double (&ry)[8], double (&rz)[8]) {
  Eight r[3];
  rotate(X.R, x, y, z, r);
  (r[0] + Eight::all(X.p.x())).store(rx);
  (r[1] + Eight::all(X.p.y())).store(ry);
  (r[2] + Eight::all(X.p.z())).store(rz);
}

/// A linear function w . x + c, of which the rotated w and the new constant come out: c' = c - sign w' . p
/// with c counted with that sign.
void transform_linear(const RigidTransform& X, const double (&x)[8], const double (&y)[8],
                      const double (&z)[8], const double (&c)[8], double sign, double (&rx)[8],
                      double (&ry)[8], double (&rz)[8], double (&rc)[8]) {
  Eight r[3];
  rotate(X.R, x, y, z, r);
  const Eight shift =
      dot({r[0], r[1], r[2]}, {Eight::all(X.p.x()), Eight::all(X.p.y()), Eight::all(X.p.z())});
  (Eight::load(c) - Eight::all(sign) * shift).store(rc);
  r[0].store(rx);
  r[1].store(ry);
  r[2].store(rz);
}

}  // namespace

PreparedField::PreparedField(const CompliantMesh& compliant) {
  const TetMesh& mesh = compliant.mesh;
  num_elements = static_cast<int>(mesh.tets.size());
  radius = radius_of(mesh.vertices);
  std::vector<PreparedTet> prepared;
  std::vector<Box4> boxes;
  for (const auto& t : mesh.tets) {
    std::array<Vector3, 4> v;
    std::array<double, 4> p;
    for (int i = 0; i < 4; ++i) {
      v[i] = mesh.vertices[t[i]];
      p[i] = compliant.pressure[t[i]];
    }
    prepared.push_back(prepare_tet(v, p));
    for (int i = 0; i < 4; ++i) prepared.back().faces[i] = face_plane(t, mesh.vertices, i);
    CSIM_REQUIRE(std::isfinite(prepared.back().steepness), boxes.size());
    Box4& box = boxes.emplace_back(box_around<4>(v));
    box.lower[3] = *std::min_element(p.begin(), p.end());
    box.upper[3] = *std::max_element(p.begin(), p.end());
  }
  tree = build_wide_tree(boxes);
  tets.resize(tree.items.size());
  blocks.resize(tree.leaf_boxes.size());
  for (std::size_t place = 0; place < tree.items.size(); ++place) {
    // Lanes without a tet repeat the first one of the leaf, so that all their numbers are finite.
    const int item = tree.items[place] >= 0 ? tree.items[place] : tree.items[place / 8 * 8];
    tets[place] = prepared[item];
    set_lane(tets[place], static_cast<int>(place % 8), &blocks[place / 8]);
  }
  std::vector<int> place_of(mesh.tets.size());
  for (std::size_t place = 0; place < tree.items.size(); ++place) {
    if (tree.items[place] >= 0) place_of[tree.items[place]] = static_cast<int>(place);
  }
  const std::vector<std::array<int, 4>> beyond = neighbour_tets(mesh);
  neighbours.assign(tree.items.size(), {-1, -1, -1, -1});
  for (std::size_t tet = 0; tet < beyond.size(); ++tet) {
    for (int i = 0; i < 4; ++i) {
      if (beyond[tet][i] >= 0) neighbours[place_of[tet]][i] = place_of[beyond[tet][i]];
    }
  }
}

int PreparedField::steeper_place(int place, unsigned coplanar, const Vector3& direction) const {
  int best = place;
  for (; coplanar != 0; coplanar &= coplanar - 1) {
    const int other = neighbours[place][std::countr_zero(coplanar)];
    if (other >= 0 && direction.dot(tets[other].field.gradient) > direction.dot(tets[best].field.gradient))
      best = other;
  }
  return best;
}

PreparedSurface::PreparedSurface(const TriangleMesh& surface) {
  num_elements = static_cast<int>(surface.triangles.size());
  radius = radius_of(surface.vertices);
  std::vector<Box4> boxes;
  std::vector<int> kept;
  const auto corners = [&](int t) {
    const auto& [a, b, c] = surface.triangles[t];
    return std::array<Vector3, 3>{surface.vertices[a], surface.vertices[b], surface.vertices[c]};
  };
  for (int t = 0; t < num_elements; ++t) {
    const auto [a, b, c] = corners(t);
    if (!((b - a).cross(c - a).squaredNorm() > 0.0)) continue;
    kept.push_back(t);
    Box4& box = boxes.emplace_back(box_around<3>({a, b, c}));
    box.lower[3] = -kInfinity;
    box.upper[3] = kInfinity;
  }
  tree = build_wide_tree(boxes);
  for (int& item : tree.items) item = item >= 0 ? kept[item] : -1;
  blocks.resize(tree.leaf_boxes.size());
  for (std::size_t place = 0; place < tree.items.size(); ++place) {
    const auto v = corners(tree.items[place] >= 0 ? tree.items[place] : tree.items[place / 8 * 8]);
    TriangleBlock& block = blocks[place / 8];
    const int lane = static_cast<int>(place % 8);
    for (int i = 0; i < 3; ++i) {
      block.x[i][lane] = v[i].x();
      block.y[i][lane] = v[i].y();
      block.z[i][lane] = v[i].z();
    }
    const Vector3 normal = (v[1] - v[0]).cross(v[2] - v[0]).normalized();
    for (int i = 0; i < 3; ++i) block.normal[i][lane] = normal[i];
    block.offset[lane] = normal.dot(v[0]);
  }
}

void transform_tets(const RigidTransform& X, const TetBlock& block, TetBlock* r) {
  for (int i = 0; i < 4; ++i) {
    transform_points(X, block.x[i], block.y[i], block.z[i], r->x[i], r->y[i], r->z[i]);
    Eight::load(block.pressure[i]).store(r->pressure[i]);
  }
  transform_linear(X, block.gradient[0], block.gradient[1], block.gradient[2], block.constant, 1.0,
                   r->gradient[0], r->gradient[1], r->gradient[2], r->constant);
  Eight::load(block.steepness).store(r->steepness);
}

void transform_faces(const RigidTransform& X, const TetBlock& block, TetBlock* r) {
  for (int i = 0; i < 4; ++i) {
    transform_linear(X, block.face_x[i], block.face_y[i], block.face_z[i], block.face_offset[i], -1.0,
                     r->face_x[i], r->face_y[i], r->face_z[i], r->face_offset[i]);
  }
}

void transform_triangles(const RigidTransform& X, const TriangleBlock& block, TriangleBlock* r) {
  for (int i = 0; i < 3; ++i) {
    transform_points(X, block.x[i], block.y[i], block.z[i], r->x[i], r->y[i], r->z[i]);
  }
  transform_linear(X, block.normal[0], block.normal[1], block.normal[2], block.offset, -1.0, r->normal[0],
                   r->normal[1], r->normal[2], r->offset);
}

}  // namespace csim
