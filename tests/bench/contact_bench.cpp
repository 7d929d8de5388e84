// Whole contact queries of the clutter's kind. (Broad phases: contact_queries.)
#include <benchmark/benchmark.h>

#include "contact/find_contacts.h"
#include "contact/mesh/mesh_contacts.h"
#include "model/model.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

/// The clutter at rest: bodies of 0.1 m in a container of a floor of 40 m and four walls, all touching. Of
/// five bodies two are cubes with 26 spheres in their surface, which alone meet other cubes and the walls. 40
/// bodies lie in one layer.
struct Clutter {
  static constexpr double kSpacing = 0.0999;
  explicit Clutter(int num_bodies) {
    model.pairs.num_classes = 3;  // spheres and walls, the full cubes, walls
    model.pairs.rules.assign(9, PairRule{.collide = true});
    model.pairs.rules[1 * 3 + 1].collide = model.pairs.rules[1 * 3 + 2].collide =
        model.pairs.rules[2 * 3 + 1].collide = false;
    Body container;
    model.bodies.push_back(container);
    poses.emplace_back();
    add(Box{Vector3(40, 40, 0.04)}, Vector3(0, 0, -0.02), 2);
    const int side = num_bodies <= 40 ? 7 : 16;
    const double inner = 0.5 * kSpacing * side, wall = 2 * inner + 0.08;
    for (int k = 0; k < 4; ++k) {
      const double s = (k % 2 ? 1 : -1) * (inner + 0.02);
      const Vector3 size = k < 2 ? Vector3(0.04, wall, wall) : Vector3(wall, 0.04, wall);
      add(Box{size}, k < 2 ? Vector3(s, 0, 0.5 * wall) : Vector3(0, s, 0.5 * wall), 2);
    }
    for (int i = 0; i < num_bodies; ++i) add_body(i, side);
    V0.resize(model.bodies.size());
    V_star.resize(model.bodies.size());
    for (std::size_t b = 1; b < V_star.size(); ++b) V_star[b].v.z() = -9.81e-3;
    belt.assign(model.bodies.size(), Vector3::Zero());
  }
  void add_body(int i, int side) {
    Body body;
    body.tree = i;
    body.weld_group = i + 1;
    model.bodies.push_back(body);
    const int column = i % (side * side), layer = i / (side * side);
    const double first = 0.5 * kSpacing * (1 - side);
    poses.emplace_back(Vector3(first + kSpacing * (column % side), first + kSpacing * (column / side),
                               kSpacing * (0.5 + layer)));
    if (i % 5 >= 2) {
      add(Sphere{0.05}, Vector3::Zero(), 0);
      return;
    }
    for (int k = 0; k < 27; ++k) {
      const Vector3 p = Vector3(k % 3 - 1, (k / 3) % 3 - 1, k / 9 - 1) * (0.1 / 3);
      if (k != 13) add(Sphere{0.1 / 6}, p, 0);
    }
    add(Box{Vector3(0.1, 0.1, 0.1)}, Vector3::Zero(), 1);
  }
  void add(const Shape& shape, const Vector3& p, int pair_class) {
    Geometry geometry;
    geometry.body = static_cast<int>(model.bodies.size()) - 1;
    geometry.shape = shape;
    geometry.X_BG.p = p;
    geometry.pair_class = pair_class;
    model.geometries.push_back(geometry);
  }
  Model model;
  std::vector<RigidTransform> poses;
  std::vector<Twist> V0, V_star;
  std::vector<Vector3> belt;
};

void find_contacts(benchmark::State& state) {
  const Clutter clutter(static_cast<int>(state.range(0)));
  ContactFinder finder(clutter.model);
  ContactQuery query;
  query.X_WB = &clutter.poses;
  query.V0 = &clutter.V0;
  query.V_star = &clutter.V_star;
  query.surface_velocity = &clutter.belt;
  query.step = 1e-3;
  query.slack = 1e-5;
  ContactSet contacts;
  for (auto _ : state) finder.find(query, &contacts);
  state.counters["contacts"] = static_cast<double>(contacts.points.size());
}
BENCHMARK(find_contacts)->Arg(40)->Arg(400)->Arg(4000)->Unit(benchmark::kMicrosecond);

void mesh_box_on_terrain(benchmark::State& state) {
  std::mt19937 rng(2);
  const auto mesh = std::make_shared<const TriangleMesh>(
      testing::random_terrain(static_cast<int>(state.range(0)), 1.0, &rng));
  const MeshSurface surface(mesh);
  MeshQuery query;
  std::vector<ManifoldPoint> points;
  for (auto _ : state) {
    query.find(surface, {}, Box{Vector3(0.1, 0.1, 0.1)}, RigidTransform(Vector3(0.01, 0.02, 0.05 - 1e-6)),
               1e-3, &points);
  }
  state.counters["contacts"] = static_cast<double>(points.size());
}
BENCHMARK(mesh_box_on_terrain)->Arg(8)->Arg(64)->Arg(256)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace csim

BENCHMARK_MAIN();
