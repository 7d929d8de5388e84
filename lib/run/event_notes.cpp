#include "run/event_notes.h"

#include <iomanip>
#include <sstream>

#include "core/counted.h"
#include "core/log.h"
#include "core/number_format.h"
#include "core/seconds_text.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

std::string count_of(const EventTotal& total, const std::string& one, const std::string& many = "") {
  return counted(static_cast<long>(total.value), one, many);
}

std::string describe_inexact_steps(const EventTotal& total, const Scene& scene, long num_steps) {
  const bool by_solver = integrator_kind(scene).solves_contact;
  std::ostringstream text;
  text << std::setprecision(3) << "steps with a residual above " << (by_solver ? "solver" : "integrator")
       << ".tolerance = " << (by_solver ? scene.solver.tolerance : scene.integrator.tolerance) << ": "
       << total.count << " of " << num_steps << ", the largest " << total.value
       << ", the first at t = " << total.first_time << " s (how they ended: /stats/step/status)";
  return text.str();
}

/// "'a' and 'b'", "'a'" or "".
std::string subjects(const Model& model, const EventTotal& total) {
  const std::string& a = subject_name(model, total.first.kind, total.first.subject_a);
  const std::string& b = subject_name(model, total.first.kind, total.first.subject_b);
  return (a.empty() ? "" : "'" + a + "'") + (b.empty() ? "" : " and '" + b + "'");
}

std::string describe_passages(const Model& model, const EventTotal& total) {
  return "geometries passed through each other within a step (" + count_of(total, "time") + "), first " +
         subjects(model, total) + " at t = " + time_text(total.first_time) +
         ": in one step they move farther than both are thick, or their contact is too soft for their "
         "speed; a shorter time.step or a stiffer material prevents it";
}

std::string describe_unexplained_depths(const Model& model, const EventTotal& total) {
  std::ostringstream text;
  text << std::setprecision(3) << "overlaps that nothing explains: " << subjects(model, total) << " were "
       << total.first.value << " m deep in each other at t = " << total.first_time
       << " s, deeper by more than a quarter of the smaller one than the start of the step and the motion in "
          "it "
          "explain ("
       << counted(total.count, "time")
       << "): the contact pushes along a way that is not the one on which they met, with a force that is not "
          "to "
          "be trusted; the usual cause is a surface that is open, or thinner than the overlap (csim mesh "
          "check)";
  return text.str();
}

const char* source_of_gain(const State& state, const EventTotal& total) {
  if (total.first.subject_b >= 0) return ", whose contacts returned more than they had taken up";
  return -state.energy.dissipated_friction > 0.5 * total.value
             ? ", the fastest body where friction added energy, because the point of contact moves within a "
               "step"
             : ", whose mass matrix or gyroscopic forces change within a step, or whose steps are inexact";
}

std::string describe_gain(const Model& model, const State& state, const EventTotal& total) {
  std::ostringstream text;
  text << std::setprecision(3) << "energy from nothing: " << total.value
       << " J, more than 1 % of the energy throughput (" << state.energy.turned_over()
       << " J at the end) from t = " << total.first_time << " s on, most of it from "
       << subjects(model, total) << source_of_gain(state, total)
       << "; a shorter time.step reduces it (/energy/balance_error, dissipated_friction, "
          "scheme_mass_matrix)";
  return text.str();
}

std::string describe_loss(const Model& model, const Scene& scene, const State& state,
                          const EventTotal& total) {
  std::ostringstream text;
  text << std::setprecision(3) << "energy lost to the integration: " << total.value
       << " J, more than 1 % of the energy throughput (" << state.energy.turned_over()
       << " J at the end) from t = " << total.first_time << " s on, when " << subjects(model, total)
       << " moved fastest; integrator.accuracy = " << scene.integrator.accuracy
       << " bounds the error of a position in each step, and these errors add up: a smaller one reduces the "
          "loss (/energy/balance_error, normal_spring_loss)";
  return text.str();
}

std::string describe_unforeseen_hits(const EventTotal& total) {
  return count_of(total, "contact point") +
         " closed within a step that did not include them, because impacts were transmitted farther than "
         "contact.margin: auto follows (/stats/step/num_unforeseen); the next step pushed their overlap out. "
         "A shorter time.step or a larger contact.margin prevents it";
}

// Friction that lags is told where one pair does in this part of all steps, and in so many: contacts that
// form lag once.
constexpr double kLaggingSteps = 0.1;
constexpr long kFewSteps = 10;

std::string describe_lag(const Model& model, const Scene& scene, const EventTotals& events, long num_steps) {
  const EventTotal& total = events[EventKind::kFrictionLag];
  if (scene.contact.model == ContactModel::kCoulomb)
    return "steps in which friction did not settle within contact.max_repetitions: " +
           std::to_string(total.count) + " of " + std::to_string(num_steps) +
           ", the largest /artefact/friction_lag " + format_number(total.value) +
           ", the first at t = " + time_text(total.first_time);
  const EventTotal pair = events.most_lagging_pair();
  const double share = static_cast<double>(pair.count) / static_cast<double>(num_steps);
  if (pair.count < kFewSteps || share < kLaggingSteps) return "";
  return "friction lags: in " + std::to_string(pair.count) + " of " + std::to_string(num_steps) +
         " steps the friction of " + subjects(model, pair) +
         " was bounded by a normal force which differs from that of the step by more than half, first at t "
         "= " +
         time_text(pair.first_time) +
         " (/artefact/friction_lag): such contacts slide or stick where they should not; contact.model: "
         "coulomb has no lag; a shorter time.step or a smaller stiffness reduces it";
}

std::string describe_stopped(const Model& model, const Scene& scene, const EventTotal& total) {
  return "sleep stopped what moved: " + subjects(model, total) +
         format_text(" at %.3g m/s", total.first.value) + " at t = " + time_text(total.first_time) +
         ", first of " + counted(total.count, "time") + format_text(", the largest %.3g m/s", total.value) +
         ": faster than what sticks creeps, so it slid, rolled or swung, and would have gone on; a smaller "
         "integrator.sleep_speed (" +
         format_number(scene.integrator.sleep_speed.value_or(0.0)) +
         " m/s) or a longer sleep_time leaves it its motion (/trajectory/asleep)";
}

/// Of a kind without a sentence of its own.
std::string describe(const Model& model, const EventTotal& total) {
  const std::string who = subjects(model, total);
  return std::string(to_string(total.first.kind)) + " " + counted(total.count, "time") +
         ", first at t = " + time_text(total.first_time) + (who.empty() ? "" : ": " + who);
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
         "' at t = " + time_text(total.first_time) + ": " +
         (scene.integrator.velocity_terms == VelocityTerms::kMean
              ? "their energy is right, but the direction of their angular momentum is not accurate; " +
                    shorter + " makes it accurate"
              : "gyroscopic moments are taken at the start of a step and add energy to such a spin; "
                "integrator.velocity_terms: mean or a shorter time.step prevents it");
}

std::string describe_held_back(const Model& model, const EventTotal& total) {
  return counted(total.count, "step was", "steps were") + " held back, first of " + subjects(model, total) +
         " at t = " + time_text(total.first_time) +
         ": its cartesian drive would have turned a joint by up to " + format_text("%.3g", total.value) +
         " rad in a step, or beyond where its springs balance; the arm gets there in several steps, and what "
         "held it is a drag (docs/theory.md, Quasistatic steps): commands that go there more slowly need "
         "none";
}

std::string describe_leaps(const Model& model, const EventTotal& total) {
  return "steps in which bodies leapt: " + std::to_string(total.count) + ", first " + subjects(model, total) +
         " at t = " + time_text(total.first_time) + ", by up to " + format_text("%.3g", total.value) +
         " times its size (or half turns of its joint): contacts are planes of the start of a step, and what "
         "moves further may pass others or go where nothing holds it; smaller steps, integrator.mass: full "
         "or scaled, or stiffer springs prevent it";
}

Warnings event_warnings(const Model& model, const Scene& scene, const State& state, const EventTotals& events,
                        long num_steps) {
  Warnings warnings;
  const auto text_of = [&](EventKind kind, const EventTotal& total) {
    switch (kind) {
      case EventKind::kEnergyGain:
        return describe_gain(model, state, total);
      case EventKind::kEnergyLoss:
        return describe_loss(model, scene, state, total);
      case EventKind::kUnforeseenHit:
        return describe_unforeseen_hits(total);
      case EventKind::kInexactStep:
        return describe_inexact_steps(total, scene, num_steps);
      case EventKind::kFrictionLag:
        return describe_lag(model, scene, events, num_steps);
      case EventKind::kPassage:
        return describe_passages(model, total);
      case EventKind::kFastSpin:
        return describe_fast_spins(model, scene, events);
      case EventKind::kUnexplainedDepth:
        return describe_unexplained_depths(model, total);
      case EventKind::kHeldBack:
        return describe_held_back(model, total);
      case EventKind::kLeap:
        return describe_leaps(model, total);
      case EventKind::kStoppedBySleep:
        return describe_stopped(model, scene, total);
      default:
        return describe(model, total);
    }
  };
  for (int k = 0; k < kNumEventKinds; ++k) {
    const auto kind = static_cast<EventKind>(k);
    const EventTotal& total = events[kind];
    if (total.count == 0 || !is_warning(kind)) continue;
    if (const std::string text = text_of(kind, total); !text.empty())
      warnings.push_back({to_string(kind), total.first_time, text});
  }
  return warnings;
}

void note_events(const Model& model, const EventTotals& events) {
  if (const EventTotal& total = events[EventKind::kDegenerateQuery]; total.count > 0)
    log_info(count_of(total, "contact query", "contact queries") + " met a degenerate configuration");
  if (const EventTotal& total = events[EventKind::kNativeAnswer]; total.count > 0)
    log_info(count_of(total, "contact query was", "contact queries were") +
             " answered natively: FCL had no answer, or a wrong one (docs/evidence/contact_queries.md)");
  if (const EventTotal& total = events[EventKind::kFallback]; total.count > 0) {
    log_info(count_of(total, "contact point was", "contact points were") +
             " found between geometries with pressure fields and others that make no patch with them: these "
             "pairs are point contacts (contact.fallback: point; contact.fallback: error names them)");
  }
  if (const EventTotal& asleep = events[EventKind::kFellAsleep]; asleep.count > 0) {
    const EventTotal& woke = events[EventKind::kWoke];
    log_info("groups of bodies fell asleep " + counted(asleep.count, "time") +
             ", the first at t = " + time_text(asleep.first_time) + ", and woke " +
             counted(woke.count, "time") + " (/event, /trajectory/asleep)");
  }
  if (const EventTotal& total = events[EventKind::kDividedStep]; total.count > 0) {
    log_info(
        counted(total.count, "step was", "steps were") +
        " subdivided: " + (total.count == 1 ? "it" : "they") +
        " did not converge, or caused unexpected overlap; the first at t = " + time_text(total.first_time));
  }
  if (const EventTotal& total = events[EventKind::kBrokenConstraint]; total.count > 0)
    log_info(counted(total.count, "constraint") + " broke, first " + subjects(model, total) +
             " at t = " + time_text(total.first_time));
}

}  // namespace csim
