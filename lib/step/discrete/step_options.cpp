#include "step/discrete/step_options.h"

#include <cmath>

namespace csim {
namespace {

NewtonOptions newton_options(const Scene& scene, Workers* workers) {
  const SolverSpec& spec = scene.solver;
  NewtonOptions options;
  options.method = spec.method;
  options.relative_tolerance = spec.tolerance;
  options.absolute_tolerance = spec.absolute_tolerance;
  options.max_iterations = spec.max_iterations;
  options.line_search = spec.line_search;
  options.hessian = spec.hessian;
  options.linear_solver = spec.linear_solver;
  options.condition = spec.condition_number;
  options.record_iterations = scene.output.iterations;
  options.workers = workers;
  return options;
}

}  // namespace

StepOptions::StepOptions(const Scene& scene, Workers* workers)
    : step(scene.time.step),
      newton(newton_options(scene, workers)),
      accepts_inexact(scene.solver.on_nonconvergence == OnNonconvergence::kAccept),
      margin(scene.contact.margin.value_or(0.0)),
      margin_auto(!scene.contact.margin.has_value()),
      mean_velocity_terms(scene.integrator.velocity_terms == VelocityTerms::kMean),
      repeats_friction(scene.contact.model == ContactModel::kCoulomb),
      friction_tolerance(scene.contact.friction_tolerance),
      max_repetitions(scene.contact.max_repetitions),
      guards_gain(std::isfinite(scene.guards.energy_gain)) {}

}  // namespace csim
