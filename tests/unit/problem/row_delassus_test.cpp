// The weights of scalar rows, against dense matrices.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "problem/build_contact_problem.h"

namespace csim {
namespace {

/// A tree of a hinge, a ball joint and a slide, one of a ball joint alone; rows with up to three terms.
struct Rows {
  Rows() {
    choose_contact_law(ContactSpec{}, &problem);
    add_tree(5);
    add_tree(3);
    problem.scale.resize(8);
    problem.rows.term_begin = {0};
  }

  void add_tree(int nv) {
    std::normal_distribution<double> normal;
    ProblemTree tree;
    tree.model_tree = static_cast<int>(problem.trees.size());
    tree.nv = nv;
    tree.v_begin = static_cast<int>(A.rows());
    tree.A_begin = static_cast<int>(problem.A.size());
    const MatrixX root = MatrixX::NullaryExpr(nv, nv, [&] { return normal(random); });
    const MatrixX block = root * root.transpose() + 0.1 * MatrixX::Identity(nv, nv);
    problem.A.insert(problem.A.end(), block.data(), block.data() + nv * nv);
    A.conservativeResizeLike(MatrixX::Zero(tree.v_begin + nv, tree.v_begin + nv));
    A.bottomRightCorner(nv, nv) = block;
    problem.trees.push_back(tree);
  }

  /// sum c_k v_k; `group`: RowLaw.
  void add_row(const std::vector<std::pair<int, double>>& terms, int group) {
    RowColumns& rows = problem.rows;
    const auto i = static_cast<std::size_t>(rows.size());
    rows.resize(i + 1);
    rows.law[i].group = group;
    rows.law[i].stiffness = std::numeric_limits<double>::infinity();
    rows.law[i].lower = -std::numeric_limits<double>::infinity();
    rows.law[i].upper = std::numeric_limits<double>::infinity();
    for (const auto& [v, c] : terms) {
      RowTerm term;
      term.tree = v < 5 ? 0 : 1;
      term.v = v;
      term.coefficient = c;
      rows.terms.push_back(term);
      rows.turning.push_back(v >= 1 && v < 4 ? 1 : v >= 5 ? 5 : -1);
    }
    rows.term_begin.resize(i + 2);
    rows.term_begin[i + 1] = static_cast<int>(rows.terms.size());
    VectorX c = VectorX::Zero(A.rows());
    for (const auto& [v, coefficient] : terms) c[v] += coefficient;
    coefficients.push_back(c);
  }

  /// c^T B^-1 c: B is the diagonal of A and its blocks of the angular velocities of both ball joints.
  [[nodiscard]] double weight(std::size_t i) const {
    MatrixX B = A.diagonal().asDiagonal();
    for (const int ball : {1, 5}) B.block<3, 3>(ball, ball) = A.block<3, 3>(ball, ball);
    return coefficients[i].dot(B.ldlt().solve(coefficients[i]));
  }

  std::mt19937 random{7};
  MatrixX A;
  ConvexProblem problem;
  std::vector<VectorX> coefficients;
};

TEST(RowDelassus, IsThatOfTheBlocksOfBallJoints) {
  Rows rows;
  rows.add_row({{0, 2.0}}, 1);
  rows.add_row({{4, -1.0}, {0, 0.5}}, 1);
  rows.add_row({{2, 1.5}}, 1);                                                     // one axis of a ball joint
  rows.add_row({{1, 0.3}, {2, -0.8}, {3, 1.1}}, 1);                                // about an axis of its own
  rows.add_row({{3, 0.7}, {0, 1.0}, {1, -0.4}}, 1);                                // parted by another
  rows.add_row({{6, 1.0}, {2, 0.6}, {5, -0.5}, {3, 0.2}, {6, 0.4}, {4, 1.0}}, 1);  // of both, one twice
  prepare_step(0.01, &rows.problem, nullptr);
  for (std::size_t i = 0; i < rows.coefficients.size(); ++i)
    EXPECT_NEAR(rows.problem.rows.delassus[i], rows.weight(i), 1e-12 * rows.weight(i)) << i;
}

TEST(RowDelassus, OfAGroupIsTheMean) {
  Rows rows;
  rows.add_row({{5, 1.0}}, 3);
  rows.add_row({{6, 1.0}}, 0);
  rows.add_row({{7, 1.0}, {0, 0.5}}, 0);
  rows.add_row({{1, 1.0}}, 1);
  prepare_step(0.01, &rows.problem, nullptr);
  const double mean = (rows.weight(0) + rows.weight(1) + rows.weight(2)) / 3.0;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(rows.problem.rows.delassus[i], mean, 1e-12 * mean);
  EXPECT_NEAR(rows.problem.rows.delassus[3], rows.weight(3), 1e-12 * rows.weight(3));
}

// The same rows in other axes of the ball joint's parent: the sum over three axes is of the joint alone.
TEST(RowDelassus, OfThreeAxesDoesNotDependOnThem) {
  const Matrix3 R = (Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized())).toRotationMatrix();
  Rows straight, turned;
  for (int k = 0; k < 3; ++k) {
    straight.add_row({{5 + k, 1.0}}, k == 0 ? 3 : 0);
    turned.add_row({{5, R(0, k)}, {6, R(1, k)}, {7, R(2, k)}}, k == 0 ? 3 : 0);
  }
  prepare_step(0.01, &straight.problem, nullptr);
  prepare_step(0.01, &turned.problem, nullptr);
  EXPECT_NEAR(turned.problem.rows.delassus[0], straight.problem.rows.delassus[0],
              1e-12 * straight.problem.rows.delassus[0]);
}

}  // namespace
}  // namespace csim
