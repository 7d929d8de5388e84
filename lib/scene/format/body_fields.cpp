// The table's rows for materials, bodies and their geometries.
#include "scene/format/command_rows.h"
#include "scene/help/angle_warnings.h"

namespace csim {

using namespace field_rows;

namespace {

template <class T>
Row<T> color(const char* key, Rgba T::*member, const char* description, const char* example) {
  return numbers(key, member, {3, 4}, "", {.min = 0.0, .max = 1.0}, description, example).no_default();
}

// What is written of a body depends on where its mass comes from, on its joint and on its motion.
std::optional<YamlNode> write_mass(const BodySpec& body, const SceneWriting&) {
  const bool given = body.mass_source == MassSource::kSolid || body.mass_source == MassSource::kExplicit;
  return given ? std::optional(yaml_number(body.mass)) : std::nullopt;
}
std::optional<YamlNode> write_density(const BodySpec& body, const SceneWriting&) {
  return body.mass_source == MassSource::kDensity ? std::optional(yaml_number(body.density)) : std::nullopt;
}
std::optional<YamlNode> write_inertia(const BodySpec& body, const SceneWriting&) {
  if (body.mass_source == MassSource::kSolid) return yaml_word("solid");
  if (body.mass_source != MassSource::kExplicit) return std::nullopt;
  return yaml_numbers({body.inertia.begin(), body.inertia.end()});
}
std::optional<YamlNode> write_com(const BodySpec& body, const SceneWriting&) {
  return body.mass_source == MassSource::kExplicit ? std::optional(yaml_vector(body.com)) : std::nullopt;
}
bool is_jointed(const BodySpec& body, const SceneWriting& writing) {
  return writing.jointed[&body - writing.scene->bodies.data()];
}
bool has_pose(const BodySpec& body, const SceneWriting& writing) {
  return body.motion.type != MotionType::kKeyframes && !is_jointed(body, writing);
}
bool is_free(const BodySpec& body, const SceneWriting& writing) {
  return !body.fixed && !is_jointed(body, writing);
}
template <MotionType type>
bool is_motion(const MotionSpec& motion, const SceneWriting&) {
  return motion.type == type;
}

std::optional<YamlNode> write_file(const GeometrySpec& geometry, const SceneWriting&) {
  const std::string& file = geometry.shape.resolved_file;
  return file.empty() ? std::nullopt : std::optional(yaml_text(file));
}

std::optional<YamlNode> write_rotation(const Pose& pose, const SceneWriting&) {
  const Quaternion& q = pose.rotation;
  return yaml_numbers({q.w(), q.x(), q.y(), q.z()});
}

const SectionOf<BodySpec>& velocity_section() {
  static const SectionOf<BodySpec> section{
      "velocity",
      "a velocity",
      "Initial velocity of a free body.",
      "",
      {
          vector3("linear", &BodySpec::linear_velocity, "m/s", "Velocity of the body origin, world axes.",
                  "[1, 0, 0]"),
          vector3("angular", &BodySpec::angular_velocity, "rad/s", "Angular velocity, world axes.",
                  "[0, 0, 10]"),
      }};
  return section;
}

const SectionOf<GeometrySpec>& geometry_section() {
  static const SectionOf<GeometrySpec> section{
      "geometry",
      "a geometry",
      "A shape fixed to a body; axes along z, centred at the geometry frame.",
      "shape",
      {
          name("name", &GeometrySpec::name, "Name, unique in the body; geometry_0, geometry_1, … by default.",
               "shell"),
          choice("shape", within(&GeometrySpec::shape, &ShapeSpec::type),
                 "sphere box cylinder capsule ellipsoid half_space convex mesh tetmesh",
                 "Kind of shape; `half_space` is solid where z < 0 and only for bodies that stay or move as "
                 "prescribed.",
                 "sphere")
              .required(),
          number("radius", within(&GeometrySpec::shape, &ShapeSpec::radius), "m", kPositive, "Radius.",
                 "0.05")
              .only_for("sphere cylinder capsule")
              .required_for("sphere cylinder capsule"),
          number("length", within(&GeometrySpec::shape, &ShapeSpec::length), "m", kPositive,
                 "Length along z; of a capsule that of the cylindrical part.", "0.2")
              .only_for("cylinder capsule")
              .required_for("cylinder capsule"),
          numbers("size", within(&GeometrySpec::shape, &ShapeSpec::size), {3}, "m", kPositive,
                  "Full edge lengths.", "[0.1, 0.2, 0.3]")
              .only_for("box")
              .required_for("box"),
          numbers("semi_axes", within(&GeometrySpec::shape, &ShapeSpec::semi_axes), {3}, "m", kPositive,
                  "Half the diameters along x, y, z.", "[0.1, 0.2, 0.3]")
              .only_for("ellipsoid")
              .required_for("ellipsoid"),
          text("file", within(&GeometrySpec::shape, &ShapeSpec::file), "the name of a mesh file",
               "Mesh file, relative to the scene file: OBJ, STL, PLY, DAE, glTF or 3MF (tetmesh: VTK, VTU or "
               "Gmsh).",
               "bunny.obj")
              .only_for("convex mesh tetmesh")
              .required_for("mesh tetmesh")
              .written_by(&write_file),
          points("points", within(&GeometrySpec::shape, &ShapeSpec::points), "m",
                 "Points whose hull is the shape, instead of a file.",
                 "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]")
              .only_for("convex"),
          numbers("scale", within(&GeometrySpec::shape, &ShapeSpec::scale), {3}, "", kNonZero,
                  "Factor on the coordinates of the file or the points: a number or one per axis.", "0.001")
              .or_number()
              .only_for("convex mesh tetmesh"),
          mapping("pose", &GeometrySpec::pose, pose_section(), "Pose of the geometry frame in the body.",
                  "{xyz: [0, 0, 0.1]}"),
          reference("material", &GeometrySpec::material, Named::kMaterial, "the name of a material",
                    "Name of a material; required unless contact is none.", "steel")
              .no_default(),
          choice(
              "contact", &GeometrySpec::contact, "point rigid compliant none",
              "Kind of contact: points, pressure fields (rigid, compliant), or none (visible only). `point` "
              "by default; a half space without the key is a point shape to point shapes and rigid to "
              "compliant ones. A tetmesh takes rigid, compliant or none, a mesh is never compliant.",
              "none")
              .no_default()
              .required_for("tetmesh"),
          names("group", &GeometrySpec::groups,
                "The collision group, or groups, for contact.exclude and contact.pairs.", "[balls, light]"),
          number("resolution", &GeometrySpec::resolution, "m", kPositive,
                 "Target edge length on the curved surface of a pressure-field geometry; by default a "
                 "quarter of the radius (ellipsoid: of the largest semi-axis). Boxes and polytopes have one "
                 "mesh only, tetmesh that of its file.",
                 "0.01")
              .no_default()
              .when([](const GeometrySpec& geometry, const SceneWriting&) {
                return geometry.resolution > 0.0;
              }),
          number("margin", &GeometrySpec::margin, "m", kNonNegative,
                 "Thickness of a layer of negative pressure around a compliant geometry: its faces are part "
                 "of a step before they carry pressure.",
                 "1.0e-3"),
          number("slab_thickness", &GeometrySpec::slab_thickness, "m", kPositive,
                 "Thickness of the elastic layer of a compliant half space, which needs it: the pressure "
                 "grows by hydroelastic_modulus over this depth.",
                 "0.1")
              .no_default()
              .when([](const GeometrySpec& geometry, const SceneWriting&) {
                return geometry.slab_thickness > 0.0;
              })
              .only_for("half_space"),
          choice("mesh_strategy", &GeometrySpec::mesh_strategy, "single dense",
                 "Inside of a compliant sphere or ellipsoid: one vertex at the centre, or tetrahedra of "
                 "`resolution` throughout.",
                 "dense"),
          color("color", &GeometrySpec::color,
                "Colour in the viewer, before that of the body: red, green, blue and perhaps opacity.",
                "[0.2, 0.6, 1]"),
      },
      finish_geometry};
  return section;
}

const SectionOf<MotionSpec>& sine_motion_section() {
  static const SectionOf<MotionSpec> section{
      "sine_motion",
      "a sine motion",
      "Displacement amplitude sin(2 pi frequency t + phase) about `pose`.",
      "",
      {
          vector3("amplitude", &MotionSpec::amplitude, "m", "Amplitude, world axes.", "[0.1, 0, 0]")
              .required(),
          number("frequency", &MotionSpec::frequency, "Hz", kNonNegative, "Frequency.", "2").required(),
          number("phase", &MotionSpec::phase, "rad", kAny, "Phase at t = 0.", "1.5"),
      },
      warn_of_phase<MotionSpec>};
  return section;
}

/// Poses over time: of a prescribed body, and of a cartesian actuator's command.
std::vector<Row<MotionSpec>> keyframe_rows() {
  return {
      numbers("times", &MotionSpec::times, {}, "s", kAny, "Times of the poses, increasing.", "[0, 1, 2]"),
      points("xyz", &MotionSpec::xyz, "m",
             "Positions at the times, in the world, or in the base of a cartesian actuator; all 0 when left "
             "out.",
             "[[0, 0, 0], [0, 0, 1], [0, 0, 0]]"),
      points("rpy", &MotionSpec::rpy, "rad",
             "Rotations at the times, about the fixed x, then y, then z axis; all 0 when left out.",
             "[[0, 0, 0], [0, 0, 1.5], [0, 0, 3]]"),
      choice("interpolation", &MotionSpec::interpolation, "step linear cubic smooth",
             "Of each number between the times (default linear); cubic is the spline that is at rest at both "
             "ends, and may overshoot; smooth is a cubic that stays between the values.",
             "smooth")
          .no_default()
          .when(is_motion<MotionType::kKeyframes>),
  };
}

const SectionOf<MotionSpec>& motion_section() {
  static const SectionOf<MotionSpec> section{
      "motion",
      "a motion",
      "Prescribed motion: keyframes (times, xyz, rpy), constant velocities, or a sine.",
      "",
      joined(keyframe_rows(),
             {
                 vector3("velocity", &MotionSpec::velocity, "m/s",
                         "Constant velocity of the body origin, world axes, from `pose` on.", "[0.1, 0, 0]")
                     .no_default()
                     .when(is_motion<MotionType::kVelocity>),
                 vector3("angular_velocity", &MotionSpec::angular_velocity, "rad/s",
                         "Constant angular velocity, world axes.", "[0, 0, 1]")
                     .no_default()
                     .when(is_motion<MotionType::kVelocity>),
                 mapping("sine", sine_motion_section(), "A sine about `pose`.",
                         "{amplitude: [0.1, 0, 0], frequency: 2}")
                     .when(is_motion<MotionType::kSine>),
             }),
      finish_motion};
  return section;
}

}  // namespace

const SectionOf<MotionSpec>& pose_table_section() {
  static const SectionOf<MotionSpec> section{
      "pose_table", "poses over time", "Poses of a frame in its base at given times.",
      "",           keyframe_rows(),   finish_motion};
  return section;
}

const SectionOf<Pose>& pose_section() {
  static const SectionOf<Pose> section{
      "pose",
      "a pose",
      "A position and at most one form of a rotation.",
      "",
      {
          vector3("xyz", &Pose::xyz, "m", "Position.", "[0, 0, 0.1]"),
          numbers("quaternion_wxyz", kNoMember, {4}, "", kAny,
                  "Rotation as a quaternion (w, x, y, z); normalised if its norm is within 1e-3 of 1.",
                  "[1, 0, 0, 0]")
              .no_default()
              .written_by(&write_rotation),
          vector3("rpy", kNoMember, "rad", "Rotation by three angles about the fixed x, then y, then z axis.",
                  "[0, 0, 0.5]"),
          vector3("rpy_deg", kNoMember, "degrees",
                  "Rotation by three angles about the fixed x, then y, then z axis.", "[0, 0, 30]"),
          vector3("axis", kNoMember, "", "Axis of a rotation by `angle_deg`; any length but 0.", "[0, 0, 1]"),
          number("angle_deg", kNoMember, "degrees", kAny, "Angle of the rotation about `axis`.", "30"),
      },
      read_rotation};
  return section;
}

const SectionOf<MaterialSpec>& material_section() {
  static const SectionOf<MaterialSpec> section{
      "material",
      "a material",
      "Contact properties of a surface; two materials combine where they meet.",
      "",
      {
          number("friction", &MaterialSpec::friction, "", kNonNegative,
                 "Coulomb friction coefficient; two combine to 2 mu1 mu2/(mu1 + mu2).", "0.8"),
          number("stiffness", &MaterialSpec::stiffness, "N/m", kNonNegative,
                 "Stiffness of one point contact; two act in series. `rigid`: infinitely stiff.", "1.0e+7")
              .or_word("rigid"),
          number("hunt_crossley_dissipation", &MaterialSpec::hunt_crossley_dissipation, "s/m", kNonNegative,
                 "Hunt & Crossley dissipation, all laws but sap.", "10"),
          number(
              "relaxation_time", &MaterialSpec::relaxation_time, "s", kNonNegative,
              "Relaxation time of sap's linear dissipation; two add up. While two bodies slide at a speed v, "
              "sap holds them mu v (step + that sum) apart: at mu 0.5, 1 m/s, a step of 1 ms and the default "
              "a gap of 1.5 mm.",
              "0.01"),
          number("hydroelastic_modulus", &MaterialSpec::hydroelastic_modulus, "Pa", kPositive,
                 "Elastic modulus of a compliant geometry's pressure field.", "1.0e+6"),
          number("hertz_stiffness", &MaterialSpec::hertz_stiffness, "N/m^1.5", kPositive,
                 "Stiffness of the law normal: hertz; k^(-2/3) of two add up.", "1.0e+8"),
      }};
  return section;
}

const SectionOf<BodySpec>& body_section() {
  static const SectionOf<BodySpec> section{
      "body",
      "a body",
      "A rigid body: free, the child of a joint, fixed, or moved as prescribed.",
      "",
      {
          name("name", &BodySpec::name, "Name, unique among the bodies; not `world`.", "ball").required(),
          boolean(
              "fixed", &BodySpec::fixed,
              "Stays where it is; needs neither mass nor geometry. `motion` and `surface_velocity` imply it.",
              "true"),
          number("mass", kNoMember, "kg", kNonNegative,
                 "Mass; needs `inertia` as well. 0 needs none and is only for the child of a joint.", "1.5")
              .written_by(&write_mass),
          number("density", kNoMember, "kg/m^3", kPositive,
                 "Density of the geometries as uniform solids, instead of `mass`.", "7800")
              .written_by(&write_density),
          numbers("inertia", kNoMember, {3, 6}, "kg m^2", kAny,
                  "Inertia about the centre of mass, body axes: xx, yy, zz and perhaps xy, xz, yz; `solid`: "
                  "from the geometries.",
                  "[0.01, 0.01, 0.02]")
              .or_word("solid")
              .written_by(&write_inertia),
          vector3("com", kNoMember, "m",
                  "Centre of mass in the body frame, beside `mass` and `inertia`; 0 by default.",
                  "[0, 0, 0.1]")
              .written_by(&write_com),
          mapping("pose", &BodySpec::pose, pose_section(),
                  "Pose of the body frame in the world; not allowed on the child of a joint.",
                  "{xyz: [0, 0, 1]}")
              .when(has_pose),
          boolean("gravity_compensation", &BodySpec::gravity_compensation,
                  "Gravity does not act on the body: what carries it, such as a robot's controller, is not "
                  "modelled.",
                  "true"),
          mapping("velocity", velocity_section(), "Initial velocity of a free body.", "{linear: [1, 0, 0]}")
              .when(is_free),
          list("geometry", &BodySpec::geometry, geometry_section(), "Shapes of the body.",
               "[{shape: sphere, radius: 0.05, material: steel}]"),
          mapping("motion", &BodySpec::motion, motion_section(), "Prescribed motion; implies fixed.",
                  "{velocity: [0.1, 0, 0]}")
              .when([](const BodySpec& body, const SceneWriting&) {
                return body.motion.type != MotionType::kNone;
              }),
          vector3("surface_velocity", &BodySpec::surface_velocity, "m/s",
                  "Velocity of the surface of a body that stays (a belt), body axes; implies fixed.",
                  "[0.5, 0, 0]")
              .no_default()
              .when([](const BodySpec& body, const SceneWriting&) {
                return !body.surface_velocity.isZero(0.0);
              }),
          color("color", &BodySpec::color,
                "Colour of the geometries in the viewer: red, green, blue and perhaps opacity.",
                "[0.9, 0.3, 0.1, 0.5]"),
      },
      finish_body};
  return section;
}

}  // namespace csim
