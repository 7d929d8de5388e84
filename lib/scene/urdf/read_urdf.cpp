#include "core/number_format.h"
#include "scene/inertia_check.h"
#include "scene/urdf/robot.h"

namespace csim {
namespace {

/// The tensor about the centre of mass in the axes of `inertial`'s origin, turned into the link's.
std::optional<Matrix3> read_tensor(const ElementReader& inertial, const Quaternion& rotation) {
  const ElementReader inertia = inertial.only("inertia");
  if (!inertia) {
    inertial.report("missing, expected an element inertia (kg m^2)");
    return std::nullopt;
  }
  const auto xx = inertia.required_number("ixx"), yy = inertia.required_number("iyy"),
             zz = inertia.required_number("izz");
  const double xy = inertia.number("ixy").value_or(0.0), xz = inertia.number("ixz").value_or(0.0),
               yz = inertia.number("iyz").value_or(0.0);
  if (!xx || !yy || !zz) return std::nullopt;
  Matrix3 I;
  I << *xx, xy, xz, xy, *yy, yz, xz, yz, *zz;
  if (rotation.vec().isZero(0.0)) return I;
  const Matrix3 R = rotation.toRotationMatrix();
  return R * I * R.transpose();
}

/// `inertia: geometry` takes the tensor from the collisions; a link without mass then has none.
void read_inertial(const ElementReader& link, const RobotOptions& options, RobotLink* result) {
  BodySpec& body = result->body;
  body.mass_source = MassSource::kExplicit;
  const ElementReader inertial = link.only("inertial");
  if (!inertial) return;
  result->inertial_mark = inertial.mark();
  const ElementReader mass = inertial.only("mass");
  if (!mass) inertial.report("missing, expected an element mass (kg)");
  const std::optional<double> value = mass ? mass.required_number("value") : std::nullopt;
  if (value && *value < 0.0) mass.report(format_number(*value) + ", expected a number >= 0 (kg)");
  body.mass = value.value_or(0.0);
  if (options.inertia == ModelInertia::kGeometry) {
    if (body.mass > 0.0) body.mass_source = MassSource::kSolid;
    return;
  }
  const Pose pose = inertial.origin();
  body.com = pose.xyz;
  const std::optional<Matrix3> tensor = read_tensor(inertial, pose.rotation);
  if (!tensor) return;
  const Matrix3& I = *tensor;
  body.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  if (options.inertia != ModelInertia::kStrict) return;
  if (const std::string wrong = wrong_inertia(I); !wrong.empty() && !(body.mass == 0.0 && I.isZero(0.0)))
    inertial.report(wrong);
}

void read_links(const ElementReader& robot, const RobotOptions& options, Robot* result) {
  const std::map<std::string, Rgba> colors = read_robot_colors(robot);
  for (const ElementReader& element : robot.all("link")) {
    RobotLink link;
    link.body.name = element.name("name");
    link.mark = link.inertial_mark = element.mark();
    read_inertial(element, options, &link);
    read_link_geometries(element, options, colors, &link);
    if (link.body.mass_source == MassSource::kSolid && link.collisions.empty())
      element.report("a mass without a collision, which inertia: geometry takes the inertia from");
    const int index = static_cast<int>(result->links.size());
    if (!link.body.name.empty() && !result->link_index.emplace(link.body.name, index).second)
      element.report("the name of another link, expected a unique name");
    result->links.push_back(std::move(link));
  }
  if (result->links.empty()) robot.report("no link, expected at least one");
}

/// What xacro would have made links and joints of.
void note_instructions(const ElementReader& robot) {
  for (const ElementReader& element : robot.all())
    if (element.tag().starts_with("xacro:"))
      element.note(std::string(element.tag()),
                   "instructions of xacro, which are ignored: it expands them to a URDF");
}

/// One root, and every link below it.
void check_tree(const ElementReader& robot, Robot* result) {
  std::vector<int> joint_of(result->links.size(), -1);
  const std::vector<ElementReader> elements = robot.all("link");
  for (std::size_t j = 0; j < result->joints.size(); ++j) {
    const JointSpec& joint = result->joints[j].joint;
    if (joint.child < 0 || joint.parent < 0) return;  // reported
    joint_of[joint.child] = static_cast<int>(j);
  }
  for (std::size_t i = 0; i < joint_of.size(); ++i) {
    if (joint_of[i] >= 0) continue;
    if (result->root >= 0) {
      elements[i].report("no joint places it, nor '" + result->links[result->root].body.name +
                         "', expected one root link");
    } else {
      result->root = static_cast<int>(i);
    }
  }
  // A link that does not reach the root within as many steps as there are links goes in a loop.
  for (std::size_t i = 0; i < joint_of.size(); ++i) {
    int link = static_cast<int>(i);
    std::size_t steps = 0;
    while (joint_of[link] >= 0 && steps++ <= joint_of.size())
      link = result->joints[joint_of[link]].joint.parent;
    if (joint_of[link] < 0) continue;
    elements[i].report("its joints form a loop, expected a tree of links");
    return;
  }
}

}  // namespace

Robot read_urdf(RobotFile* file, const RobotOptions& options) {
  Robot robot;
  if (!file->root()) return robot;
  const ElementReader root(file, file->root(), "robot");
  robot.mark = root.mark();
  robot.name = root.text("name");
  read_links(root, options, &robot);
  read_robot_joints(root, &robot);
  read_rotors(root, &robot);
  check_tree(root, &robot);
  note_instructions(root);
  return robot;
}

}  // namespace csim
