#include "step/look_at_end.h"

#include <algorithm>
#include <limits>

#include "core/timer.h"

namespace csim {
namespace {

/// What a step may add to the energy of the motion of two pressure fields against each other and of their
/// contact: a step that enters a field it had no surface of takes the way for nothing. Ways into it of less
/// than kShallow of the thickness may add more: a ball that falls on a paddle at 1 ms adds 2 % by 6 %.
constexpr double kCreated = 0.01, kCreatedShallow = 0.04, kShallow = 0.1;

/// More may be added by fields that turn over in a fall of some steps, whose way is at most kFall slacks of
/// margin `auto` (2 h^2 g each), and the slack at most kSmallStep of the thickness. Measured: a pancake that
/// lands on its edge at 5 ms adds 23 % by a way of 16 h^2 g, into it a tenth of its thickness, and a slack of
/// 0.041.
constexpr double kCreatedInFall = 0.25, kDepthOfFall = 0.125, kFall = 10.0, kSmallStep = 0.042;

/// The part of a compliant field's thickness that a step may travel into it, and towards it where there was
/// no surface at the start: what it enters then is judged by its energy.
constexpr double kOfThickness = 0.25, kTowards = 0.5;

/// What a step does between two pressure fields, by its contact surface, that of the start.
struct PatchStep {
  double stored = 0.0;   // J, at the start
  double taken = 0.0;    // J, from the motion, by normal forces
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
    // The change of kinetic energy is at the mean of the velocities, the way at that of the end: what others
    // push in stores more than the mean takes.
    sum.taken -= std::min(0.5 * (v0 + v), v) * p.forces.gamma[i].dot(problem.contacts.normal[i]);
    sum.closing = std::max(sum.closing, -p.h * v);
  }
  return sum;
}

double mass_of(const Model& model, int body) {
  return model.bodies[body].tree < 0 ? std::numeric_limits<double>::infinity() : model.bodies[body].mass.mass;
}

/// The part of the energy of two fields that the step may add.
double created_allowed(const FieldMeeting& meeting, double way_in, double slack) {
  const double t = meeting.thickness;
  const bool falls = meeting.travel <= kFall * slack && slack <= kSmallStep * t && way_in <= kDepthOfFall * t;
  return falls ? kCreatedInFall : way_in > kShallow * t ? kCreated : kCreatedShallow;
}

/// Adds the pairs of pressure fields that the step leads deeper into each other than its surfaces hold.
void judge_meetings(const StepProblem& p, double slack, EndOverlap* overlap) {
  for (const FieldMeeting& meeting : p.meetings) {
    const PatchStep patch = sum_patch(p, meeting);
    if (!meeting.meet && !patch.any) continue;
    // Held at the start, and then beyond the middle: too soft for the speed.
    if (patch.any && patch.stored > 0.0 && meeting.meet && meeting.energy <= 0.0)
      overlap->add({0.0, true, false, meeting.geometry_a, meeting.geometry_b});
    const bool inside = meeting.meet && meeting.energy <= 0.0;  // beyond the middle
    const double way_in = patch.any ? patch.closing : meeting.travel;
    const double inverse = 1.0 / mass_of(p.model, meeting.body_a) + 1.0 / mass_of(p.model, meeting.body_b);
    const double motion = 0.5 * meeting.speed0 * meeting.speed0 / inverse;
    const double created = meeting.energy - patch.stored - patch.taken;
    const double farthest = (patch.any || inside ? kOfThickness : kTowards) * meeting.thickness;
    const double allowed = created_allowed(meeting, way_in, slack) * (motion + patch.stored);
    if (way_in <= farthest && created <= allowed) continue;
    overlap->add({way_in, false, true, meeting.geometry_a, meeting.geometry_b});
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
    judge_meetings(p, query.slack, &outcome->overlap);
  }
  if (p.contacts.passages.count > 0) {
    p.finder.confirm_passages(p.twists, p.h, &p.contacts);
    if (const PairCount& passages = p.contacts.passages; passages.count > 0)
      outcome->overlap.add({0.0, false, true, passages.geometry_a, passages.geometry_b});
  }
}

}  // namespace csim
