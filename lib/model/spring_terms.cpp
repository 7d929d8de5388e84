#include "model/spring_terms.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

#include "model/actuator.h"
#include "model/sequence.h"

namespace csim {
namespace {

/// Calls use(i, j, (M^-1)_ij) for every two springs of a tree, i == j included, coordinates of the tree. M =
/// L L^T, so that (M^-1)_ij is the product of two columns of L^-1.
template <typename Use>
void for_each_pair(const Model& model, const Tree& tree, const std::vector<double>& mass, SpringWorkspace* w,
                   Use&& use) {
  w->springs.clear();
  for (int i = 0; i < tree.nv; ++i)
    if (model.position_stiffness[tree.v_begin + i] > 0.0) w->springs.push_back(i);
  const auto num_springs = static_cast<Eigen::Index>(w->springs.size());
  w->factor.assign(mass.begin() + tree.block_begin, mass.begin() + tree.block_begin + tree.nv * tree.nv);
  Eigen::Map<MatrixX> L(w->factor.data(), tree.nv, tree.nv);
  const Eigen::LLT<Eigen::Ref<MatrixX>> llt(L);
  if (w->columns.rows() < tree.nv || w->columns.cols() < num_springs)
    w->columns.resize(std::max<Eigen::Index>(tree.nv, w->columns.rows()),
                      std::max(num_springs, w->columns.cols()));
  auto columns = w->columns.topLeftCorner(tree.nv, num_springs);
  columns.setZero();
  for (Eigen::Index s = 0; s < num_springs; ++s) columns(w->springs[s], s) = 1.0;
  L.triangularView<Eigen::Lower>().solveInPlace(columns);
  for (Eigen::Index s = 0; s < num_springs; ++s)
    for (Eigen::Index t = 0; t < num_springs; ++t)
      use(w->springs[s], w->springs[t], columns.col(s).dot(columns.col(t)));
}

}  // namespace

void compute_spring_times(const Model& model, const std::vector<double>& mass, double h,
                          SpringWorkspace* workspace, VectorX* theta) {
  theta->setOnes(model.nv);
  for (const int t : model.sprung_trees) {
    const Tree& tree = model.trees[t];
    auto a = theta->segment(tree.v_begin, tree.nv);
    const auto k = model.position_stiffness.segment(tree.v_begin, tree.nv);
    for (int i = 0; i < tree.nv; ++i)
      if (k[i] > 0.0) a[i] = 0.0;
    for_each_pair(model, tree, mass, workspace, [&](int i, int j, double inverse_mass) {
      a[i] += h * h * std::sqrt(k[i]) * std::abs(inverse_mass) * std::sqrt(k[j]);
    });
    for (int i = 0; i < tree.nv; ++i)
      if (k[i] > 0.0) a[i] = a[i] > 1.0 ? 1.0 - 1.0 / a[i] : 0.0;
  }
}

void take_commands(const Model& model, const SequenceState& sequence, const VectorX& theta, double t_end,
                   double h, Dynamics* dynamics) {
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    if (actuator.type != ActuatorType::kPosition || is_row_drive(actuator)) continue;
    const double change = step_command(model, sequence, i, theta[actuator.v], t_end, h).value -
                          command_at(model, sequence, i, t_end).value;
    dynamics->applied[actuator.v] += actuator.stiffness * change;
    dynamics->force[actuator.v] += actuator.stiffness * change;
  }
}

void compute_spring_frequencies(const Model& model, const std::vector<double>& mass,
                                SpringWorkspace* workspace, VectorX* frequencies) {
  frequencies->setZero(model.nv);
  for (const int t : model.sprung_trees) {
    const Tree& tree = model.trees[t];
    for_each_pair(model, tree, mass, workspace, [&](int i, int j, double inverse_mass) {
      if (i == j)
        (*frequencies)[tree.v_begin + i] =
            std::sqrt(model.position_stiffness[tree.v_begin + i] * inverse_mass);
    });
  }
}

void account_springs(const Model& model, const VectorX& theta, const VectorX& q0, const VectorX& v0,
                     const VectorX& v1, double h, EnergyAccounts* energy) {
  for (const auto& [iq, iv] : model.springs) {
    const double k = model.stiffness[iv], x0 = q0[iq] - model.rest_position[iv], x1 = x0 + h * v1[iv];
    energy->scheme_springs += 0.5 * h * k * (x1 * v1[iv] - x0 * v0[iv]);
    energy->joint_spring_loss += 0.5 * theta[iv] * h * h * k * v1[iv] * (v0[iv] + v1[iv]);
  }
}

}  // namespace csim
