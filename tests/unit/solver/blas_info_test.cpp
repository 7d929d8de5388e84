#include "solver/linear/blas_info.h"

#include <gtest/gtest.h>

#include "solver/linear/linear_solver.h"

namespace csim {
namespace {

// A solver object loads CHOLMOD and with it the BLAS, on one thread.
TEST(BlasInfo, NamesTheLoadedLibraryExactlyWithCholmod) {
  const auto solver = make_linear_solver(LinearSolverKind::kSupernodal);
  const std::string text = describe_blas();
  if (solver == nullptr) {
    EXPECT_EQ(text, "none");
    return;
  }
  EXPECT_NE(text.find(".so"), std::string::npos) << text;
  if (text.starts_with("OpenBLAS")) {
    EXPECT_TRUE(text.starts_with("OpenBLAS, 1 thread, ")) << text;
    EXPECT_NE(text.find("OpenBLAS 0."), std::string::npos) << text;  // the build's own words
  }
}

}  // namespace
}  // namespace csim
