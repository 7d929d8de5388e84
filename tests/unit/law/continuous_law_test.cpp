// The force law at the acceleration level against the discrete laws at a vanishing step, the energies of the
// normal laws, and what makes it a contact law.
#include "law/continuous_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace csim {
namespace {

struct Sample {
  ContactColumns contacts;
  ContactVelocities v;
  Vector3Columns force;
};

LawParameters test_parameters() {
  LawParameters p;
  p.stiction_tolerance = 1e-3;
  p.barrier_stiffness = 10.0;
  p.barrier_thickness = 0.02;
  return p;
}

/// Random contacts, open and in overlap (barriers: open), with slip from below v_s to far above.
Sample make_sample(bool open, int n) {
  std::mt19937 engine(5);
  const auto uniform = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine);
  };
  Sample s;
  s.contacts.resize(n);
  s.v.resize(n);
  s.force.resize(n);
  ContactColumns& c = s.contacts;
  for (int i = 0; i < n; ++i) {
    const Vector3 normal = Vector3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized();
    const Vector3 t = normal.cross(Vector3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1))).normalized();
    c.normal.set(i, normal);
    c.arm.set(i, Vector3::Zero());
    c.bias.set(i, Vector3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)));
    c.phi0[i] = open ? uniform(1e-4, 3e-2) : uniform(-2e-3, 1e-3);
    c.friction[i] = uniform(0.1, 1.5);
    c.stiffness[i] = std::exp(uniform(std::log(1e3), std::log(1e6)));
    c.elastic_force0[i] = -c.stiffness[i] * c.phi0[i];
    c.dissipation[i] = uniform(0, 4);
    c.relaxation_time[i] = uniform(0, 1e-2);
    c.hertz_stiffness[i] = 1e6;
    c.delassus[i] = 1.0;
    c.v_n0[i] = s.v.normal[i] = uniform(-0.5, 0.5);
    s.v.tangential.set(i, std::exp(uniform(std::log(1e-5), 0.0)) * t);
  }
  return s;
}

class ContinuousLaw : public testing::TestWithParam<NormalLaw> {};

// gamma/h of Lagged, and of Similar without dissipation, at h -> 0: the difference is of first order in h.
TEST_P(ContinuousLaw, IsTheLimitOfTheDiscreteLaws) {
  constexpr int kNum = 500;
  for (const ContactModel friction : {ContactModel::kLagged, ContactModel::kSimilar}) {
    const ContactLaw& law = *find_contact_law(friction, GetParam());
    Sample s = make_sample(law.has_domain, kNum);
    if (friction == ContactModel::kSimilar) {
      s.contacts.dissipation.assign(kNum, 0.0);
      s.contacts.relaxation_time.assign(kNum, 0.0);
    }
    evaluate_continuous_law(test_parameters(), GetParam(), s.contacts, s.v, &s.force);
    int pressed = 0;
    for (const double h : {1e-7, 1e-8}) {
      law.setup(test_parameters(), h, {0, kNum}, &s.contacts);
      Vector3Columns gamma;
      gamma.resize(kNum);
      law.evaluate(s.contacts, {0, kNum}, s.v, &gamma);
      for (int i = 0; i < kNum; ++i) {
        const Vector3 f = s.force[i];
        // The relative change of the gap, or of the elastic force, within the step, with the slip that
        // Similar adds: a few h (|v_n| + mu |v_t|)/|phi|; of the linear law as much of the damped force.
        const double speed = std::abs(s.v.normal[i]) + s.contacts.friction[i] * s.v.tangential[i].norm();
        const double change = 5.0 * h * speed *
                              (s.contacts.stiffness[i] + s.contacts.hertz_stiffness[i] +
                               f.norm() / std::abs(s.contacts.phi0[i])) *
                              (1.0 + s.contacts.dissipation[i]);
        EXPECT_NEAR((gamma[i] / h - f).norm(), 0.0, change + 1e-9 * f.norm()) << law.name << " " << i;
        pressed += f.norm() > 0.0 ? 1 : 0;
      }
    }
    EXPECT_GT(pressed, kNum / 4);
  }
}

// At rest the normal force is -dU/dphi of the law's own elastic energy.
TEST_P(ContinuousLaw, RestsOnItsElasticEnergy) {
  const ContactLaw& law = *find_contact_law(ContactModel::kLagged, GetParam());
  Sample s = make_sample(law.has_domain, 200);
  ContactColumns& c = s.contacts;
  for (int i = 0; i < c.size(); ++i) c.v_n0[i] = s.v.normal[i] = 0.0;
  evaluate_continuous_law(test_parameters(), GetParam(), c, s.v, &s.force);
  for (int i = 0; i < c.size(); ++i) {
    const double d = 1e-5 * std::abs(c.phi0[i]);
    const double U1 = law.elastic_energy(test_parameters(), c, i, 1.0, c.phi0[i] + d);
    const double U0 = law.elastic_energy(test_parameters(), c, i, 1.0, c.phi0[i] - d);
    const double f = s.force[i].dot(c.normal[i]);
    // Rounding of the energies over the difference; d^2/6 of the third derivative, f/phi^2 or, where the ipc
    // barrier begins and its force vanishes, some kappa/D.
    const double third = 10.0 * test_parameters().barrier_stiffness / test_parameters().barrier_thickness;
    EXPECT_NEAR(-(U1 - U0) / (2.0 * d), f,
                1e-9 * std::abs(f) + 1e-15 * std::abs(U0) / d + (law.has_domain ? d * d * third : 0.0));
  }
}

// The forces' power is that of the spring, less what is dissipated; friction opposes slip within the cone,
// and the work is done by what carries the bias.
TEST_P(ContinuousLaw, PowerIsAccountedFor) {
  const bool open = GetParam() == NormalLaw::kLogBarrier || GetParam() == NormalLaw::kIpcBarrier;
  const ContactLaw& law = *find_contact_law(ContactModel::kLagged, GetParam());
  Sample s = make_sample(open, 300);
  ContactColumns& c = s.contacts;
  const ContactPower power = evaluate_continuous_law(test_parameters(), GetParam(), c, s.v, &s.force);
  double dissipated = 0.0, work = 0.0;
  for (int i = 0; i < c.size(); ++i) {
    const Vector3 n = c.normal[i], f = s.force[i], v_t = s.v.tangential[i];
    const double f_n = f.dot(n), d = 1e-6 * std::abs(c.phi0[i]);
    const double spring = -(law.elastic_energy(test_parameters(), c, i, 1.0, c.phi0[i] + d) -
                            law.elastic_energy(test_parameters(), c, i, 1.0, c.phi0[i] - d)) /
                          (2.0 * d);
    const double lost = spring * s.v.normal[i] - f.dot(s.v.normal[i] * n + v_t);
    EXPECT_GT(lost, -1e-6 * (1.0 + f_n));
    EXPECT_LE((f - f_n * n).norm(), c.friction[i] * f_n * (1.0 + 1e-12) + 1e-12 * f_n);
    EXPECT_LE(f.dot(v_t), 0.0);
    dissipated += lost;
    work -= f.dot(c.bias[i]);
  }
  EXPECT_NEAR(power.dissipated_normal + power.dissipated_friction, dissipated, 1e-6 * dissipated);
  EXPECT_NEAR(power.bias_work, work, 1e-9 * std::abs(work));
  EXPECT_TRUE(power.is_pressed);
}

std::string normal_name(const testing::TestParamInfo<NormalLaw>& info) {
  static const char* const kNames[] = {"linear", "hunt_crossley", "hertz", "log_barrier", "ipc_barrier"};
  return kNames[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Normals, ContinuousLaw,
                         testing::Values(NormalLaw::kLinear, NormalLaw::kHuntCrossley, NormalLaw::kHertz,
                                         NormalLaw::kLogBarrier, NormalLaw::kIpcBarrier),
                         normal_name);

}  // namespace
}  // namespace csim
