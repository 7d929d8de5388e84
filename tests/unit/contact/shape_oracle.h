// Independent truths about convex shapes for the tests of the narrow phase: their own support functions and
// membership, written from the definitions, random shapes and poses.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "contact/convex/narrow_phase.h"
#include "core/rigid_transform.h"
#include "geometry/shape.h"

namespace csim::test {

using Random = std::mt19937_64;

double uniform(Random* random, double low, double high);
Vector3 random_unit(Random* random);
Matrix3 random_rotation(Random* random);

/// The hull of few points by brute force over all triples (coplanar ones merged).
Convex make_convex(const std::vector<Vector3>& points);

/// A right prism over a regular polygon with n corners, along z.
Convex make_prism(int n, double radius, double height);

/// The bounded kinds, named as in a scene; half_space too.
const std::vector<std::string>& bounded_kinds();
Shape random_shape(const std::string& kind, Random* random);

/// max over the shape of direction . x, x in the world; infinite for half spaces unless the direction is
/// their normal.
double support_height(const Shape& shape, const RigidTransform& X, const Vector3& direction);

/// How far x lies outside the shape at most (<= 0 inside), a value that vanishes on the surface and grows
/// like the distance near it.
double outside(const Shape& shape, const RigidTransform& X, const Vector3& x);

/// min over b minus max over a along the unit direction n.
double separation(const Shape& a, const RigidTransform& X_A, const Shape& b, const RigidTransform& X_B,
                  const Vector3& n);

/// The largest separation over many directions and a local search from the best: a lower bound of the signed
/// distance that misses it by little.
double sampled_separation(const Shape& a, const RigidTransform& X_A, const Shape& b,
                          const RigidTransform& X_B, int samples);

/// The size of a pair, by which tolerances scale (m).
double size_of(const Shape& shape);

/// The point of least phi; the manifold must not be empty.
const ManifoldPoint& deepest(const Manifold& manifold);

}  // namespace csim::test
