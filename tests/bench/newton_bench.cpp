// Newton's method on a pile like the clutter scene: 4 columns of 10 jittered bodies between walls, boxes'
// faces of several points, all falling at 1 m/s into each other (dt = 1e-2, k = 1e7, e_r = 1e-5). Reports the
// time of a solve, and of its stages per iteration.
#include <benchmark/benchmark.h>

#include "solver/minimize.h"
#include "support/random_system.h"

namespace {

using namespace csim;
using namespace csim::testing_support;

constexpr double kSpacing = 0.11;  // m

void add_face(int a, int b, const Vector3& n, const Vector3& p, int num_points, Random* random,
              RandomSystem* s) {
  const Vector3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  for (int k = 0; k < num_points; ++k) {
    PointContact point;
    point.geometry_a = point.body_a = a;
    point.geometry_b = point.body_b = b;
    point.feature = k;
    point.normal = n;
    point.phi = random->uniform(-2e-5, 2e-3);
    point.p_a = p + 0.04 * (k % 2 == 0 ? 1.0 : -1.0) * t1 + 0.04 * (k / 2 == 0 ? 1.0 : -1.0) * t2;
    point.p_b = point.p_a + point.phi * n;
    s->contacts.points.push_back(point);
  }
}

RandomSystem make_pile(int layers) {
  Random random(7);
  RandomSystem s;
  s.h = 1e-2;
  add_body(-1, &random, &s);
  s.kinematics.X_WB[0].p.setZero();
  for (int i = 0; i < 4 * layers; ++i) {
    const Vector3 jitter =
        0.005 * Vector3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    add_body(i, &random, &s);
    s.kinematics.X_WB.back().p = kSpacing * Vector3(i % 2, i / 2 % 2, 0.5 + i / 4) + jitter;
    add_tree(6, spatial_inertia(0.5, Vector3::Zero(), 8e-4 * Matrix3::Identity()), &s);
  }
  const int num_bodies = 4 * layers + 1;
  s.model.pairs.num_classes = num_bodies;
  s.model.pairs.rules.assign(num_bodies * num_bodies,
                             PairRule{true, false, false, 1.0, 1e7, 0.2, 1e-3, 1e9, 0.5});
  for (int b = 1; b < num_bodies; ++b) {  // walls and floor
    const Vector3 p = s.kinematics.X_WB[b].p;
    if (b <= 4) add_face(0, b, Vector3::UnitZ(), p - 0.055 * Vector3::UnitZ(), 4, &random, &s);
    add_face(0, b, Vector3((b - 1) % 2 == 0 ? 1 : -1, 0, 0), p, 2, &random, &s);
    add_face(0, b, Vector3(0, (b - 1) / 2 % 2 == 0 ? 1 : -1, 0), p, 1, &random, &s);
  }
  for (int a = 1; a < num_bodies; ++a) {
    for (int b = a + 1; b < num_bodies; ++b) {
      const Vector3 d = s.kinematics.X_WB[b].p - s.kinematics.X_WB[a].p;
      if (d.norm() > 1.2 * kSpacing) continue;
      add_face(a, b, d.normalized(), s.kinematics.X_WB[a].p + 0.5 * d, random.integer(1, 3), &random, &s);
    }
  }
  std::stable_sort(s.contacts.points.begin(), s.contacts.points.end(),
                   [](const PointContact& x, const PointContact& y) {
                     return std::pair(x.body_a, x.body_b) < std::pair(y.body_a, y.body_b);
                   });
  s.state.v = VectorX::Zero(s.model.nv);
  for (int i = 0; i < 4 * layers; ++i)
    s.state.v.segment<3>(6 * i + 3) = random.vector(0.3) - Vector3(0, 0, 1);
  s.free_motion.v_star = s.state.v;
  for (int i = 0; i < 4 * layers; ++i) s.free_motion.v_star[6 * i + 5] -= 9.81 * s.h;
  return s;
}

void pile(benchmark::State& state, ContactModel model) {
  const RandomSystem system = make_pile(static_cast<int>(state.range(0)));
  ContactSpec spec;
  spec.model = model;
  spec.normal = model == ContactModel::kSap ? NormalLaw::kLinear : NormalLaw::kHuntCrossley;
  StepData data;
  system.build(spec, &data);
  NewtonWorkspace workspace;
  NewtonOptions options;
  Iterate iterate;
  SolveReport report;
  SolveSeconds sum;
  double iterations = 0.0;
  for (auto _ : state) {
    iterate.v = data.problem.v0;
    minimize(data.problem, options, &workspace, &iterate, &report);
    if (!succeeded(report.status)) state.SkipWithError(report.message.c_str());
    sum.assembly += report.seconds.assembly;
    sum.factor += report.seconds.factor;
    sum.solve += report.seconds.solve;
    sum.line_search += report.seconds.line_search;
    iterations += report.iterations;
  }
  const auto per_iteration = [&](double seconds) { return 1e6 * seconds / iterations; };
  state.counters["contacts"] = data.problem.num_contacts();
  state.counters["pairs"] = static_cast<double>(data.problem.clusters.size());
  state.counters["iterations"] = report.iterations;
  state.counters["evaluations"] = report.line_search_iterations;
  state.counters["us_assembly"] = per_iteration(sum.assembly);
  state.counters["us_factor"] = per_iteration(sum.factor);
  state.counters["us_solve"] = per_iteration(sum.solve);
  state.counters["us_search"] = per_iteration(sum.line_search);
}

void build(benchmark::State& state) {
  const RandomSystem system = make_pile(static_cast<int>(state.range(0)));
  StepData data;
  choose_contact_law(ContactSpec{}, &data.problem);
  for (auto _ : state) {
    build_contact_problem(system.model, system.kinematics, system.state, system.contacts, &data);
    set_step(system.h, system.free_motion, system.model, &data);
  }
}

BENCHMARK_CAPTURE(pile, lagged, ContactModel::kLagged)->Arg(10)->Arg(40)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pile, sap, ContactModel::kSap)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pile, similar, ContactModel::kSimilar)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK(build)->Arg(10)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
