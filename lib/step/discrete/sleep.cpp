#include "step/discrete/sleep.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "step/account/merge_pairs.h"

namespace csim {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// r_i |v_i| of the coordinate that moves fastest, squared, with r_i = sqrt(M_ii/m), m the mass of the tree.
double squared_speed(const Model& model, const Tree& tree, const std::vector<double>& mass,
                     const VectorX& v) {
  double total = 0.0, fastest = 0.0;
  for (const int body : bodies_of(model, tree))
    total += model.bodies[static_cast<std::size_t>(body)].mass.mass;
  for (int i = 0; i < tree.nv; ++i) {
    const double v_i = v[tree.v_begin + i];
    fastest = std::max(fastest, mass[tree.block_begin + i * (tree.nv + 1)] * v_i * v_i);
  }
  return fastest / (total > 0.0 ? total : 1.0);
}

double kinetic_energy(const Tree& tree, const std::vector<double>& mass, const VectorX& v) {
  const Eigen::Map<const MatrixX> M(mass.data() + tree.block_begin, tree.nv, tree.nv);
  const auto part = v.segment(tree.v_begin, tree.nv);
  double twice = 0.0;
  for (int i = 0; i < tree.nv; ++i) twice += part[i] * M.col(i).dot(part);
  return 0.5 * twice;
}

bool has_slept_enough(const SleepRule& rule, const State& end, int tree) {
  return rule.may_sleep[static_cast<std::size_t>(tree)] != 0 && end.time - end.rest.since[tree] >= rule.time;
}

bool may_fall_asleep(const SleepRule& rule, const PreparedStep& step, const Island& island,
                     const TreeSet& trees, const State& end) {
  const ConvexProblem& problem = step.data.problem;
  for (int t = island.tree_begin; t < island.tree_end; ++t) {
    const int tree = problem.trees[static_cast<std::size_t>(t)].model_tree;
    if (!contains(trees, tree) || !has_slept_enough(rule, end, tree)) return false;
  }
  if (island.rows.begin < island.rows.end) return false;
  for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
    const StepData::Run& run = step.data.runs[static_cast<std::size_t>(step.data.order[k])];
    if (moves_as_prescribed(step.model, step.kinematics, run.body_a) ||
        moves_as_prescribed(step.model, step.kinematics, run.body_b))
      return false;
  }
  return true;
}

}  // namespace

std::optional<SleepRule> make_sleep_rule(const Model& model, const Scene& scene) {
  const IntegratorSpec& spec = scene.integrator;
  if (spec.type != IntegratorType::kDiscrete || !spec.sleep_speed) return std::nullopt;
  const double creep = scene.contact.model == ContactModel::kSap ? 0.0 : scene.contact.stiction_tolerance;
  SleepRule rule{*spec.sleep_speed, spec.sleep_time, creep, std::vector<char>(model.trees.size(), 1)};
  const auto keep_awake = [&](int tree) {
    if (tree >= 0) rule.may_sleep[static_cast<std::size_t>(tree)] = 0;
  };
  const auto tree_of = [&](int body) {
    return body < 0 ? -1 : model.bodies[static_cast<std::size_t>(body)].tree;
  };
  for (const Actuator& actuator : model.actuators) keep_awake(actuator.tree);
  for (const CartesianDrive& drive : model.cartesian_drives) {
    keep_awake(tree_of(drive.pair.body_a));
    keep_awake(tree_of(drive.pair.body_b));
  }
  for (const CoordinateRow& row : model.rows)
    if (row.owner != RowOwner::kJoint)
      for (const CoordinateRow::Term& term : row.terms) keep_awake(term.coordinate.tree);
  for (const BodyPair& pair : model.body_pairs) {
    keep_awake(tree_of(pair.body_a));
    keep_awake(tree_of(pair.body_b));
  }
  for (const Force& force : model.forces) keep_awake(tree_of(force.body));
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    int body = model.bodies[static_cast<std::size_t>(bodies_of(model, model.trees[t]).front())].joint.parent;
    for (; body >= 0; body = model.bodies[static_cast<std::size_t>(body)].joint.parent)
      if (model.bodies[static_cast<std::size_t>(body)].motion >= 0) keep_awake(static_cast<int>(t));
  }
  return rule;
}

void begin_rest(const Model& model, RestState* rest) {
  rest->since.setConstant(static_cast<Eigen::Index>(model.trees.size()), kNever);
  rest->group.assign(model.trees.size(), -1);
  rest->pairs.clear();
  rest->v.setZero(model.nv);
}

bool is_all_awake(const RestState& rest) {
  return std::all_of(rest.group.begin(), rest.group.end(), [](int group) { return group < 0; });
}

void find_awake(const RestState& rest, TreeSet* awake) {
  awake->resize(rest.group.size());
  std::transform(rest.group.begin(), rest.group.end(), awake->begin(), [](int group) { return group < 0; });
  if (is_all(*awake)) awake->clear();
}

bool wake(const Model& model, const RestState& rest, const std::vector<std::pair<int, int>>& pairs,
          TreeSet* awake) {
  if (awake->empty()) return false;
  bool wakes = false;
  for (const auto& [a, b] : pairs) {
    for (const int body : {a, b}) {
      const int tree = model.bodies[static_cast<std::size_t>(body)].tree;
      if (tree < 0 || contains(*awake, tree)) continue;
      const int group = rest.group[static_cast<std::size_t>(tree)];
      for (std::size_t t = 0; t < rest.group.size(); ++t)
        if (rest.group[t] == group) (*awake)[t] = 1;
      wakes = true;
    }
  }
  return wakes;
}

std::uint64_t new_rest_number() {
  static std::atomic<std::uint64_t> last{0};  // of all steppers: states may go from one to another
  return ++last;
}

int count_asleep(const Model& model, const RestState& rest) {
  int count = 0;
  for (std::size_t t = 0; t < rest.group.size(); ++t)
    if (rest.group[t] >= 0) count += static_cast<int>(bodies_of(model, model.trees[t]).size());
  return count;
}

void forget_sleeping(const Model& model, const RestState& rest, SolverMemory* memory) {
  for (std::size_t t = 0; t < rest.group.size(); ++t) {
    if (rest.group[t] < 0) continue;
    const Tree& tree = model.trees[t];
    for (VectorX& v : memory->v_before) v.segment(tree.v_begin, tree.nv).setZero();
  }
}

void note_slow_trees(const Model& model, const SleepRule& rule, const std::vector<double>& mass,
                     const TreeSet& awake, State* end) {
  for_each_in(awake, 0, static_cast<int>(model.trees.size()), [&](int tree) {
    const auto t = static_cast<std::size_t>(tree);
    if (!rule.may_sleep[t]) return;
    double& since = end->rest.since[static_cast<Eigen::Index>(t)];
    if (!(squared_speed(model, model.trees[t], mass, end->v) <= rule.speed * rule.speed)) {
      since = kNever;
    } else if (since == kNever) {
      since = end->time;
    }
  });
}

void note_woken(const Model& model, const RestState& rest, const TreeSet& awake, std::vector<Event>* events) {
  for (std::size_t t = 0; t < rest.group.size(); ++t) {
    const int group = rest.group[t];
    if (group < 0 || !contains(awake, static_cast<int>(t))) continue;
    const std::span<const int> bodies = bodies_of(model, model.trees[t]);
    const int first = bodies_of(model, model.trees[static_cast<std::size_t>(group)]).front();
    add_event({EventKind::kWoke, first, -1, static_cast<double>(bodies.size())}, events);
  }
}

bool fall_asleep(const SleepRule& rule, const PreparedStep& step, const TreeSet& trees, const PairList& pairs,
                 double creep, State* end, std::vector<Event>* events) {
  const Model& model = step.model;
  const ConvexProblem& problem = step.data.problem;
  bool any = false;
  for (const Island& island : problem.islands) {
    if (!may_fall_asleep(rule, step, island, trees, *end)) continue;
    any = true;
    const int group = problem.trees[static_cast<std::size_t>(island.tree_begin)].model_tree;
    Event event{EventKind::kFellAsleep};
    for (int t = island.tree_begin; t < island.tree_end; ++t) {
      const int i = problem.trees[static_cast<std::size_t>(t)].model_tree;
      const Tree& tree = model.trees[static_cast<std::size_t>(i)];
      end->rest.group[static_cast<std::size_t>(i)] = group;
      const double speed = std::sqrt(squared_speed(model, tree, step.dynamics.mass, end->v));
      if (event.subject_a < 0 || speed > event.value)
        event = {event.kind, bodies_of(model, tree).front(), -1, speed};
      const double energy = kinetic_energy(tree, step.dynamics.mass, end->v);
      end->energy.kinetic -= energy;
      end->energy.normal_damping += energy;
      auto v = end->v.segment(tree.v_begin, tree.nv);
      end->rest.v.segment(tree.v_begin, tree.nv) = v;
      v.setZero();
    }
    events->push_back(event);
    if (event.value <= std::max(rule.creep, creep)) continue;
    event.kind = EventKind::kStoppedBySleep;
    events->push_back(event);
  }
  if (!any) return false;
  const auto is_asleep = [&](int body) {
    const int tree = model.bodies[static_cast<std::size_t>(body)].tree;
    return tree >= 0 && end->rest.group[static_cast<std::size_t>(tree)] >= 0;
  };
  std::vector<RestingPair>& resting = end->rest.pairs;
  resting.clear();
  for (const PairSum& row : pairs)
    if (is_asleep(row.body_a) || is_asleep(row.body_b))
      resting.push_back({row.body_a, row.body_b, row.impulse, row.peak_normal_force});
  return true;
}

}  // namespace csim
