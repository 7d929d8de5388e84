// The table's rows for materials, bodies and their geometries.
#include "scene/format/field_rows.h"

namespace csim {

using namespace field_rows;

namespace {

const Section& velocity_section() {
  static const Section section{"velocity",
                               "a velocity",
                               "Initial velocity of a free body.",
                               "",
                               {
                                   vector3("linear", "m/s", "Velocity of the body origin, world axes.")
                                       .by_default("[0, 0, 0]")
                                       .example("[1, 0, 0]"),
                                   vector3("angular", "rad/s", "Angular velocity, world axes.")
                                       .by_default("[0, 0, 0]")
                                       .example("[0, 0, 10]"),
                               }};
  return section;
}

const Section& geometry_section() {
  static const Section section{
      "geometry",
      "a geometry",
      "A shape fixed to a body; axes along z, centred at the geometry frame.",
      "shape",
      {
          name("name", "Name, unique in the body; geometry_0, geometry_1, … by default.").example("shell"),
          choice("shape", "sphere box cylinder capsule ellipsoid half_space convex mesh tetmesh",
                 "Kind of shape; `half_space` is solid where z < 0 and only for bodies that stay or move as "
                 "prescribed.")
              .required()
              .example("sphere"),
          number("radius", "m", kPositive, "Radius.")
              .only_for("sphere cylinder capsule")
              .required_for("sphere cylinder capsule")
              .example("0.05"),
          number("length", "m", kPositive, "Length along z; of a capsule that of the cylindrical part.")
              .only_for("cylinder capsule")
              .required_for("cylinder capsule")
              .example("0.2"),
          numbers("size", {3}, "m", kPositive, "Full edge lengths.")
              .only_for("box")
              .required_for("box")
              .example("[0.1, 0.2, 0.3]"),
          numbers("semi_axes", {3}, "m", kPositive, "Half the diameters along x, y, z.")
              .only_for("ellipsoid")
              .required_for("ellipsoid")
              .example("[0.1, 0.2, 0.3]"),
          text("file", "the name of a mesh file",
               "Mesh file, relative to the scene file: OBJ, STL or PLY (tetmesh: VTK, VTU or Gmsh).")
              .only_for("convex mesh tetmesh")
              .required_for("mesh tetmesh")
              .example("bunny.obj"),
          points("points", "m", "Points whose hull is the shape, instead of a file.")
              .only_for("convex")
              .example("[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
          numbers("scale", {3}, "", kNonZero,
                  "Factor on the coordinates of the file or the points: a number or one per axis.")
              .or_number()
              .only_for("convex mesh tetmesh")
              .by_default("[1, 1, 1]")
              .example("0.001"),
          mapping("pose", pose_section(), "Pose of the geometry frame in the body.")
              .example("{xyz: [0, 0, 0.1]}"),
          text("material", "the name of a material", "Name of a material; required unless contact is none.")
              .example("steel"),
          choice("contact", "point rigid compliant none",
                 "How it takes part in contact: as points, by pressure fields (rigid, compliant), or not at "
                 "all (seen, not felt). `point` by default; a half space without the key is a point shape to "
                 "point shapes and rigid to compliant ones. A tetmesh takes rigid, compliant or none, a mesh "
                 "is never compliant.")
              .required_for("tetmesh")
              .example("none"),
          name("group", "A collision group, for contact.exclude and contact.pairs.").example("balls"),
          number("resolution", "m", kPositive,
                 "Edge length aimed at on the curved surface of a pressure-field geometry; by default a "
                 "quarter of the radius (ellipsoid: of the largest semi-axis). Boxes and polytopes have one "
                 "mesh only, tetmesh that of its file.")
              .example("0.01"),
          number("margin", "m", kNonNegative,
                 "Thickness of the layer around a compliant geometry in which contact is prepared (its "
                 "pressure is negative there).")
              .by_default("0")
              .example("1.0e-3"),
          number("slab_thickness", "m", kPositive,
                 "Thickness of the elastic layer of a compliant half space, which needs it: the pressure "
                 "grows by hydroelastic_modulus over this depth.")
              .only_for("half_space")
              .example("0.1"),
          choice("mesh_strategy", "single dense",
                 "Inside of a compliant sphere or ellipsoid: one vertex at the centre, or tetrahedra of "
                 "`resolution` throughout.")
              .by_default("single")
              .example("dense"),
      }};
  return section;
}

const Section& sine_motion_section() {
  static const Section section{
      "sine_motion",
      "a sine motion",
      "Displacement amplitude sin(2 pi frequency t + phase) about `pose`.",
      "",
      {
          vector3("amplitude", "m", "Amplitude, world axes.").required().example("[0.1, 0, 0]"),
          number("frequency", "Hz", kNonNegative, "Frequency.").required().example("2"),
          number("phase", "rad", kAny, "Phase at t = 0.").by_default("0").example("1.5"),
      }};
  return section;
}

const Section& motion_section() {
  static const Section section{
      "motion",
      "a motion",
      "Prescribed motion: keyframes (times, xyz, rpy), constant velocities, or a sine.",
      "",
      {
          numbers("times", {}, "s", kAny, "Times of the keyframes, increasing.").example("[0, 1, 2]"),
          points("xyz", "m", "Positions in the world at the times; all 0 when left out.")
              .example("[[0, 0, 0], [0, 0, 1], [0, 0, 0]]"),
          points("rpy", "rad",
                 "Rotations at the times, about the fixed x, then y, then z axis; all 0 when left out.")
              .example("[[0, 0, 0], [0, 0, 1.5], [0, 0, 3]]"),
          choice("interpolation", "step linear cubic",
                 "Between the keyframes (default linear); cubic is the spline that is at rest at both ends.")
              .example("cubic"),
          vector3("velocity", "m/s", "Constant velocity of the body origin, world axes, from `pose` on.")
              .example("[0.1, 0, 0]"),
          vector3("angular_velocity", "rad/s", "Constant angular velocity, world axes.").example("[0, 0, 1]"),
          mapping("sine", sine_motion_section(), "A sine about `pose`.")
              .example("{amplitude: [0.1, 0, 0], frequency: 2}"),
      }};
  return section;
}

}  // namespace

const Section& pose_section() {
  static const Section section{
      "pose",
      "a pose",
      "A position and at most one form of a rotation.",
      "",
      {
          vector3("xyz", "m", "Position.").by_default("[0, 0, 0]").example("[0, 0, 0.1]"),
          numbers("quaternion_wxyz", {4}, "", kAny,
                  "Rotation as a quaternion (w, x, y, z); normalised if its norm is within 1e-3 of 1.")
              .example("[1, 0, 0, 0]"),
          vector3("rpy", "rad", "Rotation by three angles about the fixed x, then y, then z axis.")
              .example("[0, 0, 0.5]"),
          vector3("rpy_deg", "degrees", "Rotation by three angles about the fixed x, then y, then z axis.")
              .example("[0, 0, 30]"),
          vector3("axis", "", "Axis of a rotation by `angle_deg`; any length but 0.").example("[0, 0, 1]"),
          number("angle_deg", "degrees", kAny, "Angle of the rotation about `axis`.").example("30"),
      }};
  return section;
}

const Section& material_section() {
  static const Section section{
      "material",
      "a material",
      "Contact properties of a surface; two materials combine where they meet.",
      "",
      {
          number("friction", "", kNonNegative,
                 "Coulomb friction coefficient; two combine to 2 mu1 mu2/(mu1 + mu2).")
              .by_default("0.5")
              .example("0.8"),
          number("stiffness", "N/m", kNonNegative,
                 "Stiffness of one point contact; two act in series. `rigid`: infinitely stiff.")
              .or_word("rigid")
              .by_default("1.0e+6")
              .example("1.0e+7"),
          number("hunt_crossley_dissipation", "s/m", kNonNegative,
                 "Hunt & Crossley dissipation, all laws but sap.")
              .by_default("50")
              .example("10"),
          number("relaxation_time", "s", kNonNegative,
                 "Relaxation time of sap's linear dissipation; two add up. While two bodies slide at a "
                 "speed v, sap holds them mu v (step + that sum) apart: a gap of 0.1 m at mu 0.5, 1 m/s "
                 "and the default.")
              .by_default("0.1")
              .example("0.01"),
          number("hydroelastic_modulus", "Pa", kPositive,
                 "Elastic modulus of a compliant geometry's pressure field.")
              .by_default("1.0e+7")
              .example("1.0e+6"),
          number("hertz_stiffness", "N/m^1.5", kPositive,
                 "Stiffness of the law normal: hertz; k^(-2/3) of two add up.")
              .example("1.0e+8"),
      }};
  return section;
}

const Section& body_section() {
  static const Section section{
      "body",
      "a body",
      "A rigid body: free, the child of a joint, fixed, or moved as prescribed.",
      "",
      {
          name("name", "Name, unique among the bodies; not `world`.").required().example("ball"),
          boolean(
              "fixed",
              "Stays where it is; needs neither mass nor geometry. `motion` and `surface_velocity` imply it.")
              .by_default("false")
              .example("true"),
          number("mass", "kg", kNonNegative,
                 "Mass; needs `inertia` beside it. 0 only on the child of a joint.")
              .example("1.5"),
          number("density", "kg/m^3", kPositive,
                 "Density of the geometries as uniform solids, instead of `mass`.")
              .example("7800"),
          numbers("inertia", {3, 6}, "kg m^2", kAny,
                  "Inertia about the centre of mass, body axes: xx, yy, zz and perhaps xy, xz, yz; `solid`: "
                  "from the geometries.")
              .or_word("solid")
              .example("[0.01, 0.01, 0.02]"),
          vector3("com", "m", "Centre of mass in the body frame, beside `mass` and `inertia`; 0 by default.")
              .example("[0, 0, 0.1]"),
          mapping("pose", pose_section(), "Pose of the body frame in the world; not on the child of a joint.")
              .example("{xyz: [0, 0, 1]}"),
          mapping("velocity", velocity_section(), "Initial velocity of a free body.")
              .example("{linear: [1, 0, 0]}"),
          list("geometry", geometry_section(), "Shapes of the body.")
              .by_default("[]")
              .example("[{shape: sphere, radius: 0.05, material: steel}]"),
          mapping("motion", motion_section(), "Prescribed motion; implies fixed.")
              .example("{velocity: [0.1, 0, 0]}"),
          vector3("surface_velocity", "m/s",
                  "Velocity of the surface of a body that stays (a belt), body axes; implies fixed.")
              .example("[0.5, 0, 0]"),
      }};
  return section;
}

}  // namespace csim
