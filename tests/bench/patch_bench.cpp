// Contact surfaces of an ellipsoid and a sphere, the benchmark of Drake's hydroelastic contact: one query
// from nothing, polygons. Names: mesh/tets of the ellipsoid x tets of the sphere/overlap (1 near miss, 2
// shallow, 3 deep), and rigid/resolution/overlap.
//
// Where the time goes, dense/4096x4096/3 on an AVX-512 machine, 0.4 to 0.5 us a face: boxes and planes of
// eight tets at a time 36 %, slices and clips 34 %, the descent of the trees 7 %, putting a body in the
// other's frame 6 %, areas and centroids 7 %, sorting and writing 5 %. Of 12112 pairs that the planes leave,
// a separating face of one tet, tested eight pairs at a time, leaves 7781, and 2606 are faces. The other
// tet's faces tested likewise would leave 6405, at no gain: clipping finds the same. Deep in each other the
// pairs grow faster than the faces (time over faces has the slope 1.4 between 131 and 2606 faces), shallow
// ones do not (0.9).
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

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

void query(benchmark::State& state, const PatchGeometry& a, const PatchGeometry& b, int overlap) {
  const RigidTransform X_WB(Vector3::Constant(kPlace[overlap]));
  SurfaceWorkspace workspace;
  ContactSurface surface;
  for (auto _ : state) {
    find_contact_surface(a, RigidTransform(), b, X_WB, {}, &workspace, &surface);
    benchmark::DoNotOptimize(surface.area.data());
  }
  double area = 0.0;
  Vector3 force = Vector3::Zero();
  for (int i = 0; i < surface.num_faces(); ++i) {
    area += surface.area[i];
    force += surface.area[i] * surface.pressure[i] * surface.normal[i];
  }
  state.counters["faces"] = surface.num_faces();
  state.counters["clipped"] = surface.num_clipped;
  state.counters["area"] = area;
  state.counters["force"] = force.norm();
}

void register_all() {
  for (const MeshStrategy strategy : {MeshStrategy::kSingle, MeshStrategy::kDense}) {
    const bool dense = strategy == MeshStrategy::kDense;
    const auto tets = [&](int level) { return std::to_string(dense ? 8 << (3 * level) : 8 << (2 * level)); };
    for (const auto& [la, lb] : {std::array{1, 1}, {2, 1}, {2, 2}, {3, 3}}) {
      const PatchGeometry a = compliant(Ellipsoid{kSemiAxes}, hint(la, kSemiAxes.z()), strategy);
      const PatchGeometry b = compliant(Sphere{kRadius}, hint(lb, kRadius), strategy);
      for (int overlap : {1, 2, 3}) {
        benchmark::RegisterBenchmark((std::string(dense ? "dense/" : "single/") + tets(la) + "x" + tets(lb) +
                                      "/" + std::to_string(overlap))
                                         .c_str(),
                                     [=](benchmark::State& state) { query(state, a, b, overlap); })
            ->Unit(benchmark::kMicrosecond);
      }
    }
    constexpr std::array<double, 4> kHints{4.0, 3.0, 2.0, 1.0};
    for (int resolution : {2, 3}) {
      const PatchGeometry a = compliant(Ellipsoid{kSemiAxes}, kHints[resolution], strategy);
      const PatchGeometry b = prepare_patch_geometry(make_rigid_surface(Sphere{kRadius}, kHints[resolution]));
      for (int overlap : {1, 2, 3, 4}) {
        benchmark::RegisterBenchmark((std::string(dense ? "rigid_dense/" : "rigid_single/") +
                                      std::to_string(resolution) + "/" + std::to_string(overlap))
                                         .c_str(),
                                     [=](benchmark::State& state) { query(state, a, b, overlap); })
            ->Unit(benchmark::kMicrosecond);
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
