// The stages of a step one by one, and whole steps with their rows in a file, on scenes: those of the scenes
// folder, or the scene files given as arguments (scripts/scenes writes piles of any size):
//
//   stage_bench [--benchmark_...] [SCENE.yaml...]
//
// Each scene runs for one second first; what is timed is the step after that (the stages), or the steps after
// that (the whole). Single stages repeat on the same data, which are in the cache: their sum is less than the
// whole step.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>

#include "contact/search/broad_phase.h"
#include "core/timer.h"
#include "model/build_model.h"
#include "record/recorder.h"
#include "scene/read_scene.h"
#include "solver/method/newton_island.h"
#include "step/discrete/discrete_stepper.h"
#include "support/source_folder.h"

namespace csim {
namespace {

constexpr double kWarmUpSeconds = 1.0;

/// A scene a second after its start, with everything the stages of the next step read.
struct Bench {
  explicit Bench(const std::string& file) {
    SceneReadResult read = read_scene(file);
    Problems problems;
    std::vector<std::string> notes;
    if (read.ok()) build_model(read.scene, &model, &state, &problems, &notes);
    if (!read.ok() || !problems.empty()) {
      std::fprintf(stderr, "%s: %s\n", file.c_str(), format_diagnostics(read.diagnostics).c_str());
      std::exit(2);
    }
    scene = read.scene;
    h = scene.time.step;
    stepper = std::make_unique<DiscreteStepper>(model, scene, 1);
    stepper->start(&state);
    for (int i = 0; i < std::lround(kWarmUpSeconds / h); ++i) {
      if (!stepper->step(&state).ok) std::exit(3);
    }
    move_freely();
    finder = std::make_unique<ContactFinder>(model);
    query();
    choose_contact_law(scene.contact, &data.problem);
    build();
    columns.resize(data.problem);
    for (auto* column : {&iterate.dual.x, &iterate.dual.y, &iterate.dual.z})
      column->assign(data.problem.num_contacts(), 0.0);
    islands.resize(data.problem.islands.size());
    evaluate();
    for (std::size_t i = 0; i < islands.size(); ++i) {
      islands[i].linear_solver =
          make_linear_solver(static_cast<LinearSolverKind>(scene.solver.linear_solver));
      set_hessian_pattern(data.problem, data.problem.islands[i], &islands[i].H);
      islands[i].linear_solver->analyze(islands[i].H);
    }
    assemble();
    factor();
    solve();
  }

  void move_freely() {
    compute_kinematics(model, state.q, state.time, state.time + h, &kinematics);
    compute_dynamics(model, kinematics, state, state.time + h, &dynamics);
    compute_free_motion(model, dynamics, state, h, &free_motion);
    compute_twists(model, kinematics, state.v, &twists);
    compute_twists(model, kinematics, free_motion.v_star, &twists_star);
  }
  void query() {
    ContactQuery q;
    q.X_WB = &kinematics.X_WB;
    q.V0 = &twists;
    q.V_star = &twists_star;
    q.surface_velocity = &kinematics.surface_velocity_W;
    q.step = h;
    q.slack = 2.0 * h * h * model.gravity.norm();  // the stepper's margin `auto`
    finder->find(q, &contacts);
  }
  void build() {
    build_contact_problem(model, kinematics, state, contacts, &data);
    set_step(h, free_motion, model, &data);
    iterate.v = data.problem.v0;
  }
  void for_each_island(const std::function<void(const Island&, IslandSolve*)>& visit) {
    for (std::size_t i = 0; i < islands.size(); ++i) visit(data.problem.islands[i], &islands[i]);
  }
  void evaluate() {
    const ConvexProblem& p = data.problem;
    for_each_island([&](const Island& island, IslandSolve*) {
      contact_velocities(p, island, iterate.v, true, &columns.v_c);
      benchmark::DoNotOptimize(p.law->evaluate(p.contacts, island.contacts, columns.v_c, &columns.gamma));
      generalized_impulse(p, island, columns.gamma, &columns.impulse);
    });
  }
  void assemble() {
    const ConvexProblem& p = data.problem;
    for_each_island([&](const Island& island, IslandSolve* own) {
      p.law->hessian(p.contacts, island.contacts, columns.v_c, p.law->has_dual ? &iterate.dual : nullptr,
                     &columns.G);
      assemble_hessian(p, island, columns.G, &own->H, &own->buffer);
    });
  }
  void factor() {
    for_each_island([](const Island&, IslandSolve* own) {
      benchmark::DoNotOptimize(own->linear_solver->factor(own->H));
    });
  }
  void solve() {
    columns.dv.head(data.problem.nv()) = data.problem.v_star - data.problem.v0;
    for_each_island([&](const Island& island, IslandSolve* own) {
      own->linear_solver->solve(columns.dv.data() + island.v_begin);
    });
  }
  void search() {
    const ConvexProblem& p = data.problem;
    for_each_island([&](const Island& island, IslandSolve*) {
      contact_velocities(p, island, columns.dv, false, &columns.dv_c);
      benchmark::DoNotOptimize(p.law->evaluate_line(p.contacts, island.contacts, columns.lines, 1.0));
    });
  }
  void report_forces() {
    compute_contact_forces(data, model, contacts, iterate.v, &forces);
    compute_row_forces(data, model, iterate.v, &row_forces);
    benchmark::DoNotOptimize(momentum_residual(model, kinematics, free_motion, h, contacts, row_forces,
                                               state.v, state.v, &forces));
  }

  Scene scene;
  Model model;
  State state;
  double h = 0.0;
  std::unique_ptr<DiscreteStepper> stepper;
  Kinematics kinematics;
  Dynamics dynamics;
  FreeMotion free_motion;
  std::vector<Twist> twists, twists_star;
  std::unique_ptr<ContactFinder> finder;
  ContactSet contacts;
  StepData data;
  Iterate iterate;
  NewtonColumns columns;
  std::vector<IslandSolve> islands;
  ContactForces forces;
  RowForces row_forces;
};

/// A recorder on a temporary file, which goes with it.
struct TemporaryRecorder {
  explicit TemporaryRecorder(const Bench& bench)
      : path((std::filesystem::temp_directory_path() / ("stage_bench_" + std::to_string(::getpid()) + ".h5"))
                 .string()) {
    RecorderOptions options{bench.scene.output, true};
    recorder = std::make_unique<Recorder>(path, bench.scene, bench.model, SceneText{}, Provenance{}, options);
  }
  ~TemporaryRecorder() {
    const OutputPaths paths = recorder->paths();
    recorder.reset();
    std::filesystem::remove(paths.part_path);
  }
  std::string path;
  std::unique_ptr<Recorder> recorder;
};

void count(const Bench& bench, benchmark::State* state) {
  state->counters["bodies"] = static_cast<double>(bench.model.trees.size());
  state->counters["contacts"] = bench.data.problem.num_contacts();
  state->counters["islands"] = static_cast<double>(bench.data.problem.islands.size());
}

void run_stage(benchmark::State& state, const std::string& file, void (Bench::*stage)()) {
  Bench bench(file);
  for (auto _ : state) (bench.*stage)();
  count(bench, &state);
}

/// Boxes of the bodies as the query makes them, without a margin.
void run_broad_phase(benchmark::State& state, const std::string& file) {
  const Bench bench(file);
  std::vector<int> groups;
  std::vector<Aabb> boxes(bench.model.bodies.size());
  for (const Body& body : bench.model.bodies) groups.push_back(body.tree < 0 ? 0 : 1 + body.weld_group);
  for (const Geometry& g : bench.model.geometries) {
    const Aabb box = bounding_box(g.shape);
    if (g.pair_class >= 0 && box.bounded())
      boxes[g.body].add(transformed(bench.kinematics.X_WB[g.body] * g.X_BG, box));
  }
  BroadPhase broad_phase(groups);
  std::size_t pairs = 0;
  for (auto _ : state) pairs = broad_phase.find(boxes).size();
  state.counters["pairs"] = static_cast<double>(pairs);
}

/// The rows of a frame and of a step, with what compressing and flushing cost on average.
void run_record(benchmark::State& state, const std::string& file) {
  Bench bench(file);
  const TemporaryRecorder output(bench);
  Frame frame;
  for (auto _ : state) {
    bench.stepper->fill_frame(bench.state, bench.scene.output.contacts, &frame);
    output.recorder->record_frame(frame);
    output.recorder->record_step(bench.stepper->statistics());
  }
  count(bench, &state);
}

/// Steps as `csim run` makes them, each with its rows; the scene goes on.
void run_steps(benchmark::State& state, const std::string& file) {
  Bench bench(file);
  const TemporaryRecorder output(bench);
  const long steps_per_frame = std::max(1L, std::lround(bench.scene.output.period / bench.h));
  Frame frame;
  StageSeconds sum;
  double iterations = 0.0, steps = 0.0;
  for (auto _ : state) {
    if (!bench.stepper->step(&bench.state).ok) return state.SkipWithError("the step failed");
    StepStatistics statistics = bench.stepper->statistics();
    ScopedTimer timer(&sum.record);
    if (bench.state.step % steps_per_frame == 0) {
      bench.stepper->fill_frame(bench.state, bench.scene.output.contacts, &frame);
      output.recorder->record_frame(frame);
    }
    output.recorder->record_step(statistics);
    const StageSeconds& s = statistics.seconds;
    sum.geometry += s.geometry, sum.assembly += s.assembly, sum.factor += s.factor;
    sum.solve += s.solve, sum.line_search += s.line_search;
    iterations += statistics.iterations;
    ++steps;
  }
  count(bench, &state);
  state.counters["iterations"] = iterations / steps;
  const auto show = [&](const char* name, double seconds) { state.counters[name] = 1e6 * seconds / steps; };
  show("us_geometry", sum.geometry);
  show("us_assembly", sum.assembly);
  show("us_factor", sum.factor);
  show("us_solve", sum.solve);
  show("us_search", sum.line_search);
  show("us_record", sum.record);
}

void register_scene(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string name =
      path.filename() == "scene.yaml" ? path.parent_path().filename().string() : path.stem().string();
  const auto add = [&](const char* what, auto run, auto... arguments) {
    benchmark::RegisterBenchmark((name + "/" + what).c_str(), [=](benchmark::State& state) {
      run(state, file, arguments...);
    })->Unit(benchmark::kMicrosecond);
  };
  add("free_motion", run_stage, &Bench::move_freely);
  add("broad_phase", run_broad_phase);
  add("query", run_stage, &Bench::query);
  add("build_problem", run_stage, &Bench::build);
  add("law_evaluation", run_stage, &Bench::evaluate);
  add("assembly", run_stage, &Bench::assemble);
  add("factor", run_stage, &Bench::factor);
  add("solve", run_stage, &Bench::solve);
  add("line_search_trial", run_stage, &Bench::search);
  add("forces", run_stage, &Bench::report_forces);
  add("record", run_record);
  add("steps", run_steps);
}

}  // namespace
}  // namespace csim

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') return benchmark::ReportUnrecognizedArguments(argc, argv) ? 1 : 0;
    csim::register_scene(argv[i]);
  }
  if (argc == 1) {
    for (const char* name : {"clutter", "clutter_boxes"})
      csim::register_scene(csim::test::source_folder() + "/scenes/" + name + "/scene.yaml");
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
