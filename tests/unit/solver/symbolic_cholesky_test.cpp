#include "solver/linear/symbolic_cholesky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "support/contact_graphs.h"

namespace csim {
namespace {

// Rows below the diagonal of every column of L, by elimination on sets in the structure's order.
std::vector<std::set<int>> factor_rows(const BlockSymmetricMatrix& H, const SupernodalStructure& structure) {
  std::vector<std::set<int>> rows(H.num_blocks());
  for (const auto& [i, j] : H.edges) {
    const int a = structure.position[i], b = structure.position[j];
    rows[std::min(a, b)].insert(std::max(a, b));
  }
  for (int k = 0; k < H.num_blocks(); ++k) {
    if (rows[k].empty()) continue;
    const int parent = *rows[k].begin();
    for (const int row : rows[k])
      if (row != parent) rows[parent].insert(row);
  }
  return rows;
}

BlockSymmetricMatrix random_pattern(unsigned seed) {
  std::mt19937 generator(seed);
  const int n = 1 + static_cast<int>(generator() % 80);
  std::vector<int> size(n);
  for (int& s : size) s = generator() % 3 == 0 ? 1 + static_cast<int>(generator() % 9) : 6;
  test::Edges edges;
  for (int e = static_cast<int>(generator() % (3 * n)); e > 0; --e) {
    const int i = static_cast<int>(generator() % n), j = static_cast<int>(generator() % n);
    if (i != j) edges.push_back({i, j});
  }
  BlockSymmetricMatrix H;
  H.set_pattern(size, edges);
  return H;
}

class SymbolicCholeskyTest : public ::testing::TestWithParam<int> {};

TEST_P(SymbolicCholeskyTest, HoldsEveryEntryOfTheFactorAndEveryUpdateOfIt) {
  const int max_columns = GetParam();
  SymbolicCholesky symbolic;
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const BlockSymmetricMatrix H = seed == 149 ? test::pile_matrix(200) : random_pattern(seed);
    SupernodalStructure structure;
    symbolic.analyze(H, max_columns, &structure);
    const auto exact = factor_rows(H, structure);
    long exact_nonzeros = 0, nonzeros = 0;
    for (int s = 0; s < structure.num_supernodes(); ++s) {
      const std::set<int> rows(structure.rows.begin() + structure.rows_begin[s],
                               structure.rows.begin() + structure.rows_begin[s + 1]);
      ASSERT_TRUE(std::is_sorted(structure.rows.begin() + structure.rows_begin[s],
                                 structure.rows.begin() + structure.rows_begin[s + 1]));
      long below = 0, columns = 0;
      for (const int row : rows) {
        ASSERT_GE(row, structure.begin[s + 1]);
        below += H.size[structure.order[row]];
        // Closed under elimination: what lies below `row` in this supernode lies below it in row's own, too.
        int t = s;
        while (structure.begin[t + 1] <= row) ++t;
        const std::set<int> target(structure.rows.begin() + structure.rows_begin[t],
                                   structure.rows.begin() + structure.rows_begin[t + 1]);
        for (const int other : rows) ASSERT_TRUE(other < structure.begin[t + 1] || target.count(other));
      }
      for (int k = structure.begin[s]; k < structure.begin[s + 1]; ++k) {
        const long size = H.size[structure.order[k]];
        for (const int row : exact[k]) {
          ASSERT_TRUE(row < structure.begin[s + 1] || rows.count(row)) << "column " << k << ", row " << row;
          exact_nonzeros += size * H.size[structure.order[row]];
        }
        exact_nonzeros += size * (size + 1) / 2;
        columns += size;
      }
      nonzeros += columns * (columns + 1) / 2 + columns * below;
      const int trees = structure.begin[s + 1] - structure.begin[s];
      EXPECT_TRUE(trees == 1 || columns <= max_columns + 9)
          << columns;  // whole trees: the last one may stick out
    }
    EXPECT_EQ(structure.nonzeros, nonzeros);
    EXPECT_GE(structure.nonzeros, exact_nonzeros);
    EXPECT_LE(structure.nonzeros, 1.7 * exact_nonzeros);  // no merge adds more zeros than 0.4 of its entries
  }
}

INSTANTIATE_TEST_SUITE_P(PanelWidths, SymbolicCholeskyTest, ::testing::Values(6, 30, 96, 100000));

TEST(SymbolicCholesky, CountsTheFlopsOfADenseMatrix) {
  BlockSymmetricMatrix H;
  H.set_pattern({3}, {});
  SupernodalStructure structure;
  SymbolicCholesky().analyze(H, 96, &structure);
  EXPECT_EQ(structure.flops, 1 + 4 + 9);
  EXPECT_EQ(structure.nonzeros, 6);
}

}  // namespace
}  // namespace csim
