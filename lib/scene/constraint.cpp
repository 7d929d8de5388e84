#include "scene/constraint.h"

#include <array>
#include <cmath>

#include "scene/format/field_rows.h"
#include "scene/read/scene_reading.h"

namespace csim {

using namespace field_rows;

namespace {

/// What is known of a kind beside its keys.
struct ConstraintKind {
  void (*check)(const SectionReader& reader, const SceneReading& reading, ConstraintSpec* constraint);
  ConstraintRow (*row)(const ConstraintSpec& constraint);
};

void check_coupler(const SectionReader& reader, const SceneReading& reading, ConstraintSpec* coupler) {
  check_single_joint(reader, "joint_a", reading, &coupler->joint_a);
  check_single_joint(reader, "joint_b", reading, &coupler->joint_b);
  if (coupler->joint_a >= 0 && coupler->joint_a == coupler->joint_b)
    reader.report("joint_b",
                  "'" + reader.text("joint_b") + "', which is joint_a too, expected another joint");
}

ConstraintRow coupler_row(const ConstraintSpec& coupler) {
  ConstraintRow row{{{coupler.joint_a, 1.0}, {coupler.joint_b, -coupler.ratio}}, coupler.offset, {}};
  row.law.stiffness = coupler.stiffness;
  if (std::isfinite(coupler.stiffness)) row.law.damping = coupler.stiffness * coupler.relaxation_time;
  row.law.near_rigid = coupler.near_rigid;
  return row;
}

// In the order of ConstraintType.
constexpr std::array kKinds{ConstraintKind{check_coupler, coupler_row}};

const ConstraintKind& kind_of(const ConstraintSpec& constraint) {
  return kKinds[static_cast<std::size_t>(constraint.type)];
}

void finish_constraint(const SectionReader& reader, SceneReading* reading, ConstraintSpec* constraint) {
  enter_name(reader, "constraint", static_cast<int>(reading->constraints.size()), &reading->constraints);
  kind_of(*constraint).check(reader, *reading, constraint);
}

}  // namespace

const SectionOf<ConstraintSpec>& constraint_section() {
  static const SectionOf<ConstraintSpec> section{
      "constraint",
      "a constraint",
      "Constraints between joints, beside the trees that these build.",
      "type",
      {
          name("name", &ConstraintSpec::name, "Name, unique among the constraints.", "gears").required(),
          choice("type", &ConstraintSpec::type, "coupler !distance !ball !weld !tendon",
                 "Kind of constraint: coupler, position of joint_a = ratio * position of joint_b + offset.",
                 "coupler")
              .required(),
          reference("joint_a", &ConstraintSpec::joint_a, Named::kJoint, "the name of a joint",
                    "Name of a revolute or prismatic joint, which follows.", "hinge")
              .required(),
          reference("joint_b", &ConstraintSpec::joint_b, Named::kJoint, "the name of a joint",
                    "Name of another one, which leads.", "slide")
              .required(),
          number("ratio", &ConstraintSpec::ratio, "", kNonZero,
                 "Change of joint_a's position with that of joint_b.", "-1"),
          number("offset", &ConstraintSpec::offset, "m or rad", kAny,
                 "Position of joint_a where that of joint_b is 0.", "0.1"),
          number("stiffness", &ConstraintSpec::stiffness, "N/m or N m/rad", kPositive,
                 "Of the spring that holds joint_a to it; rigid by default.", "1000")
              .or_word("rigid"),
          number("relaxation_time", &ConstraintSpec::relaxation_time, "s", kNonNegative,
                 "Damping of that spring over its stiffness.", "0.01"),
          number("near_rigid", &ConstraintSpec::near_rigid, "", kPositive,
                 "Caps the stiffness, also that of a rigid one, so that the period of the spring is at least "
                 "1.4 times this times time.step; it relaxes within a step.",
                 "0.2"),
      },
      &finish_constraint};
  return section;
}

ConstraintRow constraint_row(const ConstraintSpec& constraint) {
  return kind_of(constraint).row(constraint);
}

double violation_at_start(const Scene& scene, const ConstraintRow& row) {
  double x = 0.0;
  for (const auto& [joint, coefficient] : row.terms) x += coefficient * scene.joints[joint].position[0];
  return x - row.offset;
}

}  // namespace csim
