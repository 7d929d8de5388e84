// The factor of a tree's block against Eigen's.
#include "model/tree_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "model/dynamics.h"
#include "model/kinematics.h"
#include "support/random_system.h"
#include "unit/model/test_scenes.h"

namespace csim::test {
namespace {

using testing_support::Random;

/// The branches of a tree given by its parents, which stand parents first and branch by branch.
struct Branching {
  explicit Branching(const std::vector<int>& the_parents) : parent(the_parents) {
    for (int k = 0; k < n(); ++k) {
      run_begin.push_back(k > 0 && parent[k] == k - 1 ? run_begin[k - 1] : k);
      branch_end.push_back(k + 1);
      for (int i = parent[k]; i >= 0; i = parent[i]) branch_end[i] = k + 1;
    }
  }
  [[nodiscard]] int n() const { return static_cast<int>(parent.size()); }
  [[nodiscard]] TreeBranches branches() const {
    return {is_chain, n(), parent.data(), run_begin.data(), branch_end.data()};
  }
  [[nodiscard]] bool is_on_way(int i, int k) const {  // from k to the root
    for (; k > i; k = parent[k]) {
    }
    return k == i;
  }
  /// J^T J + 0.1 with rows of J along ways to the root, as of a mass matrix.
  [[nodiscard]] MatrixX random_block(Random* random) const {
    MatrixX A = 0.1 * MatrixX::Identity(n(), n());
    for (int k = 0; k < n(); ++k)
      for (int row = 0; row < 6; ++row) {
        VectorX j = VectorX::Zero(n());
        for (int i = k; i >= 0; i = parent[i]) j[i] = random->normal();
        A += j * j.transpose();
      }
    return A;
  }

  std::vector<int> parent, run_begin, branch_end;
  bool is_chain = false;
};

/// `is_marked`: as one, or by its parents.
Branching chain(int n, bool is_marked = true) {
  std::vector<int> parents(n);
  for (int k = 0; k < n; ++k) parents[k] = k - 1;
  Branching branching(parents);
  branching.is_chain = is_marked;
  return branching;
}

Branching random_tree(int n, Random* random) {
  std::vector<int> parents{-1};
  for (int k = 1; k < n; ++k) {
    int parent = k - 1;
    while (parent >= 0 && random->integer(0, 2) == 0) parent = parents[parent];
    parents.push_back(parent);
  }
  return Branching(parents);
}

TEST(TreeFactor, AgreesWithEigen) {
  Random random(5);
  for (int n = 1; n <= 40; ++n) {
    for (const Branching& tree : {chain(n), chain(n, false), random_tree(n, &random)}) {
      const MatrixX A = tree.random_block(&random);
      const VectorX b = VectorX::NullaryExpr(n, [&] { return random.normal(); });
      MatrixX U = A.triangularView<Eigen::Upper>();  // the upper triangle is enough
      ASSERT_TRUE(factor_block(tree.branches(), U.data()));
      // U U^T of a matrix is L L^T of that with its rows and columns from the last on.
      const MatrixX L = MatrixX(A.reverse()).llt().matrixL();
      const MatrixX expected = L.reverse();
      const double tolerance = 1e-15 * n * 1e5;  // roundings of n products, of the condition number
      for (int k = 0; k < n; ++k) {
        EXPECT_NEAR(U(k, k) * expected(k, k), 1.0, tolerance);
        for (int i = 0; i < k; ++i) {
          EXPECT_NEAR(U(i, k), expected(i, k), tolerance * expected.norm());
          if (tree.is_on_way(i, k))
            EXPECT_EQ(U(k, i), U(i, k));
          else
            EXPECT_EQ(U(i, k), 0.0);
        }
      }
      VectorX x = b;
      solve_block(tree.branches(), U.data(), x.data());
      EXPECT_LT((A * x - b).norm(), tolerance * b.norm()) << n;
      const int k = random.integer(0, n - 1);
      VectorX column = VectorX::Unit(n, k);
      solve_upwards(tree.branches(), U.data(), k, column.data());
      EXPECT_LT((expected * column - VectorX::Unit(n, k)).norm(), tolerance) << n;
    }
  }
}

TEST(TreeFactor, TellsOfAMatrixThatIsNotPositive) {
  Random random(6);
  const Branching tree = chain(8);
  for (const double wrong : {-1e-3, 0.0, std::nan("")}) {
    MatrixX A = tree.random_block(&random);
    A.row(5).setZero();
    A.col(5).setZero();
    A(5, 5) = wrong;
    EXPECT_FALSE(factor_block(tree.branches(), A.data()));
  }
}

/// A trunk on a ball joint with two arms of two links, a plate welded between those of the right one.
/// `place`: of the trunk, left upper, left lower, right upper, plate and right lower among the bodies.
Scene two_arms(const std::vector<int>& place) {
  Scene scene;
  for (int i = 0; i < 6; ++i)
    scene.bodies.push_back(heavy_body("b" + std::to_string(i), 1.0, {0.1, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0}));
  scene.joints = {joint("base", JointType::kBall, -1, place[0])};
  const auto add = [&](JointType type, int parent, int child) {
    scene.joints.push_back(joint("j" + std::to_string(child), type, place[parent], place[child]));
  };
  add(JointType::kRevolute, 0, 1);
  add(JointType::kRevolute, 1, 2);
  add(JointType::kRevolute, 0, 3);
  add(JointType::kWeld, 3, 4);
  add(JointType::kRevolute, 4, 5);
  return scene;
}

TEST(TreeFactor, BranchesOfAModel) {
  const Model ordered = build_valid(two_arms({0, 1, 2, 3, 4, 5})).model;
  EXPECT_FALSE(ordered.trees[0].is_chain);
  EXPECT_EQ(ordered.parent, (std::vector<int>{-1, 0, 1, 2, 3, 2, 5}));
  EXPECT_EQ(ordered.run_begin, (std::vector<int>{0, 0, 0, 0, 0, 5, 5}));
  EXPECT_EQ(ordered.branch_end, (std::vector<int>{7, 7, 7, 5, 5, 7, 7}));
  // Branches in turn, or a child before its parent: one chain.
  for (const std::vector<int>& place : {std::vector{0, 1, 3, 2, 4, 5}, std::vector{1, 0, 2, 3, 4, 5}}) {
    const Model mixed = build_valid(two_arms(place)).model;
    EXPECT_TRUE(mixed.trees[0].is_chain);
    EXPECT_EQ(mixed.parent, (std::vector<int>{-1, 0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(mixed.run_begin, std::vector<int>(7, 0));
    EXPECT_EQ(mixed.branch_end, std::vector<int>(7, 7));
  }
}

// Whatever the order of the bodies, M x = f is solved.
TEST(TreeFactor, SolvesWithTheMassOfATree) {
  for (const std::vector<int>& place :
       {std::vector{0, 1, 2, 3, 4, 5}, std::vector{0, 1, 3, 2, 4, 5}, std::vector{1, 0, 2, 3, 4, 5}}) {
    const Built built = build_valid(two_arms(place));
    Kinematics kinematics;
    Dynamics dynamics;
    compute_kinematics(built.model, built.state.q, 0.0, 1e-3, &kinematics);
    compute_dynamics(built.model, kinematics, built.state, 1e-3, &dynamics);
    std::vector<double> factors;
    factor_trees(built.model, dynamics.mass, &factors);
    VectorX x = VectorX::LinSpaced(7, 1.0, 2.0);
    solve_tree(built.model, 0, dynamics.mass, factors, &x);
    const MatrixX M = Eigen::Map<const MatrixX>(dynamics.mass.data(), 7, 7);
    EXPECT_LT((M * x - VectorX::LinSpaced(7, 1.0, 2.0)).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace csim::test
