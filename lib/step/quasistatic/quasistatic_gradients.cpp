#include "step/quasistatic/quasistatic_gradients.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/kinematics.h"

namespace csim {
namespace {

/// Whether contacts or limits yield: by their problem, or as a relaxed one.
bool is_near_rigid(const QuasistaticProblem& problem) {
  return std::any_of(problem.groups.begin(), problem.groups.end(), [&](const QuasistaticGroup& group) {
    return !group.is_linkage() && problem.compliance[group.row_begin] > 0.0;
  });
}

}  // namespace

QuasistaticGradients::QuasistaticGradients(const Model& model, const Scene& scene)
    : model_(model),
      advance_{scene.time.step, scene.integrator.rotation},
      columns_(make_state_columns(model)) {}

/// The contacts that take part, and where the rows of their problem stand in that of the step.
void QuasistaticGradients::keep_contacts(const QuasistaticSolvedStep& step) {
  kept_.clear();
  tangents_.clear();
  row_.clear();
  for (std::size_t i = 0; i < step.problem->groups.size(); ++i) {
    const QuasistaticGroup& group = step.problem->groups[i];
    if (group.contact >= 0) {
      if (!sensitivity_.takes_part(*step.problem, static_cast<int>(i))) continue;
      kept_.push_back(group.contact);
      tangents_.push_back(tangent_axis(step.contacts->points[group.contact].normal));
    }
    for (int j = group.row_begin; j < group.row_end; ++j) row_.push_back(j);
  }
  const auto gather = [&](const std::vector<double>& all, std::vector<double>* kept) {
    kept->clear();
    for (const int j : row_) kept->push_back(all[j]);
  };
  gather(sensitivity_.z(), &z_);
  gather(sensitivity_.z_balance(), &z_balance_);
  gather(sensitivity_.z_choice(), &z_choice_);
}

/// matched_: of each contact that takes part the nearest one of found_ of its pair. False where that is far.
bool QuasistaticGradients::match_contacts(const QuasistaticSolvedStep& step) {
  matched_.points.clear();
  for (const int index : kept_) {
    const PointContact& contact = step.contacts->points[index];
    const PointContact* nearest = nullptr;
    double least = kLargestShift;
    for (const PointContact& candidate : found_.points) {
      if (candidate.geometry_a != contact.geometry_a || candidate.geometry_b != contact.geometry_b) continue;
      const double distance =
          std::max((candidate.p_a - contact.p_a).norm(), (candidate.p_b - contact.p_b).norm());
      if (distance >= least) continue;
      least = distance;
      nearest = &candidate;
    }
    if (nearest == nullptr) return false;
    matched_.points.push_back(*nearest);
  }
  return true;
}

/// The optimality conditions at the positions q_ and the commands command_, with the velocities and impulses
/// of the step: Q v - b - J^T z, choice v - J^T z_choice, and J v + e + R z of the rows that take part.
bool QuasistaticGradients::evaluate(const QuasistaticSolvedStep& step, QuasistaticAssembly* assembly,
                                    std::vector<double>* r, std::vector<double>* r_choice,
                                    std::vector<double>* w) {
  assembly->place(q_, step.start->time, step.start->broken);
  assembly->find_contacts(step.threshold + kLargestShift, &found_);
  if (!match_contacts(step)) return false;
  assembly->build(command_, matched_, &tangents_, *step.drags, &shifted_);
  if (is_near_rigid(*step.problem)) assembly->relax(&shifted_);
  // Impulses with their sign turned: only J^T z of them is needed, subtracted.
  const auto balance = [&](const std::vector<double>& blocks, const std::vector<double>& z,
                           std::vector<double>* x) {
    x->assign(shifted_.b.size(), 0.0);
    add_transposed_jacobian(shifted_, z, x);
    for (double& value : *x) value = -value;
    add_blocks(shifted_, blocks, 1.0, sensitivity_.v(), x);
  };
  balance(shifted_.Q, z_balance_, r);
  for (std::size_t k = 0; k < r->size(); ++k) (*r)[k] -= shifted_.b[k];
  if (sensitivity_.has_choice()) balance(shifted_.choice, z_choice_, r_choice);
  multiply_jacobian(shifted_, sensitivity_.v(), w);
  for (std::size_t j = 0; j < w->size(); ++j) (*w)[j] += shifted_.e[j] + shifted_.compliance[j] * z_[j];
  return true;
}

/// dr_, dr_choice_, dw_ a unit of a number of q_ or of command_.
bool QuasistaticGradients::differentiate_conditions(const QuasistaticSolvedStep& step, VectorX* x, int column,
                                                    QuasistaticAssembly* assembly) {
  for (const int side : {0, 1}) {
    q_ = step.start->q;
    command_ = *step.command;
    (*x)[column] += side == 0 ? kShift : -kShift;
    normalize_quaternions(model_, &q_);
    if (!evaluate(step, assembly, &r_[side], &r_choice_[side], &w_[side])) return false;
  }
  const auto slope = [](const std::vector<double>(&x)[2], std::size_t k) {
    return (x[0][k] - x[1][k]) / (2.0 * kShift);
  };
  for (std::size_t k = 0; k < dr_.size(); ++k) {
    dr_[k] = slope(r_, k);
    if (sensitivity_.has_choice()) dr_choice_[k] = slope(r_choice_, k);
  }
  for (std::size_t j = 0; j < row_.size(); ++j) dw_[row_[j]] = slope(w_, j);
  return true;
}

/// The same a unit of a command: exact of a joint's, which enters linearly.
bool QuasistaticGradients::differentiate_command(const QuasistaticSolvedStep& step, int index,
                                                 QuasistaticAssembly* assembly) {
  const Actuator& actuator = model_.actuators[static_cast<std::size_t>(index)];
  dw_.assign(step.problem->rays.size(), 0.0);
  if (actuator.joint < 0) return differentiate_conditions(step, &command_, index, assembly);
  dr_choice_.assign(model_.nv, 0.0);
  dr_.assign(model_.nv, 0.0);
  dr_[actuator.v] = -advance_.h * actuator.stiffness;
  return true;
}

/// The change of q+ with dq and dv; NaN without dv.
void QuasistaticGradients::put_column(const QuasistaticSolvedStep& step, const VectorX& dq, const VectorX* dv,
                                      int column, RowMatrixX* rows) {
  if (dv == nullptr) {
    rows->col(column).setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  differentiate_advance(model_, advance_, step.start->q, v_end_, dq, *dv, &dq_end_);
  for (std::size_t i = 0; i < columns_.q.size(); ++i)
    (*rows)(static_cast<Eigen::Index>(i), column) = dq_end_[columns_.q[i]];
}

void QuasistaticGradients::find(const QuasistaticSolvedStep& step, QuasistaticAssembly* assembly,
                                GradientRows* gradients) {
  const auto num_actuators = static_cast<Eigen::Index>(model_.actuators.size());
  gradients->clear(model_.nq, num_actuators);
  if (!sensitivity_.linearize(*step.problem, *step.solution)) return;
  keep_contacts(step);
  v_end_ = Eigen::Map<const VectorX>(step.solution->v.data(), model_.nv);
  dr_.resize(model_.nv);
  dr_choice_.assign(model_.nv, 0.0);
  for (int k = 0; k < model_.nq; ++k) {
    const int column = columns_.q[k];
    dw_.assign(step.problem->rays.size(), 0.0);
    const bool found = differentiate_conditions(step, &q_, column, assembly) &&
                       sensitivity_.solve(*step.problem, dr_, dr_choice_, dw_, &dv_);
    dq_.setZero(model_.nq);
    dq_[column] = 1.0;
    put_column(step, dq_, found ? &dv_ : nullptr, k, &gradients->q);
  }
  dq_.setZero(model_.nq);
  for (Eigen::Index i = 0; i < num_actuators; ++i) {
    const bool found = differentiate_command(step, static_cast<int>(i), assembly) &&
                       sensitivity_.solve(*step.problem, dr_, dr_choice_, dw_, &dv_);
    put_column(step, dq_, found ? &dv_ : nullptr, static_cast<int>(i), &gradients->command);
  }
  gradients->num_kinks = sensitivity_.num_kinks();
}

}  // namespace csim
