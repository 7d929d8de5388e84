#include "model/spring_terms.h"

#include <algorithm>
#include <cmath>

#include "law/lane_sum.h"
#include "model/actuator.h"
#include "model/dense_factor.h"
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
  const auto n = static_cast<std::size_t>(tree.nv);
  w->factor.assign(mass.begin() + tree.block_begin, mass.begin() + tree.block_begin + tree.nv * tree.nv);
  static_cast<void>(factor_dense(tree.nv, w->factor.data()));  // the factor of A tells of a singular M
  w->columns.assign(n * w->springs.size(), 0.0);
  for (std::size_t s = 0; s < w->springs.size(); ++s) {
    const int i = w->springs[s];
    double* const column = w->columns.data() + n * s;
    column[i] = 1.0;
    solve_lower(tree.nv, w->factor.data(), i, column);
    for (std::size_t t = 0; t <= s; ++t) {
      // Zero above the row i, the later one.
      const double product = dot(column + i, w->columns.data() + n * t + i, tree.nv - i);
      use(i, w->springs[t], product);
      if (t < s) use(w->springs[t], i, product);
    }
  }
}

}  // namespace

void compute_spring_times(const Model& model, const std::vector<double>& mass, double h,
                          SpringWorkspace* workspace, VectorX* theta) {
  if (theta->size() != model.nv || !model.sprung_trees.empty()) theta->setOnes(model.nv);
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
