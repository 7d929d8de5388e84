#include <Eigen/Cholesky>

#include "core/require.h"
#include "model/dynamics.h"

namespace csim {
namespace {

// (w', v') of a body whose block is a spatial inertia [I - m c c, m c; -m c, m] (c: its cross-product
// matrix): eliminating v' leaves I w' = moment - c x force, and v' = force/m - w' x c.
Vector6 solve_rigid_body(const Eigen::Map<const Matrix6>& A, const Eigen::Ref<const Vector6>& f) {
  const double m = A(5, 5);
  const Matrix3 mc = A.topRightCorner<3, 3>();
  const Vector3 c(mc(2, 1) / m, mc(0, 2) / m, mc(1, 0) / m);
  const Matrix3 I = A.topLeftCorner<3, 3>() + mc * skew(c);
  Vector6 rates;
  rates.head<3>() = I.llt().solve(f.head<3>() - c.cross(f.tail<3>()));
  rates.tail<3>() = f.tail<3>() / m - rates.head<3>().cross(c);
  return rates;
}

void solve_tree(const Tree& tree, const std::vector<double>& blocks, std::vector<double>* factor,
                VectorX* x) {
  if (tree.nv == 6) {
    const Eigen::Map<const Matrix6> A(blocks.data() + tree.block_begin);
    const Eigen::LLT<Matrix6> llt(A);
    x->segment<6>(tree.v_begin) = llt.solve(x->segment<6>(tree.v_begin));
    return;
  }
  factor->resize(std::max(factor->size(), static_cast<std::size_t>(tree.nv) * tree.nv));
  Eigen::Map<MatrixX> L(factor->data(), tree.nv, tree.nv);
  L = Eigen::Map<const MatrixX>(blocks.data() + tree.block_begin, tree.nv, tree.nv);
  Eigen::LLT<Eigen::Ref<MatrixX>> llt(L);
  CSIM_REQUIRE(llt.info() == Eigen::Success, tree.bodies.front(), tree.nv);
  auto rates = x->segment(tree.v_begin, tree.nv);
  llt.solveInPlace(rates);
}

}  // namespace

void compute_free_motion(const Model& model, const Dynamics& dynamics, const State& state, double h,
                         FreeMotion* free_motion) {
  std::vector<double>& A = free_motion->A;
  VectorX& v_star = free_motion->v_star;
  A = dynamics.mass;
  // v_star holds force - D v0 - h K v0 first, then the accelerations.
  v_star = dynamics.force;
  for (int t : model.loaded_trees) {
    const Tree& tree = model.trees[t];
    for (int i = 0; i < tree.nv; ++i) {
      const int iv = tree.v_begin + i;
      const double implicit = model.damping[iv] + h * model.stiffness[iv];
      A[tree.block_begin + i * (tree.nv + 1)] += h * implicit;
      v_star[iv] -= implicit * state.v[iv];
    }
  }
  for (const FreeBody& free : model.free_bodies) {
    if (!free.plain) continue;
    const Eigen::Map<const Matrix6> block(A.data() + free.block_begin);
    v_star.segment<6>(free.v_begin) = solve_rigid_body(block, v_star.segment<6>(free.v_begin));
  }
  for (const FreeBody& free : model.free_bodies) {
    if (!free.plain) solve_tree(model.trees[model.bodies[free.body].tree], A, &free_motion->factor, &v_star);
  }
  for (int t : model.articulated_trees) solve_tree(model.trees[t], A, &free_motion->factor, &v_star);
  v_star = state.v + h * v_star;
}

}  // namespace csim
