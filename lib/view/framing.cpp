#include "view/framing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/bounds.h"

namespace csim {
namespace {

/// Arm of the forces, in radii of the scene, whose moment is the least that has an arrow of full length.
constexpr double kLeastArm = 1e-6;

constexpr double kRadians = std::numbers::pi / 180.0;
constexpr double kElevation = 24.0 * kRadians;
constexpr double kOutliers = 0.005;  // of the poses of moving bodies after the start, at each side of the box
constexpr double kFixedShare = 3.0;  // fixed surfaces up to so many times the moving box belong to it
constexpr double kFar = 5.0;         // diagonals of the home box: who goes farther from it has left
constexpr double kFarewell = 0.5;    // diagonals of the home box within which a path away from it is seen
constexpr double kFramingMargin = 1.12;  // space around the box
constexpr std::size_t kSamplePoints = 64;

bool holds(const Aabb& box, const Aabb& other) {
  return (box.lower.array() <= other.lower.array()).all() && (other.upper.array() <= box.upper.array()).all();
}

/// The k-th smallest value.
double order_statistic(std::vector<double>* values, std::size_t k) {
  const auto place = values->begin() + static_cast<long>(k);
  std::nth_element(values->begin(), place, values->end());
  return *place;
}

/// The lower and upper bounds of what is somewhere at many times.
class Places {
 public:
  void add(const Aabb& extent) {
    for (int axis = 0; axis < 3; ++axis) {
      bounds_[axis].push_back(extent.lower[axis]);
      bounds_[3 + axis].push_back(extent.upper[axis]);
    }
  }
  [[nodiscard]] bool empty() const { return bounds_[0].empty(); }

  /// Without the outliers at each side.
  [[nodiscard]] Aabb box() {
    const std::size_t n = bounds_[0].size();
    const auto cut = static_cast<std::size_t>(kOutliers * static_cast<double>(n));
    Aabb box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = order_statistic(&bounds_[axis], cut);
      box.upper[axis] = order_statistic(&bounds_[3 + axis], n - 1 - cut);
    }
    return box;
  }

 private:
  std::array<std::vector<double>, 6> bounds_;
};

/// The surfaces of a scene in the world.
class SceneExtents {
 public:
  explicit SceneExtents(const ViewScene& scene) : scene_(scene) {
    for (const ViewPart& part : scene.parts) {
      Aabb box;
      for (const Vector3& v : scene.surfaces[part.surface].vertices)
        box.add(v.cwiseProduct(part.scale).eval());
      local_.push_back(box);
    }
  }
  [[nodiscard]] std::size_t size() const { return local_.size(); }
  [[nodiscard]] bool moves(std::size_t part) const { return scene_.bodies[scene_.parts[part].body].moves; }
  [[nodiscard]] Aabb at(std::size_t part, const ViewFrame& frame) const {
    const ViewPart& p = scene_.parts[part];
    return transformed(frame.X_WB[p.body] * p.X_BG, local_[part]);
  }

 private:
  const ViewScene& scene_;
  std::vector<Aabb> local_;
};

/// Where what moves is seen. Home is the box of everything at the start. Surfaces that go far away from it
/// while others stay, such as a body that falls past a table's edge for the rest of the run, are followed for
/// the first stretch of their way alone; when nothing stays, all the way.
Aabb moving_box(const ViewScene& scene, const SceneExtents& extents) {
  Aabb home;
  for (std::size_t p = 0; p < extents.size(); ++p) home.add(extents.at(p, scene.frames.front()));
  const double size = (home.upper - home.lower).norm();
  const Aabb near = home.inflated(kFar * size), farewell = home.inflated(kFarewell * size);
  std::vector<char> leaves(extents.size(), false);
  bool any_stays = false;
  for (std::size_t p = 0; p < extents.size(); ++p) {
    if (extents.moves(p)) {
      Places way;
      for (const ViewFrame& frame : scene.frames) way.add(extents.at(p, frame));
      leaves[p] = !holds(near, way.box());
    }
    any_stays = any_stays || !leaves[p];
  }
  Places places;
  for (const ViewFrame& frame : scene.frames) {
    for (std::size_t p = 0; p < extents.size(); ++p) {
      if (!extents.moves(p)) continue;
      Aabb extent = extents.at(p, frame);
      if (any_stays && leaves[p]) {
        extent.lower = extent.lower.cwiseMax(farewell.lower).cwiseMin(farewell.upper);
        extent.upper = extent.upper.cwiseMin(farewell.upper).cwiseMax(farewell.lower);
      }
      places.add(extent);
    }
  }
  if (places.empty()) return {};
  Aabb box = places.box();
  // The start is what a page shows first: nothing of it is an outlier.
  for (std::size_t p = 0; p < extents.size(); ++p) {
    if (extents.moves(p)) box.add(extents.at(p, scene.frames.front()));
  }
  return box;
}

/// `box` with the surfaces at the start that `joins` names and that are not much larger than it; with all of
/// them where the box is empty.
template <typename Joins>
Aabb with_surroundings(Aabb box, const ViewScene& scene, const SceneExtents& extents, const Joins& joins) {
  const double limit = !box.empty() ? kFixedShare * (box.upper - box.lower).norm() : INFINITY;
  for (std::size_t p = 0; p < extents.size(); ++p) {
    const Aabb extent = extents.at(p, scene.frames.front());
    if (joins(p) && (extent.upper - extent.lower).norm() <= limit) box.add(extent);
  }
  return box.empty() ? Aabb{Vector3::Constant(-0.5), Vector3::Constant(0.5)} : box;
}

/// The box that the view has to hold.
Aabb view_box(const ViewScene& scene, const SceneExtents& extents) {
  return with_surroundings(moving_box(scene, extents), scene, extents,
                           [&](std::size_t p) { return !extents.moves(p); });
}

/// Of what is free and its surroundings at the start. No other frame counts: a scene that has not run has
/// none.
Aabb start_box(const ViewScene& scene, const SceneExtents& extents) {
  const auto is_free = [&](std::size_t p) { return scene.bodies[scene.parts[p].body].free; };
  Aabb box;
  for (std::size_t p = 0; p < extents.size(); ++p)
    if (is_free(p)) box.add(extents.at(p, scene.frames.front()));
  return with_surroundings(box, scene, extents, [&](std::size_t p) { return !is_free(p); });
}

/// From the target to a camera; angles in radians.
Vector3 unit_direction(double azimuth, double elevation) {
  return {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
          std::sin(elevation)};
}

/// From the side that shows the longer horizontal edge of the box at the start, x of equal ones (to
/// rounding); above every half space if there is such a place.
Vector3 choose_direction(const ViewScene& scene, const Aabb& box) {
  const Vector3 size = box.upper - box.lower;
  const double base = (size.x() >= (1.0 - 1e-6) * size.y() ? -62.0 : -28.0) * kRadians;
  const auto direction = [](double azimuth) { return unit_direction(azimuth, kElevation); };
  for (const double turn : {0.0, 90.0, -90.0, 180.0, 45.0, -45.0, 135.0, -135.0}) {
    const Vector3 candidate = direction(base + turn * kRadians);
    const bool free = std::all_of(scene.planes.begin(), scene.planes.end(), [&](const ViewPlane& plane) {
      return (scene.frames.front().X_WB[plane.body].R * plane.X_BG.R.col(2)).dot(candidate) > 0.1;
    });
    if (free) return candidate;
  }
  return direction(base);
}

void apply_camera(const ViewCamera& camera, Framing* framing) {
  const Vector3& chosen = framing->direction;
  const double azimuth = camera.azimuth ? *camera.azimuth * kRadians : std::atan2(chosen.y(), chosen.x());
  const double elevation = camera.elevation ? *camera.elevation * kRadians : std::asin(chosen.z());
  if (camera.azimuth || camera.elevation) framing->direction = unit_direction(azimuth, elevation);
  if (camera.target) framing->target = *camera.target;
  framing->zoom = camera.zoom;
}

/// Where moving bodies are within the box, spread over bodies and frames.
std::vector<Vector3> sample_points(const ViewScene& scene, const Aabb& box) {
  std::vector<const ViewPart*> moving;
  for (const ViewPart& part : scene.parts) {
    if (scene.bodies[part.body].moves) moving.push_back(&part);
  }
  std::vector<Vector3> points;
  if (moving.empty()) return points;
  for (std::size_t i = 0; i < kSamplePoints; ++i) {
    // 37 and 64 have no common factor: bodies and frames are paired in ever other ways.
    const ViewPart& part = *moving[(37 * i) % moving.size()];
    const ViewFrame& frame = scene.frames[i * scene.frames.size() / kSamplePoints];
    const Vector3 point = frame.X_WB[part.body] * part.X_BG.p;
    if (holds(box, {point, point})) points.push_back(point);
  }
  return points;
}

/// Of the sizes of arrows; 1 when there is none.
double seldom_exceeded(std::vector<double> sizes) {
  if (sizes.empty()) return 1.0;
  const double size = order_statistic(&sizes, (sizes.size() - 1) * 97 / 100);
  return size > 0.0 ? size : 1.0;
}

/// Distance along a unit ray to a triangle; infinity where it misses (Moeller and Trumbore 1997, Fast,
/// minimum storage ray/triangle intersection).
double ray_triangle(const Vector3& origin, const Vector3& ray, const Vector3& a, const Vector3& b,
                    const Vector3& c) {
  const Vector3 u = b - a, v = c - a, p = ray.cross(v);
  const double determinant = u.dot(p);
  if (determinant == 0.0) return INFINITY;
  const Vector3 s = (origin - a) / determinant, q = s.cross(u);
  const double alpha = s.dot(p), beta = ray.dot(q), t = v.dot(q);
  return alpha >= 0.0 && beta >= 0.0 && alpha + beta <= 1.0 && t > 0.0 ? t : INFINITY;
}

}  // namespace

double round_length(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= length * (1.0 + 1e-9)) return digit * power;
  }
  return power;
}

Framing frame_scene(const ViewScene& scene) {
  const SceneExtents extents(scene);
  Aabb box = view_box(scene, extents);
  box = box.inflated(std::max(1e-6, 1e-3 * (box.upper - box.lower).norm()));
  Framing framing{};
  framing.lower = box.lower;
  framing.upper = box.upper;
  framing.target = box.center();
  framing.radius = 0.5 * (box.upper - box.lower).norm();
  framing.direction = choose_direction(scene, start_box(scene, extents));
  apply_camera(scene.camera, &framing);
  framing.grid = round_length(framing.radius / 4.0);
  std::vector<double> forces, moments;
  for (const ViewFrame& frame : scene.frames) {
    for (const ViewContact& contact : frame.contacts) forces.push_back(contact.force.norm());
    for (const ViewPatch& patch : frame.patches) {
      forces.push_back(patch.force.norm());
      moments.push_back(patch.moment.norm());
    }
    for (const ViewForce& force : frame.forces) forces.push_back(force.force.norm());
  }
  framing.largest_force = seldom_exceeded(std::move(forces));
  // Moments that are rounding beside the forces must not fill the scale.
  framing.largest_moment =
      std::max(seldom_exceeded(std::move(moments)), kLeastArm * framing.radius * framing.largest_force);
  framing.points = sample_points(scene, box);
  return framing;
}

Matrix3 camera_axes(const Vector3& direction) {
  Matrix3 axes;
  axes.col(2) = direction;
  axes.col(0) = Vector3::UnitZ().cross(direction).normalized();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

double camera_distance(const Framing& framing, double aspect) {
  const double vertical = std::tan(0.5 * kFieldOfView * kRadians), horizontal = aspect * vertical;
  const Matrix3 axes = camera_axes(framing.direction);
  const Vector3 half = 0.5 * (framing.upper - framing.lower);
  double distance = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 sign((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
    const Vector3 p = axes.transpose() * sign.cwiseProduct(half);
    distance = std::max({distance, p.z() + kFramingMargin * std::abs(p.x()) / horizontal,
                         p.z() + kFramingMargin * std::abs(p.y()) / vertical});
  }
  return distance / framing.zoom;
}

bool hides(const Surface& surface, const RigidTransform& X_WG, const Vector3& scale, const Vector3& camera,
           const std::vector<Vector3>& points) {
  std::vector<Vector3> vertices;
  for (const Vector3& v : surface.vertices) vertices.push_back(X_WG * v.cwiseProduct(scale).eval());
  std::size_t hidden = 0;
  for (const Vector3& point : points) {
    const double distance = (point - camera).norm();
    const Vector3 ray = (point - camera) / distance;
    hidden += std::any_of(surface.triangles.begin(), surface.triangles.end(), [&](const auto& t) {
      return ray_triangle(camera, ray, vertices[t[0]], vertices[t[1]], vertices[t[2]]) < 0.999 * distance;
    });
  }
  return 5 * hidden > points.size();
}

}  // namespace csim
