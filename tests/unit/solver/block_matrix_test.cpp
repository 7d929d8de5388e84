#include "solver/linear/block_matrix.h"

#include <gtest/gtest.h>

#include "core/require.h"
#include "support/contact_graphs.h"

namespace csim {
namespace {

TEST(BlockMatrix, SortsEdgesAndDropsRepetitions) {
  BlockSymmetricMatrix H;
  H.set_pattern({2, 3, 1}, {{1, 2}, {0, 1}, {2, 1}, {1, 0}, {2, 0}});
  ASSERT_EQ(H.num_edges(), 3);
  EXPECT_EQ(H.edges[0], (BlockSymmetricMatrix::Edge{1, 0}));
  EXPECT_EQ(H.edges[1], (BlockSymmetricMatrix::Edge{2, 0}));
  EXPECT_EQ(H.edges[2], (BlockSymmetricMatrix::Edge{2, 1}));
  EXPECT_EQ(H.begin, (std::vector<int>{0, 2, 5, 6}));
  EXPECT_EQ(H.diagonal_begin, (std::vector<int>{0, 4, 13, 14}));
  EXPECT_EQ(H.edge_begin, (std::vector<int>{0, 6, 8, 11}));
}

TEST(BlockMatrix, RefusesLoopsUnknownBlocksAndEmptyBlocks) {
  BlockSymmetricMatrix H;
  EXPECT_THROW(H.set_pattern({1, 1}, {{1, 1}}), InternalError);
  EXPECT_THROW(H.set_pattern({1, 1}, {{2, 0}}), InternalError);
  EXPECT_THROW(H.set_pattern({1, 0}, {}), InternalError);
}

TEST(BlockMatrix, KnownPatternChangesOnce) {
  BlockSymmetricMatrix a, b;
  a.set_pattern({}, {});
  b.set_pattern({2, 2}, {{1, 0}});
  KnownPattern known;
  EXPECT_FALSE(known.fits(a));
  EXPECT_TRUE(known.change_to(a));  // the empty matrix, too, is news at first
  EXPECT_FALSE(known.change_to(a));
  EXPECT_TRUE(known.change_to(b));
  EXPECT_TRUE(known.fits(b));
  EXPECT_FALSE(known.fits(a));
}

TEST(BlockMatrix, MultipliesLikeItsDenseTwin) {
  BlockSymmetricMatrix H;
  H.set_pattern({6, 1, 6, 9, 6}, {{1, 0}, {2, 0}, {3, 2}, {4, 2}, {4, 3}, {3, 1}});
  test::fill_contact_like(&H, 5);
  MatrixX dense(H.rows(), H.rows());
  H.copy_to_dense(dense.data());
  EXPECT_EQ((dense - dense.transpose()).cwiseAbs().maxCoeff(), 0.0);
  const VectorX x = VectorX::LinSpaced(H.rows(), -1.0, 2.0);
  VectorX y(H.rows());
  H.multiply(x.data(), y.data());
  // Rounding of sums of at most 28 products, each below |H| |x|.
  const double bound = 30 * 2.3e-16 * dense.cwiseAbs().rowwise().sum().maxCoeff() * 2.0;
  EXPECT_LE((dense * x - y).cwiseAbs().maxCoeff(), bound);
}

}  // namespace
}  // namespace csim
