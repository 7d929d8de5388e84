// The sparse operators of the problem against the dense twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "problem/contact_forces.h"
#include "solver/method/assemble_hessian.h"
#include "unit/solver/dense_reference.h"

namespace csim {
namespace {

using namespace testing_support;

class AssembleTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    SystemOptions options;
    options.num_articulated = GetParam() % 4;
    options.num_pairs = 5 + GetParam();
    options.num_rows = GetParam() % 3 * 4;
    system_ = make_random_system(options, GetParam());
    system_.build(options.contact, &data_);
  }
  RandomSystem system_;
  StepData data_;
};

INSTANTIATE_TEST_SUITE_P(Seeds, AssembleTest, testing::Range(1, 25));

// Joints of other branches do not move a body: a third of those behind the first.
void add_branches(RandomSystem* system) {
  for (std::size_t b = 0; b < system->model.bodies.size(); ++b) {
    const int tree = system->model.bodies[b].tree, begin = system->kinematics.jacobian_begin[b];
    for (int j = 1; begin >= 0 && j < system->model.trees[tree].nv; ++j)
      if (j % 3 == 0) std::fill_n(system->kinematics.jacobians.begin() + begin + 6 * j, 6, 0.0);
  }
}

// The matrix of the acting edges alone: the same numbers, in a pattern without the edges whose contacts all
// have G = 0.
void expect_the_same_from_acting_edges(const ConvexProblem& problem, const Island& island, PoolHessians G,
                                       const ContactVelocities& v_c, const MatrixX& expected) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<bool> acts(island.edge_end - island.edge_begin, false);
  int idle_contact = -1;
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const ContactCluster& cluster = problem.clusters[k];
    if (cluster.edge < 0) continue;
    for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i)
      if (G[i].norm() > 0.0) acts[cluster.edge] = true;
  }
  for_each_row_edge(problem, island, [&](int, const TermRange& p, const TermRange& q) {
    const std::vector<RowTerm>& terms = problem.rows.terms;
    acts[find_edge(problem, island, terms[p.begin].tree, terms[q.begin].tree)] = true;
  });
  EdgePlaces places;
  BlockSymmetricMatrix H;
  HessianBuffer buffer;
  set_hessian_pattern(problem, island, G, v_c.normal, -kInfinity, &places, &H);
  EXPECT_EQ(H.num_edges(), std::count(acts.begin(), acts.end(), true));
  EXPECT_TRUE(pattern_holds(problem, island, G, places));
  assemble_hessian(problem, island, G, &H, &buffer, &places);
  MatrixX dense(H.rows(), H.rows());
  H.copy_to_dense(dense.data());
  EXPECT_EQ(dense, expected);
  // One more contact that acts, at an edge without a place.
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const ContactCluster& cluster = problem.clusters[k];
    if (cluster.edge >= 0 && !acts[cluster.edge]) idle_contact = cluster.contacts.begin;
  }
  if (idle_contact >= 0) {
    G.yy[idle_contact] = 1.0;
    EXPECT_FALSE(pattern_holds(problem, island, G, places));
  }
  // Everything is near when the reach is long: the island's pattern.
  set_hessian_pattern(problem, island, G, v_c.normal, kInfinity, &places, &H);
  EXPECT_EQ(H.num_edges(), island.edge_end - island.edge_begin);
  EXPECT_TRUE(pattern_holds(problem, island, G, places));
}

TEST_P(AssembleTest, OperatorsAgreeWithTheDenseTwin) {
  if (GetParam() % 2 == 0) {
    add_branches(&system_);
    system_.build(SystemOptions().contact, &data_);
  }
  const ConvexProblem& problem = data_.problem;
  const DenseTwin twin(system_, problem);
  const int n = problem.num_contacts();
  Random random(77);
  const VectorX model_v = VectorX::NullaryExpr(system_.model.nv, [&] { return random.normal(); });
  VectorX v;
  gather_velocities(problem, model_v, &v);
  PoolVelocities v_c;
  v_c.resize(problem);
  PoolImpulses gamma;
  gamma.resize(problem);
  PoolHessians G;
  G.resize(problem);
  VectorX stacked(3 * n);
  MatrixX GJ(3 * n, system_.model.nv);
  for (int i = 0; i < n; ++i) {
    const Vector3 g = random.vector(1.0);
    gamma.set(i, g);
    stacked.segment<3>(3 * i) = g;
    Matrix3 root;
    for (int k = 0; k < 3; ++k) root.col(k) = random.vector(1.0);
    const Matrix3 M = random.chance(0.3) ? Matrix3(Matrix3::Zero()) : Matrix3(root * root.transpose());
    G.xx[i] = M(0, 0), G.yx[i] = M(1, 0), G.zx[i] = M(2, 0), G.yy[i] = M(1, 1), G.zy[i] = M(2, 1),
    G.zz[i] = M(2, 2);
    GJ.middleRows(3 * i, 3) = M * twin.J.middleRows(3 * i, 3);
  }
  VectorX row_impulse(problem.num_rows()), row_G(problem.num_rows());
  for (int i = 0; i < problem.num_rows(); ++i) {
    row_impulse[i] = gamma.row[i] = random.normal();
    row_G[i] = G.row[i] = random.chance(0.3) ? 0.0 : random.uniform(0.1, 2.0);
  }
  VectorX impulse = VectorX::Zero(problem.nv()), A_v = impulse;
  MatrixX H = MatrixX::Zero(system_.model.nv, system_.model.nv);
  HessianBuffer buffer;
  for (const Island& island : problem.islands) {
    pool_velocities(problem, island, v, true, &v_c);
    pool_impulse(problem, island, gamma, &impulse);
    multiply_A(problem, island, v, &A_v);
    BlockSymmetricMatrix block;
    set_hessian_pattern(problem, island, &block);
    assemble_hessian(problem, island, G, &block, &buffer);
    MatrixX dense(block.rows(), block.rows());
    block.copy_to_dense(dense.data());
    expect_the_same_from_acting_edges(problem, island, G, v_c, dense);
    for (int t = island.tree_begin; t < island.tree_end; ++t) {
      for (int u = island.tree_begin; u < island.tree_end; ++u) {
        const ProblemTree &a = problem.trees[t], &b = problem.trees[u];
        H.block(a.model_v_begin, b.model_v_begin, a.nv, b.nv) =
            dense.block(a.v_begin - island.v_begin, b.v_begin - island.v_begin, a.nv, b.nv);
      }
    }
  }
  // Sums of some tens of terms of size 1 to 10: 1e-12 is a hundred roundings.
  const VectorX expected_v_c = twin.J * model_v + twin.b;
  for (int i = 0; i < n; ++i) {
    const Vector3 velocity = v_c.normal[i] * problem.contacts.normal[i] + v_c.tangential[i];
    EXPECT_NEAR((velocity - expected_v_c.segment<3>(3 * i)).norm(), 0.0, 1e-12) << i;
    EXPECT_NEAR(v_c.tangential[i].dot(problem.contacts.normal[i]), 0.0, 1e-13) << i;
  }
  VectorX model_impulse = VectorX::Zero(system_.model.nv), model_A_v = model_impulse;
  scatter_velocities(problem, impulse, &model_impulse);
  scatter_velocities(problem, A_v, &model_A_v);
  const VectorX expected_impulse = twin.J.transpose() * stacked + twin.C.transpose() * row_impulse;
  EXPECT_NEAR((model_impulse - expected_impulse).norm(), 0.0, 1e-12 * (1.0 + stacked.norm()));
  const VectorX expected_rows = twin.C * model_v;
  for (int i = 0; i < problem.num_rows(); ++i) EXPECT_NEAR(v_c.row[i], expected_rows[i], 1e-12) << i;
  const MatrixX expected_H =
      twin.A + twin.J.transpose() * GJ + twin.C.transpose() * row_G.asDiagonal() * twin.C;
  for (const ProblemTree& tree : problem.trees) {
    const auto rows = [&](const auto& m) { return m.middleRows(tree.model_v_begin, tree.nv); };
    EXPECT_NEAR((rows(model_A_v) - rows(VectorX(twin.A * model_v))).norm(), 0.0,
                1e-12 * (1.0 + model_A_v.norm()));
    EXPECT_NEAR((rows(H) - rows(expected_H)).norm(), 0.0, 1e-12 * expected_H.norm());
  }
}

TEST_P(AssembleTest, DelassusWeightsAgreeWithTheDenseTwin) {
  const ConvexProblem& problem = data_.problem;
  const DenseTwin twin(system_, problem);
  const VectorX inverse_diagonal = twin.A.diagonal().cwiseInverse();
  for (int i = 0; i < problem.num_contacts(); ++i) {
    const MatrixX J = twin.J.middleRows(3 * i, 3);
    const MatrixX W = J * inverse_diagonal.asDiagonal() * J.transpose();
    EXPECT_NEAR(problem.contacts.delassus[i], W.norm() / 3.0, 1e-12 * W.norm());
  }
}

TEST_P(AssembleTest, IslandsAreTheConnectedComponents) {
  const ConvexProblem& problem = data_.problem;
  const DenseTwin twin(system_, problem);
  const MatrixX graph =
      twin.J.cwiseAbs().transpose() * twin.J.cwiseAbs() + twin.C.cwiseAbs().transpose() * twin.C.cwiseAbs();
  int trees = 0, clusters = 0, contacts = 0;
  for (const Island& island : problem.islands) {
    EXPECT_EQ(island.tree_begin, trees);
    EXPECT_EQ(island.cluster_begin, clusters);
    EXPECT_EQ(island.contacts.begin, contacts);
    trees = island.tree_end, clusters = island.cluster_end, contacts = island.contacts.end;
    // No coupling to other islands, and a path between all trees of one: breadth-first from the first tree.
    std::vector<int> reached{island.tree_begin};
    for (std::size_t k = 0; k < reached.size(); ++k) {
      const ProblemTree& a = problem.trees[reached[k]];
      for (int u = 0; u < static_cast<int>(problem.trees.size()); ++u) {
        const ProblemTree& b = problem.trees[u];
        if (graph.block(a.model_v_begin, b.model_v_begin, a.nv, b.nv).isZero(0.0)) continue;
        EXPECT_TRUE(u >= island.tree_begin && u < island.tree_end);
        if (std::find(reached.begin(), reached.end(), u) == reached.end()) reached.push_back(u);
      }
    }
    EXPECT_EQ(static_cast<int>(reached.size()), island.num_trees());
  }
  EXPECT_EQ(contacts, problem.num_contacts());
  EXPECT_EQ(trees, static_cast<int>(problem.trees.size()));
}

// Another step size from the same StepData equals a fresh build: set_step overwrites all that depends on h.
TEST_P(AssembleTest, AnotherStepEqualsAFreshBuild) {
  StepData fresh;
  RandomSystem other = system_;
  other.h = 0.25 * system_.h;
  for (double& a : other.free_motion.A) a *= 1.1;
  other.build(ContactSpec{}, &fresh);
  set_step(other.h, other.free_motion, other.model, &data_);
  EXPECT_EQ(data_.problem.A, fresh.problem.A);
  EXPECT_EQ(data_.problem.contacts.delassus, fresh.problem.contacts.delassus);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(data_.problem.contacts.normal_constant[k], fresh.problem.contacts.normal_constant[k]);
  }
  EXPECT_EQ(data_.problem.contacts.friction_constant[0], fresh.problem.contacts.friction_constant[0]);
  EXPECT_EQ(data_.problem.contacts.friction_constant[1], fresh.problem.contacts.friction_constant[1]);
}

// The residual from the solver's operators and the one recomputed from forces at points, at an arbitrary v.
TEST_P(AssembleTest, MomentumResidualIsThatOfTheStoredForces) {
  const ConvexProblem& problem = data_.problem;
  ContactForces forces;
  compute_contact_forces(data_, system_.model, system_.contacts, problem.v0, &forces);
  RowForces rows;
  compute_row_forces(data_, system_.model, problem.v0, &rows);
  const double recomputed =
      momentum_residual(system_.model, system_.kinematics, system_.free_motion, system_.h, system_.contacts,
                        rows, system_.state.v, system_.state.v, &forces);
  double rows_norm2 = 0.0;
  PoolVelocities velocities;
  PoolImpulses gamma;
  velocities.resize(problem);
  gamma.resize(problem);
  VectorX momentum(problem.nv()), free_momentum(problem.nv()), impulse(problem.nv());
  for (const Island& island : problem.islands) {
    multiply_A(problem, island, problem.v0, &momentum);
    multiply_A(problem, island, problem.v_star, &free_momentum);
    pool_velocities(problem, island, problem.v0, true, &velocities);
    evaluate_pools(problem, island, velocities, &gamma);
    pool_impulse(problem, island, gamma, &impulse);
    rows_norm2 += row_impulse_norm2(problem.rows, island.rows, gamma.row);
  }
  const Eigen::Map<const VectorX> D(problem.scale.data(), problem.nv());
  const MomentumNorms norms{D.cwiseProduct(momentum - free_momentum - impulse).squaredNorm(),
                            D.cwiseProduct(momentum).squaredNorm(),
                            D.cwiseProduct(impulse).squaredNorm() + rows_norm2,
                            D.cwiseProduct(free_momentum - momentum).squaredNorm()};
  EXPECT_NEAR(recomputed, norms.residual(), 1e-12 * norms.residual());
  double normal_sum = 0.0;
  for (const double f : forces.normal_force) normal_sum += f;
  EXPECT_GT(normal_sum, 0.0);
}

}  // namespace
}  // namespace csim
