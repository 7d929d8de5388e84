// Every check of the audit: motions in closed form pass all of them; one number changed fails the check of it
// alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "audit/audit.h"
#include "motions.h"

namespace csim::audit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> failed(const Trajectory& trajectory, const Tolerances& tolerances = {}) {
  std::vector<std::string> names;
  for (const Verdict& verdict : audit(trajectory, tolerances).verdicts)
    if (!verdict.holds()) names.emplace_back(verdict.check->name);
  return names;
}

std::vector<std::string> judged(const Trajectory& trajectory) {
  std::vector<std::string> names;
  for (const Verdict& verdict : audit(trajectory, {}).verdicts)
    if (verdict.why_not.empty()) names.emplace_back(verdict.check->name);
  return names;
}

Findings findings_of(const Trajectory& trajectory, const std::string& check) {
  for (const Verdict& verdict : audit(trajectory, {}).verdicts)
    if (verdict.check->name == check) return verdict.findings;
  ADD_FAILURE() << check;
  return {};
}

// Balances hold to rounding: 1e-11 of what a step exchanges.
TEST(Audit, MotionsInClosedFormPassEveryCheck) {
  for (const Trajectory& trajectory : {free_fall(), resting_ball(), sliding_block(), elastic_bounce()}) {
    EXPECT_THAT(failed(trajectory), IsEmpty());
    EXPECT_LT(findings_of(trajectory, "linear_momentum").value, 1e-11 * 2.0 * 9.81 * kStep);
    EXPECT_LT(findings_of(trajectory, "angular_momentum").value, 1e-11 * 2.0 * 9.81 * kStep);
  }
}

TEST(Audit, TellsWhatItCannotJudge) {
  EXPECT_THAT(judged(free_fall()), ElementsAre("linear_momentum", "angular_momentum", "energy", "quaternion",
                                               "position", "rotation"));
  EXPECT_THAT(judged(sliding_block()),
              ElementsAre("linear_momentum", "angular_momentum", "reaction", "pushing", "gap", "cone",
                          "friction_power", "friction_direction", "friction_work", "normal_work", "energy",
                          "quaternion", "position", "rotation"));
}

struct Change {
  const char* check;
  Trajectory (*motion)();
  void (*change)(Trajectory*);
};

void PrintTo(const Change& change, std::ostream* out) {
  *out << change.check;
}

Trajectory bounce() {
  return elastic_bounce();
}

class OneNumberChanged : public testing::TestWithParam<Change> {};

TEST_P(OneNumberChanged, FailsThatCheckAlone) {
  Trajectory trajectory = GetParam().motion();
  GetParam().change(&trajectory);
  EXPECT_THAT(failed(trajectory), ElementsAre(GetParam().check));
}

INSTANTIATE_TEST_SUITE_P(
    Checks, OneNumberChanged,
    testing::Values(
        // 1 mN s of 4: the momentum of the ball does not follow.
        Change{"linear_momentum", &bounce, [](Trajectory* t) { t->contacts[10][0].impulse.z() += 1e-3; }},
        Change{"angular_momentum", &bounce, [](Trajectory* t) { t->contacts[10][0].moment.x() = 1e-2; }},
        Change{"reaction", &sliding_block, [](Trajectory* t) { t->contacts[7][0].impulse_on_a.x() *= 1.01; }},
        // The normal turned round: what pushed now pulls.
        Change{"pushing", &resting_ball, [](Trajectory* t) { t->contacts[7][0].normal.z() = -1.0; }},
        Change{"gap", &resting_ball, [](Trajectory* t) { t->contacts[7][0].gap = 1e-3; }},
        Change{"impact", &bounce, [](Trajectory* t) { t->contacts[10][0].restitution = 0.5; }},
        Change{"cone", &sliding_block, [](Trajectory* t) { t->contacts[7][0].friction = 0.29; }},
        // A belt that runs ahead of the block by 0.05 m/s: friction should drive it and brakes it. Too slow
        // for friction_direction.
        Change{"friction_power", &sliding_block,
               [](Trajectory* t) { t->contacts[7][0].surface_velocity.x() = -1.05; }},
        // A belt across: friction should be oblique.
        Change{"friction_direction", &sliding_block,
               [](Trajectory* t) { t->contacts[7][0].surface_velocity.y() = 2.0; }},
        Change{"stated_energy", &free_fall,
               [](Trajectory* t) {
                 for (const auto& states : t->states)  // m v^2/2 + I w^2/2
                   t->kinetic.push_back(states[0].velocity.squaredNorm() + 0.5 * 8e-3 * 9.0);
                 t->kinetic[7] += 1e-3;
               }},
        Change{"quaternion", &free_fall, [](Trajectory* t) { t->states[7][0].quaternion *= 1.001; }},
        Change{"position", &free_fall, [](Trajectory* t) { t->states[7][0].position.x() += 1e-5; }},
        Change{"rotation", &free_fall, [](Trajectory* t) { t->states[7][0].quaternion.z() += 1e-4; }}),
    [](const auto& info) { return std::string(info.param.check); });

// Two boxes of 0.1 m pass each other with 1 mm between them and exchange 3 N s: what is wrong is the contact,
// not any balance.
TEST(Audit, NamesAPhantomContact) {
  Trajectory t = at_rest({ball("target", 10.0, 0.07), ball("bullet", 1.0, 0.07)}, 40, Vector3::Zero());
  t.states[0][0].position = {0.0, 0.0, -0.101};
  t.states[0][1].position = {-0.25, 0.0, 0.0};
  t.states[0][1].velocity = {10.0, 0.0, 0.0};
  for (std::size_t f = 1; f < t.rows(); ++f) {
    const Vector3 impulse = f == 20 ? Vector3(-3.0, 0.0, 0.0) : Vector3::Zero();
    move(&t, f, 0, t.states[f - 1][0].velocity - impulse / 10.0);
    move(&t, f, 1, t.states[f - 1][1].velocity + impulse);
    // Central for each of the two would need one point; that the impulse is at both centres is stated by
    // moments.
    if (f != 20) continue;
    const Vector3 p0 = t.states[f - 1][0].position, p1 = t.states[f - 1][1].position;
    AuditContact contact{.a = 0, .b = 1, .point = p1, .normal = -Vector3::UnitX(), .impulse = impulse};
    contact.gap = 1.0e-3, contact.gap_end = 1.1e-3;
    t.contacts[f] = {contact};
    // The target takes the moment as spin, its inertia is that of a ball.
    const Vector3 spin = (p1 - p0).cross(-impulse) / t.bodies[0].inertia(0, 0);
    for (std::size_t later = f; later < t.rows(); ++later) {
      const double angle = spin.norm() * kStep * static_cast<double>(later - f + 1);
      const Vector3 axis = std::sin(0.5 * angle) * spin.normalized();
      t.states[later][0].angular_velocity = spin;
      t.states[later][0].quaternion = {std::cos(0.5 * angle), axis.x(), axis.y(), axis.z()};
    }
  }
  EXPECT_THAT(failed(t), ElementsAre("gap"));
  const Findings gap = findings_of(t, "gap");
  EXPECT_DOUBLE_EQ(gap.value, 1e-3);
  EXPECT_EQ(gap.row, 20u);
  EXPECT_EQ(t.name_of(gap.a) + "-" + t.name_of(gap.b), "target-bullet");
}

// Half of the momentum of a body that nothing touches is gone at row 20.
TEST(Audit, NamesMomentumThatVanishes) {
  Trajectory t = at_rest({ball("ball")}, 40, Vector3::Zero());
  t.states[0][0].velocity = {1.0, 0.0, 0.0};
  for (std::size_t f = 1; f < t.rows(); ++f) move(&t, f, 0, {f < 20 ? 1.0 : 0.5, 0.0, 0.0});
  EXPECT_THAT(failed(t), ElementsAre("linear_momentum", "energy"));
  const Findings lost = findings_of(t, "linear_momentum");
  EXPECT_DOUBLE_EQ(lost.value, 1.0);  // N s
  EXPECT_EQ(lost.failures, 1);
  EXPECT_NEAR(findings_of(t, "energy").value, -0.75, 1e-12);  // J, of 1
}

// Friction that brakes to the other side by 1 % more than it took: opposite to the slip at the start of each
// step, and yet it gives energy, 1/2 m (v1^2 - v0^2).
TEST(Audit, NamesFrictionThatGivesEnergy) {
  Trajectory t = at_rest({floor_body(), ball("disc")}, 40, kGravity);
  t.states[0][1].velocity = {1.0, 0.0, 0.0};
  const double push = 2.0 * 9.81 * kStep;
  for (std::size_t f = 1; f < t.rows(); ++f) {
    const Vector3 before = t.states[f - 1][1].velocity, after = -1.01 * before;
    const Vector3 impulse = 2.0 * (after - before) + push * Vector3::UnitZ();
    AuditContact contact{.a = 0, .b = 1, .normal = Vector3::UnitZ(), .impulse = impulse};
    contact.point = t.states[f - 1][1].position;  // no moment
    contact.gap = 0.0, contact.friction = 1000.0;
    t.contacts[f] = {contact};
    move(&t, f, 1, after);
  }
  EXPECT_THAT(failed(t), ElementsAre("friction_work"));
  const double v = t.states.back()[1].velocity.x();
  EXPECT_NEAR(findings_of(t, "friction_work").value, v * v - 1.0, 1e-12);
}

// A ball that leaves the floor with 1.1 times the speed that it had, without a law of impact to hold it to.
TEST(Audit, NamesAContactThatGivesMoreThanItTook) {
  Trajectory t = elastic_bounce(1.1);
  t.contacts[10][0].restitution = kUnknown;
  EXPECT_THAT(failed(t), ElementsAre("normal_work"));
}

// A body whose gyroscopic terms are taken at the start of the step, in its own axes: each step keeps the
// angular momentum to the order of the scheme, the energy grows all the same.
TEST(Audit, NamesEnergyThatGrowsUnseenByAStep) {
  AuditBody plate{.name = "plate", .mass = 1.0};
  plate.inertia.diagonal() << 1.0, 2.0, 3.0;
  Trajectory t = at_rest({plate}, 600, Vector3::Zero());
  const double h = 0.01;
  Vector3 w(0.5, 5.0, 0.5);  // body axes
  Quaternion q = Quaternion::Identity();
  for (std::size_t f = 0; f < t.rows(); ++f) {
    t.time[f] = h * static_cast<double>(f);
    if (f > 0) {
      const Vector3 L = plate.inertia * w;
      w += h * plate.inertia.inverse() * L.cross(w);
      q = q * Quaternion(Eigen::AngleAxisd(h * w.norm(), w.normalized()));
    }
    t.states[f][0].angular_velocity = q * w;
    t.states[f][0].quaternion = {q.w(), q.x(), q.y(), q.z()};
  }
  EXPECT_THAT(failed(t), ElementsAre("energy"));
  EXPECT_GT(findings_of(t, "energy").value, 0.0);
}

// Rows ten steps apart: sums by pair tell the momentum, contacts the cone; what needs every step is not
// judged.
TEST(Audit, RowsSeveralStepsApartAreJudgedByPairs) {
  const Trajectory all = sliding_block();
  Trajectory t = all;
  t.step = kStep;
  t.time.clear(), t.states.clear(), t.contacts.clear();
  for (std::size_t f = 0; f < all.rows(); f += 7) {
    t.time.push_back(all.time[f]);
    t.states.push_back(all.states[f]);
    t.contacts.push_back(all.contacts[f]);
    t.pairs.emplace_back();
    if (f > 0) t.pairs.back().push_back({0, 1, 7.0 * all.contacts[f][0].impulse});
  }
  EXPECT_THAT(failed(t), IsEmpty());
  EXPECT_THAT(judged(t), ElementsAre("linear_momentum", "reaction", "pushing", "gap", "cone", "quaternion"));
  t.pairs[2][0].impulse.x() *= 1.01;
  EXPECT_THAT(failed(t), ElementsAre("linear_momentum"));
}

// Balls that lie on the floor, told by sums by pair alone, a row a step: gravity is balanced by what the
// contacts that are left out gave.
TEST(Audit, PairsTellWhereContactsAreLeftOut) {
  Trajectory t = resting_ball();
  t.no_contacts = "left out";
  t.pairs.resize(t.rows());
  for (std::size_t f = 1; f < t.rows(); ++f) t.pairs[f] = {{0, 1, t.contacts[f][0].impulse}};
  t.contacts.assign(t.rows(), {});
  EXPECT_THAT(failed(t), IsEmpty());
  EXPECT_THAT(judged(t), ElementsAre("linear_momentum", "quaternion", "position", "rotation"));
  t.pairs[7][0].impulse.z() *= 1.01;
  EXPECT_THAT(failed(t), ElementsAre("linear_momentum"));
}

// What is no number is too large, and stays the worst before and after a value that is merely too large.
TEST(Audit, AValueThatIsNoNumberIsTheWorst) {
  Findings findings;
  findings.add(1.0, 0.1, 1, 0);
  findings.add(kUnknown, 0.1, 2, 0);
  findings.add(100.0, 0.1, 3, 0);
  EXPECT_TRUE(std::isnan(findings.value));
  EXPECT_EQ(findings.row, 2u);
  EXPECT_EQ(findings.failures, 3);
  EXPECT_EQ(findings.first_failure, 1u);
  EXPECT_TRUE(std::isnan(positive_part(kUnknown)));
}

// The square of 1e200 overflows: the change of momentum and the tolerance are both infinite.
TEST(Audit, NamesAVelocityWhoseSquareOverflows) {
  Trajectory t = free_fall();
  t.states[3][0].velocity.x() = 1.0;
  t.states[7][0].velocity.x() = 1e200;
  const Findings momentum = findings_of(t, "linear_momentum");
  EXPECT_EQ(momentum.row, 7u);
  EXPECT_EQ(momentum.failures, 4);  // to and from each of the two
  EXPECT_THAT(failed(t), testing::Contains("energy"));
}

TEST(Audit, TheToleranceIsThatOfTheCaller) {
  Trajectory t = elastic_bounce();
  // Of 8.7466 N s: the impulse, gravity's and the change of momentum.
  t.contacts[10][0].impulse.z() += 1e-3;
  EXPECT_THAT(failed(t, {.relative = 1.144e-4}), IsEmpty());
  EXPECT_THAT(failed(t, {.relative = 1.143e-4}), ElementsAre("linear_momentum"));
}

TEST(Audit, ReportsTheWorstPlace) {
  Trajectory t = sliding_block();
  t.contacts[7][0].friction = 0.29, t.contacts[9][0].friction = 0.1;
  const Report report = audit(t, {});
  EXPECT_FALSE(report.holds());
  const std::string text = report_text(t, report), json = report_json(t, report);
  EXPECT_THAT(text,
              testing::ContainsRegex("cone +fails +0.00392 N s +[0-9.e-]+ +0.009 +floor, block +2 of 49, "
                                     "first at 0.007 s"));
  EXPECT_THAT(text, testing::HasSubstr("not so: friction stays within mu times the normal impulse"));
  EXPECT_THAT(json, testing::HasSubstr("\"failures\": 2"));
}

}  // namespace
}  // namespace csim::audit
