#include "run/event_notes.h"

#include <iomanip>
#include <sstream>

#include "core/counted.h"
#include "core/log.h"
#include "core/number_format.h"
#include "scene/integrator_kinds.h"
#include "step/account/energy_gain.h"

namespace csim {
namespace {

std::string count_of(const EventTotal& total, const std::string& one, const std::string& many = "") {
  return counted(static_cast<long>(total.value), one, many);
}

void warn_about_inexact_steps(const EventTotal& total, const Scene& scene, long num_steps) {
  const bool by_solver = integrator_kind(scene).solves_contact;
  std::ostringstream text;
  text << std::setprecision(3) << "steps with a residual above " << (by_solver ? "solver" : "integrator")
       << ".tolerance = " << (by_solver ? scene.solver.tolerance : scene.integrator.tolerance) << ": "
       << total.count << " of " << num_steps << ", the largest " << total.value
       << ", the first at t = " << total.first_time << " s (how they ended: /stats/step/status)";
  log_warning(text.str());
}

std::string first_pair(const Model& model, const EventTotal& total) {
  return "first '" + model.geometries[total.first.subject_a].name + "' and '" +
         model.geometries[total.first.subject_b].name + "' at t = " + format_number(total.first_time) + " s";
}

void warn_about_passages(const Model& model, const EventTotal& total) {
  log_warning("geometries passed through each other within a step (" + count_of(total, "time") + "), " +
              first_pair(model, total) +
              ": they travel or turn farther in a step than both are thick, or their contact is too soft for "
              "their speed; a shorter time.step or a stiffer material holds them");
}

void warn_about_energy(const Model& model, const State& state, const EventTotal& total) {
  EnergyGain source;
  source.body_a = total.first.subject_a;
  source.body_b = total.first.subject_b;
  std::ostringstream text;
  text << std::setprecision(3) << "energy from nothing: " << total.value
       << " J, more than 1 % of the energy turned over (" << state.energy.turned_over()
       << " J at the end) from t = " << total.first_time << " s on, most of it from "
       << gain_subjects(model, source)
       << (source.body_b >= 0
               ? ", whose contacts gave back more than they had taken"
               : ", whose mass matrix or gyroscopic forces change within a step, or whose steps are inexact")
       << "; a shorter time.step lessens it (/energy/balance_error, scheme_mass_matrix)";
  log_warning(text.str());
}

}  // namespace

std::string describe_fast_spins(const Model& model, const Scene& scene, const EventTotals& events) {
  const EventTotal& total = events[EventKind::kFastSpin];
  if (total.count == 0) return "";
  const bool is_constant = integrator_kind(scene).has_constant_step;
  const std::string shorter = is_constant ? "a shorter time.step" : "a smaller integrator.accuracy";
  return "bodies of uneven inertia spun too fast for " +
         (is_constant ? "a step of " + format_number(scene.time.step) + " s" : "the step") + " (" +
         counted(total.count, "time") + "), first '" + model.bodies[total.first.subject_a].name +
         "' at t = " + format_number(total.first_time) + " s: " +
         (scene.integrator.velocity_terms == VelocityTerms::kMean
              ? "their energy is kept, but the direction of their angular momentum is not accurate; " +
                    shorter + " gives it"
              : "gyroscopic moments are those of the start of a step and feed such a spin; "
                "integrator.velocity_terms: mean or a shorter time.step holds it");
}

void log_events(const Model& model, const Scene& scene, const State& state, const EventTotals& events,
                long num_steps) {
  if (const EventTotal& total = events[EventKind::kEnergyGain]; total.count > 0)
    warn_about_energy(model, state, total);
  if (const EventTotal& total = events[EventKind::kDegenerateQuery]; total.count > 0)
    log_info(count_of(total, "contact query", "contact queries") + " met a degenerate configuration");
  if (const EventTotal& total = events[EventKind::kNativeAnswer]; total.count > 0)
    log_info(count_of(total, "contact query was", "contact queries were") +
             " answered natively: FCL had no answer, or a wrong one (docs/contact_queries.md)");
  if (const EventTotal& total = events[EventKind::kFallback]; total.count > 0) {
    log_info(count_of(total, "contact point was", "contact points were") +
             " found between pressure-field geometries and others that make no patch "
             "with them; they met as points (contact.fallback: point; error names the pairs)");
  }
  if (const EventTotal& total = events[EventKind::kUnforeseenHit]; total.count > 0) {
    log_warning(
        count_of(total, "contact point") +
        " closed unforeseen, in steps in which impacts were transmitted farther than "
        "contact.margin: auto follows them (/stats/step/num_unforeseen): their overlap was pushed out "
        "in the next step; a shorter time.step or a contact.margin holds them");
  }
  if (const EventTotal& total = events[EventKind::kDividedStep]; total.count > 0) {
    const bool one = total.count == 1;
    log_info(counted(total.count, "step was", "steps were") + " taken in parts, as " + (one ? "it" : "they") +
             " did not converge or led into overlaps that " + (one ? "it" : "they") +
             " did not foresee, the first at t = " + format_number(total.first_time) + " s");
  }
  if (const EventTotal& total = events[EventKind::kInexactStep]; total.count > 0)
    warn_about_inexact_steps(total, scene, num_steps);
  if (const EventTotal& total = events[EventKind::kFrictionLag]; total.count > 0) {
    log_warning("steps in which friction did not settle within contact.max_repetitions: " +
                std::to_string(total.count) + " of " + std::to_string(num_steps) +
                ", the largest /artefact/friction_lag " + format_number(total.value) +
                ", the first at t = " + format_number(total.first_time) + " s");
  }
  if (const EventTotal& total = events[EventKind::kPassage]; total.count > 0)
    warn_about_passages(model, total);
}

}  // namespace csim
