// Reading of valid scenes.
#include "scene/read_scene.h"
#include "support/source_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

namespace csim {
namespace {

const std::string kMinimal = "csim: 1\ntime: {end: 1}\nbodies: []\n";

Scene read(const std::string& text, const std::vector<std::string>& overrides = {},
           const std::string& file = "folder/drop.yaml") {
  const SceneReadResult result = read_scene_text(text, file, overrides);
  EXPECT_EQ(format_diagnostics(result.diagnostics), "");
  return result.scene;
}

/// A scene with one fixed body that has these keys.
BodySpec read_body(const std::string& keys) {
  const Scene scene = read(
      "csim: 1\ntime: {end: 1}\nmaterials: {m: {}}\nbodies:\n  - {name: a, fixed: true, " + keys + "}\n");
  return scene.bodies.empty() ? BodySpec{} : scene.bodies[0];
}

void expect_rotation(const Quaternion& q, const Matrix3& expected) {
  EXPECT_LT((q.toRotationMatrix() - expected).cwiseAbs().maxCoeff(), 1e-15);  // a few roundings
}

TEST(ReadScene, FillsTheDefaultsOfTheStructs) {
  const Scene scene = read(kMinimal), standard;
  EXPECT_EQ(scene.name, "drop");
  EXPECT_EQ(scene.gravity, standard.gravity);
  EXPECT_EQ(scene.time.step, standard.time.step);
  EXPECT_EQ(scene.time.end, 1.0);
  EXPECT_EQ(scene.contact.model, standard.contact.model);
  EXPECT_EQ(scene.contact.normal, standard.contact.normal);
  EXPECT_EQ(scene.contact.stiction_tolerance, standard.contact.stiction_tolerance);
  EXPECT_EQ(scene.contact.sigma, standard.contact.sigma);
  EXPECT_EQ(scene.contact.regularise_stiction, standard.contact.regularise_stiction);
  EXPECT_EQ(scene.contact.near_rigid, standard.contact.near_rigid);
  EXPECT_EQ(scene.contact.margin, standard.contact.margin);
  EXPECT_EQ(scene.contact.fallback, standard.contact.fallback);
  EXPECT_EQ(scene.solver.method, standard.solver.method);
  EXPECT_EQ(scene.solver.tolerance, standard.solver.tolerance);
  EXPECT_EQ(scene.solver.absolute_tolerance, standard.solver.absolute_tolerance);
  EXPECT_EQ(scene.solver.max_iterations, standard.solver.max_iterations);
  EXPECT_EQ(scene.solver.line_search, standard.solver.line_search);
  EXPECT_EQ(scene.solver.hessian, standard.solver.hessian);
  EXPECT_EQ(scene.solver.linear_solver, standard.solver.linear_solver);
  EXPECT_EQ(scene.solver.on_nonconvergence, standard.solver.on_nonconvergence);
  EXPECT_EQ(scene.solver.condition_number, standard.solver.condition_number);
  EXPECT_EQ(scene.output.period, standard.output.period);
  EXPECT_EQ(scene.output.contacts, standard.output.contacts);
  EXPECT_EQ(scene.output.patches, standard.output.patches);
  EXPECT_EQ(scene.output.iterations, standard.output.iterations);
  EXPECT_EQ(scene.output.checkpoint, standard.output.checkpoint);
}

TEST(ReadScene, FillsTheDefaultsOfMaterials) {
  const Scene scene = read("csim: 1\ntime: {end: 0}\nmaterials: {steel: {}}\nbodies: []\n");
  const MaterialSpec standard;
  ASSERT_EQ(scene.materials.size(), 1u);
  const MaterialSpec& steel = scene.materials[0];
  EXPECT_EQ(steel.name, "steel");
  EXPECT_EQ(steel.friction, standard.friction);
  EXPECT_EQ(steel.stiffness, standard.stiffness);
  EXPECT_EQ(steel.hunt_crossley_dissipation, standard.hunt_crossley_dissipation);
  EXPECT_EQ(steel.relaxation_time, standard.relaxation_time);
  EXPECT_EQ(steel.hydroelastic_modulus, standard.hydroelastic_modulus);
  EXPECT_FALSE(steel.hertz_stiffness);
}

TEST(ReadScene, ReadsMaterials) {
  const Scene scene = read(
      "csim: 1\ntime: {end: 0}\nbodies: []\nmaterials:\n  b: {friction: 0.1, stiffness: rigid, "
      "hunt_crossley_dissipation: 2, relaxation_time: 3,"
      " hydroelastic_modulus: 4, hertz_stiffness: 5}\n  a: {stiffness: 0}\n");
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[0].name, "b");  // the file's order
  EXPECT_EQ(scene.materials[0].friction, 0.1);
  EXPECT_EQ(scene.materials[0].stiffness, kRigid);
  EXPECT_EQ(scene.materials[0].hunt_crossley_dissipation, 2.0);
  EXPECT_EQ(scene.materials[0].relaxation_time, 3.0);
  EXPECT_EQ(scene.materials[0].hydroelastic_modulus, 4.0);
  EXPECT_EQ(scene.materials[0].hertz_stiffness, 5.0);
  EXPECT_EQ(scene.materials[1].stiffness, 0.0);
}

TEST(ReadScene, ReadsRotationsInAllForms) {
  using Eigen::AngleAxisd;
  const double degree = std::numbers::pi / 180.0;
  const Matrix3 rpy = (AngleAxisd(0.3, Vector3::UnitZ()) * AngleAxisd(-0.2, Vector3::UnitY()) *
                       AngleAxisd(0.1, Vector3::UnitX()))
                          .toRotationMatrix();
  expect_rotation(read_body("pose: {rpy: [0.1, -0.2, 0.3]}").pose.rotation, rpy);
  const Matrix3 degrees =
      (AngleAxisd(30 * degree, Vector3::UnitZ()) * AngleAxisd(20 * degree, Vector3::UnitY()) *
       AngleAxisd(10 * degree, Vector3::UnitX()))
          .toRotationMatrix();
  expect_rotation(read_body("pose: {rpy_deg: [10, 20, 30]}").pose.rotation, degrees);
  const Matrix3 about = AngleAxisd(50 * degree, Vector3(1, 2, -2) / 3).toRotationMatrix();
  expect_rotation(read_body("pose: {axis: [10, 20, -20], angle_deg: 50}").pose.rotation, about);
  const Quaternion q = read_body("pose: {xyz: [1, 2, 3], quaternion_wxyz: [0.6, 0, 0.8, 0]}").pose.rotation;
  EXPECT_EQ(q.coeffs(), Quaternion(0.6, 0, 0.8, 0).coeffs());
  EXPECT_EQ(read_body("pose: {xyz: [1, 2, 3]}").pose.rotation.coeffs(), Quaternion::Identity().coeffs());
}

TEST(ReadScene, NormalisesQuaternionsThatNeedIt) {
  const Quaternion q = read_body("pose: {quaternion_wxyz: [0.7071, 0.7071, 0, 0]}").pose.rotation;
  EXPECT_NEAR(q.norm(), 1.0, 4e-16);
  EXPECT_EQ(q.w(), q.x());
}

TEST(ReadScene, NormalisesAxesOfAnyLength) {
  const std::string scene =
      "csim: 1\ntime: {end: 1}\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
      "joints: [{name: j, type: revolute, parent: world, child: a, axis: [0, 3.0e+200, 4.0e+200]}]\n";
  const Vector3 axis = read(scene).joints[0].axis;
  EXPECT_LT((axis - Vector3(0, 0.6, 0.8)).norm(), 1e-15);
}

TEST(ReadScene, ReadsMassesInAllForms) {
  const std::string ball = "geometry: [{shape: sphere, radius: 1, material: m}]";
  const BodySpec density = read_body("density: 7800, " + ball);
  EXPECT_EQ(density.mass_source, MassSource::kDensity);
  EXPECT_EQ(density.density, 7800.0);
  const BodySpec solid = read_body("mass: 2, inertia: solid, " + ball);
  EXPECT_EQ(solid.mass_source, MassSource::kSolid);
  EXPECT_EQ(solid.mass, 2.0);
  const BodySpec three = read_body("mass: 2, inertia: [1, 2, 2.5], com: [0.1, 0.2, 0.3]");
  EXPECT_EQ(three.mass_source, MassSource::kExplicit);
  EXPECT_EQ(three.inertia, (std::array<double, 6>{1, 2, 2.5, 0, 0, 0}));
  EXPECT_EQ(three.com, Vector3(0.1, 0.2, 0.3));
  const BodySpec six = read_body("mass: 2, inertia: [1, 2, 2.5, 0.1, 0.2, 0.3]");
  EXPECT_EQ(six.inertia, (std::array<double, 6>{1, 2, 2.5, 0.1, 0.2, 0.3}));
  EXPECT_EQ(read_body("geometry: []").mass_source, MassSource::kNone);
  // A flat body just meets the triangle inequality, whatever the rounding of its numbers.
  EXPECT_EQ(read_body("mass: 1, inertia: [0.1, 0.2, 0.30000000000000004]").inertia[2], 0.1 + 0.2);
}

TEST(ReadScene, AcceptsMasslessBodiesOnJoints) {
  const Scene scene = read(
      "csim: 1\ntime: {end: 1}\nbodies: [{name: a, mass: 0, inertia: [0, 0, 0]}, {name: b, mass: 1, inertia: "
      "[1, 1, 1]}]\n"
      "joints:\n  - {name: j, type: revolute, parent: world, child: a}\n  - {name: k, type: revolute, "
      "parent: a, child: b}\n");
  EXPECT_EQ(scene.bodies[0].mass, 0.0);
  EXPECT_EQ(scene.bodies[0].mass_source, MassSource::kExplicit);
}

TEST(ReadScene, ReadsShapes) {
  const BodySpec body = read_body(
      "geometry: [{name: s, shape: sphere, radius: 1, material: m, pose: {xyz: [1, 2, 3]}, group: g}, "
      "{shape: box, size: [1, 2, 3], material: m, group: [g, h]},"
      " {shape: cylinder, radius: 1, length: 2, material: m}, {shape: capsule, radius: 3, length: 4, "
      "material: m},"
      " {shape: ellipsoid, semi_axes: [1, 2, 3], contact: none}, {shape: half_space, material: m},"
      " {shape: convex, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], scale: 2, material: m}]");
  const std::vector<GeometrySpec>& g = body.geometry;
  ASSERT_EQ(g.size(), 7u);
  EXPECT_EQ(g[0].name, "s");
  EXPECT_EQ(g[0].shape.type, ShapeType::kSphere);
  EXPECT_EQ(g[0].shape.radius, 1.0);
  EXPECT_EQ(g[0].pose.xyz, Vector3(1, 2, 3));
  EXPECT_EQ(g[0].groups, std::vector<std::string>{"g"});
  EXPECT_EQ(g[1].groups, (std::vector<std::string>{"g", "h"}));
  EXPECT_EQ(g[0].material, 0);
  EXPECT_EQ(g[0].contact, ContactKind::kPoint);
  EXPECT_EQ(g[1].name, "geometry_1");
  EXPECT_EQ(g[1].shape.size, Vector3(1, 2, 3));
  EXPECT_EQ(g[2].shape.type, ShapeType::kCylinder);
  EXPECT_EQ(g[2].shape.length, 2.0);
  EXPECT_EQ(g[3].shape.type, ShapeType::kCapsule);
  EXPECT_EQ(g[3].shape.radius, 3.0);
  EXPECT_EQ(g[4].shape.semi_axes, Vector3(1, 2, 3));
  EXPECT_EQ(g[4].contact, ContactKind::kNone);
  EXPECT_EQ(g[4].material, -1);
  EXPECT_EQ(g[5].shape.type, ShapeType::kHalfSpace);
  EXPECT_EQ(g[6].shape.points.size(), 4u);
  EXPECT_EQ(g[6].shape.scale, Vector3(2, 2, 2));
}

TEST(ReadScene, FindsFilesBesideTheScene) {
  const std::string folder = test::source_folder() + "/tests/regression/bad_scenes";
  const std::string text =
      "csim: 1\ntime: {end: 1}\nbodies: [{name: a, fixed: true, geometry: [{shape: mesh, file: "
      "./triangle.obj, contact: none}]}]\n";
  const ShapeSpec shape = read(text, {}, folder + "/scene.yaml").bodies[0].geometry[0].shape;
  EXPECT_EQ(shape.file, "./triangle.obj");
  EXPECT_EQ(shape.resolved_file, std::filesystem::path(folder + "/triangle.obj").lexically_normal().string());
  // The bare name of a scene in the working folder.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  EXPECT_EQ(read(text, {}, "scene.yaml").bodies[0].geometry[0].shape.resolved_file, shape.resolved_file);
  std::filesystem::current_path(before);
}

TEST(ReadScene, ReadsMotions) {
  const MotionSpec keys =
      read_body("motion: {times: [0, 1, 3], rpy: [[0, 0, 0], [0, 0, 1], [0, 0, 2]], interpolation: cubic}")
          .motion;
  EXPECT_EQ(keys.type, MotionType::kKeyframes);
  EXPECT_EQ(keys.times, (std::vector<double>{0, 1, 3}));
  EXPECT_TRUE(keys.xyz.empty());
  EXPECT_EQ(keys.rpy[2], Vector3(0, 0, 2));
  EXPECT_EQ(keys.interpolation, Interpolation::kCubic);
  EXPECT_EQ(read_body("motion: {times: [0], xyz: [[1, 2, 3]]}").motion.interpolation, Interpolation::kLinear);
  const MotionSpec velocity =
      read_body("pose: {xyz: [1, 0, 0]}, motion: {angular_velocity: [1, 2, 3]}").motion;
  EXPECT_EQ(velocity.type, MotionType::kVelocity);
  EXPECT_EQ(velocity.velocity, Vector3(0, 0, 0));
  EXPECT_EQ(velocity.angular_velocity, Vector3(1, 2, 3));
  const MotionSpec sine = read_body("motion: {sine: {amplitude: [1, 2, 3], frequency: 4}}").motion;
  EXPECT_EQ(sine.type, MotionType::kSine);
  EXPECT_EQ(sine.amplitude, Vector3(1, 2, 3));
  EXPECT_EQ(sine.frequency, 4.0);
  EXPECT_EQ(sine.phase, 0.0);
  EXPECT_EQ(read_body("surface_velocity: [1, 2, 3]").surface_velocity, Vector3(1, 2, 3));
}

TEST(ReadScene, MotionAndSurfaceVelocityImplyFixed) {
  const Scene scene = read(
      "csim: 1\ntime: {end: 1}\nbodies: [{name: a, motion: {velocity: [1, 0, 0]}}, {name: b, "
      "surface_velocity: [1, 0, 0]}, {name: c, fixed: true}]\n");
  for (const BodySpec& body : scene.bodies) EXPECT_TRUE(body.fixed) << body.name;
}

TEST(ReadScene, ReadsJointCoordinates) {
  const std::string links =
      "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n";
  const Scene scene =
      read("csim: 1\ntime: {end: 1}\n" + links +
           "joints:\n  - {name: j, type: planar, parent: world, child: a, pose: {xyz: [1, 2, 3]}, velocity: "
           "[1, 2, 3], damping: 4, armature: [5, 6, 7], stiffness: 8, rest_position: 9, collide: true}\n"
           "  - {name: k, type: ball, parent: a, child: b, position: [0.6, 0.8, 0, 0], friction: 0}\n");
  const JointSpec& planar = scene.joints[0];
  EXPECT_EQ(planar.parent, -1);
  EXPECT_EQ(planar.child, 0);
  EXPECT_EQ(planar.pose.xyz, Vector3(1, 2, 3));
  EXPECT_EQ(planar.position, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(planar.velocity, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(planar.damping, (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(planar.armature, (std::vector<double>{5, 6, 7}));
  EXPECT_EQ(planar.stiffness, (std::vector<double>{8, 8, 8}));
  EXPECT_EQ(planar.rest_position, (std::vector<double>{9, 9, 9}));
  EXPECT_TRUE(planar.collide);
  const JointSpec& ball = scene.joints[1];
  EXPECT_EQ(ball.parent, 0);
  EXPECT_EQ(ball.position, (std::vector<double>{0.6, 0.8, 0, 0}));
  EXPECT_EQ(ball.velocity, (std::vector<double>{0, 0, 0}));
  EXPECT_FALSE(ball.collide);
}

TEST(ReadScene, StartsJointsAtTheNeutralPosition) {
  const std::vector<std::pair<std::string, std::vector<double>>> neutral{
      {"free", {1, 0, 0, 0, 0, 0, 0}}, {"weld", {}},           {"revolute", {0}},    {"prismatic", {0}},
      {"planar", {0, 0, 0}},           {"ball", {1, 0, 0, 0}}, {"universal", {0, 0}}};
  for (const auto& [type, position] : neutral) {
    const Scene scene = read(
        "csim: 1\ntime: {end: 1}\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\njoints: [{name: j, "
        "parent: world, child: a, type: " +
        type + "}]\n");
    EXPECT_EQ(scene.joints[0].position, position) << type;
    EXPECT_EQ(scene.joints[0].axis, Vector3(0, 0, 1));
  }
}

TEST(ReadScene, ReadsPressureFields) {
  const BodySpec body = read_body(
      "geometry: [{shape: sphere, radius: 2, material: m, contact: compliant, margin: 0.1, mesh_strategy: "
      "dense},"
      " {shape: ellipsoid, semi_axes: [1, 2, 4], material: m, contact: rigid}, {shape: cylinder, radius: 1, "
      "length: 2, material: m, contact: compliant, resolution: 0.3}, {shape: box, size: [1, 1, 1], material: "
      "m, contact: compliant},"
      " {shape: half_space, material: m}, {shape: half_space, material: m, contact: point},"
      " {shape: half_space, material: m, contact: compliant, slab_thickness: 0.5}]");
  const std::vector<GeometrySpec>& g = body.geometry;
  ASSERT_EQ(g.size(), 7u);
  EXPECT_EQ(g[0].contact, ContactKind::kCompliant);
  EXPECT_EQ(g[0].resolution, 0.5);  // a quarter of the radius
  EXPECT_EQ(g[0].margin, 0.1);
  EXPECT_EQ(g[0].mesh_strategy, MeshStrategyType::kDense);
  EXPECT_EQ(g[1].contact, ContactKind::kRigid);
  EXPECT_EQ(g[1].resolution, 1.0);  // of the largest semi-axis
  EXPECT_EQ(g[1].margin, 0.0);
  EXPECT_EQ(g[1].mesh_strategy, MeshStrategyType::kSingle);
  EXPECT_EQ(g[2].resolution, 0.3);
  EXPECT_EQ(g[3].resolution, 0.0);
  EXPECT_EQ(g[4].contact, ContactKind::kPointOrRigid);
  EXPECT_EQ(g[5].contact, ContactKind::kPoint);
  EXPECT_EQ(g[6].contact, ContactKind::kCompliant);
  EXPECT_EQ(g[6].slab_thickness, 0.5);
}

TEST(ReadScene, ReadsPatchOptions) {
  const auto patch = [](const std::string& options) {
    return read("csim: 1\ntime: {end: 1}\nbodies: []\ncontact: {" + options + "}\n").contact.patch;
  };
  const PatchSpec standard = patch("");
  EXPECT_EQ(standard.representation, PatchRepresentation::kPolygon);
  EXPECT_EQ(standard.quadrature, PatchQuadrature::kCenterOfPressure);
  EXPECT_FALSE(standard.max_face_size.has_value());
  EXPECT_EQ(standard.cull_angle_deg, 112.5);
  EXPECT_EQ(standard.gradient_filter, GradientFilter::kKeep);
  const PatchSpec all = patch(
      "patch: {representation: triangle, quadrature: centroid, max_face_size: 0.1, cull_angle_deg: "
      "none, gradient_filter: drop}");
  EXPECT_EQ(all.representation, PatchRepresentation::kTriangle);
  EXPECT_EQ(all.quadrature, PatchQuadrature::kCentroid);
  EXPECT_EQ(all.max_face_size, 0.1);
  EXPECT_FALSE(all.cull_angle_deg.has_value());
  EXPECT_EQ(all.gradient_filter, GradientFilter::kDrop);
  EXPECT_EQ(patch("patch: {cull_angle_deg: 90}").cull_angle_deg, 90.0);
}

TEST(ReadScene, ReadsContactOptions) {
  const std::string bodies =
      "materials: {m: {hertz_stiffness: 1}}\nbodies:\n  - {name: a, fixed: true, geometry: [{shape: "
      "half_space, material: m}, {name: wall, shape: half_space, material: m, group: g}]}\n";
  const Scene scene = read("csim: 1\ntime: {end: 1}\n" + bodies +
                           "contact:\n  model: similar\n  normal: ipc_barrier\n  barrier: {stiffness: 1, "
                           "thickness: 2}\n  stiction_tolerance: 3\n  sigma: 0\n"
                           "  regularise_stiction: false\n  near_rigid: 1\n  margin: 0.5\n  fallback: error\n"
                           "  pairs: [{a: a, b: a/wall, friction: 0.1, stiffness: 2, "
                           "hunt_crossley_dissipation: 3, relaxation_time: 4}]\n"
                           "  exclude: [{a: \"material:m\", b: \"group:g\"}]\n");
  const ContactSpec& contact = scene.contact;
  EXPECT_EQ(contact.model, ContactModel::kSimilar);
  EXPECT_EQ(contact.normal, NormalLaw::kIpcBarrier);
  EXPECT_EQ(contact.barrier_stiffness, 1.0);
  EXPECT_EQ(contact.barrier_thickness, 2.0);
  EXPECT_EQ(contact.stiction_tolerance, 3.0);
  EXPECT_EQ(contact.sigma, 0.0);
  EXPECT_FALSE(contact.regularise_stiction);
  EXPECT_EQ(contact.near_rigid, 1.0);
  EXPECT_EQ(contact.margin, 0.5);
  EXPECT_EQ(contact.fallback, Fallback::kError);
  ASSERT_EQ(contact.pairs.size(), 1u);
  EXPECT_EQ(contact.pairs[0].a.type, SelectorType::kBody);
  EXPECT_EQ(contact.pairs[0].a.body, 0);
  EXPECT_EQ(contact.pairs[0].b.type, SelectorType::kGeometry);
  EXPECT_EQ(contact.pairs[0].b.geometry, 1);
  EXPECT_EQ(contact.pairs[0].friction, 0.1);
  EXPECT_EQ(contact.pairs[0].stiffness, 2.0);
  EXPECT_EQ(contact.pairs[0].hunt_crossley_dissipation, 3.0);
  EXPECT_EQ(contact.pairs[0].relaxation_time, 4.0);
  EXPECT_EQ(contact.exclude[0].a.type, SelectorType::kMaterial);
  EXPECT_EQ(contact.exclude[0].a.material, 0);
  EXPECT_EQ(contact.exclude[0].b.type, SelectorType::kGroup);
  EXPECT_EQ(contact.exclude[0].b.group, "g");
}

TEST(ReadScene, SapTakesTheLinearLawByDefault) {
  EXPECT_EQ(read(kMinimal + "contact: {model: sap}\n").contact.normal, NormalLaw::kLinear);
  EXPECT_EQ(read(kMinimal + "contact: {model: similar}\n").contact.normal, NormalLaw::kHuntCrossley);
  EXPECT_EQ(read(kMinimal + "contact: {normal: hertz}\n").contact.normal, NormalLaw::kHertz);
}

TEST(ReadScene, ReadsSolverAndOutputOptions) {
  const Scene scene =
      read(kMinimal +
           "solver: {method: newton, tolerance: 1.0e-8, absolute_tolerance: 0, max_iterations: 1e2, "
           "line_search: armijo, hessian: newton,"
           " linear_solver: supernodal, on_nonconvergence: shorter_step, condition_number: exact}\n"
           "integrator: {type: discrete}\noutput: {period: 0.5, contacts: false, patches: full, iterations: "
           "true, checkpoint: 2}\n"
           "models: []\nactuators: []\n");
  EXPECT_EQ(scene.solver.method, MethodKind::kNewton);
  EXPECT_EQ(scene.solver.tolerance, 1e-8);
  EXPECT_EQ(scene.solver.absolute_tolerance, 0.0);
  EXPECT_EQ(scene.solver.max_iterations, 100);
  EXPECT_EQ(scene.solver.line_search, LineSearchKind::kArmijo);
  EXPECT_EQ(scene.solver.hessian, HessianKind::kNewton);
  EXPECT_EQ(scene.solver.linear_solver, LinearSolverKind::kSupernodal);
  EXPECT_EQ(scene.solver.on_nonconvergence, OnNonconvergence::kShorterStep);
  EXPECT_EQ(scene.solver.condition_number, ConditionKind::kExact);
  EXPECT_EQ(scene.output.period, 0.5);
  EXPECT_FALSE(scene.output.contacts);
  EXPECT_EQ(scene.output.patches, PatchOutput::kFull);
  EXPECT_TRUE(scene.output.iterations);
  EXPECT_EQ(scene.output.checkpoint, 2.0);
}

TEST(ReadScene, AppliesOverrides) {
  const std::string text =
      "csim: 1\ntime: {end: 1}\nmaterials: {m: {friction: 0.1}}\nbodies:\n  - {name: a, fixed: true, "
      "geometry: [{shape: sphere, radius: 1, material: m}]}\n";
  EXPECT_EQ(read(text, {"time.end=2"}).time.end, 2.0);
  EXPECT_EQ(read(text, {"time.end=2", "time.end=3"}).time.end, 3.0);
  EXPECT_EQ(read(text, {"contact.model=sap"}).contact.model, ContactModel::kSap);
  EXPECT_EQ(read(text, {"gravity=[0, 0, -1]"}).gravity.z(), -1.0);
  EXPECT_EQ(read(text, {"gravity=[0, 0, -1]", "gravity.2=-2"}).gravity.z(), -2.0);
  EXPECT_EQ(read(text, {"materials.m.friction=0.7"}).materials[0].friction, 0.7);
  EXPECT_EQ(read(text, {"materials.n={friction: 0.7}"}).materials[1].friction, 0.7);
  EXPECT_EQ(read(text, {"bodies.a.geometry.geometry_0.radius=2"}).bodies[0].geometry[0].shape.radius, 2.0);
  EXPECT_EQ(read(text, {"bodies.0.geometry.0.radius=2"}).bodies[0].geometry[0].shape.radius, 2.0);
  EXPECT_EQ(read(text, {"bodies.a.pose.xyz=[1, 2, 3]"}).bodies[0].pose.xyz, Vector3(1, 2, 3));
  EXPECT_EQ(read(text, {"bodies.a.name=b", "name=other"}).bodies[0].name, "b");
  EXPECT_EQ(read(text, {"bodies=[]"}).bodies.size(), 0u);
}

TEST(ReadScene, AnOverrideRepairsTheFile) {
  const std::string bad = "csim: 1\ntime: {end: -1}\nbodies: []\n";
  EXPECT_FALSE(read_scene_text(bad, "bad.yaml").ok());
  EXPECT_TRUE(read_scene_text(bad, "bad.yaml", {"time.end=1"}).ok());
}

TEST(ReadScene, AnAliasIsChangedWhereItIsUsedOnly) {
  const std::string text =
      "csim: 1\ntime: {end: 1}\nmaterials:\n  a: &a {friction: 0.1}\n  b: *a\nbodies: []\n";
  const Scene scene = read(text, {"materials.b.friction=0.2"});
  EXPECT_EQ(scene.materials[0].friction, 0.1);
  EXPECT_EQ(scene.materials[1].friction, 0.2);
}

TEST(ReadScene, LocatesLaterProblems) {
  const SceneReadResult result = read_scene_text(
      "csim: 1\ntime: {end: 1}\nbodies:\n  - name: a\n    fixed: true\n    geometry:\n      - {shape: "
      "sphere, radius: 1, contact: none}\n",
      "s.yaml", {"time.step=0.1"});
  ASSERT_TRUE(result.ok());
  const auto place = [&](const std::string& path) {
    const Diagnostic d = result.source.locate(Problem{path, "m"});
    EXPECT_EQ(d.path, path);
    return d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column);
  };
  EXPECT_EQ(place("bodies.a.fixed"), "s.yaml:5:12");
  EXPECT_EQ(place("bodies.0.fixed"), "s.yaml:5:12");
  EXPECT_EQ(place("bodies.a.geometry.geometry_0.radius"), "s.yaml:7:33");
  EXPECT_EQ(place("bodies.a.geometry.0.radius"), "s.yaml:7:33");
  EXPECT_EQ(place("bodies.a.mass"), "s.yaml:4:5");   // absent: its mapping
  EXPECT_EQ(place("bodies.b.mass"), "s.yaml:4:3");   // no such body: the list
  EXPECT_EQ(place("contact.normal"), "s.yaml:1:1");  // no such mapping: the scene
  EXPECT_EQ(place(""), "s.yaml:1:1");
  EXPECT_EQ(place("time.step"), "--set time.step:1:11");
}

TEST(ReadScene, ReadsFilesWithByteOrderMarkAndWindowsLineEnds) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "csim: 1\r\ntime: {end: 1}\r\nbodies: []\r\n")
                .time.end,
            1.0);
  const SceneReadResult bad = read_scene_text(
      "\xEF\xBB\xBF"
      "csim: 2\r\ntime: {end: 1}\r\nbodies: []\r\n",
      "s.yaml");
  ASSERT_EQ(bad.diagnostics.size(), 1u);
  EXPECT_EQ(bad.diagnostics[0].column, 7);
  EXPECT_EQ(bad.diagnostics[0].source_line, "csim: 2");
}

/// The warnings of a scene of a joint, a drive and a mover, by their paths.
std::vector<std::string> warnings_of(const std::string& hinge, const std::string& command,
                                     const std::string& mover) {
  const SceneReadResult result =
      read_scene_text("csim: 1\ntime: {end: 1}\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, " +
                          mover + "}]\njoints: [{name: j, parent: world, child: a, " + hinge +
                          "}]\nactuators: [{name: d, joint: j, " + command + "}]\n",
                      "s.yaml");
  EXPECT_EQ(format_diagnostics(result.diagnostics), "");
  std::vector<std::string> found;
  for (const Diagnostic& warning : result.warnings) found.push_back(warning.path);
  return found;
}

TEST(ReadScene, WarnsOfAnglesThatLookLikeDegrees) {
  using Warnings = std::vector<std::string>;
  const std::string turning = "type: revolute", still = "type: position, stiffness: 1, command: 0",
                    fixed = "fixed: true";
  const auto mover = [](const std::string& rpy) {
    return "fixed: true, motion: {times: [0, 1], rpy: [[0, 0, 0], [0, 0, " + rpy + "]]}";
  };
  const auto drive = [](const std::string& command) {
    return "type: position, stiffness: 1, command: " + command;
  };
  // A pose needs no more than a turn; ways may be longer, and are degrees when they are multiples of 15.
  EXPECT_EQ(warnings_of(turning, still, "fixed: true, pose: {rpy: [0, 7.5, 90]}"),
            Warnings{"bodies.b.pose.rpy.1"});
  EXPECT_EQ(warnings_of(turning, still, "fixed: true, pose: {rpy: [6.3, -6.2832, 3.1416]}"), Warnings{});
  EXPECT_EQ(warnings_of(turning, still, "fixed: true, pose: {rpy_deg: [0, 90, 0]}"), Warnings{});
  EXPECT_EQ(warnings_of(turning, still, mover("90")), Warnings{"bodies.b.motion.rpy.1.2"});
  EXPECT_EQ(warnings_of(turning, still, mover("20")), Warnings{});
  EXPECT_EQ(warnings_of(turning + ", position: 45, rest_position: -30", still, fixed),
            (Warnings{"joints.j.position", "joints.j.rest_position"}));
  EXPECT_EQ(warnings_of("type: prismatic, position: 45", drive("90"), fixed), Warnings{});
  EXPECT_EQ(warnings_of(turning, drive("90"), fixed), Warnings{"actuators.d.command"});
  EXPECT_EQ(warnings_of(turning, "type: effort, command: 90", fixed), Warnings{});
  EXPECT_EQ(warnings_of(turning, drive("{times: [0, 1], values: [0, 30]}"), fixed),
            Warnings{"actuators.d.command.values.1"});
  EXPECT_EQ(warnings_of(turning, drive("{sine: {mean: 0, amplitude: 15, frequency: 1, phase: 91}}"), fixed),
            (Warnings{"actuators.d.command.sine.amplitude", "actuators.d.command.sine.phase"}));
}

TEST(ReadScene, SaysWhatIsWrongWithTheFileItself) {
  const auto message = [](const std::string& file) {
    const SceneReadResult result = read_scene(file);
    return result.diagnostics.empty() ? "" : result.diagnostics[0].message;
  };
  EXPECT_EQ(message("/nowhere/scene.yaml"), "file not found: no such folder '/nowhere'");
  EXPECT_EQ(message(test::source_folder()), "a folder, expected a scene file");
}

}  // namespace
}  // namespace csim
