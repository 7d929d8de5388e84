#include "run/friction_step.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "core/number_format.h"
#include "problem/convex_problem.h"
#include "record/errors.h"
#include "run/recorded_scene.h"
#include "step/discrete/prepared_step.h"

namespace csim {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Unit vectors across n; any two will do.
std::pair<Vector3, Vector3> tangents(const Vector3& n) {
  const Vector3 first = n.unitOrthogonal();
  return {first, n.cross(first)};
}

[[noreturn]] void refuse(const ResultFile& result, const std::string& what) {
  throw InvalidResultError(result.path() + ": " + what);
}

/// The row of the trajectory at the start of the step.
long row_at(const ResultFile& result, const std::vector<double>& times, double h, long step) {
  // One that failed is counted.
  if (const long steps = result.rows().steps; step > steps)
    refuse(result, format_text("has no step %ld: the run ended with step %ld", step, steps));
  const double start = static_cast<double>(step - 1) * h;
  const auto closest = std::min_element(times.begin(), times.end(), [&](double a, double b) {
    return std::abs(a - start) < std::abs(b - start);
  });
  if (closest == times.end()) refuse(result, "has no row of the trajectory");
  if (std::abs(*closest - start) <= 1e-6 * h) return closest - times.begin();
  refuse(result, format_text("step %ld begins at %.10g s, where no row was recorded; the nearest step that "
                             "begins at a row is %ld "
                             "(output.period: as long as the step records all)",
                             step, start, std::lround(*closest / h) + 1));
}

void check_scene(const ResultFile& result, const LoadedScene& loaded) {
  if (loaded.read.scene.integrator.type != IntegratorType::kDiscrete)
    refuse(result, "its integrator is not discrete: its steps are no problems of velocities and impulses");
  if (!loaded.read.scene.sequence.empty())
    refuse(result, "has a sequence, whose state at a row is not recorded");
}

State state_at(const ResultFile& result, const LoadedScene& loaded, long row, long step, double time) {
  State state = loaded.state;
  const std::vector<double> q = result.real("/trajectory/q", row, 1),
                            v = result.real("/trajectory/v", row, 1);
  if (static_cast<long>(q.size()) != loaded.model.nq || static_cast<long>(v.size()) != loaded.model.nv)
    refuse(result, "holds a state of another model");
  state.q = VectorX::Map(q.data(), loaded.model.nq);
  state.v = VectorX::Map(v.data(), loaded.model.nv);
  state.step = step - 1;
  state.time = time;
  return state;
}

}  // namespace

GlobalFrictionProblem friction_problem_of(const ConvexProblem& problem) {
  GlobalFrictionProblem friction;
  const int nv = problem.nv(), contacts = problem.num_contacts();
  Triplets mass, jacobian;
  for (const ProblemTree& tree : problem.trees)
    for (int j = 0; j < tree.nv; ++j)
      for (int i = 0; i < tree.nv; ++i)
        if (const double a = problem.A[tree.A_begin + j * tree.nv + i]; a != 0.0)
          mass.emplace_back(tree.v_begin + i, tree.v_begin + j, a);
  friction.M.resize(nv, nv);
  friction.M.setFromTriplets(mass.begin(), mass.end());
  friction.f = friction.M * problem.v_star.head(nv);
  friction.w.resize(3 * contacts);
  friction.mu.resize(contacts);
  Vector3Columns gamma;
  gamma.resize(static_cast<std::size_t>(contacts));
  VectorX impulse = VectorX::Zero(nv);
  for (const Island& island : problem.islands)
    for (int c = island.contacts.begin; c < island.contacts.end; ++c) {
      const Vector3 n = problem.contacts.normal[c], bias = problem.contacts.bias[c];
      const auto [t1, t2] = tangents(n);
      const Vector3 axes[] = {n, t1, t2};
      for (int k = 0; k < 3; ++k) {
        gamma.set(c, axes[k]);
        generalized_impulse(problem, island, gamma, &impulse);
        for (int i = island.v_begin; i < island.v_end; ++i)
          if (impulse[i] != 0.0) jacobian.emplace_back(i, 3 * c + k, impulse[i]);
        friction.w[3 * c + k] = axes[k].dot(bias);
      }
      gamma.set(c, Vector3::Zero());
      friction.w[3 * c] += std::max(problem.contacts.phi0[c], 0.0) / problem.h;
      friction.mu[c] = problem.contacts.friction[c];
    }
  friction.H.resize(nv, 3 * contacts);
  friction.H.setFromTriplets(jacobian.begin(), jacobian.end());
  return friction;
}

std::optional<FrictionStep> friction_step(const ResultFile& result, long step, Diagnostics* diagnostics) {
  const auto loaded = build_recorded_scene(result, {}, diagnostics);
  if (!loaded) return std::nullopt;
  check_scene(result, *loaded);
  const Scene& scene = loaded->read.scene;
  const double h = scene.time.step;
  const std::vector<double> times = result.real("/trajectory/time");
  const long row = row_at(result, times, h, step);
  const StepOptions options(scene, nullptr);
  PreparedStep prepared(loaded->model, scene, options);
  ContactFinder finder(loaded->model);
  StepStatistics statistics;
  prepare(state_at(result, *loaded, row, step, times[row]), h, {}, &finder, &statistics, &prepared);
  if (!prepared.contacts.patches.empty())
    refuse(result, format_text("step %ld has contacts of pressure fields, which are not rigid points", step));
  const ConvexProblem& problem = prepared.data.problem;
  if (problem.num_rows() > 0)
    refuse(result, format_text("step %ld has ", step) + counted(problem.num_rows(), "row") +
                       " of joints (limits, dry friction, drives, constraints) beside its contacts, for "
                       "which FCLIB has no place");
  FrictionStep friction{friction_problem_of(problem), step, times[row], h, {}};
  friction.info.title = scene.name;
  friction.info.description = format_text(
      "Step %ld of a run of csim, from %.10g s, h = %.10g s: rigid contacts without restitution, M "
      "of the trees in contact, impulses in N s",
      step, friction.time, h);
  return friction;
}

long step_ending_at(const ResultFile& result, double time) {
  Diagnostics diagnostics;
  const auto loaded = build_recorded_scene(result, {}, &diagnostics);
  if (!loaded) refuse(result, "its scene cannot be built");
  const double h = loaded->read.scene.time.step;
  const long step = std::lround(time / h);
  if (step < 1 || std::abs(static_cast<double>(step) * h - time) > 1e-6 * h)
    refuse(result, format_text("no step ends at %.10g s; with steps of %.10g s one ends at %.10g s", time, h,
                               static_cast<double>(std::max(step, 1L)) * h));
  return step;
}

}  // namespace csim
