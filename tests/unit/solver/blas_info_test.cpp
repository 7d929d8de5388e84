#include "solver/linear/blas_info.h"

#include <gtest/gtest.h>

#include "solver/linear/linear_solver.h"

namespace csim {
namespace {

TEST(BlasInfo, NamesTheLoadedLibraryExactlyWithCholmod) {
  // A solver object makes the linker keep CHOLMOD and with it the BLAS.
  const auto solver = make_linear_solver(LinearSolverKind::kSupernodal);
  const BlasInfo info = blas_info();
  if (solver == nullptr) {
    EXPECT_EQ(info.name, "none");
    EXPECT_EQ(info.file, "none");
    EXPECT_EQ(info.num_threads, 0);
    return;
  }
  EXPECT_NE(info.name, "none");
  EXPECT_NE(info.file.find(".so"), std::string::npos) << info.file;
  if (info.name == "OpenBLAS") {
    EXPECT_NE(info.config.find("OpenBLAS"), std::string::npos) << info.config;
    EXPECT_FALSE(info.core_type.empty());
  }
}

TEST(BlasInfo, OneThreadIsOneThread) {
  use_one_blas_thread();
  EXPECT_LE(blas_info().num_threads, 1);
}

}  // namespace
}  // namespace csim
