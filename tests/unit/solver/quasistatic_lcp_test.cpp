// Complementarity problems against enumeration of their cases; near-rigid problems against the projection
// formulas of SAP.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "solver/quasistatic/quasistatic_ambiguity.h"
#include "solver/quasistatic/quasistatic_lcp.h"
#include "support/random_quasistatic.h"

namespace csim {
namespace {

using namespace testing_support;

/// Random problems of contacts with two rays: mu = 0.5. Trees 0 and 1 without Q where `free`.
QuasistaticProblem planar_problem(unsigned seed, int num_groups, bool free, bool planned) {
  QuasistaticProblem p = RandomProblem(seed).make(num_groups, 2, true);
  p.has_coulomb_friction = true;
  p.executes_commands = planned;
  for (const QuasistaticGroup& group : p.groups) p.e[group.row_begin + 1] = p.e[group.row_begin];
  if (free) std::fill_n(p.Q.begin() + 36, 4, 0.0);  // of the tree with two velocities
  if (planned) {                                    // the commanded tree has a diagonal Q
    for (int i = 0; i < 9; ++i)
      if (i % 4 != 0) p.Q[40 + i] = 0.0;
  }
  return p;
}

/// All velocities that some choice of cases (impulse 0 or slack 0) gives, all of whose signs are right.
std::vector<VectorX> enumerate(const QuasistaticProblem& p) {
  const Dense d = dense(p);
  const int nv = p.nv(), c = static_cast<int>(p.groups.size()), m = 4 * c;
  const int n = nv + m;  // v; of each contact lambda_n, lambda_1, lambda_2, Gamma
  MatrixX A = MatrixX::Zero(n, n), slack = MatrixX::Zero(m, n);
  VectorX b = VectorX::Zero(n), offset = VectorX::Zero(m);
  A.topLeftCorner(nv, nv) = d.Q;
  b.head(nv) = d.b;
  for (int i = 0; i < c; ++i) {
    const Eigen::RowVectorXd plus = d.J.row(2 * i), minus = d.J.row(2 * i + 1);
    const Eigen::RowVectorXd normal = 0.5 * (plus + minus), tangent = plus - minus;  // (2 mu) t, mu = 1/2
    const int k = 4 * i, x = nv + k;
    A.block(0, x, nv, 1) = -normal.transpose();
    A.block(0, x + 1, nv, 1) = -tangent.transpose();
    A.block(0, x + 2, nv, 1) = tangent.transpose();
    slack.row(k).head(nv) = normal;
    offset[k] = d.e[2 * i];
    slack.row(k + 1).head(nv) = tangent;
    slack.row(k + 2).head(nv) = -tangent;
    slack(k + 1, x + 3) = slack(k + 2, x + 3) = 1.0;
    slack(k + 3, x) = 0.5;
    slack(k + 3, x + 1) = slack(k + 3, x + 2) = -1.0;
  }
  if (p.executes_commands) A.block(8, nv, 3, m).setZero();
  std::vector<VectorX> found;
  for (int cases = 0; cases < 1 << m; ++cases) {
    for (int j = 0; j < m; ++j) {
      A.row(nv + j) = slack.row(j) * (cases >> j & 1);
      if (!(cases >> j & 1)) A(nv + j, nv + j) = 1.0;
      b[nv + j] = cases >> j & 1 ? -offset[j] : 0.0;
    }
    const Eigen::FullPivLU<MatrixX> lu(A);
    if (!lu.isInvertible()) continue;
    const VectorX x = lu.solve(b);
    if (x.tail(m).minCoeff() < -1e-9 || (slack * x + offset).minCoeff() < -1e-9) continue;
    found.push_back(x.head(nv));
  }
  return found;
}

TEST(QuasistaticLcp, AgreesWithEnumerationOfCases) {
  for (const auto& [free, planned] :
       {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
    int solved = 0, without = 0;
    QuasistaticLcp lcp;
    for (unsigned seed = 0; seed < 100; ++seed) {
      const QuasistaticProblem p = planar_problem(seed, 2, free, planned);
      const std::vector<VectorX> all = enumerate(p);
      QuasistaticSolution solution;
      QuasistaticCertificate certificate;
      const std::string failure = lcp.solve(p, &solution, &certificate);
      EXPECT_EQ(failure.empty(), !all.empty()) << seed << " " << failure;
      if (!failure.empty()) {
        ++without;
        continue;
      }
      ++solved;
      EXPECT_LT(certificate.largest(), 1e-10) << seed;
      const Eigen::Map<const VectorX> v(solution.v.data(), p.nv());
      double nearest = 1.0;
      for (const VectorX& other : all) nearest = std::min(nearest, (v - other).cwiseAbs().maxCoeff());
      EXPECT_LT(nearest, 1e-8) << seed;
    }
    EXPECT_GT(solved, 30);
    if (free) {
      EXPECT_GT(without, 5);
    }
  }
}

TEST(FixedPoint, OneRatioIsGoneInTwoSteps) {
  const VectorX fixed = VectorX::LinSpaced(4, 0.5, 2.0);
  for (const double ratio : {0.3, 0.9, -0.8}) {
    FixedPoint point;
    for (int again = 0; again < 2; ++again) {
      point.restart(4, true);
      for (int step = 0; step < 2; ++step) {
        EXPECT_GT((point.x - fixed).cwiseAbs().maxCoeff(), 0.1);
        point.f = fixed + ratio * (point.x - fixed);
        point.advance();
      }
      EXPECT_LT((point.x - fixed).cwiseAbs().maxCoeff(), 1e-14) << ratio;
    }
    point.restart(4, false);
    for (int step = 0; step < 2; ++step) {
      point.f = fixed + ratio * (point.x - fixed);
      point.advance();
    }
    EXPECT_LT((point.x - (1.0 - ratio * ratio) * fixed).cwiseAbs().maxCoeff(), 1e-14) << ratio;
  }
}

TEST(FixedPoint, StaysPositiveAndComesBackFromStepsThatGrow) {
  // f turns and folds: x = max(0, f(x)) has the fixed point (1, 0).
  const Eigen::Matrix2d turn = (Eigen::Matrix2d() << 0.2, -0.7, 0.7, 0.2).finished();
  const Vector2 fixed(1.0, 0.0);
  FixedPoint point;
  point.restart(2, true);
  for (int step = 0; step < 60; ++step) {
    point.f = (fixed + turn * (point.x - fixed)).cwiseMax(0.0);
    point.advance();
    EXPECT_GE(point.x.minCoeff(), 0.0);
  }
  EXPECT_LT((point.x - fixed).norm(), 1e-12);
}

/// Three groups whose rows hold, soft and stiff, and a row that only presses; tree 1 without Q where `free`.
QuasistaticProblem held_problem(unsigned seed, bool free) {
  RandomProblem random(seed);
  QuasistaticProblem p = random.make(4, 3, false);
  p.groups.back().row_end = p.groups.back().row_begin + 1;
  const auto num_rows = static_cast<std::size_t>(p.groups.back().row_end);
  p.rays.resize(num_rows);
  p.rays.back() = Vector3::UnitZ();
  p.e.resize(num_rows);
  p.compliance.assign(num_rows, 0.0);
  for (double& R : p.compliance) R = std::pow(10.0, 2.0 * random.uniform());
  p.holds.assign(num_rows, 1);
  p.holds.back() = 0;
  for (std::size_t i = 0; i < p.groups.size(); ++i) p.groups[i].constraint = static_cast<int>(i);
  if (free) std::fill_n(p.Q.begin() + 36, 4, 0.0);
  return p;
}

/// (v, z) of Q v - J^T z = b, J v + R z = -e, of all rows or of all but the last, whichever has the right
/// sign.
VectorX solve_equations(const QuasistaticProblem& p) {
  const Dense d = dense(p);
  const int nv = p.nv(), m = p.num_rows();
  MatrixX A = MatrixX::Zero(nv + m, nv + m);
  A.topLeftCorner(nv, nv) = d.Q;
  A.topRightCorner(nv, m) = -d.J.transpose();
  A.bottomLeftCorner(m, nv) = d.J;
  for (int j = 0; j < m; ++j) A(nv + j, nv + j) = p.compliance[static_cast<std::size_t>(j)];
  VectorX b(nv + m);
  b << d.b, -d.e;
  const VectorX presses = A.fullPivLu().solve(b);
  if (presses[nv + m - 1] >= 0.0) return presses;
  VectorX apart = VectorX::Zero(nv + m);
  apart.head(nv + m - 1) = A.topLeftCorner(nv + m - 1, nv + m - 1).fullPivLu().solve(b.head(nv + m - 1));
  return apart;
}

TEST(QuasistaticLcp, RowsThatHoldSolveTheDenseEquationsAsInTheProgram) {
  for (const bool free : {false, true}) {
    QuasistaticLcp lcp;
    QuasistaticSolver solver;
    int press = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
      QuasistaticProblem p = held_problem(seed, free);
      const VectorX truth = solve_equations(p);
      press += truth[truth.size() - 1] > 0.0 ? 1 : 0;
      QuasistaticSolution of_program, of_lcp;
      QuasistaticCertificate certificate;
      solver.solve(p, &of_program, &certificate);
      EXPECT_LT(certificate.largest(), 1e-11) << seed;
      p.has_coulomb_friction = true;
      ASSERT_EQ(lcp.solve(p, &of_lcp, &certificate), "") << seed;
      EXPECT_LT(certificate.largest(), 1e-11) << seed;
      for (const QuasistaticSolution* solution : {&of_program, &of_lcp}) {
        VectorX found(truth.size());
        found << Eigen::Map<const VectorX>(solution->v.data(), p.nv()),
            Eigen::Map<const VectorX>(solution->z.data(), p.num_rows());
        EXPECT_LT((found - truth).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + truth.cwiseAbs().maxCoeff())) << seed;
      }
    }
    EXPECT_GT(press, 20);
    EXPECT_LT(press, 80);
  }
}

TEST(QuasistaticLcp, UnitsOfTheProblemDoNotMatter) {
  // With b, Q times 1e-6 the same velocities, impulses times 1e-6.
  QuasistaticLcp lcp;
  for (unsigned seed = 0; seed < 50; ++seed) {
    QuasistaticProblem p = planar_problem(seed, 4, false, false);
    QuasistaticSolution solution, scaled;
    QuasistaticCertificate certificate;
    ASSERT_EQ(lcp.solve(p, &solution, &certificate), "");
    for (double& q : p.Q) q *= 1e-6;
    for (double& b : p.b) b *= 1e-6;
    ASSERT_EQ(lcp.solve(p, &scaled, &certificate), "") << seed;
    for (int k = 0; k < p.nv(); ++k) EXPECT_NEAR(scaled.v[k], solution.v[k], 1e-8) << seed;
  }
}

// ---- Near-rigid contacts ----

/// Cones with mu = 0.5 in place of pyramids.
QuasistaticProblem cone_problem(unsigned seed) {
  QuasistaticProblem p = RandomProblem(seed).make(5, 3, false);
  for (QuasistaticGroup& group : p.groups) {
    const int row = group.row_begin;
    group.is_cone = true;
    p.rays[row] = {0.0, 0.0, 2.0};
    p.rays[row + 1] = Vector3::UnitX();
    p.rays[row + 2] = Vector3::UnitY();
    p.e[row] *= 2.0;
    p.e[row + 1] = p.e[row + 2] = 0.0;
  }
  return p;
}

TEST(QuasistaticNearRigid, ImpulsesAreTheProjectionsOfSap) {
  constexpr double kMu = 0.5, kBeta = 0.01;
  int sticks = 0, slides = 0, opens = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    QuasistaticProblem p = cone_problem(seed);
    std::vector<double> work;
    make_near_rigid(&p, &work);
    QuasistaticSolution solution;
    QuasistaticCertificate certificate;
    QuasistaticSolver().solve(p, &solution, &certificate);
    EXPECT_LT(certificate.largest(), 1e-9) << seed;
    const MatrixX A_inverse = dense(p).Q.inverse();  // the metric is Q here
    double largest = 1e-3;
    for (const QuasistaticGroup& group : p.groups)
      largest = std::max(largest, contact_impulse(p, group, solution.z).norm());
    for (const QuasistaticGroup& group : p.groups) {
      MatrixX J = MatrixX::Zero(3, p.nv());
      for (int i = group.side_begin; i < group.side_end; ++i) {
        const auto [tree, begin] = p.sides[i];
        if (tree < 0) continue;
        J.middleCols(p.begin[tree], p.size[tree]) +=
            Eigen::Map<const MatrixX>(p.jacobians.data() + begin, 3, p.size[tree]);
      }
      const double w = (J * A_inverse * J.transpose()).norm() / 3.0;
      const double R = kBeta * kBeta / (4.0 * M_PI * M_PI) * w;
      Vector3 v_c = contact_velocity(p, group, solution.v);
      v_c.z() += kMu * p.e[group.row_begin];
      const Vector3 y = -v_c / R;
      const double y_r = y.head<2>().norm();
      Vector3 impulse = y;
      if (y_r > kMu * y.z()) {
        const double normal = std::max(0.0, (y.z() + kMu * y_r) / (1.0 + kMu * kMu));
        impulse << kMu * normal * y.head<2>() / y_r, normal;
      }
      ++(impulse.z() == 0.0 ? opens : y_r <= kMu * y.z() ? sticks : slides);
      // The projection divides rounding of v_c by R.
      EXPECT_LT((contact_impulse(p, group, solution.z) - impulse).norm(), 1e-6 * largest) << seed;
    }
  }
  EXPECT_GT(sticks, 20);
  EXPECT_GT(slides, 20);
  EXPECT_GT(opens, 20);
}

}  // namespace
}  // namespace csim
