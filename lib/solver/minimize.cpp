#include "solver/minimize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/counted.h"
#include "core/require.h"
#include "solver/method/coulomb_newton.h"
#include "solver/solve_island.h"

namespace csim {

struct NewtonWorkspace::Implementation {
  NewtonColumns columns;
  InteriorPointColumns cone_columns;
  CoulombColumns coulomb_columns;
  std::vector<IslandSolve> islands;  // by slot; never shrinks
  std::vector<char> asked;           // islands of the last minimize()
  std::vector<int> order;            // of the islands
  long total_work = 0;               // of those asked for
};

NewtonWorkspace::NewtonWorkspace() : implementation_(std::make_unique<Implementation>()) {}
NewtonWorkspace::~NewtonWorkspace() = default;
NewtonWorkspace::NewtonWorkspace(NewtonWorkspace&&) noexcept = default;
NewtonWorkspace& NewtonWorkspace::operator=(NewtonWorkspace&&) noexcept = default;

namespace {

/// Below this estimated work a solve takes some microseconds, less than others need to join.
constexpr long kWorkToShare = 10'000;

/// Rough work of an island, ns an iteration: velocities, contacts, scalar rows, blocks of two trees.
long estimated_work(const Island& island) {
  const long n = island.nv(), edges = island.edge_end - island.edge_begin;
  const long contacts = island.contacts.end - island.contacts.begin;
  const long rows = island.rows.end - island.rows.begin;
  return 40 * n + 200 * contacts + 20 * rows + 600 * edges;
}

/// Orders the islands: those that hold a large part of the work first, so that nobody waits for one that was
/// begun last. The others stay in their order, asked for or not, so that each is with the same worker most
/// times. A function of the problem alone, as is the error that is told.
void order_islands(const ConvexProblem& problem, const std::vector<char>& asked,
                   NewtonWorkspace::Implementation* w) {
  constexpr long kParts = 64;
  w->total_work = 0;
  for (std::size_t i = 0; i < problem.islands.size(); ++i)
    if (asked[i]) w->total_work += estimated_work(problem.islands[i]);
  w->order.clear();
  for (const bool takes_large : {true, false})
    for (std::size_t i = 0; i < problem.islands.size(); ++i)
      if ((asked[i] && estimated_work(problem.islands[i]) * kParts > w->total_work) == takes_large)
        w->order.push_back(static_cast<int>(i));
}

/// Where an island's matrix and factorisation are kept: at its smallest tree, so that they find their pattern
/// again when other islands come and go.
int slot_of(const ConvexProblem& problem, int island) {
  return problem.trees[problem.islands[island].tree_begin].model_tree;
}

void prepare_linear_solvers(const ConvexProblem& problem, LinearSolverKind kind,
                            std::vector<IslandSolve>* islands) {
  for (int i = 0; i < static_cast<int>(problem.islands.size()); ++i) {
    const int slot = slot_of(problem, i);
    if (static_cast<int>(islands->size()) <= slot) islands->resize(slot + 1);
    IslandSolve& solve = (*islands)[slot];
    if (solve.linear_solver != nullptr && solve.requested_kind == kind) continue;
    solve.linear_solver = make_linear_solver(kind);
    solve.requested_kind = kind;
    CSIM_REQUIRE(solve.linear_solver != nullptr, static_cast<int>(kind));
  }
}

std::string describe_infeasible_start(double phi0) {
  std::ostringstream text;
  text.precision(3);
  text << "the barrier has no feasible start: ";
  if (phi0 > 0.0) {
    text << "a contact closes its gap of " << phi0 << " m within the step; a shorter step may help";
  } else {
    text << "a contact overlaps by " << std::abs(phi0)
         << " m before the step, where the law ends; open gaps at the start, and shorter steps, hold it off";
  }
  return text.str();
}

/// What may help an island that does not converge: keys that act on it.
std::string remedies(const ConvexProblem& problem, const Island& island, const NewtonOptions& options) {
  // Of this many iterations nearly all steps that converge at all need fewer.
  constexpr int kManyIterations = 100;
  if (options.max_iterations < kManyIterations) return "; a larger solver.max_iterations may help";
  if (island.contacts.end == island.contacts.begin) return "; a shorter time.step may help";
  const bool has_tolerance = problem.law->friction_bound != nullptr;
  return std::string("; a shorter time.step") + (has_tolerance ? ", a smaller" : " or a smaller") +
         " stiffness of the contacts" + (has_tolerance ? " or a larger contact.stiction_tolerance" : "") +
         " may help";
}

std::string describe(const ConvexProblem& problem, int index, const IslandSolve& solve,
                     const NewtonOptions& options) {
  std::ostringstream text;
  text.precision(3);
  const std::string remedy = remedies(problem, problem.islands[index], options);
  switch (solve.status) {
    case SolveStatus::kIterationLimit:
      text << "residual " << solve.norms.residual() << " after " << counted(solve.iterations, "iteration")
           << ", all that solver.max_iterations allows (converged: about " << options.relative_tolerance
           << ")" << remedy;
      break;
    case SolveStatus::kNotPositiveDefinite:
      text << "the Hessian is not positive definite to rounding in iteration " << solve.iterations + 1
           << ", residual " << solve.norms.residual() << remedy;
      break;
    case SolveStatus::kNotDescent:
      text << "the Newton direction of iteration " << solve.iterations + 1
           << " does not descend (rounding), residual " << solve.norms.residual() << remedy;
      break;
    case SolveStatus::kCostIncrease:
      text << "the cost rose by " << -solve.last_decrease << " J to " << solve.cost << " J in iteration "
           << solve.iterations << ", residual " << solve.norms.residual() << remedy;
      break;
    case SolveStatus::kNotFinite:
      text << "cost or gradient is not finite after " << counted(solve.iterations, "iteration");
      break;
    case SolveStatus::kInfeasibleStart:
      text << describe_infeasible_start(problem.contacts.phi0[solve.contact]);
      break;
    default:
      text << "converged";
  }
  return text.str();
}

void add_counts(const IslandSolve& solve, SolveReport* report) {
  report->iterations = std::max(report->iterations, solve.iterations);
  report->line_search_iterations = std::max(report->line_search_iterations, solve.line_search_iterations);
  report->factorizations = std::max(report->factorizations, solve.factorizations);
  report->total_iterations += solve.iterations;
  report->condition = std::fmax(report->condition, solve.condition);  // ignores NaN
  report->seconds.add(solve.seconds);
  report->history.insert(report->history.end(), solve.history.begin(), solve.history.end());
}

/// Sums, maxima and the first failure over the islands, in their order; counts of those asked for.
void merge(const ConvexProblem& problem, const NewtonOptions& options,
           const std::vector<IslandSolve>& islands, const std::vector<char>* asked, bool others_are_solved,
           SolveReport* report) {
  const int num_islands = static_cast<int>(problem.islands.size());
  report->restart(num_islands);
  MomentumNorms norms;
  for (int i = 0; i < num_islands; ++i) {
    const bool is_asked = asked == nullptr || (*asked)[i] != 0;
    if (!is_asked && !others_are_solved) continue;
    const IslandSolve& solve = islands[slot_of(problem, i)];
    if (!succeeded(solve.status) && report->failed_island < 0) {
      report->failed_island = i;
      report->failed_contact = solve.contact < 0 ? -1 : problem.source[solve.contact];
      report->message = describe(problem, i, solve, options);
    }
    report->status = std::max(report->status, solve.status);
    if (is_asked) {
      add_counts(solve, report);
      report->interior_point_iterations =
          std::max(report->interior_point_iterations, solve.interior_point_iterations);
    }
    if (solve.factorizations > 0) report->factor_nonzeros += solve.linear_solver->factor_nonzeros();
    report->cost += solve.cost;
    norms.add(solve.norms);
  }
  report->residual = norms.residual();
}

/// Calls solve(i) for the islands asked for.
template <typename Solve>
void for_each_island(const ConvexProblem& problem, const std::vector<char>& asked,
                     const NewtonOptions& options, NewtonWorkspace::Implementation* w, const Solve& solve) {
  order_islands(problem, asked, w);
  const auto solve_kth = [&](int k, int) {
    if (asked[w->order[k]]) solve(w->order[k]);
  };
  const int count = static_cast<int>(w->order.size());
  if (options.workers != nullptr && w->total_work > kWorkToShare)
    return options.workers->run(count, solve_kth);
  for (int k = 0; k < count; ++k) solve_kth(k, 0);
}

}  // namespace

void minimize(const ConvexProblem& problem, const NewtonOptions& options, NewtonWorkspace* workspace,
              Iterate* iterate, SolveReport* report, const std::vector<char>* asked, bool others_are_solved) {
  NewtonWorkspace::Implementation& w = workspace->implementation();
  CSIM_REQUIRE(iterate->v.size() >= problem.nv(), iterate->v.size(), problem.nv());
  w.columns.resize(problem);
  for (auto* column : {&iterate->dual.x, &iterate->dual.y, &iterate->dual.z})
    column->assign(problem.num_contacts(), 0.0);
  if (options.method != MethodKind::kNewton && problem.law->fill_cones != nullptr) {
    w.cone_columns.resize(problem);
    iterate->s.resize(problem.num_contacts());
    iterate->lambda.resize(problem.num_contacts());
  }
  prepare_linear_solvers(problem, options.linear_solver, &w.islands);
  w.asked.assign(problem.islands.size(), 1);
  if (asked != nullptr) std::copy_n(asked->begin(), w.asked.size(), w.asked.begin());
  const auto solve = [&](int i) {
    solve_island({problem, problem.islands[i], options, w.columns, w.cone_columns, *iterate,
                  w.islands[slot_of(problem, i)]});
  };
  for_each_island(problem, w.asked, options, &w, solve);
  merge(problem, options, w.islands, asked, others_are_solved, report);
}

void estimate_conditions(const ConvexProblem& problem, const NewtonOptions& options,
                         NewtonWorkspace* workspace, SolveReport* report) {
  NewtonWorkspace::Implementation& w = workspace->implementation();
  for_each_island(problem, w.asked, options, &w, [&](int i) {
    const Island& island = problem.islands[i];
    IslandSolve& solve = w.islands[slot_of(problem, i)];
    if (solve.has_factor)
      estimate_condition(options, island.edge_end - island.edge_begin >= options.edges_of_large_island,
                         &solve);
  });
  for (int i = 0; i < static_cast<int>(problem.islands.size()); ++i)
    if (w.asked[i])
      report->condition = std::fmax(report->condition, w.islands[slot_of(problem, i)].condition);
}

void couple_friction(const NewtonOptions& options, ConvexProblem* problem, NewtonWorkspace* workspace,
                     std::vector<char>* asked, Iterate* iterate, SolveReport* report) {
  NewtonWorkspace::Implementation& w = workspace->implementation();
  const int num_islands = static_cast<int>(problem->islands.size());
  w.coulomb_columns.resize(*problem);
  report->restart(num_islands);
  for_each_island(*problem, *asked, options, &w, [&](int i) {
    IslandSolve& solve = w.islands[slot_of(*problem, i)];
    start_report(&solve);
    solve_coulomb(problem->islands[i], options, problem, &w.columns, &w.coulomb_columns, iterate, &solve);
  });
  for (int i = 0; i < num_islands; ++i) {
    if (!(*asked)[i]) continue;
    const IslandSolve& solve = w.islands[slot_of(*problem, i)];
    (*asked)[i] = succeeded(solve.status);
    add_counts(solve, report);
  }
}

}  // namespace csim
