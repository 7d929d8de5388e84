// Rigid constraints at the start of a run: whether they hold, and the positions at which they do.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/number_format.h"
#include "model/body_pair.h"
#include "model/build_stages.h"
#include "model/dynamics.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

constexpr double kHolds = 1e-9;  // m or rad, that rounding of a scene's numbers leaves

/// Of a constraint between bodies: what a run mends in a few steps is told, a loop that is further apart is a
/// mistake in the scene. Joints that a coupler pulls together from anywhere collide with nothing on their
/// way.
constexpr double kMended = 1e-3;

/// The same at the acceleration level, where they are taken up within ten times time.step.
constexpr double kTakenUp = 1e-6;

constexpr int kMaxIterations = 200;
constexpr double kLargestStep = 0.3;  // m or rad, of a coordinate in an iteration

/// A rigid constraint's rows: where they begin, and how to call them.
struct RigidConstraint {
  const ConstraintSpec* spec;
  int row_begin, row_end;
  std::vector<ConstraintRow> rows;
};

std::vector<RigidConstraint> rigid_constraints(const Scene& scene) {
  std::vector<RigidConstraint> found;
  int row = 0;
  for (const ConstraintSpec& spec : scene.constraints) {
    std::vector<ConstraintRow> rows = constraint_rows(scene, spec);
    const int begin = row;
    row += static_cast<int>(rows.size());
    if (!std::isfinite(spec.stiffness)) found.push_back({&spec, begin, row, std::move(rows)});
  }
  return found;
}

/// The terms of all rows of constraints, [num_constraint_rows].
void collect_terms(const Model& model, const Kinematics& kinematics,
                   std::vector<std::vector<RowTerm>>* terms) {
  terms->assign(static_cast<std::size_t>(model.num_constraint_rows), {});
  for (const CoordinateRow& row : model.rows) {
    if (row.owner != RowOwner::kConstraint) continue;
    for (const auto& [coordinate, coefficient] : row.terms)
      (*terms)[row.index].push_back({coordinate.tree, coordinate.v, coefficient});
  }
  PairMeasure measure;
  for (const BodyPair& pair : model.body_pairs) {
    measure_pair(pair, kinematics, &measure);
    for (std::size_t i = 0; i < pair.rows.size(); ++i)
      append_terms(model, kinematics, pair, measure.point, measure.rows[i],
                   &(*terms)[static_cast<std::size_t>(pair.index) + i]);
  }
}

/// Gauss and Newton's method for the positions at which the rigid constraints hold: the changes that are
/// smallest in the metric of the mass matrix, so that light bodies move first.
class Assembly {
 public:
  Assembly(const Model& model, const std::vector<RigidConstraint>& rigid, State* state)
      : model_(model), state_(*state) {
    for (const RigidConstraint& constraint : rigid)
      for (int row = constraint.row_begin; row < constraint.row_end; ++row) rows_.push_back(row);
  }

  void run() {
    for (int k = 0; k < kMaxIterations && !holds(); ++k) step();
  }

 private:
  bool holds() {
    compute_kinematics(model_, state_.q, state_.time, state_.time, &kinematics_);
    constraint_violations(model_, kinematics_, state_.q, &violations_);
    const auto is_small = [&](int row) { return std::abs(violations_[row]) < 1e-3 * kHolds; };
    return std::all_of(rows_.begin(), rows_.end(), is_small);
  }

  void step() {
    compute_dynamics(model_, kinematics_, state_, state_.time, &dynamics_);
    collect_terms(model_, kinematics_, &terms_);
    const auto m = static_cast<Eigen::Index>(rows_.size());
    MatrixX J = MatrixX::Zero(m, model_.nv), M_J = MatrixX::Zero(model_.nv, m);
    VectorX x(m);
    for (Eigen::Index i = 0; i < m; ++i) {
      x[i] = violations_[rows_[static_cast<std::size_t>(i)]];
      if (x[i] == 0.0) continue;  // within a range
      for (const RowTerm& term : terms_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(i)])])
        J(i, term.v) += term.coefficient;
    }
    for (const Tree& tree : model_.trees) {
      MatrixX M = Eigen::Map<const MatrixX>(dynamics_.mass.data() + tree.block_begin, tree.nv, tree.nv);
      M.diagonal() *= 1.0 + 1e-9;  // bodies without inertia of their own
      M_J.middleRows(tree.v_begin, tree.nv) = M.ldlt().solve(J.middleCols(tree.v_begin, tree.nv).transpose());
    }
    MatrixX W = J * M_J;
    W.diagonal().array() += 1e-12 * W.trace() + 1e-300;  // rows that say the same twice
    VectorX change = -(M_J * W.ldlt().solve(x));
    const double largest = change.cwiseAbs().maxCoeff();
    if (largest > kLargestStep) change *= kLargestStep / largest;
    advance_positions(model_, change, 1.0, &state_.q);
  }

  const Model& model_;
  State& state_;
  std::vector<int> rows_;
  Kinematics kinematics_;
  Dynamics dynamics_;
  VectorX violations_;
  std::vector<std::vector<RowTerm>> terms_;
};

/// The largest violation of one constraint at the start, with its unit: "0.12 m".
struct Violation {
  double size = 0.0;
  std::string text;
};
Violation largest_violation(const RigidConstraint& constraint, const VectorX& violations) {
  double lengths2 = 0.0, angles2 = 0.0;
  for (int row = constraint.row_begin; row < constraint.row_end; ++row) {
    const bool is_angle = constraint.rows[static_cast<std::size_t>(row - constraint.row_begin)].is_angle;
    (is_angle ? angles2 : lengths2) += violations[row] * violations[row];
  }
  const bool is_angle = angles2 > lengths2;
  const double size = std::sqrt(is_angle ? angles2 : lengths2);
  return {size, format_number(size) + (is_angle ? " rad" : " m")};
}

/// A constraint between bodies that no coordinate moves against each other.
void check_terms(const Model& model, const Kinematics& kinematics, const Scene& scene, Problems* problems) {
  std::vector<std::vector<RowTerm>> terms;
  collect_terms(model, kinematics, &terms);
  std::size_t row = 0;
  for (const ConstraintSpec& spec : scene.constraints) {
    if (terms[row].empty())
      problems->push_back(
          {"constraints." + spec.name,
           "between two bodies of which nothing moves one against the other, expected one that "
           "a joint moves, or a free one"});
    row += constraint_rows(scene, spec).size();
  }
}

void judge(const RigidConstraint& constraint, const Violation& violation, const Scene& scene,
           Problems* problems, std::vector<std::string>* notes) {
  if (violation.size < kHolds) return;
  const std::string path = "constraints." + constraint.spec->name;
  const bool assembled = constraint.spec->assemble;
  const bool needs_start = integrator_kind(scene).needs_accelerations;
  const double largest = needs_start                           ? kTakenUp
                         : is_between_bodies(*constraint.spec) ? kMended
                                                               : std::numeric_limits<double>::infinity();
  if (violation.size > largest || assembled) {
    const std::string under =
        needs_start ? std::string(" under integrator.type: ") + integrator_kind(scene).name : "";
    problems->push_back(
        {path,
         "violated by " + violation.text + " at the start, " +
             (assembled ? "and no motion of the bodies from there closes it; expected a loop that can close"
                        : "expected positions at which it holds" + under +
                              "; `assemble: true` moves the bodies there")});
    return;
  }
  notes->push_back(
      path + " is violated by " + violation.text +
      " at the start: it is mended by half of that in a step, at 1 m/s (rad/s) at most; `assemble: "
      "true` moves the bodies to where it holds");
}

}  // namespace

void assemble_constraints(const Scene& scene, const Model& model, State* state, Problems* problems,
                          std::vector<std::string>* notes) {
  if (model.num_constraint_rows == 0) return;
  Kinematics kinematics;
  compute_kinematics(model, state->q, state->time, state->time, &kinematics);
  const std::size_t problems_before = problems->size();
  check_terms(model, kinematics, scene, problems);
  if (problems->size() > problems_before) return;
  const std::vector<RigidConstraint> rigid = rigid_constraints(scene);
  const bool assembles = std::any_of(rigid.begin(), rigid.end(),
                                     [](const auto& constraint) { return constraint.spec->assemble; });
  if (assembles && !problems->empty()) return;  // the mass matrix may be none
  if (assembles) {
    Assembly(model, rigid, state).run();
    compute_kinematics(model, state->q, state->time, state->time, &kinematics);
  }
  VectorX violations;
  constraint_violations(model, kinematics, state->q, &violations);
  for (const RigidConstraint& constraint : rigid)
    judge(constraint, largest_violation(constraint, violations), scene, problems, notes);
}

}  // namespace csim
