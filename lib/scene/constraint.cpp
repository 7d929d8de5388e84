#include "scene/constraint.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/number_format.h"
#include "scene/format/field_rows.h"
#include "scene/joint_coordinates.h"
#include "scene/read/scene_reading.h"
#include "scene/yaml/strict_values.h"

namespace csim {

using namespace field_rows;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What is known of a kind beside its keys.
struct ConstraintKind {
  void (*check)(const SectionReader& reader, const SceneReading& reading, ConstraintSpec* constraint);
  std::vector<ConstraintRow> (*rows)(const Scene& scene, const ConstraintSpec& constraint);
  bool is_between_bodies;
};

RowLaw law_of(const ConstraintSpec& constraint) {
  RowLaw law;
  law.stiffness = constraint.stiffness;
  if (std::isfinite(constraint.stiffness)) law.damping = constraint.stiffness * constraint.relaxation_time;
  law.near_rigid = constraint.near_rigid;
  return law;
}

/// A row that keeps x within a range: it presses one way alone.
ConstraintRow stop(const ConstraintSpec& constraint, double lower, double upper) {
  ConstraintRow row;
  row.range = {lower, upper};
  row.law = law_of(constraint);
  row.law.lower = 0.0;
  return row;
}

/// Three rows along the axes of one vector.
void add_vector(const ConstraintSpec& constraint, bool is_angle, std::vector<ConstraintRow>* rows) {
  for (int i = 0; i < 3; ++i) {
    ConstraintRow& row = rows->emplace_back();
    row.is_angle = is_angle;
    row.law = law_of(constraint);
    row.law.group = i == 0 ? 3 : 0;
  }
}

void check_coupler(const SectionReader& reader, const SceneReading& reading, ConstraintSpec* coupler) {
  check_single_joint(reader, "joint_a", reading, &coupler->joint_a);
  check_single_joint(reader, "joint_b", reading, &coupler->joint_b);
  if (coupler->joint_a >= 0 && coupler->joint_a == coupler->joint_b)
    reader.report("joint_b",
                  "'" + reader.text("joint_b") + "', which is joint_a too, expected another joint");
}

std::vector<ConstraintRow> coupler_rows(const Scene& scene, const ConstraintSpec& coupler) {
  ConstraintRow row{{{coupler.joint_a, 1.0}, {coupler.joint_b, -coupler.ratio}}, coupler.offset};
  row.is_angle = turns(scene.joints[coupler.joint_a].type);
  row.law = law_of(coupler);
  return {row};
}

void check_tendon(const SectionReader& reader, const SceneReading&, ConstraintSpec* tendon) {
  if (reader.given("length") || reader.given("limits")) {
    if (tendon->limits.size() == 2 && !(tendon->limits[0] < tendon->limits[1]))
      reader.report("limits", "a lower limit of " + format_number(tendon->limits[0]) +
                                  " and an upper one of " + format_number(tendon->limits[1]) +
                                  ", expected the lower one to be less");
  } else {
    reader.report_missing("length", "missing, expected length or limits of the tendon");
  }
}

std::vector<ConstraintRow> tendon_rows(const Scene& scene, const ConstraintSpec& tendon) {
  std::vector<ConstraintRow> rows;
  if (tendon.length) {
    rows.emplace_back().law = law_of(tendon);
    rows.back().offset = *tendon.length;
  }
  if (!tendon.limits.empty()) rows.push_back(stop(tendon, tendon.limits[0], tendon.limits[1]));
  for (ConstraintRow& row : rows) {
    for (const auto& [joint, coefficient] : tendon.joints) row.terms.push_back({joint, coefficient});
    row.is_angle = turns(scene.joints[tendon.joints.front().first].type);
  }
  return rows;
}

void check_bodies(const SectionReader& reader, const SceneReading&, ConstraintSpec* constraint) {
  if (reader.has("a") && reader.has("b") && constraint->a == constraint->b)
    reader.report("b", "'" + reader.text("b") + "', which is a too, expected another body");
}

void check_distance(const SectionReader& reader, const SceneReading& reading, ConstraintSpec* distance) {
  check_bodies(reader, reading, distance);
  if (!reader.given("length") && !reader.given("min") && !reader.given("max"))
    reader.report_missing("length", "missing, expected length, min or max of the distance (m)");
  if (reader.has("length") && !(*distance->length > 0.0))
    reader.report("length", format_number(*distance->length) +
                                ", expected a number > 0 (m); points that coincide are of type: ball");
  const double min = distance->min.value_or(0.0), max = distance->max.value_or(kInfinity);
  if (!(min < max))
    reader.report(reader.given("max") ? "max" : "min", "a largest distance of " + format_number(max) +
                                                           " and a smallest of " + format_number(min) +
                                                           ", expected the smallest to be less");
}

std::vector<ConstraintRow> distance_rows(const Scene&, const ConstraintSpec& distance) {
  std::vector<ConstraintRow> rows;
  if (distance.length) {
    rows.emplace_back().law = law_of(distance);
    rows.back().offset = *distance.length;
  }
  if (distance.min || distance.max)
    rows.push_back(stop(distance, distance.min.value_or(-kInfinity), distance.max.value_or(kInfinity)));
  return rows;
}

std::vector<ConstraintRow> ball_rows(const Scene&, const ConstraintSpec& ball) {
  std::vector<ConstraintRow> rows;
  add_vector(ball, false, &rows);
  return rows;
}

std::vector<ConstraintRow> weld_rows(const Scene&, const ConstraintSpec& weld) {
  std::vector<ConstraintRow> rows;
  add_vector(weld, true, &rows);
  add_vector(weld, false, &rows);
  return rows;
}

// In the order of ConstraintType.
constexpr std::array kKinds{
    ConstraintKind{check_coupler, coupler_rows, false}, ConstraintKind{check_distance, distance_rows, true},
    ConstraintKind{check_bodies, ball_rows, true}, ConstraintKind{check_bodies, weld_rows, true},
    ConstraintKind{check_tendon, tendon_rows, false}};

const ConstraintKind& kind_of(const ConstraintSpec& constraint) {
  return kKinds[static_cast<std::size_t>(constraint.type)];
}

/// `joints: {name: coefficient}` of a tendon.
void read_tendon_joints(const SectionReader& reader, SceneReading* reading, ConstraintSpec* tendon) {
  const YamlNode* map = reader.node("joints");
  if (map == nullptr) return;
  if (map->kind != YamlNode::Kind::kMapping || map->entries.empty()) {
    reader.report("joints", describe(*map) + ", expected a mapping from names of joints to coefficients");
    return;
  }
  for (const YamlEntry& entry : map->entries) {
    const std::string path = reader.path("joints") + "." + entry.key;
    const auto found = reading->joints.find(entry.key);
    std::string fault;
    const std::optional<double> coefficient = parse_number(entry.value, &fault);
    if (!coefficient || *coefficient == 0.0)
      reading->sink->report(entry.value.mark, path,
                            (coefficient ? "0" : fault) + ", expected a number other than 0");
    if (found == reading->joints.end()) {
      reading->sink->report(entry.key_mark, path, unknown_name(entry.key, "joint", names(reading->joints)));
      continue;
    }
    if (!may_have_one_coordinate(*reading, found->second))
      reading->sink->report(entry.key_mark, path,
                            "'" + entry.key + "', expected a revolute, prismatic or screw joint");
    for (const auto& [joint, other] : tendon->joints)
      if (joint == found->second)
        reading->sink->report(entry.key_mark, path, "'" + entry.key + "' a second time, expected it once");
    tendon->joints.emplace_back(found->second, coefficient.value_or(1.0));
  }
}

std::optional<YamlNode> write_tendon_joints(const ConstraintSpec& tendon, const SceneWriting& writing) {
  if (tendon.type != ConstraintType::kTendon) return std::nullopt;
  YamlNode node;
  for (const auto& [joint, coefficient] : tendon.joints)
    add_entry(&node, writing.scene->joints[static_cast<std::size_t>(joint)].name, yaml_number(coefficient));
  return node;
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
      "Constraints between joints, or between bodies, in addition to the joints.",
      "type",
      {
          name("name", &ConstraintSpec::name, "Name, unique among the constraints.", "gears").required(),
          choice(
              "type", &ConstraintSpec::type, "coupler distance ball weld tendon",
              "Kind of constraint: coupler, position of joint_a = ratio * position of joint_b + offset; "
              "distance, of two points: a rod, with max a rope, with min a strut, with stiffness a spring; "
              "ball, two points coincide; weld, two frames coincide; tendon, a sum of coefficients times "
              "positions of joints.",
              "distance")
              .required(),
          reference("joint_a", &ConstraintSpec::joint_a, Named::kJoint, "the name of a joint",
                    "Name of the driven joint, with one coordinate.", "hinge")
              .only_for("coupler")
              .required_for("coupler"),
          reference("joint_b", &ConstraintSpec::joint_b, Named::kJoint, "the name of a joint",
                    "Name of the driving joint, with one coordinate.", "slide")
              .only_for("coupler")
              .required_for("coupler"),
          number("ratio", &ConstraintSpec::ratio, "", kNonZero,
                 "Change of joint_a's position with that of joint_b.", "-1")
              .only_for("coupler"),
          number("offset", &ConstraintSpec::offset, "m or rad", kAny,
                 "Position of joint_a where that of joint_b is 0.", "0.1")
              .only_for("coupler"),
          any("joints", "a mapping from names of joints to coefficients",
              "Joints with one coordinate each, and the coefficients of their positions.", "{hinge: 0.05}")
              .read_by(&read_tendon_joints)
              .written_by(&write_tendon_joints)
              .only_for("tendon")
              .required_for("tendon"),
          numbers("limits", &ConstraintSpec::limits, {2}, "m or rad", kAny,
                  "Lower and upper limit of the sum. None by default.", "[0, 0.2]")
              .only_for("tendon"),
          reference("a", &ConstraintSpec::a, Named::kBodyOrWorld, "the name of a body or world",
                    "Name of a body, or `world`.", "world")
              .only_for("distance ball weld")
              .required_for("distance ball weld"),
          reference("b", &ConstraintSpec::b, Named::kBodyOrWorld, "the name of a body or world",
                    "Name of another body, or `world`.", "bob")
              .only_for("distance ball weld")
              .required_for("distance ball weld"),
          vector3("point_a", &ConstraintSpec::point_a, "m",
                  "The point on a, body axes (world axes of the world).", "[0, 0, 1]")
              .only_for("distance ball"),
          vector3("point_b", &ConstraintSpec::point_b, "m", "The point on b, likewise.", "[0, 0, 0.1]")
              .only_for("distance ball"),
          mapping("pose_a", &ConstraintSpec::pose_a, pose_section(), "Pose of the frame on a, in the body.",
                  "{xyz: [0, 0, 1]}")
              .only_for("weld"),
          mapping("pose_b", &ConstraintSpec::pose_b, pose_section(), "Pose of the frame on b, in the body.",
                  "{xyz: [0, 0, -1]}")
              .only_for("weld"),
          number("length", &ConstraintSpec::length, "m or rad", kAny,
                 "Distance of the points, or the sum of the tendon.", "0.5")
              .only_for("distance tendon")
              .no_default(),
          number("min", &ConstraintSpec::min, "m", kNonNegative,
                 "Smallest distance of the points, with `length` or instead of it.", "0.2")
              .only_for("distance")
              .no_default(),
          number("max", &ConstraintSpec::max, "m", kPositive,
                 "Largest distance of the points, with `length` or instead of it.", "0.6")
              .only_for("distance")
              .no_default(),
          number("stiffness", &ConstraintSpec::stiffness, "N/m or N m/rad", kPositive,
                 "Stiffness of the constraint as a spring (of a weld: for translation and rotation); rigid "
                 "by default.",
                 "1000")
              .or_word("rigid"),
          number("relaxation_time", &ConstraintSpec::relaxation_time, "s", kNonNegative,
                 "Damping of that spring over its stiffness.", "0.01"),
          number("near_rigid", &ConstraintSpec::near_rigid, "", kPositive,
                 "Caps the stiffness, also that of a rigid one, so that the period of the spring is at least "
                 "1.4 times this times time.step; it relaxes within a step.",
                 "0.2"),
          boolean("assemble", &ConstraintSpec::assemble,
                  "Move the bodies at the start to where all rigid constraints hold.", "true"),
          number(
              "breaking_load", &ConstraintSpec::breaking_load, "N or N m", kPositive,
              "Largest reaction, N (of joints that turn N m): when it is exceeded at the end of a step, the "
              "constraint is gone from the next step on. No limit by default.",
              "500")
              .no_default(),
          number("breaking_torque", &ConstraintSpec::breaking_torque, "N m", kPositive,
                 "Largest moment of the reaction about the point halfway between the frames, likewise.", "20")
              .only_for("weld")
              .no_default(),
      },
      &finish_constraint};
  return section;
}

std::vector<ConstraintRow> constraint_rows(const Scene& scene, const ConstraintSpec& constraint) {
  return kind_of(constraint).rows(scene, constraint);
}

bool is_between_bodies(const ConstraintSpec& constraint) {
  return kind_of(constraint).is_between_bodies;
}

double row_violation(double x, double offset, const std::optional<std::pair<double, double>>& range) {
  if (!range) return x - offset;
  return std::min(x - range->first, 0.0) + std::max(x - range->second, 0.0);
}

}  // namespace csim
