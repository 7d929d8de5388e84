// Every law of the table against its own finite differences, the continuous force law it discretises, and the
// properties that make it a contact law. Generic over contact_laws(): a new law in the table
// is tested.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <random>

#include "law/contact_law.h"

namespace csim {
namespace {

constexpr double kStep = 1e-2;        // s
constexpr double kDifference = 1e-7;  // m/s, of the finite differences

LawParameters test_parameters(const ContactLaw& law) {
  LawParameters p;
  p.near_rigid = law.friction == ContactModel::kSap ? 0.5 : 0.0;
  p.barrier_stiffness = law.normal == NormalLaw::kLogBarrier ? 1e-3 : 1e4;
  p.barrier_thickness = 0.02;
  return p;
}

/// Random contacts: overlapping and open, stiff and soft, with and without dissipation and friction.
/// Barriers: open gaps.
struct Sample {
  ContactColumns contacts;
  ContactVelocities v;
  Vector3Columns gamma;
  ContactHessians G;

  [[nodiscard]] ContactRange all() const { return {0, contacts.size()}; }
  void set_velocity(int i, const Vector3& v_c) {
    const Vector3 n = contacts.normal[i];
    v.normal[i] = v_c.dot(n);
    v.tangential.set(i, v_c - v_c.dot(n) * n);
  }
  [[nodiscard]] Vector3 velocity(int i) const { return v.normal[i] * contacts.normal[i] + v.tangential[i]; }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  bool chance(double p) { return uniform(0, 1) < p; }
  Vector3 direction() {
    std::normal_distribution<double> normal;
    return Vector3(normal(engine_), normal(engine_), normal(engine_)).normalized();
  }

 private:
  std::mt19937 engine_;
};

Sample make_sample(const ContactLaw& law, int n, unsigned seed, double h = kStep) {
  Random random(seed);
  Sample s;
  s.contacts.resize(n);
  s.v.resize(n);
  s.gamma.resize(n);
  s.G.resize(n);
  ContactColumns& c = s.contacts;
  for (int i = 0; i < n; ++i) {
    c.normal.set(i, random.direction());
    c.arm.set(i, Vector3::Zero());
    c.bias.set(i, Vector3::Zero());
    c.phi0[i] = law.has_domain ? random.log_uniform(1e-4, 3e-2) : random.uniform(-2e-3, 1e-3);
    c.friction[i] = random.chance(0.1) ? 0.0 : random.uniform(0.1, 1.5);
    c.stiffness[i] = random.log_uniform(1e3, 1e6);
    c.elastic_force0[i] = -c.stiffness[i] * c.phi0[i];
    c.dissipation[i] = random.chance(0.2) ? 0.0 : random.log_uniform(0.1, 50.0);
    c.relaxation_time[i] = random.chance(0.2) ? 0.0 : random.log_uniform(1e-3, 1e-1);
    c.hertz_stiffness[i] = random.log_uniform(1e5, 1e8);
    c.delassus[i] = random.log_uniform(0.1, 10.0);
    c.v_n0[i] = random.uniform(-0.5, 0.5);
    const double speed = random.chance(0.1) ? 0.0 : random.log_uniform(1e-6, 1.0);  // up to 1e4 v_s
    // Inside the domain of barriers: phi0 + h (v_n - mu |v_t|) > 0.
    const double v_n = law.has_domain ? random.uniform(-0.9, 2.0) * c.phi0[i] / h + c.friction[i] * speed
                                      : random.uniform(-0.3, 0.3);
    const Vector3 normal = c.normal[i];
    const Vector3 t = normal.cross(random.direction()).normalized();
    s.v.normal[i] = v_n;
    s.v.tangential.set(i, speed * t);
  }
  law.setup(test_parameters(law), h, s.all(), &c);
  return s;
}

class ContactLawTest : public testing::TestWithParam<const ContactLaw*> {
 protected:
  const ContactLaw& law() const { return *GetParam(); }

  /// Cost and impulse of contact i alone at v_c.
  double cost_at(Sample* s, int i, const Vector3& v_c, Vector3* gamma) const {
    s->set_velocity(i, v_c);
    const double cost = law().evaluate(s->contacts, {i, i + 1}, s->v, &s->gamma);
    *gamma = s->gamma[i];
    return cost;
  }
  Matrix3 hessian_at(Sample* s, int i, const Vector3& v_c) const {
    s->set_velocity(i, v_c);
    law().hessian(s->contacts, {i, i + 1}, s->v, nullptr, &s->G);
    return s->G[i];
  }

  /// Whether the normal force is that of a spring with an elastic force of its own.
  [[nodiscard]] bool takes_faces() const {
    return law().normal == NormalLaw::kHuntCrossley || law().normal == NormalLaw::kLinear;
  }

  /// Turns the contacts into faces of a patch. Near the border between a spring and a constant force (see
  /// kConstantForceSpeed) the cost is large and its differences are rounding: these are left out.
  void make_faces(Sample* s) const {
    Random random(4);
    ContactColumns& c = s->contacts;
    for (int i = 0; i < c.size(); ++i) {
      const double size =
          random.log_uniform(10.0, 1e3);  // N: SAP's stiction region is wider than a difference
      c.delassus[i] = random.log_uniform(1.0, 10.0);
      c.elastic_force0[i] = random.chance(0.3) ? -size : size;
      c.stiffness[i] = random.chance(0.3) ? 0.0 : random.log_uniform(1e-12, 1e8);
      const double k = c.stiffness[i];
      if (k > 1e-9 && k < 1.0) c.stiffness[i] = 0.0;
      c.phi0[i] = c.stiffness[i] > 0.0 ? -c.elastic_force0[i] / c.stiffness[i] : 0.0;
    }
    law().setup(face_parameters(), kStep, s->all(), &c);
  }

  /// Without SAP's floor on the compliance, which softens stiff faces.
  [[nodiscard]] LawParameters face_parameters() const {
    LawParameters p = test_parameters(law());
    p.near_rigid = 0.0;
    return p;
  }

  /// gamma = -d ell/d v_c and G = -d gamma/d v_c by central differences, contact by contact.
  void expect_derivatives(Sample* sample) const {
    Sample& s = *sample;
    const int n = static_cast<int>(s.v.normal.size());
    int kinks = 0, active = 0;
    for (int i = 0; i < n; ++i) {
      const Vector3 v = s.velocity(i);
      Vector3 gamma;
      const double cost = cost_at(&s, i, v, &gamma);
      const Matrix3 G = hessian_at(&s, i, v);
      Vector3 difference_gamma;
      Matrix3 difference_G;
      double jump = 0.0;  // of G over the difference: h/v_s where G is smooth, large at a kink
      double largest_impulse = gamma.norm(), largest_cost = std::abs(cost);
      for (int k = 0; k < 3; ++k) {
        const Vector3 step = kDifference * Vector3::Unit(k);
        Vector3 gamma_plus, gamma_minus;
        const double plus = cost_at(&s, i, v + step, &gamma_plus),
                     minus = cost_at(&s, i, v - step, &gamma_minus);
        difference_gamma[k] = -(plus - minus) / (2.0 * kDifference);
        difference_G.col(k) = -(gamma_plus - gamma_minus) / (2.0 * kDifference);
        jump = std::max(jump, (hessian_at(&s, i, v + step) - hessian_at(&s, i, v - step)).norm());
        largest_impulse = std::max({largest_impulse, gamma_plus.norm(), gamma_minus.norm()});
        largest_cost = std::max({largest_cost, std::abs(plus), std::abs(minus)});
      }
      if (gamma.norm() > 0.0) ++active;
      const double round_off = 1e-15 / kDifference;
      EXPECT_NEAR((difference_gamma - gamma).norm(), 0.0,
                  1e-6 * (largest_impulse + G.norm() * kDifference) + jump * kDifference +
                      round_off * (largest_cost + 1e-12))
          << "contact " << i;
      if (jump > 5e-3 * G.norm()) {
        ++kinks;
        continue;
      }
      EXPECT_NEAR((difference_G - G).norm(), 0.0, 2e-6 * G.norm() + round_off * largest_impulse)
          << "contact " << i;
      // The field is irrotational.
      EXPECT_NEAR((difference_G - difference_G.transpose()).norm(), 0.0,
                  2e-6 * G.norm() + 2.0 * round_off * largest_impulse);
    }
    EXPECT_GT(active, n / 10);
    EXPECT_LT(
        kinks,
        n / 5);  // slips of the size of the difference and borders of regions (a force of zero has neither)
  }
};

std::string law_name(const testing::TestParamInfo<const ContactLaw*>& info) {
  std::string name(info.param->name);
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  return name;
}

std::vector<const ContactLaw*> all_laws() {
  std::vector<const ContactLaw*> laws;
  for (const ContactLaw& law : contact_laws()) laws.push_back(&law);
  return laws;
}

INSTANTIATE_TEST_SUITE_P(All, ContactLawTest, testing::ValuesIn(all_laws()), law_name);

// gamma = -d ell/d v_c and G = -d gamma/d v_c by central differences. Truncation is below (h/v_s)^2 = 1e-6 of
// the largest entry (the scale of the law's own length v_s), round-off is eps |ell|/h in the first and eps
// |gamma|/h in the second.
TEST_P(ContactLawTest, ImpulseAndHessianAreTheDerivatives) {
  Sample s = make_sample(law(), 2000, 1);
  expect_derivatives(&s);
}

// Faces of a patch: stiffness over 20 orders of magnitude or none, elastic forces of either sign (negative in
// a margin).
// Faces in a margin, without a gradient, and of constant pressure give the interior point finite cones, and
// none where nothing can act.
TEST_P(ContactLawTest, ConesOfFacesAreFinite) {
  if (!takes_faces() || law().fill_cones == nullptr) GTEST_SKIP() << "no cones of faces";
  Sample s = make_sample(law(), 2000, 1);
  make_faces(&s);
  const ContactColumns& c = s.contacts;
  ConeColumns cones;
  cones.resize(c.size());
  law().fill_cones(c, s.all(), &cones);
  int num_empty = 0;
  for (int i = 0; i < c.size(); ++i) {
    ASSERT_TRUE(std::isfinite(cones.v_hat[i]) && std::isfinite(cones.a[i]) && std::isfinite(cones.b[i])) << i;
    if (c.stiffness[i] > 0.0 || c.elastic_force0[i] > 0.0) continue;
    EXPECT_EQ(cones.acts[i], 0.0) << i;
    ++num_empty;
  }
  EXPECT_GT(num_empty, 0);
}

TEST_P(ContactLawTest, ImpulseAndHessianOfFacesAreTheDerivatives) {
  if (!takes_faces()) GTEST_SKIP() << "springs of points alone";
  Sample s = make_sample(law(), 2000, 1);
  make_faces(&s);
  expect_derivatives(&s);
}

// At v = 0 the forces are the elastic ones, whatever the stiffness: nothing is lost in a quotient fe0/k.
TEST_P(ContactLawTest, FacesPressWithTheirElasticForce) {
  if (!takes_faces()) GTEST_SKIP() << "springs of points alone";
  Sample s = make_sample(law(), 2000, 2);
  make_faces(&s);
  double expected = 0.0, sum = 0.0;
  for (int i = 0; i < 2000; ++i) {
    Vector3 gamma;
    cost_at(&s, i, Vector3::Zero(), &gamma);
    expected += kStep * std::max(s.contacts.elastic_force0[i], 0.0);
    sum += gamma.dot(s.contacts.normal[i]);
    EXPECT_NEAR(gamma.norm(), kStep * std::max(s.contacts.elastic_force0[i], 0.0), 1e-13) << "contact " << i;
  }
  EXPECT_NEAR(sum, expected, 1e-13 * expected);
}

TEST_P(ContactLawTest, HessiansArePositiveSemidefinite) {
  const int n = 5000;
  Sample s = make_sample(law(), n, 2);
  Vector3Columns dual;
  dual.resize(n);
  Random random(3);
  for (int i = 0; i < n; ++i) {
    const Vector3 normal = s.contacts.normal[i];
    dual.set(i, random.uniform(0.0, 0.999999) * normal.cross(random.direction()).normalized());
  }
  for (const Vector3Columns* w :
       {static_cast<const Vector3Columns*>(nullptr), static_cast<const Vector3Columns*>(&dual)}) {
    law().hessian(s.contacts, s.all(), s.v, w, &s.G);
    for (int i = 0; i < n; ++i) {
      const Matrix3 G = s.G[i];
      const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(G);
      EXPECT_GE(eigen.eigenvalues()[0], -1e-14 * G.norm()) << "contact " << i;
    }
  }
}

// The same contact in other axes: cost equal, gamma and G rotated. Rotations about the normal are included
// (isotropy).
TEST_P(ContactLawTest, RotatesWithItsContact) {
  const int n = 300;
  Sample s = make_sample(law(), n, 4);
  Random random(5);
  for (int i = 0; i < n; ++i) {
    const Vector3 v = s.velocity(i), normal = s.contacts.normal[i];
    Vector3 gamma, rotated_gamma;
    const double cost = cost_at(&s, i, v, &gamma);
    const Matrix3 G = hessian_at(&s, i, v);
    const Vector3 axis = random.chance(0.5) ? normal : random.direction();
    const Matrix3 R = Eigen::AngleAxisd(random.uniform(-3.0, 3.0), axis).toRotationMatrix();
    s.contacts.normal.set(i, R * normal);
    // Rounding of v_t = v - v_n n, divided by the smallest length of the law (v_s = 1e-4 m/s): 1e-16/1e-4
    // times a margin.
    const double rounding = 1e-10, seen = 1e-15 * v.norm() * G.norm();
    EXPECT_NEAR(cost_at(&s, i, R * v, &rotated_gamma), cost, rounding * (std::abs(cost) + 1e-9));
    EXPECT_NEAR((rotated_gamma - R * gamma).norm(), 0.0, rounding * gamma.norm() + seen);
    EXPECT_NEAR((hessian_at(&s, i, R * v) - R * G * R.transpose()).norm(), 0.0, rounding * G.norm() + 1e-300);
  }
}

TEST_P(ContactLawTest, PushesOpposesSlipAndStaysInTheCone) {
  const int n = 5000;
  Sample s = make_sample(law(), n, 6);
  law().evaluate(s.contacts, s.all(), s.v, &s.gamma);
  int touching = 0;
  for (int i = 0; i < n; ++i) {
    const Vector3 normal = s.contacts.normal[i], gamma = s.gamma[i], v_t = s.v.tangential[i];
    const double gamma_n = gamma.dot(normal);
    const Vector3 gamma_t = gamma - gamma_n * normal;
    const double rounding = 1e-14 * gamma.norm();
    EXPECT_GE(gamma_n, -rounding);
    EXPECT_LE(gamma_t.dot(v_t), rounding);
    EXPECT_NEAR(gamma_t.cross(v_t).norm(), 0.0, 1e-12 * gamma.norm() * v_t.norm());
    // Lagged: the cone of gamma_n0 (friction_constant 0 holds mu gamma_n0).
    const double limit = law().friction == ContactModel::kLagged ? s.contacts.friction_constant[0][i]
                                                                 : s.contacts.friction[i] * gamma_n;
    EXPECT_LE(gamma_t.norm(), limit * (1.0 + 1e-12) + rounding);
    if (gamma_n > 0.0) ++touching;
  }
  EXPECT_GT(touching, n / 10);
}

// gamma_n = dt f(phi0 + dt v, -v) of the continuous law at zero slip; gamma_n0 = dt f(phi0, -v_n0).
TEST_P(ContactLawTest, IsTheImplicitDiscretisationOfTheForceLaw) {
  if (law().friction == ContactModel::kSap) GTEST_SKIP() << "SAP has its own test";
  const LawParameters p = test_parameters(law());
  const int n = 1000;
  Sample s = make_sample(law(), n, 7);
  const auto force = [&](int i, double phi, double v) {
    const ContactColumns& c = s.contacts;
    const double x = std::max(-phi, 0.0), damping = std::max(1.0 - c.dissipation[i] * v, 0.0);
    const double kappa = p.barrier_stiffness, r = phi / p.barrier_thickness;
    switch (law().normal) {
      case NormalLaw::kLinear:
        return std::max(-c.stiffness[i] * (phi + c.relaxation_time[i] * v), 0.0);
      case NormalLaw::kHuntCrossley:
        return c.stiffness[i] * x * damping;
      case NormalLaw::kHertz:
        return c.hertz_stiffness[i] * std::pow(x, 1.5) * damping;
      case NormalLaw::kLogBarrier:
        return kappa / phi;
      case NormalLaw::kIpcBarrier:
        return r < 1.0
                   ? kappa * p.barrier_thickness * (2.0 * (r - 1.0) * std::log(r) + (r - 1.0) * (r - 1.0) / r)
                   : 0.0;
    }
    return 0.0;
  };
  for (int i = 0; i < n; ++i) {
    const double v_n = s.v.normal[i], phi0 = s.contacts.phi0[i];
    Vector3 gamma;
    cost_at(&s, i, v_n * s.contacts.normal[i], &gamma);
    const double expected = kStep * force(i, phi0 + kStep * v_n, v_n);
    // phi0 + dt v and x0/dt - v round at eps of their terms, seen through the slope of the law.
    const double slope =
        hessian_at(&s, i, v_n * s.contacts.normal[i]).norm() * (std::abs(phi0) / kStep + std::abs(v_n));
    EXPECT_NEAR(gamma.dot(s.contacts.normal[i]), expected, 1e-12 * expected + 1e-14 * slope)
        << "contact " << i;
    const double impulse0 = kStep * force(i, phi0, s.contacts.v_n0[i]);
    const double tolerance =
        std::max(p.stiction_tolerance, s.contacts.friction[i] * p.sigma * s.contacts.delassus[i] * impulse0);
    EXPECT_NEAR(s.contacts.friction_constant[1][i], tolerance, 1e-12 * tolerance);
    if (law().friction == ContactModel::kLagged) {
      EXPECT_NEAR(s.contacts.friction_constant[0][i], s.contacts.friction[i] * impulse0, 1e-12 * impulse0);
    }
  }
}

// f(x) = -dU/dphi at phi0 + x, by central differences, away from the end of the contact.
TEST_P(ContactLawTest, FrictionFollowsItsBoundByItsElasticity) {
  if (law().friction_bound == nullptr) GTEST_SKIP() << "no bound of its own";
  constexpr double kPart = 1e-5;
  Sample s = make_sample(law(), 200, 12);
  const LawParameters p = test_parameters(law());
  int num_growing = 0;  // stiction tolerances
  for (int i = 0; i < s.contacts.size(); ++i) {
    const double bound = law().friction_bound(s.contacts, i);
    if (!(bound > 0.0)) continue;
    const Vector3 n = s.contacts.normal[i];
    const auto friction = [&](double at) {
      law().set_friction_bound(p, at, i, &s.contacts);
      law().evaluate(s.contacts, {i, i + 1}, s.v, &s.gamma);
      return (s.gamma[i] - s.gamma[i].dot(n) * n).norm();
    };
    const double before = friction(bound);
    if (!(before > 1e-6 * bound)) continue;  // rounding
    const double elasticity = law().friction_elasticity(p, s.contacts, i, s.v.tangential[i].squaredNorm());
    const double difference =
        (friction((1.0 + kPart) * bound) - friction((1.0 - kPart) * bound)) / (2.0 * kPart * before);
    EXPECT_NEAR(elasticity, difference, 1e-6) << i;
    num_growing += elasticity < 0.99;
  }
  EXPECT_GT(num_growing, 0);
}

TEST_P(ContactLawTest, ElasticForceIsTheSlopeOfItsEnergy) {
  const LawParameters p = test_parameters(law());
  Sample s = make_sample(law(), 500, 11);
  Random random(12);
  int active = 0;
  for (int i = 0; i < 500; ++i) {
    const double phi0 = s.contacts.phi0[i], x = random.uniform(-0.5, 0.5) * phi0,
                 d = 1e-4 * std::abs(phi0 + x);
    const double U1 = law().elastic_energy(p, s.contacts, i, kStep, phi0 + x + d);
    const double U0 = law().elastic_energy(p, s.contacts, i, kStep, phi0 + x - d);
    const double f = law().elastic_force(p, s.contacts, i, kStep, x);
    const double f1 = law().elastic_force(p, s.contacts, i, kStep, x + d);
    const double f0 = law().elastic_force(p, s.contacts, i, kStep, x - d);
    // Truncation: d^2 f''/6, a sixth of the second difference; rounding: eps U/d = 1e-12 f.
    EXPECT_NEAR(f, -(U1 - U0) / (2.0 * d), 1e-9 * f + std::abs(f1 - 2.0 * f + f0)) << "contact " << i;
    active += f > 0.0 ? 1 : 0;
  }
  EXPECT_GT(active, 200);
}

// G_tt(v_t = 0) = mu gamma_n/eps_s I (eq 43), gamma_n0 for Lagged; SAP: 1/(sigma w) in stiction.
TEST_P(ContactLawTest, StictionStiffness) {
  const int n = 1000;
  Sample s = make_sample(law(), n, 8);
  int sticking = 0;
  for (int i = 0; i < n; ++i) {
    const Vector3 normal = s.contacts.normal[i], v = s.v.normal[i] * normal;
    Vector3 gamma;
    cost_at(&s, i, v, &gamma);
    const Matrix3 G = hessian_at(&s, i, v);
    const double gamma_n = gamma.dot(normal), eps = s.contacts.friction_constant[1][i];
    double expected = 0.0;
    switch (law().friction) {
      case ContactModel::kCoulomb:  // has no law of its own
      case ContactModel::kLagged:
        expected = s.contacts.friction_constant[0][i] / eps;
        break;
      case ContactModel::kSimilar:
        expected = s.contacts.friction[i] * gamma_n / eps;
        break;
      case ContactModel::kSap:
        expected =
            gamma_n > 0.0 && s.contacts.friction[i] > 0.0 ? 1.0 / (1e-3 * s.contacts.delassus[i]) : 0.0;
        break;
      case ContactModel::kTamsi:
        FAIL() << "no potential: not of the table";
    }
    const Matrix3 P = Matrix3::Identity() - normal * normal.transpose();
    // v_t = v - v_n n rounds to 1e-17, 1e-13 of v_s.
    EXPECT_NEAR((P * G * P - expected * P).norm(), 0.0, 1e-11 * (G.norm() + expected)) << "contact " << i;
    if (expected > 0.0) ++sticking;
  }
  EXPECT_GT(sticking, n / 10);
}

// The five scalars of a line against direct evaluation, and the derivatives of each against the other.
TEST_P(ContactLawTest, LineAgreesWithDirectEvaluation) {
  const int n = 500;
  Sample s = make_sample(law(), n, 9);
  Random random(10);
  ContactLines lines;
  lines.resize(n);
  for (int i = 0; i < n; ++i) {
    const Vector3 normal = s.contacts.normal[i], v = s.velocity(i), v_t = s.v.tangential[i];
    // Half of the lines pass near v_t = 0, all stay inside the domain of barriers.
    const Vector3 d_t =
        random.chance(0.5) ? Vector3(-1.1 * v_t) : Vector3(0.1 * normal.cross(random.direction()));
    const double d_n = law().has_domain ? 0.0 : random.uniform(-0.1, 0.1);
    const double dt2 = d_t.squaredNorm(), alpha0 = dt2 > 0.0 ? -v_t.dot(d_t) / dt2 : 0.0;
    lines.v_n[i] = s.v.normal[i];
    lines.dv_n[i] = d_n;
    lines.dt2[i] = dt2;
    lines.alpha0[i] = alpha0;
    lines.s2_min[i] = (v_t + alpha0 * d_t).squaredNorm();
    for (const double alpha : {0.0, 0.3, 1.0}) {
      Vector3 gamma;
      const Vector3 dv = d_n * normal + d_t;
      const double cost = cost_at(&s, i, v + alpha * dv, &gamma);
      if (!std::isfinite(cost)) continue;
      const Matrix3 G = hessian_at(&s, i, v + alpha * dv);
      const LineValue line = law().evaluate_line(s.contacts, {i, i + 1}, lines, alpha);
      // Velocities agree to eps |v|, seen through the derivatives.
      const double dv_norm = dv.norm(), eps_v = 1e-15 * (v.norm() + dv_norm);
      EXPECT_NEAR(line.cost, cost, 1e-13 * std::abs(cost) + eps_v * gamma.norm());
      EXPECT_NEAR(line.first, -gamma.dot(dv), dv_norm * (1e-13 * gamma.norm() + 2.0 * eps_v * G.norm()));
      EXPECT_NEAR(line.second, dv.dot(G * dv), dv_norm * dv_norm * G.norm() * (1e-12 + eps_v / 1e-5));
    }
    s.set_velocity(i, v);
  }
}

// The batch is the sum of its contacts, whatever the range.
TEST_P(ContactLawTest, BatchIsTheSumOfItsContacts) {
  const int n = 203;
  Sample s = make_sample(law(), n, 11);
  Sample one_by_one = s;
  double sum = 0.0, largest = 0.0;
  for (int i = 0; i < n; ++i) {
    const double cost = law().evaluate(s.contacts, {i, i + 1}, s.v, &one_by_one.gamma);
    law().hessian(s.contacts, {i, i + 1}, s.v, nullptr, &one_by_one.G);
    sum += cost;
    largest += std::abs(cost);
  }
  EXPECT_NEAR(law().evaluate(s.contacts, s.all(), s.v, &s.gamma), sum, 1e-13 * largest);
  law().hessian(s.contacts, s.all(), s.v, nullptr, &s.G);
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR((s.gamma[i] - one_by_one.gamma[i]).norm(), 0.0, 1e-14 * s.gamma[i].norm());
    EXPECT_NEAR((s.G[i] - one_by_one.G[i]).norm(), 0.0, 1e-13 * s.G[i].norm());
  }
}

// Up to domain_step every contact has a finite cost, and the bound is met by contacts that do not slip.
TEST_P(ContactLawTest, DomainStepKeepsTheGapOpen) {
  const int n = 500;
  Sample s = make_sample(law(), n, 12);
  Random random(13);
  ContactLines lines;
  lines.resize(n);
  for (int i = 0; i < n; ++i) {
    const bool slips = random.chance(0.5);
    const Vector3 v_t = s.v.tangential[i],
                  d_t = slips ? Vector3(random.uniform(-3.0, 3.0) * v_t) : Vector3(Vector3::Zero());
    lines.v_n[i] = random.uniform(0.5, 2.0) * s.contacts.phi0[i] / kStep + 1.5 * v_t.norm();
    lines.dv_n[i] = random.uniform(-5.0, 1.0);
    lines.dt2[i] = d_t.squaredNorm();
    lines.alpha0[i] = lines.dt2[i] > 0.0 ? -v_t.dot(d_t) / lines.dt2[i] : 0.0;
    lines.s2_min[i] = (v_t + lines.alpha0[i] * d_t).squaredNorm();
    const double limit = law().domain_step(s.contacts, {i, i + 1}, lines);
    if (!law().has_domain) {
      EXPECT_EQ(limit, std::numeric_limits<double>::infinity());
      continue;
    }
    EXPECT_GT(limit, 0.0);
    if (!std::isfinite(limit)) continue;
    EXPECT_TRUE(std::isfinite(law().evaluate_line(s.contacts, {i, i + 1}, lines, 0.999 * limit).cost));
    if (!slips) {
      EXPECT_FALSE(std::isfinite(law().evaluate_line(s.contacts, {i, i + 1}, lines, 1.001 * limit).cost));
    }
  }
}

// Patch faces: the limit k -> 0 with a given elastic force is continuous, and k = 0 is allowed.
TEST_P(ContactLawTest, FacesMayHaveNoStiffness) {
  if (law().normal != NormalLaw::kHuntCrossley && law().normal != NormalLaw::kLinear) {
    GTEST_SKIP() << "springs of points alone";
  }
  for (const double d : {0.0, 2.0}) {
    Sample zero = make_sample(law(), 1, 14), small = zero;
    for (const auto& [s, k] : {std::pair{&zero, 0.0}, std::pair{&small, 1e-9}}) {
      s->contacts.stiffness[0] = k;
      s->contacts.elastic_force0[0] = 5.0;
      s->contacts.phi0[0] = k > 0.0 ? -5.0 / k : 0.0;
      s->contacts.dissipation[0] = d;
      s->contacts.relaxation_time[0] = 0.0;
      law().setup(test_parameters(law()), kStep, s->all(), &s->contacts);
    }
    for (const double v_n : {-1.0, 0.0, 0.3}) {
      const Vector3 v = v_n * zero.contacts.normal[0];
      Vector3 a, b, start_a, start_b;
      const double cost_a = cost_at(&zero, 0, v, &a) - cost_at(&zero, 0, Vector3::Zero(), &start_a);
      const double cost_b = cost_at(&small, 0, v, &b) - cost_at(&small, 0, Vector3::Zero(), &start_b);
      const bool damps = law().normal == NormalLaw::kHuntCrossley;
      // The split of v leaves a slip of 1e-17, over SAP's R_t = 1e-4 or so.
      EXPECT_NEAR(a.dot(zero.contacts.normal[0]), kStep * 5.0 * (damps ? 1.0 - d * v_n : 1.0), 1e-12);
      EXPECT_NEAR((a - b).norm(), 0.0, 1e-11);  // dt k x = 1e-2 * 1e-9 * 1e-2
      EXPECT_NEAR(cost_a, cost_b, 1e-12);
    }
    zero.contacts.elastic_force0[0] = -5.0;
    law().setup(test_parameters(law()), kStep, zero.all(), &zero.contacts);
    Vector3 gamma;
    EXPECT_EQ(cost_at(&zero, 0, -zero.contacts.normal[0], &gamma), 0.0);
    EXPECT_EQ(gamma.norm(), 0.0);
  }
}

TEST(SapLaw, IsTheProjectionOnTheCone) {
  const ContactLaw& law = *find_contact_law(ContactModel::kSap, NormalLaw::kLinear);
  const LawParameters p = test_parameters(law);
  const int n = 3000;
  Sample s = make_sample(law, n, 15);
  law.evaluate(s.contacts, s.all(), s.v, &s.gamma);
  int regions[3] = {};
  for (int i = 0; i < n; ++i) {
    const ContactColumns& c = s.contacts;
    const double w = c.delassus[i], mu = c.friction[i], reach = kStep + c.relaxation_time[i];
    const double R_n = std::max(p.near_rigid * p.near_rigid * w / (4.0 * std::numbers::pi * std::numbers::pi),
                                1.0 / (kStep * c.stiffness[i] * reach));
    const double R_t = p.sigma * w;
    const Vector3 normal = c.normal[i], gamma = s.gamma[i], v_t = s.v.tangential[i];
    const double y_n = (-c.phi0[i] / reach - s.v.normal[i]) / R_n;
    const Vector3 y_t = -v_t / R_t;
    const double gamma_n = gamma.dot(normal);
    const Vector3 gamma_t = gamma - gamma_n * normal;
    // Optimality of 1/2 |gamma - y|_R^2 on the cone K: R (gamma - y) is in the dual cone and normal to gamma.
    const double z_n = R_n * (gamma_n - y_n);
    const Vector3 z_t = R_t * (gamma_t - y_t);
    const double size = R_n * std::abs(y_n) + R_t * y_t.norm() + 1e-300;
    EXPECT_LE(mu * z_t.norm(), z_n + 1e-12 * size * (1.0 + mu)) << "contact " << i;
    EXPECT_NEAR(z_n * gamma_n + z_t.dot(gamma_t), 0.0, 1e-12 * size * gamma.norm() + 1e-300);
    const double slip = v_t.norm();
    ++regions[law.state(c, i, kStep, s.v.normal[i], slip).mode];
  }
  for (const int count : regions) EXPECT_GT(count, n / 50);
}

TEST(ContactLawTable, NamesTheValidCombinations) {
  EXPECT_EQ(contact_laws().size(), 11u);
  EXPECT_EQ(find_contact_law(ContactModel::kSap, NormalLaw::kHuntCrossley), nullptr);
  for (const ContactLaw& law : contact_laws()) EXPECT_EQ(find_contact_law(law.friction, law.normal), &law);
}

}  // namespace
}  // namespace csim
