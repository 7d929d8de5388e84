#include "step/discrete/step_bias.h"

#include <algorithm>

#include "step/discrete/step_constants.h"

namespace csim {
namespace {

/// Of these islands; null: of all.
void evaluate(const VectorX& v, StepEnd at, const std::vector<char>* islands, PreparedStep* step,
              std::vector<Vector3>* bias) {
  PreparedStep& p = *step;
  if (p.data.problem.num_contacts() > 0)
    compute_body_paths(p.model, p.kinematics, p.state, v, p.trees, &p.paths);
  compute_contact_bias(p.model, p.kinematics, p.contacts, p.data, islands, p.paths, p.h, at, bias,
                       &p.contact_speed);
}

/// m/s: below this part of what weight does in the step nothing is asked of a bias.
double least_bias(const PreparedStep& step) {
  return step.options.newton.relative_tolerance * step.h * step.model.gravity.norm();
}

/// Whether the biases of the contacts `now` change the motion of an island: their work by more than
/// kBiasTolerance of the speeds of the contacts, or a gap by more than kBiasOfDepth of the depth at which the
/// contact carries its impulse, from which the next step takes its forces.
bool changes_motion(const Island& island, const std::vector<Vector3>& now, const ContactForces& forces,
                    const PreparedStep& step) {
  const ContactColumns& c = step.data.problem.contacts;
  const double h = step.h, least = least_bias(step);
  double change = 0.0, allowed = 0.0;  // J
  for (int i = island.contacts.begin; i < island.contacts.end; ++i) {
    const Vector3 difference = now[i] - step.data.path_bias[i];
    const double difference_n = c.normal[i].dot(difference);
    // A gap that the bias foretold, and that is none, has to be found though nothing pressed in it.
    const double overlap = std::max(-(c.phi0[i] + h * (forces.velocities.normal[i] + difference_n)), 0.0);
    const double impulse =
        std::max(forces.gamma[i].norm(), std::min(h * c.stiffness[i], 1.0 / (h * c.delassus[i])) * overlap);
    const double depth = impulse / (h * c.stiffness[i]);
    if (impulse > 0.0 && h * std::abs(difference_n) > kBiasOfDepth * std::max(depth, h * least)) return true;
    change += impulse * difference.norm();
    allowed += impulse * (kBiasTolerance * step.contact_speed[i] + least);
  }
  return change > allowed;
}

}  // namespace

void begin_bias(PreparedStep* step) {
  if (!step->options.mean_velocity_terms) return;
  evaluate(step->state.v, StepEnd::kBefore, nullptr, step, &step->bias);
  begin_contact_bias(step->bias, &step->data);
}

void put_bias(const VectorX& v, const std::vector<char>* islands, PreparedStep* step) {
  if (!step->options.mean_velocity_terms) return;
  evaluate(v, StepEnd::kAfter, islands, step, &step->bias);
  const std::vector<Island>& all = step->data.problem.islands;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (islands == nullptr || (*islands)[k]) set_contact_bias(step->bias, all[k].contacts, &step->data);
}

bool find_large_bias(const PreparedStep& step, std::vector<char>* islands) {
  const ConvexProblem& problem = step.data.problem;
  islands->assign(problem.islands.size(), 0);
  if (step.data.path_bias.empty()) return false;
  const double least = least_bias(step);
  bool any = false;
  for (std::size_t k = 0; k < islands->size(); ++k) {
    const ContactRange range = problem.islands[k].contacts;
    for (int i = range.begin; i < range.end && !(*islands)[k]; ++i)
      (*islands)[k] = step.data.path_bias[i].norm() > kBiasTolerance * step.contact_speed[i] + least;
    any = any || (*islands)[k];
  }
  return any;
}

bool update_bias(const VectorX& v, const ContactForces& forces, const std::vector<char>& may_change,
                 PreparedStep* step, std::vector<char>* changed) {
  PreparedStep& p = *step;
  if (!p.options.mean_velocity_terms) return false;
  evaluate(v, StepEnd::kAfter, &may_change, step, &p.bias);
  bool changes = false;
  for (std::size_t k = 0; k < p.data.problem.islands.size(); ++k) {
    const Island& island = p.data.problem.islands[k];
    if (!may_change[k] || !changes_motion(island, p.bias, forces, p)) continue;
    set_contact_bias(p.bias, island.contacts, &p.data);
    (*changed)[k] = 1;
    changes = true;
  }
  return changes;
}

}  // namespace csim
