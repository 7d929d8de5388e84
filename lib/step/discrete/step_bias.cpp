#include "step/discrete/step_bias.h"

#include <algorithm>

#include "step/discrete/step_constants.h"

namespace csim {
namespace {

void evaluate(const VectorX& v, StepEnd at, PreparedStep* step, std::vector<Vector3>* bias) {
  PreparedStep& p = *step;
  compute_body_paths(p.model, p.kinematics, p.state, v, &p.paths);
  compute_contact_bias(p.model, p.kinematics, p.contacts, p.data, p.paths, p.h, at, bias, &p.contact_speed);
}

/// m/s: below this part of what weight does in the step nothing is asked of a bias.
double least_bias(const PreparedStep& step) {
  return step.options.newton.relative_tolerance * step.h * step.model.gravity.norm();
}

bool has_large_bias(const PreparedStep& step, const ContactRange& contacts) {
  const double least = least_bias(step);
  for (int i = contacts.begin; i < contacts.end; ++i)
    if (step.data.path_bias[i].norm() > kBiasTolerance * step.contact_speed[i] + least) return true;
  return false;
}

}  // namespace

void begin_bias(PreparedStep* step) {
  if (!step->options.mean_velocity_terms) return;
  evaluate(step->state.v, StepEnd::kBefore, step, &step->bias);
  begin_contact_bias(step->bias, &step->data);
}

void predict_bias(const SolverMemory& memory, PreparedStep* step) {
  if (!step->options.mean_velocity_terms) return;
  step->predicted_v = 2.0 * step->state.v - memory.v_before[0];
  put_bias(step->predicted_v, step, nullptr);
}

void put_bias(const VectorX& v, PreparedStep* step, std::vector<char>* changed) {
  if (!step->options.mean_velocity_terms) return;
  evaluate(v, StepEnd::kAfter, step, &step->bias);
  const std::vector<Island>& islands = step->data.problem.islands;
  for (std::size_t k = 0; k < islands.size(); ++k) {
    set_contact_bias(step->bias, islands[k].contacts, &step->data);
    if (changed != nullptr && has_large_bias(*step, islands[k].contacts)) (*changed)[k] = 1;
  }
}

bool has_large_bias(const PreparedStep& step) {
  return has_large_bias(step, ContactRange{0, static_cast<int>(step.data.path_bias.size())});
}

bool update_bias(const VectorX& v, const ContactForces& forces, PreparedStep* step,
                 std::vector<char>* changed) {
  PreparedStep& p = *step;
  if (!p.options.mean_velocity_terms) return false;
  evaluate(v, StepEnd::kAfter, step, &p.bias);
  const double least = least_bias(p);
  bool changes = false;
  for (std::size_t k = 0; k < p.data.problem.islands.size(); ++k) {
    const Island& island = p.data.problem.islands[k];
    double change = 0.0, allowed = 0.0;  // J
    for (int i = island.contacts.begin; i < island.contacts.end; ++i) {
      const double impulse = forces.gamma[i].norm();
      change += impulse * (p.bias[i] - p.data.path_bias[i]).norm();
      allowed += impulse * (kBiasTolerance * p.contact_speed[i] + least);
    }
    if (!(change > allowed)) continue;
    set_contact_bias(p.bias, island.contacts, &p.data);
    if (changed != nullptr) (*changed)[k] = 1;
    changes = true;
  }
  return changes;
}

}  // namespace csim
