// Contact surfaces of an ellipsoid and a sphere, the benchmark of Drake's hydroelastic contact: one query
// from nothing, polygons. Names: mesh/tets of the ellipsoid x tets of the sphere/overlap (1 near miss, 2
// shallow, 3 deep), and rigid/resolution/overlap.
//
// turned/...: a new orientation of the sphere in each query, of 64, so that neither caches nor the prediction
// of branches know the way: what a query costs a program that does other things between two of them. Where
// the time goes is said in docs/evidence/performance.md.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mesh/make_compliant_mesh.h"
#include "patch/find_contact_surface.h"

namespace csim {
namespace {

const Vector3 kSemiAxes(3.01, 3.5, 4.0);
constexpr double kRadius = 3.0, kModulus = 1e5;
constexpr std::array<double, 5> kPlace{7.0, 4.0, 3.5, 1.2, 0.0};  // m, of the sphere's centre on (1, 1, 1)

/// A little above the chord of this refinement.
double hint(int level, double radius) {
  return 2.0 * radius * std::sin(std::numbers::pi / std::pow(2.0, level + 2)) * (1.0 + 1e-9);
}

PatchGeometry compliant(const Shape& shape, double resolution, MeshStrategy strategy) {
  return prepare_patch_geometry(make_compliant_mesh(
      shape, {.resolution = resolution, .modulus = kModulus, .margin = 0.0, .strategy = strategy}));
}

void query(benchmark::State& state, const PatchGeometry& a, const PatchGeometry& b, int overlap,
           int num_poses) {
  std::vector<RigidTransform> X_WB(num_poses, RigidTransform(Vector3::Constant(kPlace[overlap])));
  for (int k = 1; k < num_poses; ++k) {
    X_WB[k].R = (Eigen::AngleAxisd(2.4 * k, Vector3::UnitX()) * Eigen::AngleAxisd(1.7 * k, Vector3::UnitZ()))
                    .toRotationMatrix();
  }
  SurfaceWorkspace workspace;
  ContactSurface surface;
  long num_queries = 0, num_faces = 0;
  for (auto _ : state) {
    find_contact_surface(a, RigidTransform(), b, X_WB[num_queries++ % num_poses], {}, &workspace, &surface);
    num_faces += surface.num_faces();
    benchmark::DoNotOptimize(surface.area.data());
  }
  double area = 0.0;
  Vector3 force = Vector3::Zero();
  for (int i = 0; i < surface.num_faces(); ++i) {
    area += surface.area[i];
    force += surface.area[i] * surface.pressure[i] * surface.normal[i];
  }
  state.counters["faces"] = static_cast<double>(num_faces) / static_cast<double>(num_queries);
  state.counters["clipped"] = surface.num_clipped;
  state.counters["area"] = area;
  state.counters["force"] = force.norm();
}

void add(const std::string& name, const PatchGeometry& a, const PatchGeometry& b, int overlap,
         int num_poses) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    query(state, a, b, overlap, num_poses);
  })->Unit(benchmark::kMicrosecond);
}

void register_all() {
  for (const MeshStrategy strategy : {MeshStrategy::kSingle, MeshStrategy::kDense}) {
    const bool dense = strategy == MeshStrategy::kDense;
    const auto tets = [&](int level) { return std::to_string(dense ? 8 << (3 * level) : 8 << (2 * level)); };
    for (const auto& [la, lb] : {std::array{1, 1}, {2, 1}, {2, 2}, {3, 3}}) {
      const PatchGeometry a = compliant(Ellipsoid{kSemiAxes}, hint(la, kSemiAxes.z()), strategy);
      const PatchGeometry b = compliant(Sphere{kRadius}, hint(lb, kRadius), strategy);
      for (int overlap : {1, 2, 3}) {
        const std::string name =
            (dense ? "dense/" : "single/") + tets(la) + "x" + tets(lb) + "/" + std::to_string(overlap);
        add(name, a, b, overlap, 1);
        if (overlap > 1) add("turned/" + name, a, b, overlap, 64);
      }
    }
    constexpr std::array<double, 4> kHints{4.0, 3.0, 2.0, 1.0};
    for (int resolution : {2, 3}) {
      const PatchGeometry a = compliant(Ellipsoid{kSemiAxes}, kHints[resolution], strategy);
      const PatchGeometry b = prepare_patch_geometry(make_rigid_surface(Sphere{kRadius}, kHints[resolution]));
      for (int overlap : {1, 2, 3, 4}) {
        add((dense ? "rigid_dense/" : "rigid_single/") + std::to_string(resolution) + "/" +
                std::to_string(overlap),
            a, b, overlap, 1);
      }
    }
  }
}

}  // namespace
}  // namespace csim

int main(int argc, char** argv) {
  csim::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
