// Surfaces as the contact queries take them, and what every contact of theirs must be.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "contact/convex/narrow_phase.h"
#include "contact/mesh/mesh_surface.h"

namespace csim::testing {

inline MeshSurface make_surface(TriangleMesh mesh) {
  return MeshSurface(std::make_shared<const TriangleMesh>(std::move(mesh)));
}

inline void expect_consistent(const std::vector<ManifoldPoint>& points, double max_phi) {
  std::set<std::int64_t> features;
  for (const ManifoldPoint& c : points) {
    EXPECT_TRUE(c.p_a.allFinite() && c.p_b.allFinite() && std::isfinite(c.phi));
    EXPECT_NEAR(c.normal.norm(), 1.0, 1e-12);
    EXPECT_LT(c.phi, max_phi);
    EXPECT_LT((c.p_b - c.p_a - c.phi * c.normal).norm(), 1e-11);
    EXPECT_TRUE(features.insert(c.feature).second) << "feature twice";
  }
}

}  // namespace csim::testing
