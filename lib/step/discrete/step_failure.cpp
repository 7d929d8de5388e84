#include "step/discrete/step_failure.h"

#include <cmath>
#include <sstream>

namespace csim {
namespace {

/// " (contact of 'a' and 'b')" of the contact at which the solver failed.
std::string failed_contact(const StepProblem& problem) {
  if (problem.report.failed_contact < 0) return "";
  const ContactPair contact = problem.contacts.pair(problem.report.failed_contact);
  return " (contact of '" + problem.model.geometries[contact.geometry_a].name + "' and '" +
         problem.model.geometries[contact.geometry_b].name + "')";
}

/// ": body 'name', coordinate i = v" of the first velocity that cannot be squared.
std::string infinite_velocity(const StepProblem& problem) {
  for (const Body& body : problem.model.bodies) {
    for (int i = 0; i < body.joint.nv; ++i) {
      const double v = problem.v[body.joint.v_begin + i];
      if (std::isfinite(v * v)) continue;
      std::ostringstream text;
      text << ": body '" << body.name << "', coordinate " << i << " = " << v;
      return text.str();
    }
  }
  return "";
}

std::string reason(const StepProblem& problem) {
  if (!problem.is_usable())
    return "the solver did not converge: " + problem.report.message + failed_contact(problem);
  if (problem.unsettled_tree >= 0) {
    const int body = problem.model.trees[problem.unsettled_tree].bodies.front();
    return "no mean velocity for the Coriolis and gyroscopic forces of '" + problem.model.bodies[body].name +
           "' and the bodies jointed to it, which turn too far in a step; a shorter time.step holds them";
  }
  // Squares, so that energies stay finite too.
  if (!std::isfinite(problem.v.squaredNorm()))
    return "a velocity is not finite, or too large to square" + infinite_velocity(problem);
  return "";
}

}  // namespace

std::string describe_failure(const StepProblem& problem) {
  const std::string what = reason(problem);
  if (what.empty()) return "";
  std::ostringstream text;
  text << "step " << problem.start->step + 1 << " at t = " << problem.start->time << " s: " << what;
  return text.str();
}

}  // namespace csim
