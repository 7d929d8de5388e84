// Counts every operator new of the test program: solvers that have seen their largest pattern allocate
// nothing.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "solver/linear/condition_number.h"
#include "solver/linear/conjugate_gradients.h"
#include "solver/linear/linear_solver.h"
#include "support/contact_graphs.h"

namespace {

std::atomic<long> num_allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++num_allocations;
  if (void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment))
    return memory;
  throw std::bad_alloc();
}

}  // namespace

// GCC 12 inlines one of a pair and not the other, and then takes them for mismatched.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace csim {
namespace {

// CHOLMOD is left out: it allocates a workspace in every factorisation.
class AllocationTest : public ::testing::TestWithParam<LinearSolverKind> {};

TEST_P(AllocationTest, NothingAfterTheLargestPattern) {
  const BlockSymmetricMatrix large = test::pile_matrix(60), small = test::pile_matrix(20),
                             middle = test::pile_matrix(50, 9), single = test::pile_matrix(1);
  const auto solver = make_linear_solver(GetParam());
  ConditionEstimator estimator;
  ConjugateGradients conjugate_gradients;
  VectorX x(large.rows()), y(large.rows());
  const auto use = [&](const BlockSymmetricMatrix& H) {
    solver->analyze(H);
    const bool positive = solver->factor(H);
    x.setOnes();
    solver->solve(x.data());
    const bool solved = conjugate_gradients.solve(H, solver.get(), x.data(), x.data(), 1e-6, 2, y.data());
    return positive && solved && estimator.estimate(H, *solver) >= 1.0;
  };
  ASSERT_TRUE(use(large));
  const long before = num_allocations;
  const bool all = use(small) && use(middle) && use(single) && use(large) && use(large);
  const long after = num_allocations;
  EXPECT_TRUE(all);
  EXPECT_EQ(after - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, AllocationTest,
                         ::testing::Values(LinearSolverKind::kAuto, LinearSolverKind::kBlock,
                                           LinearSolverKind::kDense),
                         [](const auto& info) {
                           return info.param == LinearSolverKind::kAuto    ? "Auto"
                                  : info.param == LinearSolverKind::kBlock ? "Block"
                                                                           : "Dense";
                         });

TEST(Allocation, SettingASmallerPatternTakesNone) {
  const BlockSymmetricMatrix large = test::pile_matrix(60), small = test::pile_matrix(20);
  BlockSymmetricMatrix H;
  H.set_pattern(large.size, large.edges);
  const long before = num_allocations;
  H.set_pattern(small.size, small.edges);
  H.set_pattern(large.size, large.edges);
  EXPECT_EQ(num_allocations - before, 0);
}

TEST(Allocation, TheCounterCounts) {
  const long before = num_allocations;
  std::vector<double> grown(1000);
  EXPECT_GT(num_allocations - before, 0);
  EXPECT_EQ(grown.size(), 1000u);
}

}  // namespace
}  // namespace csim
