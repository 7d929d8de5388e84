// The quasistatic quadratic program against enumeration of its active sets, and its certificates of missing
// answers.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "solver/quasistatic/quasistatic_existence.h"
#include "solver/quasistatic/quasistatic_scale.h"
#include "support/random_quasistatic.h"

namespace csim {
namespace {

using namespace testing_support;

/// The v of the only active set that is feasible with impulses >= 0; false: none, the problem is infeasible.
bool enumerate(const Dense& d, VectorX* v) {
  const int m = static_cast<int>(d.e.size()), n = static_cast<int>(d.b.size());
  for (int set = 0; set < 1 << m; ++set) {
    std::vector<int> rows;
    for (int j = 0; j < m; ++j)
      if (set >> j & 1) rows.push_back(j);
    const int k = static_cast<int>(rows.size());
    if (k > n) continue;
    MatrixX kkt = MatrixX::Zero(n + k, n + k);
    VectorX right(n + k);
    kkt.topLeftCorner(n, n) = d.Q;
    right.head(n) = d.b;
    for (int i = 0; i < k; ++i) {
      kkt.block(n + i, 0, 1, n) = d.J.row(rows[i]);
      kkt.block(0, n + i, n, 1) = -d.J.row(rows[i]).transpose();
      right[n + i] = -d.e[rows[i]];
    }
    const Eigen::FullPivLU<MatrixX> lu(kkt);
    if (!lu.isInvertible()) continue;
    const VectorX x = lu.solve(right);
    if (k > 0 && x.tail(k).minCoeff() < -1e-10) continue;
    if ((d.J * x.head(n) + d.e).minCoeff() < -1e-10) continue;
    *v = x.head(n);
    return true;
  }
  return false;
}

struct Solved {
  QuasistaticSolution solution;
  QuasistaticCertificate certificate;
  int num_islands = 0;
};

Solved solve(const QuasistaticProblem& p) {
  Solved out;
  QuasistaticSolver solver;
  solver.solve(p, &out.solution, &out.certificate);
  out.num_islands = solver.num_islands();
  return out;
}

// A normal that passes through the axis of a joint has a lever of rounding: a load as if it had none.
TEST(QuasistaticScale, AContactThroughAnAxisAddsNoLoad) {
  QuasistaticProblem p = RandomProblem(1).make(4, 2, true);
  p.groups[0].side_end = 1;
  const auto [tree, jacobian] = p.sides[0];
  ASSERT_GE(tree, 0);
  const auto with_lever = [&](double scale) {
    QuasistaticProblem q = p;
    for (int k = 0; k < q.size[tree]; ++k) q.jacobians[jacobian + 3 * k + 2] *= scale;
    return load_of(q);
  };
  EXPECT_EQ(with_lever(1e-17), with_lever(0.0));
  EXPECT_LT(with_lever(1.0), 1e3 * with_lever(0.0));
}

TEST(QuasistaticProgram, AgreesWithEnumerationOfActiveSets) {
  int active = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    QuasistaticProblem p = RandomProblem(seed).make(4, 2 + seed % 2, true);
    const bool two_islands = seed % 4 == 0;
    if (two_islands) {
      p.sides[1].tree = -1;  // of group 0, the only one of trees 0 and 1
      p.sides[2].tree = -1;  // of group 1: no side moves
      std::fill(p.e.begin() + p.groups[1].row_begin, p.e.begin() + p.groups[1].row_end, 1.0);
    }
    const Dense d = dense(p);
    VectorX v;
    if (!enumerate(d, &v)) continue;
    ++active;
    const Solved s = solve(p);
    EXPECT_EQ(s.num_islands, two_islands ? 2 : 1);
    ASSERT_TRUE(s.solution.ok);
    EXPECT_LT((Eigen::Map<const VectorX>(s.solution.v.data(), p.nv()) - v).cwiseAbs().maxCoeff(), 1e-10)
        << seed;
    EXPECT_LT(s.certificate.largest(), 1e-12) << seed;
  }
  EXPECT_GT(active, 250);
}

TEST(QuasistaticProgram, CertificateIsThatOfTheDenseProblem) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomProblem random(seed);
    const QuasistaticProblem p = random.make(6, 4, false);
    const Dense d = dense(p);
    std::vector<double> v, z;
    CertificateWork work;
    for (int k = 0; k < p.nv(); ++k) v.push_back(random.uniform());
    for (int j = 0; j < p.num_rows(); ++j) z.push_back(random.uniform());
    const VectorX V = Eigen::Map<VectorX>(v.data(), p.nv()), Z = Eigen::Map<VectorX>(z.data(), p.num_rows());
    const VectorX impulse = d.J.transpose() * Z, residual = d.Q * V - d.b - impulse, s = d.J * V + d.e;
    const auto norm = [](const VectorX& x) { return x.cwiseAbs().maxCoeff(); };
    const QuasistaticCertificate c = certify(p, load_of(p), v, z, &work);
    // |b|, or what removes an overlap; the four rays of a contact have n as their mean.
    double load = norm(d.b);
    for (int i = 0; i < 6; ++i) {
      const VectorX n = d.J.middleRows(4 * i, 4).colwise().mean();
      load = std::max(load, -d.e[4 * i] / n.cwiseAbs2().cwiseQuotient(d.Q.diagonal()).sum());
    }
    EXPECT_NEAR(c.stationarity, norm(residual) / std::max(load, norm(impulse)), 1e-14);
    EXPECT_NEAR(c.primal, std::max(0.0, -s.minCoeff()), 1e-14);
    EXPECT_NEAR(c.dual_sign, -Z.minCoeff() / std::max({Z.maxCoeff(), -Z.minCoeff(), 1e-6 * load}), 1e-14);
    EXPECT_NEAR(c.complementarity, norm(s.cwiseProduct(Z)) / load, 1e-13);
    EXPECT_NEAR(c.balance,
                std::max(norm(residual.head(6)) / std::max(norm(d.b.head(6)), norm(impulse.head(6))),
                         norm(residual.segment(6, 2)) /
                             std::max(norm(d.b.segment(6, 2)), norm(impulse.segment(6, 2)))),
                1e-13);
  }
}

TEST(QuasistaticProgram, SqueezeIsFoundWhereEnumerationFindsNoVelocity) {
  int infeasible = 0, feasible = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    QuasistaticProblem p = RandomProblem(1000 + seed).make(6, 1 + seed % 3, false);
    // Rows of the small tree alone, so that many exclude each other.
    for (QuasistaticGroup& group : p.groups) {
      p.sides[group.side_begin].tree = 1;
      group.side_end = group.side_begin + 1;
    }
    QuasistaticExistence existence;
    SqueezeCertificate certificate;
    existence.find_squeeze(p, &certificate);
    const Dense d = dense(p);
    if (certificate.found) {
      ++infeasible;
      // Farkas: y >= 0, J^T y = 0, e^T y < 0.
      const Eigen::Map<const VectorX> y(certificate.y.data(), p.num_rows());
      EXPECT_GE(y.minCoeff(), -1e-9) << seed;
      EXPECT_LT((d.J.transpose() * y).cwiseAbs().maxCoeff(), 1e-5) << seed;
      EXPECT_LT(d.e.dot(y), -1e-5) << seed;
      EXPECT_NEAR(certificate.overlap, -p.h * d.e.dot(y), 1e-12);
    } else {
      ++feasible;
      const Solved s = solve(p);
      EXPECT_LT(s.certificate.primal, 1e-9) << seed;
    }
  }
  EXPECT_GT(infeasible, 20);
  EXPECT_GT(feasible, 20);
}

TEST(QuasistaticProgram, MissingSupportIsTheProjectionOnTheRecessionCone) {
  int unsupported = 0, supported = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const QuasistaticProblem p = RandomProblem(2000 + seed).make(seed % 12, 3, true);
    QuasistaticExistence existence;
    SupportCertificate certificate;
    existence.find_missing_support(p, 1e-9, &certificate);
    // By Farkas: a direction that no row stops, along which gravity works.
    const Dense d = dense(p);
    VectorX load = d.b;
    load.tail(3).setZero();
    if (certificate.found) {
      ++unsupported;
      const Eigen::Map<const VectorX> direction(certificate.direction.data(), p.nv());
      MatrixX J = d.J;
      J.rightCols(3).setZero();
      EXPECT_LT(direction.tail(3).cwiseAbs().maxCoeff(), 1e-12);
      if (J.rows() > 0) {
        EXPECT_GT((J * direction).minCoeff(), -1e-9) << seed;
      }
      EXPECT_GT(load.dot(direction), 1e-9) << seed;
    } else {
      ++supported;
    }
  }
  EXPECT_GT(unsupported, 20);
  EXPECT_GT(supported, 5);
}

}  // namespace
}  // namespace csim
