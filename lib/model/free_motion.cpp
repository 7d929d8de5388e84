#include <algorithm>
#include <limits>

#include "core/workers.h"
#include "model/dynamics.h"
#include "model/tree_bodies.h"
#include "model/tree_factor.h"

namespace csim {
namespace {

// I x = b with I = L D L^T of 3x3, L with a unit diagonal: no roots.
Vector3 solve_inertia(const Matrix3& I, const Vector3& b) {
  const double d0 = I(0, 0);
  const double l10 = I(1, 0) / d0, l20 = I(2, 0) / d0;
  const double d1 = I(1, 1) - l10 * I(1, 0);
  const double l21 = (I(2, 1) - l20 * I(1, 0)) / d1;
  const double d2 = I(2, 2) - l20 * I(2, 0) - l21 * l21 * d1;
  const double y1 = b[1] - l10 * b[0];
  const double y2 = b[2] - l20 * b[0] - l21 * y1;
  const double x2 = y2 / d2;
  const double x1 = y1 / d1 - l21 * x2;
  return {b[0] / d0 - l10 * x1 - l20 * x2, x1, x2};
}

// (w', v') of a body whose block is a spatial inertia [I - m c c, m c; -m c, m] (c: its cross-product
// matrix): eliminating v' leaves I w' = moment - c x force, and v' = force/m - w' x c.
Vector6 solve_rigid_body(const Eigen::Map<const Matrix6>& A, const Eigen::Ref<const Vector6>& f) {
  const double m = A(5, 5);
  const Matrix3 mc = A.topRightCorner<3, 3>();
  const Vector3 c(mc(2, 1) / m, mc(0, 2) / m, mc(1, 0) / m);
  const Matrix3 I = A.topLeftCorner<3, 3>() + mc * skew(c);
  Vector6 rates;
  rates.head<3>() = solve_inertia(I, f.head<3>() - c.cross(f.tail<3>()));
  rates.tail<3>() = f.tail<3>() / m - rates.head<3>().cross(c);
  return rates;
}

}  // namespace

void factor_trees(const Model& model, const std::vector<double>& blocks, std::vector<double>* factors,
                  const TreeSet& trees) {
  factors->resize(blocks.size());
  const auto factor = [&](const Tree& tree) {
    const auto size = static_cast<std::size_t>(tree.nv) * tree.nv;
    double* const L = factors->data() + tree.block_begin;
    std::copy_n(blocks.data() + tree.block_begin, size, L);
    if (!factor_block(branches_of(model, tree), L))
      std::fill_n(L, size, std::numeric_limits<double>::quiet_NaN());
  };
  for_each_free_body(model, trees, [&](const FreeBody& free) {
    if (!free.plain) factor(model.trees[free.tree]);
  });
  for (const int t : model.articulated_trees)
    if (contains(trees, t)) factor(model.trees[t]);
}

void solve_tree(const Model& model, int index, const std::vector<double>& blocks,
                const std::vector<double>& factors, VectorX* x) {
  const Tree& tree = model.trees[index];
  if (tree.is_plain) {
    const Eigen::Map<const Matrix6> block(blocks.data() + tree.block_begin);
    x->segment<6>(tree.v_begin) = solve_rigid_body(block, x->segment<6>(tree.v_begin));
    return;
  }
  solve_block(branches_of(model, tree), factors.data() + tree.block_begin, x->data() + tree.v_begin);
}

void solve_trees(const Model& model, const std::vector<double>& blocks, const std::vector<double>& factors,
                 VectorX* x, const TreeSet& trees) {
  for_each_free_body(model, trees,
                     [&](const FreeBody& free) { solve_tree(model, free.tree, blocks, factors, x); });
  for (const int t : model.articulated_trees)
    if (contains(trees, t)) solve_tree(model, t, blocks, factors, x);
}

double implicit_gain(const Model& model, const FreeMotion& free_motion, double h, int iv) {
  const double theta = free_motion.theta.size() > 0 ? free_motion.theta[iv] : 1.0;
  return model.damping[iv] + model.drive_damping[iv] +
         theta * (h * (model.stiffness[iv] + model.drive_stiffness[iv]));
}

void subtract_implicit(const Model& model, const Tree& tree, const FreeMotion& free_motion,
                       const State& state, double h, VectorX* forces) {
  for (int iv = tree.v_begin; iv < tree.v_begin + tree.nv; ++iv)
    (*forces)[iv] -= implicit_gain(model, free_motion, h, iv) * state.v[iv];
}

void advance_velocities(const Model& model, int t, const FreeMotion& free_motion, const State& state,
                        double h, VectorX* forces) {
  solve_tree(model, t, free_motion.A, free_motion.factor, forces);
  const Tree& tree = model.trees[t];
  auto v = forces->segment(tree.v_begin, tree.nv);
  v = state.v.segment(tree.v_begin, tree.nv) + h * v;
}

void solve_free_motion(const Model& model, const Dynamics& dynamics, const State& state, double h,
                       FreeMotion* free_motion, const TreeSet& trees, Workers* workers) {
  VectorX& v_star = free_motion->v_star;
  v_star.resize(model.nv);
  // v_star holds force - L v0 first, then the accelerations.
  for_each_tree(model, trees, [&](const Tree& tree) {
    v_star.segment(tree.v_begin, tree.nv) = dynamics.force.segment(tree.v_begin, tree.nv);
  });
  for (int t : model.loaded_trees)
    if (contains(trees, t)) subtract_implicit(model, model.trees[t], *free_motion, state, h, &v_star);
  constexpr double kCost = 0.1;  // us, of a tree
  for_shares(workers, static_cast<int>(model.trees.size()), kCost, [&](int begin, int end) {
    for_each_in(trees, begin, end,
                [&](int t) { advance_velocities(model, t, *free_motion, state, h, &v_star); });
  });
}

void compute_free_motion(const Model& model, const Dynamics& dynamics, const State& state, double h,
                         FreeMotion* free_motion, const TreeSet& trees, Workers* workers) {
  std::vector<double>& A = free_motion->A;
  A.resize(dynamics.mass.size());
  for_each_tree(model, trees, [&](const Tree& tree) {
    std::copy_n(dynamics.mass.begin() + tree.block_begin, tree.nv * tree.nv, A.begin() + tree.block_begin);
  });
  for (int t : model.loaded_trees) {
    if (!contains(trees, t)) continue;
    const Tree& tree = model.trees[t];
    for (int i = 0; i < tree.nv; ++i)
      A[tree.block_begin + i * (tree.nv + 1)] += h * implicit_gain(model, *free_motion, h, tree.v_begin + i);
  }
  factor_trees(model, A, &free_motion->factor, trees);
  solve_free_motion(model, dynamics, state, h, free_motion, trees, workers);
}

}  // namespace csim
