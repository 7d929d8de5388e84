// Contact laws: convex potentials ell_c(v_c) (all but TAMSI's) of the relative velocity of a contact, chosen
// once per problem and evaluated in batches.
//
// Every law here is isotropic: ell_c depends on v_n = n . v_c and s^2 = |v_t|^2 alone (Castro et al. 2023,
// Irrotational Contact Fields, eqs 20-27). A law is therefore one scalar function (cost, impulses, second
// derivatives of v_n and s^2) in a file of its own, and the batched kernels below are generated from it.
// World axes; the impulse acts on body b.
#pragma once

#include <span>
#include <string_view>

#include "law/cone_form.h"
#include "law/contact_columns.h"
#include "law/law_facts.h"

namespace csim {

/// What a law knows beside its contacts: one set a scene.
struct LawParameters {
  double stiction_tolerance = 1e-4;  // v_s, m/s: Lagged, Similar
  double sigma = 1e-3;               // SAP's friction regularisation; weight of eq 44 in Lagged and Similar
  bool regularise_stiction = true;   // eps_s = max(v_s, mu sigma w gamma_n0), eq 44: Lagged, Similar
  double near_rigid = 0.0;           // beta: SAP
  double barrier_stiffness = 0.0;    // kappa, J (log) or N/m (IPC)
  double barrier_thickness = 0.0;    // D, m: IPC; the cut-off of the log barrier
};

/// Contacts [begin, end) of the columns.
struct ContactRange {
  int begin = 0, end = 0;
};

/// Velocities of contacts, split: v_c = v_n n + v_t.
struct ContactVelocities {
  std::vector<double> normal;  // v_n, m/s, > 0 separating
  Vector3Columns tangential;   // v_t, m/s

  void resize(std::size_t n) {
    normal.resize(n);
    tangential.resize(n);
  }
};

/// Symmetric 3 x 3 matrices G = -d gamma / d v_c in world axes, N s^2/m = kg.
struct ContactHessians {
  std::vector<double> xx, yx, zx, yy, zy, zz;

  void resize(std::size_t n) {
    for (auto* column : {&xx, &yx, &zx, &yy, &zy, &zz}) column->resize(n);
  }
  [[nodiscard]] Matrix3 operator[](std::size_t i) const {
    Matrix3 G;
    G << xx[i], yx[i], zx[i], yx[i], yy[i], zy[i], zx[i], zy[i], zz[i];
    return G;
  }
};

/// Contacts along a line v_c + alpha dv_c, reduced to five scalars each: v_n + alpha dv_n, and
/// |v_t|^2 = s2_min + dt2 (alpha - alpha0)^2, a form without cancellation where the line passes near v_t = 0.
struct ContactLines {
  std::vector<double> v_n, dv_n, s2_min, alpha0, dt2;

  void resize(std::size_t n) {
    for (auto* column : {&v_n, &dv_n, &s2_min, &alpha0, &dt2}) column->resize(n);
  }
};

/// Value and first two derivatives of sum_c ell_c along a line.
struct LineValue {
  double cost = 0.0, first = 0.0, second = 0.0;
};

/// What the results report of one contact at the solution.
struct ContactState {
  int mode = 0;  // 0 no normal impulse; 1 stiction (slip within the effective tolerance); 2 slip
  double gliding_distance = 0.0;    // m, spurious gap while sliding, eq 41
  double stiction_tolerance = 0.0;  // m/s, effective, eq 42
};

/// Whether an impulse gamma (N s) presses along the normal. That of an open contact that rubs is friction
/// alone, with the rounding of it along the normal.
[[nodiscard]] inline bool presses(const Vector3& gamma, const Vector3& normal) {
  return gamma.dot(normal) > 1e-12 * gamma.norm();
}

/// The batched kernels of one law. Output columns are indexed like the contacts and sized by the caller.
struct ContactLaw {
  std::string_view name;  // "lagged/hunt_crossley"
  ContactModel friction;
  NormalLaw normal;
  bool has_potential;  // else the kernels that a minimiser would call are null (TAMSI)
  bool has_dual;       // offers the primal-dual Hessian
  bool has_domain;     // finite only where phi > 0 (barriers)

  /// Fills normal_constant and friction_constant for the step h (s). Reads everything else.
  void (*setup)(const LawParameters& parameters, double h, ContactRange range, ContactColumns* contacts);

  /// Returns sum ell_c (J) and fills gamma (N s, world axes, on b).
  double (*evaluate)(const ContactColumns& contacts, ContactRange range, const ContactVelocities& v,
                     Vector3Columns* gamma);

  /// Fills G. With a dual direction (not null, laws with has_dual) the primal-dual matrix of Chan, Golub and
  /// Mulet 1999 in place of the exact second derivative: symmetric positive semidefinite too.
  void (*hessian)(const ContactColumns& contacts, ContactRange range, const ContactVelocities& v,
                  const Vector3Columns* dual, ContactHessians* G);

  /// The dual direction after the Newton step dv (full, whatever the step length): w <- (v_t + dv_t)/W - w
  /// (v_t . dv_t)/W^2, scaled back to |w| <= 0.999999. Null without has_dual.
  void (*update_dual)(const ContactColumns& contacts, ContactRange range, const ContactVelocities& v,
                      const ContactVelocities& dv, Vector3Columns* dual);

  /// sum ell_c and its derivatives at v_c + alpha dv_c.
  LineValue (*evaluate_line)(const ContactColumns& contacts, ContactRange range, const ContactLines& lines,
                             double alpha);

  /// A step length up to which every contact stays inside the law's domain (infinity without has_domain); 0
  /// or less when one is outside at alpha = 0.
  double (*domain_step)(const ContactColumns& contacts, ContactRange range, const ContactLines& lines);

  /// The contacts as cones for the interior point; null for normal laws without a closed inverse. Lagged,
  /// whose friction has a bound that does not depend on v, gives its normal laws alone, as cones of one
  /// entry.
  void (*fill_cones)(const ContactColumns& contacts, ContactRange range, ConeColumns* cones);

  /// The bound of a friction that does not depend on v, mu times a normal impulse (N s), and another one in
  /// its place; null for laws without.
  double (*friction_bound)(const ContactColumns& contacts, int i);
  void (*set_friction_bound)(const LawParameters& parameters, double bound, int i, ContactColumns* contacts);

  /// d ln |gamma_t| / d ln bound at |v_t|^2 = s2: 1 but for what the bound changes beside itself. Null with
  /// friction_bound.
  double (*friction_elasticity)(const LawParameters& parameters, const ContactColumns& contacts, int i,
                                double s2);

  /// Mode and artefact measures of contact i at v_n, s = |v_t|.
  ContactState (*state)(const ContactColumns& contacts, int i, double h, double v_n, double s);

  /// Energy (J) of the contact's spring at the signed distance phi, elastic part alone.
  double (*elastic_energy)(const LawParameters& parameters, const ContactColumns& contacts, int i, double h,
                           double phi);

  /// Its force (N) when the bodies have parted by x (m) since the step's start: minus the slope of that
  /// energy at phi0 + x.
  double (*elastic_force)(const LawParameters& parameters, const ContactColumns& contacts, int i, double h,
                          double x);
};

/// All laws that are the gradient of a potential, by name.
[[nodiscard]] std::span<const ContactLaw> contact_laws();

/// The law of a combination, with or without a potential (of kCoulomb: that of Lagged); null when the two do
/// not combine (FrictionFacts::takes_every_normal).
[[nodiscard]] const ContactLaw* find_contact_law(ContactModel friction, NormalLaw normal);

}  // namespace csim
