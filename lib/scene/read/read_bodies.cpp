#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "scene/read/scene_reading.h"

namespace csim {
namespace {

constexpr double kInertiaSlack =
    1e-9;  // relative to the trace: rounding of a flat body, whose moments just meet the inequality

Matrix3 matrix_of(const std::array<double, 6>& v) {
  Matrix3 I;
  I << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2];
  return I;
}

/// A body without mass, whose inertia needs no saying.
bool is_massless(const SectionReader& reader) {
  return reader.has("mass") && reader.number("mass") == 0.0;
}

/// A rigid body's principal moments are positive, and none is larger than the sum of the other two.
void check_inertia(const SectionReader& reader, const BodySpec& body) {
  const Matrix3 I = matrix_of(body.inertia);
  if (is_massless(reader) && I.isZero(0.0)) return;  // a massless link
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(I, Eigen::EigenvaluesOnly).eigenvalues();
  const double slack = kInertiaSlack * std::abs(I.trace());
  const std::string found =
      format_text("principal moments %.6g, %.6g, %.6g", moments[0], moments[1], moments[2]);
  if (!(moments[0] > 0.0)) {
    reader.report("inertia", found + ", expected a positive definite inertia (kg m^2)");
  } else if (moments[2] > moments[0] + moments[1] + slack) {
    reader.report("inertia", found + ", expected none larger than the sum of the other two (kg m^2)");
  }
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
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodySpec& body = scene.bodies[i];
    const SectionReader& reader = reading->body_readers[i];
    if (joint_of[i] != nullptr && reader.given("pose")) {
      reader.report("pose", "a pose on the child of joint '" + joint_of[i]->name +
                                "', which places it, expected no pose");
    }
    if (joint_of[i] != nullptr && is_moving(body) && !body.fixed) {
      reader.report("velocity", "a velocity on the child of joint '" + joint_of[i]->name +
                                    "', expected the joint's `velocity`");
    }
    if (joint_of[i] == nullptr && !body.fixed && reader.has("mass") && body.mass == 0.0) {
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
