// One query of each pair of shapes, 1 mm apart and 1 mm deep, in a hundred random poses. Times are per query.
// (FCL beside it: contact_queries.)
//
//   narrow_phase_bench --benchmark_filter='box_box' --benchmark_repetitions=5
#include <benchmark/benchmark.h>

#include <cmath>

#include "unit/contact/shape_oracle.h"

namespace csim::test {
namespace {

constexpr int kPoses = 100;

struct Pose2 {
  Shape a, b;
  RigidTransform X_A, X_B;
};

// Pairs moved along the contact normal until phi is the one asked for (edges and vertices that slip past each
// other are drawn again).
std::vector<Pose2> make_pairs(const std::string& kind_a, const std::string& kind_b, double phi) {
  Random random(41);
  std::vector<Pose2> pairs;
  while (static_cast<int>(pairs.size()) < kPoses) {
    Pose2 pair{random_shape(kind_a, &random), random_shape(kind_b, &random), {}, {}};
    pair.X_A.R = random_rotation(&random);
    pair.X_B.R = random_rotation(&random);
    pair.X_B.p =
        kind_b == "half_space" ? Vector3(-2.0 * pair.X_B.R.col(2)) : Vector3(2.0 * random_unit(&random));
    Manifold manifold;
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, 10.0, &manifold);
    pair.X_B.p -= (deepest(manifold).phi - phi) * deepest(manifold).normal;
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, 10.0, &manifold);
    if (std::abs(deepest(manifold).phi - phi) < 1e-9) pairs.push_back(pair);
  }
  return pairs;
}

// A box, cylinder or prism upon a table, turned a little about the vertical: the manifold of a resting body.
std::vector<Pose2> make_resting(const Shape& a, double height) {
  std::vector<Pose2> pairs;
  for (int i = 0; i < kPoses; ++i) {
    Pose2 pair{a, Box{Vector3(2.0, 2.0, 0.5)}, {}, {}};
    pair.X_A = RigidTransform(Eigen::AngleAxisd(0.01 * i, Vector3::UnitZ()).toRotationMatrix(),
                              Vector3(0.1, 0.2, 0.25 + height - 1e-5));
    pairs.push_back(pair);
  }
  return pairs;
}

void run_query(benchmark::State& state, const std::vector<Pose2>& pairs) {
  Manifold manifold;
  std::size_t i = 0;
  for (auto _ : state) {
    const Pose2& pair = pairs[i];
    i = i + 1 == pairs.size() ? 0 : i + 1;
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, 0.01, &manifold);
    benchmark::DoNotOptimize(manifold);
  }
}

void register_all() {
  std::vector<std::string> kinds = bounded_kinds();
  kinds.push_back("half_space");
  for (std::size_t i = 0; i + 1 < kinds.size(); ++i) {
    for (std::size_t j = i; j < kinds.size(); ++j) {
      const std::string name = kinds[i] + "_" + kinds[j];
      const auto apart = make_pairs(kinds[i], kinds[j], 1e-3), deep = make_pairs(kinds[i], kinds[j], -1e-3);
      benchmark::RegisterBenchmark((name + "/apart").c_str(),
                                   [apart](benchmark::State& state) { run_query(state, apart); });
      benchmark::RegisterBenchmark((name + "/deep").c_str(),
                                   [deep](benchmark::State& state) { run_query(state, deep); });
    }
  }
  const std::vector<std::tuple<std::string, Shape, double>> bodies = {
      {"box", Box{Vector3(0.3, 0.2, 0.1)}, 0.05},
      {"cylinder", Cylinder{0.1, 0.2}, 0.1},
      {"convex", make_prism(8, 0.2, 0.1), 0.05}};
  for (const auto& [name, shape, height] : bodies) {
    const auto resting = make_resting(shape, height);
    benchmark::RegisterBenchmark((name + "_on_table").c_str(),
                                 [resting](benchmark::State& state) { run_query(state, resting); });
  }
}

}  // namespace
}  // namespace csim::test

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  csim::test::register_all();
  benchmark::RunSpecifiedBenchmarks();
}
