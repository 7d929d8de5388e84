// Numeric factorisation, solve and analysis of contact-graph matrices: a jittered pile of free bodies, one
// dense 6x6 block a body and one a touching pair. `direct` is CHOLMOD called as its manual shows, on the
// scalar matrix in the bodies' order.
//
//   linear_solver_bench --benchmark_filter=factor --benchmark_repetitions=5
//
// The times that count are CPU times of the one thread.
#include <benchmark/benchmark.h>

#ifdef CSIM_HAS_CHOLMOD
#include <cholmod.h>
#endif

#include <algorithm>
#include <stdexcept>

#include "solver/linear/block_cholesky.h"
#include "solver/linear/condition_number.h"
#include "solver/linear/linear_solver.h"
#include "support/contact_graphs.h"

namespace csim {
namespace {

constexpr int kLargestDense = 1000;  // bodies; a minute and 5 GB beyond

std::unique_ptr<LinearSolver> analyzed_solver(LinearSolverKind kind, const BlockSymmetricMatrix& H) {
  auto solver = make_linear_solver(kind);
  if (solver == nullptr) throw std::runtime_error("this build has no such solver");
  solver->analyze(H);
  return solver;
}

void factor(benchmark::State& state, LinearSolverKind kind) {
  const BlockSymmetricMatrix H = test::pile_matrix(static_cast<int>(state.range(0)));
  const auto solver = analyzed_solver(kind, H);
  for (auto _ : state)
    if (!solver->factor(H)) state.SkipWithError("not positive definite");
  state.counters["pairs"] = H.num_edges();
  state.counters["nonzeros"] = static_cast<double>(solver->factor_nonzeros());
  if (const auto* block = dynamic_cast<const BlockCholesky*>(solver.get()))
    state.counters["flops"] =
        benchmark::Counter(block->structure().flops, benchmark::Counter::kIsIterationInvariantRate);
}

void solve(benchmark::State& state, LinearSolverKind kind) {
  const BlockSymmetricMatrix H = test::pile_matrix(static_cast<int>(state.range(0)));
  const auto solver = analyzed_solver(kind, H);
  if (!solver->factor(H)) state.SkipWithError("not positive definite");
  VectorX x(H.rows());
  for (auto _ : state) {
    x.setOnes();
    solver->solve(x.data());
    benchmark::DoNotOptimize(x.data());
  }
}

// The pattern changes every time, between the pile and the same pile without its first pair.
void analyze(benchmark::State& state, LinearSolverKind kind) {
  const BlockSymmetricMatrix H = test::pile_matrix(static_cast<int>(state.range(0)));
  BlockSymmetricMatrix other;
  other.set_pattern(H.size, {H.edges.begin() + std::min(1, H.num_edges()), H.edges.end()});
  const auto solver = analyzed_solver(kind, H);
  bool odd = false;
  for (auto _ : state) {
    solver->analyze(odd ? H : other);
    odd = !odd;
  }
}

void estimate_condition(benchmark::State& state) {
  const BlockSymmetricMatrix H = test::pile_matrix(static_cast<int>(state.range(0)));
  const auto solver = analyzed_solver(LinearSolverKind::kAuto, H);
  if (!solver->factor(H)) state.SkipWithError("not positive definite");
  ConditionEstimator estimator;
  for (auto _ : state) benchmark::DoNotOptimize(estimator.estimate(H, *solver));
}

#ifdef CSIM_HAS_CHOLMOD
// CHOLMOD's default strategy (AMD, METIS where AMD's fill is large) on the scalar lower triangle.
void factor_directly(benchmark::State& state) {
  const BlockSymmetricMatrix H = test::pile_matrix(static_cast<int>(state.range(0)));
  (void)make_linear_solver(LinearSolverKind::kSupernodal);  // one BLAS thread
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  cholmod_triplet* triplets = cholmod_allocate_triplet(
      H.rows(), H.rows(), H.diagonal.size() + H.off_diagonal.size(), -1, CHOLMOD_REAL, &common);
  const auto add_block = [&](const double* block, int row, int col, int rows, int cols) {
    for (int j = 0; j < cols; ++j) {
      for (int i = 0; i < rows; ++i) {
        if (row + i < col + j) continue;
        static_cast<int*>(triplets->i)[triplets->nnz] = row + i;
        static_cast<int*>(triplets->j)[triplets->nnz] = col + j;
        static_cast<double*>(triplets->x)[triplets->nnz++] = block[j * rows + i];
      }
    }
  };
  for (int i = 0; i < H.num_blocks(); ++i)
    add_block(H.diagonal_block(i), H.begin[i], H.begin[i], H.size[i], H.size[i]);
  for (int e = 0; e < H.num_edges(); ++e) {
    const auto [i, j] = H.edges[e];
    add_block(H.edge_block(e), H.begin[i], H.begin[j], H.size[i], H.size[j]);
  }
  cholmod_sparse* matrix = cholmod_triplet_to_sparse(triplets, triplets->nnz, &common);
  cholmod_factor* factor = cholmod_analyze(matrix, &common);
  for (auto _ : state) cholmod_factorize(matrix, factor, &common);
  state.counters["pairs"] = H.num_edges();
  state.counters["nonzeros"] = common.lnz;
  state.counters["flops"] = benchmark::Counter(common.fl, benchmark::Counter::kIsIterationInvariantRate);
  cholmod_free_factor(&factor, &common);
  cholmod_free_sparse(&matrix, &common);
  cholmod_free_triplet(&triplets, &common);
  cholmod_finish(&common);
}
#endif

void register_all() {
  struct Named {
    const char* name;
    LinearSolverKind kind;
  };
  for (const auto& [name, kind] :
       {Named{"block", LinearSolverKind::kBlock}, Named{"dense", LinearSolverKind::kDense},
        Named{"supernodal", LinearSolverKind::kSupernodal}, Named{"auto", LinearSolverKind::kAuto}}) {
    if (kind == LinearSolverKind::kSupernodal && !has_supernodal()) continue;
    for (const int bodies : {1, 2, 3, 5, 10, 20, 40, 100, 300, 1000, 2000, 4000}) {
      if (kind == LinearSolverKind::kDense && bodies > kLargestDense) continue;
      const auto add = [&](const char* what, void (*run)(benchmark::State&, LinearSolverKind)) {
        benchmark::RegisterBenchmark((std::string(what) + "/" + name).c_str(), run, kind)
            ->Arg(bodies)
            ->Unit(benchmark::kMicrosecond);
      };
      add("factor", factor);
      add("solve", solve);
      add("analyze", analyze);
    }
  }
  for (const int bodies : {10, 40, 100, 300, 1000, 4000}) {
    benchmark::RegisterBenchmark("estimate_condition", estimate_condition)
        ->Arg(bodies)
        ->Unit(benchmark::kMicrosecond);
#ifdef CSIM_HAS_CHOLMOD
    benchmark::RegisterBenchmark("factor/direct", factor_directly)
        ->Arg(bodies)
        ->Unit(benchmark::kMicrosecond);
#endif
  }
}

}  // namespace
}  // namespace csim

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  csim::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
