// Some trees of a model by themselves: what is copied, placed and summed of them, and what stays.
#include "model/tree_bodies.h"

#include <random>

#include "unit/model/all_joints_scene.h"

namespace csim::test {
namespace {

/// A tree with all joints, with an armature and a spring, and three free bodies, one of them placed by a
/// joint.
Built forest() {
  Scene scene = all_joints_scene();
  scene.joints[2].armature = {0.7};
  scene.joints[4].stiffness = {30.0};
  for (const char* name : {"f0", "f1", "f2"})
    scene.bodies.push_back(heavy_body(name, 1.5, {0.1, 0, 0.02}, {0.03, 0.04, 0.05, 0, 0, 0}));
  JointSpec free = joint("placed", JointType::kFree, -1, 8);
  free.pose = pose({0.5, -0.1, 0.2}, {0.4, 0.2, -0.1});
  scene.joints.push_back(free);
  return build_valid(scene);
}

/// Other positions and velocities of all trees.
State elsewhere(const Model& model, const State& state, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<double> any(-0.3, 0.3);
  State other = state;
  for (double& x : other.q) x += any(rng);
  for (double& x : other.v) x += any(rng);
  for (double& x : other.tree_gain) x += any(rng);
  for (double& x : other.tree_dissipated) x += any(rng);
  for (double& x : other.rest.since) x += any(rng);
  normalize_quaternions(model, &other.q);
  return other;
}

class SomeTrees : public testing::Test {
 protected:
  SomeTrees() : built_(forest()), model_(built_.model) {
    const auto num_trees = static_cast<Eigen::Index>(model_.trees.size());
    built_.state.tree_gain.setZero(num_trees);
    built_.state.tree_dissipated.setZero(num_trees);
    built_.state.rest.since.setZero(num_trees);
  }

  Built built_;
  const Model& model_;
  const TreeSet some_{0, 1, 0, 1};
};

TEST_F(SomeTrees, FreeBodiesAreThoseOfTheSet) {
  ASSERT_EQ(model_.trees.size(), 4u);
  std::vector<std::string> names;
  for_each_free_body(model_, some_,
                     [&](const FreeBody& free) { names.push_back(model_.bodies[free.body].name); });
  EXPECT_EQ(names, (std::vector<std::string>{"f0", "f2"}));
  names.clear();
  for_each_free_body(model_, {},
                     [&](const FreeBody& free) { names.push_back(model_.bodies[free.body].name); });
  EXPECT_EQ(names, (std::vector<std::string>{"f0", "f1", "f2"}));
}

// Two states of one number have the same trees asleep: of these nothing is copied. Of other numbers all is.
TEST_F(SomeTrees, StatesAreCopiedByTheirNumber) {
  const State from = [&] {
    State state = elsewhere(model_, built_.state, 1);
    state.rest_number = 7;
    state.step = 12;
    return state;
  }();
  for (const std::uint64_t held : {0u, 7u, 8u}) {
    for (const std::uint64_t number : {0u, 7u}) {
      State to = elsewhere(model_, built_.state, 2);
      const State before = to;
      to.rest_number = held;
      copy_state(model_, some_, number, from, &to);
      EXPECT_EQ(to.rest_number, number);
      EXPECT_EQ(to.step, 12);
      const bool keeps = held == 7 && number == 7;
      for (std::size_t t = 0; t < model_.trees.size(); ++t) {
        const Tree& tree = model_.trees[t];
        const auto i = static_cast<Eigen::Index>(t);
        const State& expected = keeps && some_[t] == 0 ? before : from;
        EXPECT_EQ(to.q.segment(tree.q_begin, tree.nq), expected.q.segment(tree.q_begin, tree.nq));
        EXPECT_EQ(to.v.segment(tree.v_begin, tree.nv), expected.v.segment(tree.v_begin, tree.nv));
        EXPECT_EQ(to.tree_gain[i], expected.tree_gain[i]);
        EXPECT_EQ(to.tree_dissipated[i], expected.tree_dissipated[i]);
        EXPECT_EQ(to.rest.since[i], expected.rest.since[i]);
      }
      State same = from;
      same.q[model_.trees[0].q_begin] += 1.0;  // of a tree that is not looked at
      same.rest_number = held;
      EXPECT_EQ(is_same(model_, some_, number, from, same), keeps);
      same.q[model_.trees[1].q_begin] += 1.0;
      EXPECT_FALSE(is_same(model_, some_, number, from, same));
    }
  }
}

TEST_F(SomeTrees, PosesOfTheOthersStay) {
  const State moved = elsewhere(model_, built_.state, 3);
  Kinematics before, after, all;
  compute_kinematics(model_, built_.state.q, 0, 0, &before);
  after = before;
  compute_kinematics(model_, moved.q, 0, 0, &after, some_);
  compute_kinematics(model_, moved.q, 0, 0, &all);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Kinematics& expected = contains(some_, model_.bodies[b].tree) ? all : before;
    EXPECT_EQ(after.X_WB[b].p, expected.X_WB[b].p) << b;
    EXPECT_EQ(after.X_WB[b].R, expected.X_WB[b].R) << b;
  }
}

// The sums of a set and of the others are together those of all.
TEST_F(SomeTrees, EnergiesAddUp) {
  const State state = elsewhere(model_, built_.state, 4);
  Kinematics kinematics;
  std::vector<Twist> twists;
  compute_kinematics(model_, state.q, 0, 0, &kinematics);
  compute_twists(model_, kinematics, state.v, &twists);
  const MechanicalEnergy all = mechanical_energy(model_, kinematics, twists, state);
  const auto of = [&](const TreeSet& trees) {
    return energy_of_trees(model_, kinematics, twists, state.v, trees);
  };
  for (const TreeSet& trees : {some_, TreeSet{1, 0, 1, 1}}) {
    TreeSet others = trees;
    for (char& mark : others) mark = mark == 0;
    EXPECT_NEAR(of(trees).kinetic + of(others).kinetic, all.kinetic, 1e-14 * all.kinetic);
    EXPECT_NEAR(of(trees).potential + of(others).potential, all.potential, 1e-12);
    EXPECT_GT(of(trees).kinetic, 0.01 * all.kinetic);
  }
  EXPECT_EQ(spring_energy(model_, state.q), all.springs);
  EXPECT_GT(all.springs, 0.0);
}

}  // namespace
}  // namespace csim::test
