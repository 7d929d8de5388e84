#include "model/spring_terms.h"

#include <algorithm>
#include <cmath>

#include "model/actuator.h"
#include "model/sequence.h"
#include "model/tree_factor.h"

namespace csim {
namespace {

/// Calls use(s, t, (M^-1)_st) for every two springs of a tree, s == t included, each pair in both orders; the
/// springs are those of w->springs. M = U U^T, so that (M^-1)_st is the product of two columns of U^-1, which
/// are zero but on the ways to the root. For a spring s, all those before it down to a coordinate r of its
/// own way have r on theirs too.
template <typename Use>
void for_each_pair(const Model& model, const Tree& tree, const std::vector<double>& mass, SpringWorkspace* w,
                   Use&& use) {
  w->springs.clear();
  w->first.clear();
  for (int i = 0; i < tree.nv; ++i) {
    w->first.push_back(static_cast<int>(w->springs.size()));
    if (model.position_stiffness[tree.v_begin + i] > 0.0) w->springs.push_back(i);
  }
  const TreeBranches branches = branches_of(model, tree);
  const int num_springs = static_cast<int>(w->springs.size());
  w->factor.assign(mass.begin() + tree.block_begin, mass.begin() + tree.block_begin + tree.nv * tree.nv);
  static_cast<void>(factor_block(branches, w->factor.data()));  // the factor of A tells of a singular M
  w->rows.resize(static_cast<std::size_t>(tree.nv) * num_springs);
  w->column.resize(tree.nv);
  w->products.resize(num_springs);
  for (int s = 0; s < num_springs; ++s) {
    const int i = w->springs[s];
    double *const column = w->column.data(), *const products = w->products.data();
    for_each_run(branches, i, [&](int begin, int end) { std::fill(column + begin, column + end, 0.0); });
    column[i] = 1.0;
    solve_upwards(branches, w->factor.data(), i, column);
    std::fill_n(products, s + 1, 0.0);
    for_each_run(branches, i, [&](int begin, int end) {
      for (int r = begin; r < end; ++r) {
        double* const row = w->rows.data() + static_cast<std::size_t>(r) * num_springs;
        row[s] = column[r];
        const int first = w->first[r];
        subtract(s + 1 - first, -column[r], row + first, products + first);
      }
    });
    for (int t = 0; t <= s; ++t) {
      use(s, t, products[t]);
      if (t < s) use(t, s, products[t]);
    }
  }
}

}  // namespace

void compute_spring_times(const Model& model, const std::vector<double>& mass, double h,
                          SpringWorkspace* workspace, VectorX* theta) {
  SpringWorkspace& w = *workspace;
  if (theta->size() != model.nv || !model.sprung_trees.empty()) theta->setOnes(model.nv);
  for (const int t : model.sprung_trees) {
    const Tree& tree = model.trees[t];
    auto a = theta->segment(tree.v_begin, tree.nv);
    const auto k = model.position_stiffness.segment(tree.v_begin, tree.nv);
    w.roots.clear();
    for (int i = 0; i < tree.nv; ++i) {
      if (!(k[i] > 0.0)) continue;
      a[i] = 0.0;
      w.roots.push_back(std::sqrt(k[i]));
    }
    for_each_pair(model, tree, mass, workspace, [&](int i, int j, double inverse_mass) {
      a[w.springs[i]] += h * h * w.roots[i] * std::abs(inverse_mass) * w.roots[j];
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
      const int v = tree.v_begin + workspace->springs[i];
      if (i == j) (*frequencies)[v] = std::sqrt(model.position_stiffness[v] * inverse_mass);
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
