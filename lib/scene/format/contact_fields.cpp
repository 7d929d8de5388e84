// The table's rows for contact, solver and integrator.
#include "scene/format/field_rows.h"

namespace csim {

using namespace field_rows;

namespace {

const Section& barrier_section() {
  static const Section section{
      "barrier",
      "a barrier",
      "Constants of the normal laws log_barrier and ipc_barrier.",
      "",
      {
          number("stiffness", "J for log_barrier, N/m for ipc_barrier", kPositive, "Strength of the barrier.")
              .required()
              .example("100"),
          number("thickness", "m", kPositive, "Distance at which the barrier begins to act.")
              .required()
              .example("1.0e-3"),
      }};
  return section;
}

const Section& pair_section() {
  static const Section section{
      "pair",
      "a pair",
      "Contact properties of a pair, instead of those of its materials; later entries win key by key.",
      "",
      {
          text("a", "a body, body/geometry, material:name or group:name",
               "A body, a body/geometry, material:name or group:name.")
              .required()
              .example("ball"),
          text("b", "a body, body/geometry, material:name or group:name", "The other side, likewise.")
              .required()
              .example("material:steel"),
          number("friction", "", kNonNegative, "Coulomb friction coefficient of the pair.").example("0.3"),
          number("stiffness", "N/m", kNonNegative, "Stiffness of one point contact of the pair.")
              .example("1.0e+6"),
          number("hunt_crossley_dissipation", "s/m", kNonNegative, "Hunt & Crossley dissipation of the pair.")
              .example("10"),
          number("relaxation_time", "s", kNonNegative, "Relaxation time of the pair (sap).").example("0.01"),
      }};
  return section;
}

const Section& exclude_section() {
  static const Section section{
      "exclude",
      "an exclusion",
      "A pair that does not collide.",
      "",
      {
          text("a", "a body, body/geometry, material:name or group:name",
               "A body, a body/geometry, material:name or group:name.")
              .required()
              .example("group:balls"),
          text("b", "a body, body/geometry, material:name or group:name", "The other side, likewise.")
              .required()
              .example("group:balls"),
      }};
  return section;
}

const Section& patch_section() {
  static const Section section{
      "patch",
      "patch options",
      "How pressure-field patches become contact faces.",
      "",
      {
          choice("representation", "polygon triangle", "Faces as polygons or as triangles.")
              .by_default("polygon")
              .example("triangle"),
          choice(
              "quadrature", "centroid center_of_pressure three_point",
              "Where a face's force acts. centroid: the force is exact, its moment to second order in the "
              "size of "
              "the faces: a box on a plane resists tilting by 2/3 of what it should, and an impact on coarse "
              "faces gains or loses per cents of its energy. center_of_pressure: force and moment exact "
              "while nothing moves. three_point: the same by three points in each triangle of a face.")
              .by_default("centroid")
              .example("center_of_pressure"),
          number("max_face_size", "m", kPositive,
                 "Faces larger than this are divided, at most to 1/64 of their size.")
              .example("0.01"),
          number("cull_angle_deg", "degrees", Bounds{.min = 0.0, .max = 180.0},
                 "Faces whose normal is farther than this from the pressure gradient are left out.")
              .or_word("none")
              .by_default("112.5")
              .example("none"),
          choice(
              "gradient_filter", "keep drop",
              "Faces along whose normal the pressure does not grow: held as constant forces in the step, or "
              "left out.")
              .by_default("keep")
              .example("drop"),
      }};
  return section;
}

}  // namespace

const Section& contact_section() {
  static const Section section{
      "contact",
      "the contact options",
      "Contact law, its constants, and rules for pairs.",
      "",
      {
          choice("model", "lagged sap similar tamsi",
                 "Friction model and its coupling to the normal force; tamsi is not convex: it may fail to "
                 "converge.")
              .by_default("lagged")
              .example("sap"),
          choice("normal", "linear hunt_crossley hertz log_barrier ipc_barrier",
                 "Normal force law; linear by default for sap, which takes no other, else hunt_crossley.")
              .example("hertz"),
          mapping("barrier", barrier_section(), "Needed by the normal laws log_barrier and ipc_barrier.")
              .example("{stiffness: 100, thickness: 1.0e-3}"),
          number("stiction_tolerance", "m/s", kPositive,
                 "Slip speed below which friction is regularised (v_s).")
              .by_default("1.0e-4")
              .example("1.0e-5"),
          number("sigma", "", kNonNegative, "Friction regularisation of sap, and of regularise_stiction.")
              .by_default("1.0e-3")
              .example("1.0e-4"),
          boolean("regularise_stiction",
                  "Soften stiction during impacts (lagged, similar); false: the plain law.")
              .by_default("true")
              .example("false"),
          number("near_rigid", "", kNonNegative,
                 "Near-rigid parameter beta of sap; 0: no floor on the compliance.")
              .by_default("0")
              .example("1"),
          number(
              "margin", "m", kNonNegative,
              "Pairs nearer than this are offered, as are those within the reach of the law at the "
              "velocities before "
              "the step; `auto`: also those that hits within the step bring together, which no number does.")
              .or_word("auto")
              .by_default("auto")
              .example("auto"),
          choice(
              "fallback", "point error",
              "What pairs do that give neither a patch nor points (rigid with rigid, a pressure-field with a "
              "point geometry …): meet as points, or stop the load.")
              .by_default("point")
              .example("error"),
          mapping("patch", patch_section(), "How pressure-field patches become contact faces.")
              .example("{representation: triangle}"),
          list("pairs", pair_section(), "Contact properties of pairs.")
              .by_default("[]")
              .example("[{a: ball, b: ground, friction: 0.3}]"),
          list("exclude", exclude_section(), "Pairs that do not collide.")
              .by_default("[]")
              .example("[{a: \"group:balls\", b: \"group:balls\"}]"),
      }};
  return section;
}

const Section& solver_section() {
  static const Section section{
      "solver",
      "the solver options",
      "How the convex problem of a step is solved.",
      "",
      {
          choice(
              "method", "auto newton interior_point",
              "Optimisation method; auto is newton and turns to interior_point where newton takes long. "
              "interior_point: sap, and similar with normal hunt_crossley or linear; auto also has one for "
              "lagged with these normals, in large piles that are being built.")
              .by_default("auto")
              .example("newton"),
          number("tolerance", "", kPositive, "Relative tolerance on the scaled momentum residual (e_r).")
              .by_default("1.0e-5")
              .example("1.0e-8"),
          number("absolute_tolerance", "sqrt(J)", kNonNegative,
                 "Absolute tolerance on the scaled momentum residual (e_a).")
              .by_default("1.0e-14")
              .example("1.0e-12"),
          integer("max_iterations", 1, "Most iterations of a step.").by_default("500").example("100"),
          choice("line_search", "loose exact armijo", "Line search along the Newton direction.")
              .by_default("loose")
              .example("exact"),
          choice("hessian", "primal_dual newton", "Matrix of the Newton step (lagged).")
              .by_default("primal_dual")
              .example("newton"),
          choice("linear_solver", "auto block supernodal dense",
                 "Cholesky factorisation; auto is block, as fast as any at every size measured (40 to 4000 "
                 "bodies).")
              .by_default("auto")
              .example("dense"),
          choice("on_nonconvergence", "fail accept shorter_step", "What a step that does not converge does.")
              .by_default("fail")
              .example("accept"),
          choice(
              "condition_number", "none estimate exact",
              "Condition number of the Hessian, unscaled, in the statistics; estimate is a lower bound "
              "by Lanczos steps with its Cholesky factor, usually within 1.5 and seldom more than 3 below.")
              .by_default("estimate")
              .example("none"),
      }};
  return section;
}

const Section& integrator_section() {
  static const Section section{
      "integrator",
      "the integrator",
      "How time is stepped.",
      "type",
      {
          choice(
              "type", "discrete !error_controlled continuous !quasistatic",
              "Kind of time stepping. discrete: steps of time.step, each one convex problem; continuous: "
              "contact as a force law at the acceleration level (the normal law; friction mu f_n v/sqrt(v^2 "
              "+ "
              "stiction_tolerance^2) whatever contact.model), steps of variable length with an estimate of "
              "their error (Runge-Kutta, orders 3 and 2), the first tried being time.step.")
              .by_default("discrete")
              .example("discrete"),
          number("accuracy", "", kPositive,
                 "Largest error of a step: of a speed v relative to 0.1 m/s + |v|, of a position in units of "
                 "0.01 m (angles times the radius of gyration).")
              .only_for("error_controlled continuous")
              .by_default("1.0e-3")
              .example("1.0e-4"),
          number("max_step", "s", kPositive,
                 "Longest step; without it only the rows of output.period end steps. What is shorter than a "
                 "step, as a pulse of a command, can fall between its stages.")
              .only_for("error_controlled continuous")
              .example("0.01"),
          choice("solver", "qp socp lcp planning_lcp log_barrier log_barrier_socp sap_near_rigid",
                 "Problem of a quasistatic step.")
              .only_for("quasistatic")
              .not_yet()
              .example("qp"),
          integer("rays_per_contact", 2, "Rays of the linearised friction cone.")
              .only_for("quasistatic")
              .not_yet()
              .example("4"),
          number("contact_threshold", "m", kNonNegative, "Contacts farther than this are left out.")
              .or_word("inf auto")
              .only_for("quasistatic")
              .not_yet()
              .example("auto"),
          choice("mass", "none full scaled", "Mass of the unactuated bodies in the step.")
              .only_for("quasistatic")
              .not_yet()
              .example("none"),
          number("mass_scale", "", kPositive, "Factor of mass: scaled.")
              .only_for("quasistatic")
              .not_yet()
              .example("0.1"),
          number("regularization", "", kNonNegative, "Regularisation delta of unactuated coordinates.")
              .only_for("quasistatic")
              .not_yet()
              .example("1.0e-8"),
          number("barrier_weight", "", kPositive, "Weight kappa of the log barrier.")
              .only_for("quasistatic")
              .not_yet()
              .example("100"),
          number("tolerance", "", kPositive, "Tolerance of a quasistatic step.")
              .only_for("quasistatic")
              .not_yet()
              .example("1.0e-9"),
          choice("on_infeasible", "error relax", "What an infeasible command does.")
              .only_for("quasistatic")
              .not_yet()
              .example("relax"),
      }};
  return section;
}

}  // namespace csim
