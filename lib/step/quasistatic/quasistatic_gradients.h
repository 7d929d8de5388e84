// How the end of a quasistatic step changes with its start and with the commands.
//
// q+ = advance(q, v), v at the optimum of the step's problem. The optimality conditions are differentiated at
// their solution (solver/quasistatic/quasistatic_sensitivity.h); how their data change with q, at fixed
// velocities and impulses, follows from central differences of the assembly at q +- kShift, with the contacts
// matched and their tangents made of the same world axes. Commands of joints enter linearly: their part is
// exact; those of cartesian drives are shifted by kShift, too.
#pragma once

#include "model/columns.h"
#include "solver/quasistatic/quasistatic_sensitivity.h"
#include "step/quasistatic/quasistatic_advance.h"
#include "step/quasistatic/quasistatic_assembly.h"
#include "step/step_result.h"

namespace csim {

/// A step that was taken: where it began, and what it found.
struct QuasistaticSolvedStep {
  const State* start = nullptr;
  const VectorX* command = nullptr;      // [actuators], of its end
  const ContactSet* contacts = nullptr;  // nearer than `threshold` (m)
  double threshold = 0.0;
  const std::vector<double>* drags = nullptr;  // QuasistaticStep::drags
  const QuasistaticProblem* problem = nullptr;
  const QuasistaticSolution* solution = nullptr;
};

/// Work space of `find`.
class QuasistaticGradients {
 public:
  static constexpr double kShift = 1e-6;  // m, rad, or of a quaternion's number

  /// The model must outlive the gradients.
  QuasistaticGradients(const Model& model, const Scene& scene);

  /// Fills *gradients, in the columns of results. A column is NaN where there is no derivative or none was
  /// found: a contact that acts has no counterpart within kLargestShift at q +- kShift, or nothing balances
  /// the changed loads. `assembly`: of the step, whose plane of motion it holds; its poses are others
  /// afterwards.
  void find(const QuasistaticSolvedStep& step, QuasistaticAssembly* assembly, GradientRows* gradients);

 private:
  static constexpr double kLargestShift = 100.0 * kShift;  // m, of a contact's points at q +- kShift

  void keep_contacts(const QuasistaticSolvedStep& step);
  bool match_contacts(const QuasistaticSolvedStep& step);
  bool evaluate(const QuasistaticSolvedStep& step, QuasistaticAssembly* assembly, std::vector<double>* r,
                std::vector<double>* r_choice, std::vector<double>* w);
  bool differentiate_conditions(const QuasistaticSolvedStep& step, VectorX* x, int column,
                                QuasistaticAssembly* assembly);
  bool differentiate_command(const QuasistaticSolvedStep& step, int index, QuasistaticAssembly* assembly);
  void put_column(const QuasistaticSolvedStep& step, const VectorX& dq, const VectorX* dv, int column,
                  RowMatrixX* rows);

  const Model& model_;
  QuasistaticAdvance advance_;
  StateColumns columns_;
  QuasistaticSensitivity sensitivity_;
  std::vector<int> kept_, tangents_;  // contacts of the step that take part; their axes of tangents
  std::vector<int> row_;              // [rows of shifted_], in the step's problem
  std::vector<double> v_, z_, z_balance_, z_choice_;  // of these rows
  ContactSet found_, matched_;                        // at q +- kShift
  QuasistaticProblem shifted_;
  std::vector<double> r_[2], r_choice_[2], w_[2], dr_, dr_choice_, dw_;
  VectorX q_, command_, dq_, dv_, dq_end_, v_end_;
};

}  // namespace csim
