#include "step/look_at_end.h"

#include <algorithm>
#include <limits>

#include "core/timer.h"

namespace csim {
namespace {

/// What a step may add to the energy of the motion of two pressure fields against each other and of their
/// contact: a step that enters a field it had no surface of takes the way for nothing.
constexpr double kCreated = 0.01;

/// The part of a compliant field's thickness that a step may travel into it.
constexpr double kOfThickness = 0.25;

/// What a step does between two pressure fields, by its contact surface, that of the start.
struct PatchStep {
  double stored = 0.0;  // J, at the start
  double taken = 0.0;  // J, from the motion, by normal forces: at the mean of the velocities before and after
  double closing = 0.0;  // m, largest
  bool any = false;
};

PatchStep sum_patch(const StepProblem& p, const FieldMeeting& meeting) {
  PatchStep sum;
  const ContactSet& contacts = p.contacts;
  const auto patch =
      std::find_if(contacts.patches.begin(), contacts.patches.end(), [&](const ContactPatch& c) {
        return c.geometry_a == meeting.geometry_a && c.geometry_b == meeting.geometry_b;
      });
  if (patch == contacts.patches.end()) return sum;
  sum.any = true;
  sum.stored = stored_energy(contacts.surface, patch->face_begin, patch->face_end);
  const ConvexProblem& problem = p.data.problem;
  const int num_points = static_cast<int>(contacts.points.size());
  for (int i = 0; i < problem.num_contacts(); ++i) {
    const int point = problem.source[i] - num_points;
    if (point < patch->point_begin || point >= patch->point_end) continue;
    const double v0 = p.data.start_velocities.normal[i], v = p.forces.velocities.normal[i];
    sum.taken -= 0.5 * (v0 + v) * p.forces.gamma[i].dot(problem.contacts.normal[i]);
    sum.closing = std::max(sum.closing, -p.h * v);
  }
  return sum;
}

double mass_of(const Model& model, int body) {
  return model.bodies[body].tree < 0 ? std::numeric_limits<double>::infinity() : model.bodies[body].mass.mass;
}

/// Adds the pairs of pressure fields that the step leads deeper into each other than its surfaces hold.
void judge_meetings(const StepProblem& p, EndOverlap* overlap) {
  for (const FieldMeeting& meeting : p.meetings) {
    const PatchStep patch = sum_patch(p, meeting);
    if (!meeting.meet && !patch.any) continue;
    // Held at the start, and then beyond the middle: too soft for the speed.
    if (patch.any && patch.stored > 0.0 && meeting.meet && meeting.energy <= 0.0)
      overlap->add({0.0, true, false, meeting.geometry_a, meeting.geometry_b});
    const double travel = patch.any ? patch.closing : meeting.travel;
    const double inverse = 1.0 / mass_of(p.model, meeting.body_a) + 1.0 / mass_of(p.model, meeting.body_b);
    const double motion = 0.5 * meeting.speed0 * meeting.speed0 / inverse;
    const double created = meeting.energy - patch.stored - patch.taken;
    if (travel <= kOfThickness * meeting.thickness && created <= kCreated * (motion + patch.stored)) continue;
    overlap->add({travel, false, true, meeting.geometry_a, meeting.geometry_b});
  }
}

}  // namespace

void look_at_end(StepProblem* problem, StepOutcome* outcome) {
  StepProblem& p = *problem;
  const State& end = outcome->state;
  ScopedTimer timer(&outcome->statistics.seconds.geometry);
  compute_twists(p.model, p.kinematics, p.v, &p.twists);
  ContactQuery query = p.contact_query();
  query.step = p.h;
  const bool turns = p.finder.may_overlap(query, p.twists, p.contacts),
             meets = p.finder.may_meet(query, p.twists);
  if (turns || meets) compute_kinematics(p.model, end.q, end.time, end.time, &p.kinematics_end);
  if (turns) outcome->overlap = p.finder.look_at_end(query, p.twists, p.kinematics_end.X_WB, p.contacts);
  if (meets) {
    p.finder.meet_fields(query, p.twists, p.kinematics_end.X_WB, &p.meetings);
    judge_meetings(p, &outcome->overlap);
  }
  if (p.contacts.passages.count > 0) {
    p.finder.confirm_passages(p.twists, p.h, &p.contacts);
    if (const PairCount& passages = p.contacts.passages; passages.count > 0)
      outcome->overlap.add({0.0, false, true, passages.geometry_a, passages.geometry_b});
  }
}

}  // namespace csim
