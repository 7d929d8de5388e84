#include <algorithm>

#include "core/rigid_transform.h"
#include "scene/inertia_check.h"
#include "scene/read/scene_reading.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

Matrix3 matrix_of(const std::array<double, 6>& v) {
  Matrix3 I;
  I << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2];
  return I;
}

/// A body without mass, whose inertia needs no saying.
bool is_massless(const SectionReader& reader) {
  return reader.has("mass") && reader.number("mass") == 0.0;
}

void check_inertia(const SectionReader& reader, const BodySpec& body) {
  const Matrix3 I = matrix_of(body.inertia);
  if (is_massless(reader) && I.isZero(0.0)) return;  // a massless link
  if (is_item_name(body.name)) return;               // judged with what it is welded to
  if (const std::string wrong = wrong_inertia(I); !wrong.empty()) reader.report("inertia", wrong);
}

/// Which of mass, density, inertia and com stand together; the contract knows density alone, mass with
/// inertia (and com), mass with solid, mass 0 by itself.
void check_mass_keys(const SectionReader& reader, bool fixed) {
  const bool mass = reader.given("mass"), density = reader.given("density"),
             inertia = reader.given("inertia");
  const bool solid = reader.has("inertia") && reader.is_any_word("inertia");
  if (mass && density) reader.report("density", "density beside mass, expected one of the two");
  if (density && inertia)
    reader.report("inertia", "inertia beside density, which gives it, expected it beside mass");
  if (reader.given("com") && (density || solid)) {
    reader.report("com", "com beside " + std::string(density ? "density" : "inertia: solid") +
                             ", which gives it, expected it beside mass and inertia");
  }
  if (mass && !density && !inertia && !is_massless(reader)) {
    reader.report_missing("inertia",
                          "missing beside mass, expected a list of 3 or 6 numbers (kg m^2) or solid");
  }
  if (!mass && !density && inertia)
    reader.report_missing("mass", "missing beside inertia, expected a number (kg)");
  if (!mass && !density && !inertia && !fixed) {
    reader.report_missing("mass",
                          "missing, expected density, or mass with inertia, on a body that is not fixed");
  }
}

void read_mass(const SectionReader& reader, BodySpec* body) {
  check_mass_keys(reader, body->fixed);
  body->mass = reader.number("mass");
  body->density = reader.number("density");
  if (reader.has("density")) {
    body->mass_source = MassSource::kDensity;
  } else if (reader.has("inertia") && reader.is_any_word("inertia")) {
    body->mass_source = MassSource::kSolid;
  } else if (reader.has("inertia")) {
    body->mass_source = MassSource::kExplicit;
    const std::vector<double> values = reader.numbers("inertia");
    std::copy(values.begin(), values.end(), body->inertia.begin());
    body->com = reader.vector3("com");
    check_inertia(reader, *body);
  } else if (is_massless(reader)) {
    body->mass_source = MassSource::kExplicit;
    body->com = reader.vector3("com");
  }
  const bool from_geometry =
      body->mass_source == MassSource::kDensity || body->mass_source == MassSource::kSolid;
  const auto counts = [](const GeometrySpec& geometry) { return geometry.contact != ContactKind::kNone; };
  if (from_geometry && !body->fixed && !reader.bad("geometry") &&
      std::none_of(body->geometry.begin(), body->geometry.end(), counts)) {
    const char* key = body->mass_source == MassSource::kDensity ? "density" : "inertia";
    reader.report(
        key,
        "a mass from the geometries of a body without any, expected at least one whose contact is not none");
  }
}

void read_prescribed(const SectionReader& reader, BodySpec* body) {
  const bool moved = reader.given("motion"), belt = reader.given("surface_velocity");
  const std::string key = moved ? "motion" : "surface_velocity";
  if ((moved || belt) && reader.has("fixed") && !reader.boolean("fixed")) {
    reader.report("fixed", "false beside " + key + ", which implies true");
  }
  if (moved && belt)
    reader.report("surface_velocity", "surface_velocity beside motion, expected it on a body that stays");
  if (body->motion.type == MotionType::kKeyframes && reader.given("pose")) {
    reader.report("pose", "a pose beside keyframes, which are absolute poses, expected no pose");
  }
  body->fixed = reader.boolean("fixed") || reader.bad("fixed") || moved || belt;
}

/// Names the geometries that the file does not; a given name may clash with another or with a default one.
void name_geometries(const std::vector<SectionReader>& readers, std::vector<GeometrySpec>* geometries) {
  NameIndex taken;
  for (size_t i = 0; i < geometries->size(); ++i) {
    std::string& name = (*geometries)[i].name;
    if (!readers[i].has("name")) name = "geometry_" + std::to_string(i);
    const auto [first, fresh] = taken.emplace(name, static_cast<int>(i));
    if (fresh) continue;
    const SectionReader& named = readers[i].has("name") ? readers[i] : readers[first->second];
    named.report("name", "'" + name + "', the name of another geometry of the body, expected a unique name");
  }
}

/// The first body of each body's assembly, the bodies that welds hold together.
std::vector<int> assemblies(const Scene& scene) {
  std::vector<int> weld(scene.bodies.size(), -1);  // the joint that welds it to a body
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const JointSpec& joint = scene.joints[j];
    if (joint.type == JointType::kWeld && joint.child >= 0 && joint.parent >= 0)
      weld[joint.child] = static_cast<int>(j);
  }
  std::vector<int> first(scene.bodies.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = static_cast<int>(i);
    while (weld[first[i]] >= 0) first[i] = scene.joints[weld[first[i]]].parent;
  }
  return first;
}

/// Pose of a body in the first of its assembly.
RigidTransform pose_in_assembly(const std::vector<const JointSpec*>& joint_of, int body, int first) {
  RigidTransform X;
  for (; body != first; body = joint_of[body]->parent) {
    const Pose& pose = joint_of[body]->pose;
    X = RigidTransform(pose.rotation, pose.xyz) * X;
  }
  return X;
}

/// A model's links are judged with those that they are welded to: files often give one link the mass and
/// another one the tensor. What stays where it is needs neither.
void check_assemblies(const SceneReading& reading, const std::vector<const JointSpec*>& joint_of,
                      const std::vector<bool>& grounded) {
  struct Sum {
    double mass = 0.0;
    Vector3 moment = Vector3::Zero();   // mass times com
    Matrix3 inertia = Matrix3::Zero();  // about the origin of the first body
    bool judged = true;                 // all of it is known here, and a link is in it
    int link = -1;
  };
  const Scene& scene = reading.scene;
  const std::vector<int> first = assemblies(scene);
  std::vector<Sum> sums(scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodySpec& body = scene.bodies[i];
    Sum& sum = sums[first[i]];
    if (grounded[i] || body.mass_source != MassSource::kExplicit) sum.judged = false;
    if (!sum.judged) continue;
    if (is_item_name(body.name) && (sum.link < 0 || body.mass > 0.0)) sum.link = static_cast<int>(i);
    const RigidTransform X = pose_in_assembly(joint_of, static_cast<int>(i), first[i]);
    const Vector3 c = X * body.com;
    sum.mass += body.mass;
    sum.moment += body.mass * c;
    sum.inertia += X.R * matrix_of(body.inertia) * X.R.transpose() +
                   body.mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
  }
  for (const Sum& sum : sums) {
    if (!sum.judged || sum.link < 0) continue;
    Matrix3 inertia = sum.inertia;
    if (sum.mass > 0.0) {
      const Vector3 c = sum.moment / sum.mass;
      inertia -= sum.mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
    }
    if (const std::string wrong = wrong_inertia(inertia, true); !wrong.empty())
      reading.body_readers[sum.link].report("inertia", wrong);
  }
}

bool is_moving(const BodySpec& body) {
  return !body.linear_velocity.isZero(0.0) || !body.angular_velocity.isZero(0.0);
}

/// True for bodies that stay or move as prescribed: fixed ones, and those welded to them.
std::vector<bool> grounded_bodies(const Scene& scene) {
  std::vector<bool> grounded;
  for (const BodySpec& body : scene.bodies) grounded.push_back(body.fixed);
  for (bool changed = true; changed;) {
    changed = false;
    for (const JointSpec& joint : scene.joints) {
      if (joint.type != JointType::kWeld || joint.child < 0) continue;
      const bool parent_grounded = joint.parent < 0 || grounded[joint.parent];
      if (!parent_grounded || grounded[joint.child]) continue;
      grounded[joint.child] = true;
      changed = true;
    }
  }
  return grounded;
}

}  // namespace

void finish_body(const SectionReader& reader, SceneReading* reading, BodySpec* body) {
  if (reader.has("name") && body->name == "world") {
    reader.report("name", "'world', the reserved name of the fixed world, expected another");
  } else {
    enter_name(reader, "body", static_cast<int>(reading->body_readers.size()), &reading->bodies);
  }
  read_prescribed(reader, body);
  name_geometries(reading->new_geometry_readers, &body->geometry);
  read_mass(reader, body);
  if (is_moving(*body) && body->fixed)
    reader.report("velocity", "a velocity of a fixed body, expected motion: {velocity, angular_velocity}");
  reading->body_readers.push_back(reader);
  reading->geometry_readers.push_back(std::move(reading->new_geometry_readers));
  reading->new_geometry_readers.clear();
}

void check_bodies_with_joints(SceneReading* reading) {
  const Scene& scene = reading->scene;
  std::vector<const JointSpec*> joint_of(scene.bodies.size(), nullptr);
  for (const JointSpec& joint : scene.joints) {
    if (joint.child >= 0) joint_of[joint.child] = &joint;
  }
  const std::vector<bool> grounded = grounded_bodies(scene);
  check_assemblies(*reading, joint_of, grounded);
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodySpec& body = scene.bodies[i];
    const SectionReader& reader = reading->body_readers[i];
    const std::string child =
        joint_of[i] == nullptr ? "" : "on the child of " + joint_text(scene, *joint_of[i]) + ", ";
    if (joint_of[i] != nullptr && reader.given("pose"))
      reader.report("pose", "a pose " + child + "which places it, expected no pose");
    if (joint_of[i] != nullptr && is_moving(body) && !body.fixed)
      reader.report("velocity", "a velocity " + child + "expected the joint's `velocity`");
    if (joint_of[i] == nullptr && !body.fixed && reader.has("mass") && body.mass == 0.0 &&
        !is_item_name(body.name)) {
      reader.report("mass", "0, expected a number > 0 (kg); only the child of a joint may have no mass");
    }
    for (size_t k = 0; k < body.geometry.size(); ++k) {
      const SectionReader& geometry = reading->geometry_readers[i][k];
      if (grounded[i] || !geometry.has("shape") || body.geometry[k].shape.type != ShapeType::kHalfSpace)
        continue;
      geometry.report(
          "shape",
          "a half_space on a body that moves freely, expected it on a fixed body or one welded to it");
    }
  }
}

}  // namespace csim
