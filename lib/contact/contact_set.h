// What a contact query finds, in an order that depends on the scene alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "core/types.h"
#include "patch/contact_surface.h"
#include "patch/face_quadrature.h"

namespace csim {

/// One contact point of a pair of geometries a < b (indices of Model::geometries).
struct PointContact {
  int geometry_a = -1, geometry_b = -1;
  int body_a = -1, body_b = -1;
  /// Tells the points of one pair apart; the same from step to step while the features are the same.
  std::int64_t feature = 0;
  double phi = 0.0;  // m, signed distance, < 0 overlap
  Vector3 normal;    // unit, from a to b, world
  Vector3 p_a, p_b;  // m, witness points on a and b, world: p_b - p_a = phi * normal. In overlap p_a is the
                     // deepest point of a inside b, and p_b of b inside a
};

/// The contact surface of one pair of geometries a < b, disjoint pieces together.
struct ContactPatch {
  int geometry_a = -1, geometry_b = -1;
  int body_a = -1, body_b = -1;
  int face_begin = 0, face_end = 0;    // in ContactSet::surface
  int point_begin = 0, point_end = 0;  // in ContactSet::face_points
  int num_dropped_angle = 0;           // pairs of elements left out by the angle rule
  double dropped_area = 0.0;           // m^2, of faces without points: gradient_filter drop
  int num_constant = 0;                // faces that press with a constant force in the step
};

/// A pair of geometries of two bodies.
struct ContactPair {
  int geometry_a, geometry_b, body_a, body_b;
};

/// How often something was met, and with which pair of geometries a < b, the first in their order.
struct PairCount {
  long count = 0;
  int geometry_a = -1, geometry_b = -1;  // -1: none

  void add(int geometry_1, int geometry_2, long number = 1) {
    if (number == 0) return;
    const std::pair<int, int> pair = std::minmax(geometry_1, geometry_2);
    if (count == 0 || pair < std::pair(geometry_a, geometry_b)) std::tie(geometry_a, geometry_b) = pair;
    count += number;
  }
};

/// Pairs of geometries that go through each other within a step.
struct Passages {
  PairCount pairs;
  std::vector<std::pair<int, int>> too_long;  // for these the step: shorter ones hold them, or foresee more

  void add(int geometry_a, int geometry_b, bool too_long) {
    pairs.add(geometry_a, geometry_b);
    if (too_long) this->too_long.emplace_back(geometry_a, geometry_b);
  }
};

/// Two geometries that overlap deeper than what explains it (ContactFinder::find_unexplained).
struct UnexplainedDepth {
  int geometry_a = -1, geometry_b = -1;
  double depth = 0.0;  // m
};

/// What a query finds: contact points, and contact surfaces with the points that stand for their faces.
/// Points and patches are sorted by (body_a, body_b, geometry_a, geometry_b, feature), so that those of a
/// pair of bodies stand together. Bodies follow their geometries: body_a < body_b whenever the scene's
/// geometries are listed body by body, which they are. One index runs over all contacts: first the points,
/// then the points of faces.
struct ContactSet {
  std::vector<PointContact> points;
  std::vector<ContactPatch> patches;
  ContactSurface surface;              // the faces of all patches
  std::vector<FacePoint> face_points;  // of all patches; FacePoint::face is in `surface`
  std::vector<int> patch_of_point;     // [face_points], in `patches`
  /// Points of pairs that meet as points for want of a patch (contact.fallback).
  PairCount fallback;
  /// Geometries, a triangle surface and a shape, whose overlap no contact holds (MeshQuery::unheld); in
  /// order.
  std::vector<std::pair<int, int>> unheld;
  /// Queries that took a conventional direction at a degenerate configuration.
  PairCount degenerate;
  /// Pairs that contact.engine could not answer, or not as our supports have it: answered by our own code.
  PairCount unanswered;

  [[nodiscard]] int size() const { return static_cast<int>(points.size() + face_points.size()); }
  [[nodiscard]] ContactPair pair(int contact) const {
    const int num_points = static_cast<int>(points.size());
    if (contact < num_points) {
      const PointContact& c = points[contact];
      return {c.geometry_a, c.geometry_b, c.body_a, c.body_b};
    }
    const ContactPatch& c = patches[patch_of_point[contact - num_points]];
    return {c.geometry_a, c.geometry_b, c.body_a, c.body_b};
  }
};

}  // namespace csim
