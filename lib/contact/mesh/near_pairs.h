// What is near what of two surfaces, kept from query to query: pairs of triangles, triangles around a vertex.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "contact/mesh/mesh_surface.h"
#include "core/rigid_transform.h"
#include "geometry/bounds.h"

namespace csim {

/// Of one pair of geometries. A list of pairs a little farther apart than asked for holds all that are asked
/// for until the two have moved by that little: what is answered does not depend on it (Verlet 1967, Phys.
/// Rev. 159, 98).
class NearPairs {
 public:
  enum class State {
    kHolds,   // the list holds all pairs within reach
    kIsDue,   // it does not, and a new one would last
    kIsIdle,  // it does not, and the two have come so far since the last call that a new one would not last
  };

  /// How the list is for a query at X_AB (b in a's frame) of pairs within `reach` (m); box_a and box_b bound
  /// the surfaces, each in its own frame, and `size` (m) is that of the smaller.
  [[nodiscard]] State look(const Aabb& box_a, const Aabb& box_b, const RigidTransform& X_AB, double reach,
                           double size);

  /// Empties a list that is due, for the pairs within the returned reach (m) at the pose of look().
  double renew();

  /// Two triangles, as they were where the list was made.
  struct Pair {
    std::array<int, 2> triangles;  // of a and b
    float gap;                     // m, between their planes
    float apart;                   // m, the largest of this and of the gaps between their boxes
  };

  /// m, by which `gap` and `apart` of a pair may be off where look() has said kHolds or after renew(): what
  /// the two have moved since, and rounding.
  [[nodiscard]] double drift() const;

  std::vector<Pair> pairs;

  // Of a vertex of one surface near the other, where there is a drift(); `of_a`: of a, and b is the other.

  /// m, what it is at most away from the other; infinite where nothing is known.
  [[nodiscard]] double farthest(bool of_a, int v) const;
  /// That it is `distance` (m) away now.
  void set_farthest(bool of_a, int v, double distance);

  /// Whether it is known to be outside the other surface, a closed one, and more than `distance` (m) away.
  [[nodiscard]] bool is_outside(bool of_a, int v, double distance) const;
  /// That it is outside, `distance` (m) away now.
  void set_outside(bool of_a, int v, double distance);

  /// A triangle of the other surface; it is no nearer than `distance` (m) less drift().
  struct Near {
    int triangle;
    float distance;
  };
  /// All triangles of `other` within `distance` (m) of the vertex, which is at p in the frame of `other`, and
  /// some farther ones, by their distances. Holds until the next call.
  [[nodiscard]] std::span<const Near> near_triangles(bool of_a, int v, const MeshSurface& other,
                                                     const Vector3& p, double distance);
  /// m, up to which near_triangles() are few.
  [[nodiscard]] double few_within() const { return 2.0 * reach_; }

 private:
  double reach_ = -1.0;       // m, of `pairs`
  double next_reach_ = -1.0;  // m, of a list made now
  RigidTransform X_AB_;       // of `pairs`
  RigidTransform X_AB_last_;  // of the last call
  bool has_last_ = false;
  double moved_ = 0.0;      // m, up to the last call with another pose than the one before
  double displaced_ = 0.0;  // m, since X_AB_
  double rounding_ = 0.0;   // m, of coordinates
  /// Of a vertex at X_AB_.
  struct Surroundings {
    float farthest = std::numeric_limits<float>::infinity();  // m
    float outside = -1.0f;                                    // m, it is no nearer, and outside
    float within = -1.0f;                                     // m, of all triangles within it
    int begin = 0, count = 0;                                 // in Vertices::near
  };
  /// Of the vertices of a surface; of as many as were asked for.
  struct Vertices {
    std::vector<Surroundings> surroundings;
    std::vector<Near> near;
    [[nodiscard]] Surroundings* at(int v);
  };
  std::array<Vertices, 2> vertices_;  // of a and b
};

}  // namespace csim
