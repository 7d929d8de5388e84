#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/primitive_tets.h"

namespace csim {

namespace {

/// A mesh of the unit ball in refinement.
struct BallMesh {
  TetMesh mesh;
  std::vector<bool> on_sphere;  // [vertices]
};

BallMesh octahedron() {
  BallMesh ball;
  ball.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  ball.mesh.tets = {{1, 5, 2, 0}, {2, 5, 3, 0}, {3, 5, 4, 0}, {4, 5, 1, 0},
                    {2, 6, 1, 0}, {3, 6, 2, 0}, {4, 6, 3, 0}, {1, 6, 4, 0}};
  ball.on_sphere.assign(7, true);
  ball.on_sphere[0] = false;
  return ball;
}

/// New vertices in the middle of edges, one an edge, numbered in the order of the sorted edges.
class Midpoints {
 public:
  /// The edges between the first `corners` vertices of each tet. The middle between two vertices on the
  /// sphere goes onto the sphere.
  Midpoints(int corners, BallMesh* ball) : first_(static_cast<int>(ball->mesh.vertices.size())) {
    for (const auto& tet : ball->mesh.tets) {
      for (int i = 0; i < corners; ++i) {
        for (int j = 0; j < i; ++j) edges_.push_back(edge(tet[i], tet[j]));
      }
    }
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const auto& [i, j] : edges_) {
      const bool on_sphere = ball->on_sphere[i] && ball->on_sphere[j];
      const Vector3 middle = 0.5 * (ball->mesh.vertices[i] + ball->mesh.vertices[j]);
      ball->mesh.vertices.push_back(on_sphere ? middle.normalized() : middle);
      ball->on_sphere.push_back(on_sphere);
    }
  }
  [[nodiscard]] int operator()(int i, int j) const {
    const auto found = std::lower_bound(edges_.begin(), edges_.end(), edge(i, j));
    return first_ + static_cast<int>(found - edges_.begin());
  }

 private:
  static std::array<int, 2> edge(int i, int j) { return {std::min(i, j), std::max(i, j)}; }
  int first_;
  std::vector<std::array<int, 2>> edges_;
};

/// Each surface triangle in four, all joined to the centre (vertex 0, the last of every tet).
void refine_single(BallMesh* ball) {
  const Midpoints middle(3, ball);
  std::vector<std::array<int, 4>> tets;
  for (const auto& [a, b, c, o] : ball->mesh.tets) {
    const int e = middle(a, b), f = middle(b, c), g = middle(c, a);
    tets.insert(tets.end(), {{a, e, g, o}, {e, b, f, o}, {g, f, c, o}, {e, f, g, o}});
  }
  ball->mesh.tets = std::move(tets);
}

/// Sum over tets of V^2 / (sum of squared edges)^3: large for four tets of good shape.
double shape_measure(const std::vector<Vector3>& vertices, const std::array<std::array<int, 4>, 4>& tets) {
  double sum = 0.0;
  for (const auto& t : tets) {
    const double v = tet_volume(vertices[t[0]], vertices[t[1]], vertices[t[2]], vertices[t[3]]);
    double squares = 0.0;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j) squares += (vertices[t[i]] - vertices[t[j]]).squaredNorm();
    }
    sum += v * v / (squares * squares * squares);
  }
  return sum;
}

/// Each tet in eight: one at every corner and the octahedron between them in four about one of its three
/// diagonals. Ties between diagonals are common: only a clear gain moves the choice, or rounding would make
/// it.
void refine_dense(BallMesh* ball) {
  constexpr double kClearGain = 1.0 + 1e-10;
  const Midpoints middle(4, ball);
  std::vector<std::array<int, 4>> tets;
  tets.reserve(8 * ball->mesh.tets.size());
  for (const auto& [a, b, c, d] : ball->mesh.tets) {
    const int e = middle(a, b), f = middle(a, c), g = middle(a, d);
    const int h = middle(b, c), i = middle(b, d), j = middle(c, d);
    tets.insert(tets.end(), {{a, e, f, g}, {b, h, e, i}, {f, h, c, j}, {j, g, i, d}});
    const std::array<std::array<std::array<int, 4>, 4>, 3> candidates{
        {{{{g, h, i, e}, {g, f, h, e}, {g, i, h, j}, {g, h, f, j}}},
         {{{f, i, e, h}, {f, i, h, j}, {f, i, j, g}, {f, e, i, g}}},
         {{{e, h, j, i}, {e, i, j, g}, {e, g, j, f}, {e, j, h, f}}}}};
    std::size_t best = 0;
    double best_measure = 0.0;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const double measure = shape_measure(ball->mesh.vertices, candidates[k]);
      if (measure <= best_measure * kClearGain) continue;
      best = k;
      best_measure = measure;
    }
    tets.insert(tets.end(), candidates[best].begin(), candidates[best].end());
  }
  ball->mesh.tets = std::move(tets);
}

BallMesh unit_ball(int level, MeshStrategy strategy) {
  BallMesh ball = octahedron();
  for (int i = 0; i < level; ++i) {
    if (strategy == MeshStrategy::kSingle) {
      refine_single(&ball);
    } else {
      refine_dense(&ball);
    }
  }
  return ball;
}

}  // namespace

int wanted_sphere_level(double radius, double resolution) {
  const double chord = std::min(resolution, 2.0 * radius);
  // The slack keeps a chord of exactly the resolution at its level whatever the last bit says.
  const double level = std::ceil(std::log2(std::numbers::pi / std::asin(chord / (2.0 * radius))) - 1e-9) - 2;
  return static_cast<int>(std::clamp(level, 0.0, 1000.0));
}

int sphere_level(double radius, double resolution, MeshStrategy strategy) {
  const int limit = strategy == MeshStrategy::kSingle ? kMaxSingleLevel : kMaxDenseLevel;
  return std::min(wanted_sphere_level(radius, resolution), limit);
}

CompliantMesh make_sphere_tets(const Sphere& sphere, const CompliantMeshOptions& options) {
  return make_ellipsoid_tets({Vector3::Constant(sphere.radius)}, options);
}

CompliantMesh make_ellipsoid_tets(const Ellipsoid& ellipsoid, const CompliantMeshOptions& options) {
  const Vector3 grown = ellipsoid.semi_axes.array() + options.margin;
  const int level = sphere_level(grown.maxCoeff(), options.resolution, options.strategy);
  BallMesh ball = unit_ball(level, options.strategy);
  CompliantMesh compliant;
  for (std::size_t v = 0; v < ball.mesh.vertices.size(); ++v) {
    // With x = s y, y in the unit ball, s the grown semi-axes: 1 - |x / semi-axes|. Without a margin the two
    // are the same, and the surface has exactly 0.
    const Vector3& y = ball.mesh.vertices[v];
    const double norm = y.cwiseProduct(grown).cwiseQuotient(ellipsoid.semi_axes).norm();
    const bool zero = ball.on_sphere[v] && options.margin == 0.0;
    compliant.pressure.push_back(zero ? 0.0 : options.modulus * (1.0 - norm));
    ball.mesh.vertices[v] = y.cwiseProduct(grown);
  }
  compliant.mesh = std::move(ball.mesh);
  return compliant;
}

}  // namespace csim
