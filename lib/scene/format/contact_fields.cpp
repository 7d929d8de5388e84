// The table's rows for contact, solver and integrator.
#include <cmath>
#include <limits>

#include "scene/format/field_rows.h"
#include "scene/integrator_kinds.h"

namespace csim {

using namespace field_rows;

namespace {

const SectionOf<ContactSpec>& barrier_section() {
  static const SectionOf<ContactSpec> section{
      "barrier",
      "a barrier",
      "Constants of the normal laws log_barrier and ipc_barrier.",
      "",
      {
          number("stiffness", &ContactSpec::barrier_stiffness, "J for log_barrier, N/m for ipc_barrier",
                 kPositive, "Strength of the barrier.", "100")
              .required(),
          number("thickness", &ContactSpec::barrier_thickness, "m", kPositive,
                 "Distance at which the barrier begins to act.", "1.0e-3")
              .required(),
      }};
  return section;
}

const SectionOf<PairSpec>& pair_section() {
  static const SectionOf<PairSpec> section{
      "pair",
      "a pair",
      "Contact properties of a pair, instead of those of its materials; later entries win key by key.",
      "",
      {
          text("a", &PairSpec::a, "a body, body/geometry, material:name or group:name",
               "A body, a body/geometry, material:name or group:name.", "ball")
              .required(),
          text("b", &PairSpec::b, "a body, body/geometry, material:name or group:name",
               "The other side, likewise.", "material:steel")
              .required(),
          number("friction", &PairSpec::friction, "", kNonNegative,
                 "Coulomb friction coefficient of the pair.", "0.3"),
          number("stiffness", &PairSpec::stiffness, "N/m", kNonNegative,
                 "Stiffness of one point contact of the pair.", "1.0e+6"),
          number("hunt_crossley_dissipation", &PairSpec::hunt_crossley_dissipation, "s/m", kNonNegative,
                 "Hunt & Crossley dissipation of the pair.", "10"),
          number("relaxation_time", &PairSpec::relaxation_time, "s", kNonNegative,
                 "Relaxation time of the pair (sap).", "0.01"),
      }};
  return section;
}

const SectionOf<ExcludeSpec>& exclude_section() {
  static const SectionOf<ExcludeSpec> section{
      "exclude",
      "an exclusion",
      "A pair that does not collide.",
      "",
      {
          text("a", &ExcludeSpec::a, "a body, body/geometry, material:name or group:name",
               "A body, a body/geometry, material:name or group:name.", "group:balls")
              .required(),
          text("b", &ExcludeSpec::b, "a body, body/geometry, material:name or group:name",
               "The other side, likewise.", "group:balls")
              .required(),
      }};
  return section;
}

const SectionOf<PatchSpec>& patch_section() {
  static const SectionOf<PatchSpec> section{
      "patch",
      "patch options",
      "How pressure-field patches become contact faces.",
      "",
      {
          choice("representation", &PatchSpec::representation, "polygon triangle",
                 "Faces as polygons or as triangles.", "triangle"),
          choice(
              "quadrature", &PatchSpec::quadrature, "center_of_pressure centroid three_point",
              "Where a face's force acts. center_of_pressure: force and moment are exact at rest. centroid: "
              "the force is exact, its moment of second order in the size of the faces (a box on a plane "
              "resists tilting with 2/3 of the right moment; an impact on coarse faces has errors of per "
              "cents in energy). three_point: as center_of_pressure, with three points in each triangle of "
              "a face.",
              "centroid"),
          number("max_face_size", &PatchSpec::max_face_size, "m", kPositive,
                 "Faces larger than this are divided, at most to 1/64 of their size.", "0.01"),
          number("cull_angle_deg", &PatchSpec::cull_angle_deg, "degrees", Bounds{.min = 0.0, .max = 180.0},
                 "Faces whose normal is farther than this from the pressure gradient are left out.", "none")
              .or_word("none"),
          choice(
              "gradient_filter", &PatchSpec::gradient_filter, "keep drop",
              "Faces with no pressure gradient along their normal: constant forces in the step, or left out.",
              "drop"),
      }};
  return section;
}

}  // namespace

const SectionOf<ContactSpec>& contact_section() {
  static const SectionOf<ContactSpec> section{
      "contact",
      "the contact options",
      "Contact law, its constants, and rules for pairs.",
      "",
      {
          choice("model", &ContactSpec::model, contact_model_names(),
                 "Friction model and its coupling to the normal force. lagged bounds friction by the normal "
                 "force of the step's start; coulomb repeats it until the bound is that of the end; tamsi is "
                 "not convex: it may fail to converge.",
                 "sap"),
          choice("normal", &ContactSpec::normal, normal_law_names(),
                 "Normal force law; linear by default for sap, which takes no other, else hunt_crossley.",
                 "hertz")
              .no_default(),
          mapping("barrier", barrier_section(), "Needed by the normal laws log_barrier and ipc_barrier.",
                  "{stiffness: 100, thickness: 1.0e-3}")
              .when([](const ContactSpec& contact, const SceneWriting&) {
                return contact.barrier_stiffness > 0.0;
              }),
          number("stiction_tolerance", &ContactSpec::stiction_tolerance, "m/s", kPositive,
                 "Slip speed below which friction is regularised (v_s).", "1.0e-5"),
          number("sigma", &ContactSpec::sigma, "", kNonNegative,
                 "Friction regularisation of sap, and of regularise_stiction.", "1.0e-4"),
          boolean(
              "regularise_stiction", &ContactSpec::regularise_stiction,
              "Soften stiction where the load is large, as in impacts (lagged, coulomb, similar): the "
              "stiction "
              "tolerance is at least friction * sigma * w * (normal force) * (step), w the contact's inverse "
              "mass; false: the plain law.",
              "false"),
          number("near_rigid", &ContactSpec::near_rigid, "", kNonNegative,
                 "Near-rigid parameter beta of sap; 0: no floor on the compliance.", "1"),
          number("friction_tolerance", &ContactSpec::friction_tolerance, "", kPositive,
                 "Of coulomb: a step is solved again until every bound of friction is mu times the normal "
                 "force at the end of the step to within this, relative to the largest normal force of its "
                 "island (/artefact/friction_lag).",
                 "1.0e-3"),
          integer("max_repetitions", &ContactSpec::max_repetitions, 0,
                  "Of coulomb: how often a step is solved again at most, and again as often once its bias "
                  "has changed; 0: lagged.",
                  "100"),
          number("margin", &ContactSpec::margin, "m", kNonNegative,
                 "Pairs closer than this, or that could touch in this step, are included. `auto`: also those "
                 "that "
                 "impacts within the step bring together.",
                 "auto")
              .or_word("auto"),
          choice("engine", &ContactSpec::engine, "native fcl",
                 "What finds the pairs of bodies, the direction of a convex pair and the near triangles of a "
                 "mesh: csim's own code, or the library FCL, which is slower and whose answers csim's own "
                 "code checks.",
                 "fcl"),
          choice("fallback", &ContactSpec::fallback, "point error",
                 "Pairs that have no patch (rigid with rigid, a pressure-field with a point geometry …): "
                 "contact as points, or an error.",
                 "error"),
          mapping("patch", &ContactSpec::patch, patch_section(),
                  "How pressure-field patches become contact faces.", "{representation: triangle}"),
          list("pairs", &ContactSpec::pairs, pair_section(), "Contact properties of pairs.",
               "[{a: ball, b: ground, friction: 0.3}]"),
          list("exclude", &ContactSpec::exclude, exclude_section(), "Pairs that do not collide.",
               "[{a: \"group:balls\", b: \"group:balls\"}]"),
      },
      finish_contact};
  return section;
}

const SectionOf<SolverSpec>& solver_section() {
  static const SectionOf<SolverSpec> section{
      "solver",
      "the solver options",
      "How the convex problem of a step is solved.",
      "",
      {
          choice("method", &SolverSpec::method, "auto newton interior_point",
                 "Optimisation method. auto: newton, and interior_point where newton takes many iterations. "
                 "interior_point: sap, and similar with normal hunt_crossley or linear; under auto also "
                 "lagged with these normal laws, in large piles while they form.",
                 "newton"),
          number("tolerance", &SolverSpec::tolerance, "", kPositive,
                 "Relative tolerance on the scaled momentum residual (e_r).", "1.0e-8"),
          number("absolute_tolerance", &SolverSpec::absolute_tolerance, "sqrt(J)", kNonNegative,
                 "Absolute tolerance on the scaled momentum residual (e_a).", "1.0e-12"),
          integer("max_iterations", &SolverSpec::max_iterations, 1, "Most iterations of a step.", "100"),
          choice("line_search", &SolverSpec::line_search, "loose exact armijo",
                 "Line search along the Newton direction.", "exact"),
          choice("hessian", &SolverSpec::hessian, "primal_dual newton", "Matrix of the Newton step (lagged).",
                 "newton"),
          choice("linear_solver", &SolverSpec::linear_solver, "auto block supernodal dense",
                 "Cholesky factorisation; auto is block, as fast as any at every size measured (40 to 4000 "
                 "bodies).",
                 "dense"),
          choice("on_nonconvergence", &SolverSpec::on_nonconvergence, "fail accept shorter_step",
                 "What happens when a step does not converge. fail: the run ends; accept: the step is taken "
                 "as it is; shorter_step: it is subdivided, down to 1/64. Under integrator.type "
                 "error_controlled fail and shorter_step both try shorter steps first, down to 1/1024 of "
                 "time.step.",
                 "accept"),
          choice("condition_number", &SolverSpec::condition_number, "none estimate exact",
                 "Condition number of the Hessian, unscaled, in the statistics; estimate: a lower bound by "
                 "Lanczos steps, usually within a factor of 1.5, seldom more than 3 too low.",
                 "none"),
      },
      check_method};
  return section;
}

enum class ThresholdWord { kAuto, kInfinite };

void read_threshold(const SectionReader& reader, SceneReading*, IntegratorSpec* spec) {
  constexpr const char* kKey = "contact_threshold";
  if (!reader.has(kKey)) return;
  if (!reader.is_any_word(kKey)) {
    spec->contact_threshold = reader.number(kKey);
  } else if (reader.choice<ThresholdWord>(kKey) == ThresholdWord::kInfinite) {
    spec->contact_threshold = std::numeric_limits<double>::infinity();
  }
}

std::optional<YamlNode> write_threshold(const IntegratorSpec& spec, const SceneWriting&) {
  if (!spec.contact_threshold) return yaml_word("auto");
  return std::isinf(*spec.contact_threshold) ? yaml_word("inf") : yaml_number(*spec.contact_threshold);
}

const SectionOf<IntegratorSpec>& integrator_section() {
  static const SectionOf<IntegratorSpec> section{
      "integrator",
      "the integrator",
      "How time is stepped.",
      "type",
      {
          choice("type", &IntegratorSpec::type, integrator_names(),
                 "Kind of time stepping. discrete: steps of time.step, each one convex problem; "
                 "error_controlled: the same scheme in steps of variable length, each in two halves, whose "
                 "difference from one whole step bounds the error, island by island; continuous: "
                 "contact as a force law at the acceleration level (the normal law; friction mu f_n "
                 "v/sqrt(v^2 + stiction_tolerance^2) whatever contact.model), steps of variable length with "
                 "an estimate of their error (Runge-Kutta, orders 3 and 2). The first variable step tried is "
                 "time.step.",
                 "discrete"),
          number(
              "accuracy", &IntegratorSpec::accuracy, "", kPositive,
              "Largest error of one step, not of the run: errors add up, to as much as accuracy over the "
              "length of "
              "a step in each second, and contacts and springs lose energy by them (beyond 1 % a warning). "
              "error_controlled: of a position, m or rad; the solver's tolerance "
              "is at most a thousandth of it. continuous: of a speed v relative to 0.1 m/s + |v|, of a "
              "position in units of 0.01 m (angles times the radius of gyration).",
              "1.0e-4")
              .only_for("error_controlled continuous"),
          number("max_step", &IntegratorSpec::max_step, "s", kPositive,
                 "Longest step; without it only the rows of output.period end steps. Changes shorter than a "
                 "step, as a pulse of a command, can be missed.",
                 "0.01")
              .only_for("error_controlled continuous"),
          choice(
              "velocity_terms", &IntegratorSpec::velocity_terms, "mean start",
              "Where in a step its terms are taken. mean: gyroscopic and Coriolis forces at the mean of the "
              "velocities before and after the step, which keeps the energy of a free body at any step and "
              "spin; contacts as they are at the end of the step, to second order; springs of joints so that "
              "they keep their energy where the step resolves them. start: forces and contacts at the start "
              "of the step, springs at its end, as in Drake's discrete step: fast spins gain energy, springs "
              "lose it, and what turns together drifts apart.",
              "start")
              .only_for("discrete"),
          number(
              "sleep_speed", &IntegratorSpec::sleep_speed, "m/s", kPositive,
              "Bodies in contact that are all slower for sleep_time fall asleep: they stay where they are, "
              "cost next to nothing, and wake when something comes into contact with them. Without it "
              "nothing sleeps. Of a coordinate counts its speed times sqrt(M_ii/m), M its mass matrix and "
              "m the mass of its tree: of angles the radius of gyration. Trees with actuators, "
              "constraints or forces, and what touches a moving prescribed body, stay awake. What creeps, "
              "slides or rolls more slowly is stopped: choose it below every speed that matters, and above "
              "contact.stiction_tolerance where bodies on slopes, which creep, are to sleep.",
              "1.0e-6")
              .only_for("discrete"),
          number("sleep_time", &IntegratorSpec::sleep_time, "s", kPositive,
                 "How long bodies must be slower than sleep_speed before they fall asleep.", "1.0")
              .only_for("discrete"),
          choice("problem", &IntegratorSpec::problem,
                 "qp socp lcp log_barrier log_barrier_socp planning_lcp near_rigid",
                 "Problem of a step, of Pang & Tedrake 2021. qp: the convex quadratic program with friction "
                 "pyramids; socp: the same with friction cones; lcp: Coulomb's law itself on pyramids; "
                 "log_barrier and log_barrier_socp: qp and socp smoothed by barriers of weight "
                 "1/barrier_weight, which push from a distance; planning_lcp: lcp with actuated joints that "
                 "follow their commands exactly, whatever the force; near_rigid: socp with contacts that "
                 "yield by a "
                 "little, which has an answer where bodies overlap.",
                 "qp")
              .only_for("quasistatic"),
          integer("rays_per_contact", &IntegratorSpec::rays_per_contact, 2,
                  "Rays of the friction pyramid of a contact, an even number; 2 only where all passive "
                  "bodies move in one plane, the rays lying in it.",
                  "8")
              .only_for("quasistatic"),
          number("contact_threshold", kNoMember, "m", kPositive,
                 "Pairs closer than this are contacts of the step; inf: all pairs; auto: 0.005 m and 1.5 "
                 "times the longest way that the commands would move a point in the step, more in a step in "
                 "which a body that drives alone do not place goes further.",
                 "0.02")
              .or_word("auto inf")
              .read_by(&read_threshold)
              .written_by(&write_threshold)
              .only_for("quasistatic"),
          choice(
              "mass", &IntegratorSpec::mass, "none full scaled",
              "Mass of passive coordinates in the problem, whose velocities start at 0 in every step. none: "
              "forces balance; full: their mass, a drag M/time.step; scaled: so that its largest entry is "
              "time.step^2 times the smallest stiffness of the actuators over mass_scale.",
              "scaled")
              .only_for("quasistatic"),
          number("mass_scale", &IntegratorSpec::mass_scale, "", kPositive, "See mass: scaled.", "10")
              .only_for("quasistatic"),
          number("regularization", &IntegratorSpec::regularization, "", kPositive,
                 "Weight of the mass of passive coordinates, relative to time.step^2 times the smallest "
                 "stiffness, that chooses among equally good velocities; its error is removed. The answer "
                 "does not depend on it; values above 1e-4 act as 1e-4. Without effect with a mass, or "
                 "without an actuator.",
                 "1.0e-4")
              .only_for("quasistatic"),
          boolean("passive_joints", &IntegratorSpec::passive_joints,
                  "Whether a tree may have joints with an actuator and joints without. true: those without "
                  "move freely, and the bodies beyond them weigh; false: such a tree is an error.",
                  "true")
              .only_for("quasistatic"),
          number("barrier_weight", &IntegratorSpec::barrier_weight, "1/J", kPositive,
                 "Weight kappa of the cost beside the barriers of log_barrier and log_barrier_socp.", "1000")
              .only_for("quasistatic"),
          number("tolerance", &IntegratorSpec::tolerance, "", kPositive,
                 "Largest of the scaled residuals of the optimality conditions (/stats/step/stationarity and "
                 "its neighbours) of a step that counts as solved; a step above is an event.",
                 "1.0e-6")
              .only_for("quasistatic"),
          choice(
              "on_infeasible", &IntegratorSpec::on_infeasible, "error relax",
              "A step in which no motion resolves the overlaps. error: ends the run; relax: is solved with "
              "contacts that yield as those of near_rigid, an event.",
              "relax")
              .only_for("quasistatic"),
          choice("on_ambiguous", &IntegratorSpec::on_ambiguous, "error flag",
                 "A step of planning_lcp whose motion does not determine its contact forces. error: ends the "
                 "run; flag: takes one of the solutions, an event.",
                 "flag")
              .only_for("quasistatic"),
          choice("rotation", &IntegratorSpec::rotation, "linear exponential",
                 "Update of a quaternion by time.step times the angular velocity w. linear: normalised "
                 "afterwards, a turn by 2 atan(h |w|/2); exponential: a turn by h |w|.",
                 "exponential")
              .only_for("quasistatic"),
      }};
  return section;
}

}  // namespace csim
