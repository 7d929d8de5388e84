// Scene to model: trees, columns, groups, masses, and reported errors.
#include "model/build_model.h"

#include <filesystem>
#include <fstream>

#include "model/columns.h"
#include "unit/model/all_joints_scene.h"

namespace csim {
namespace {

using namespace test;

const std::array<double, 6> kInertia{0.01, 0.011, 0.012, 0, 0, 0};

BodySpec body(const std::string& name) {
  return heavy_body(name, 1.0, Vector3::Zero(), kInertia);
}

GeometrySpec geometry(const std::string& name, ShapeType type) {
  GeometrySpec spec;
  spec.name = name;
  spec.shape.type = type;
  spec.shape.radius = 0.1;
  spec.shape.length = 0.4;
  spec.shape.size = {0.2, 0.4, 0.6};
  spec.shape.semi_axes = {0.1, 0.2, 0.3};
  spec.material = 0;
  return spec;
}

Scene scene_of(std::vector<BodySpec> bodies, std::vector<JointSpec> joints = {}) {
  Scene scene;
  scene.materials.resize(1);
  scene.materials[0].name = "steel";
  scene.bodies = std::move(bodies);
  scene.joints = std::move(joints);
  return scene;
}

void expect_problem(const Scene& scene, const std::string& path, const std::string& part) {
  const Built built = build(scene);
  ASSERT_EQ(built.problems.size(), 1u) << path;
  EXPECT_EQ(built.problems[0].path, path);
  EXPECT_NE(built.problems[0].message.find(part), std::string::npos) << built.problems[0].message;
}

TEST(BuildModel, EmptySceneIsAModel) {
  const Built built = build_valid(Scene());
  EXPECT_EQ(built.model.nv, 0);
  Built copy = built;
  FreeStepper(built.model).step(1e-3, &copy.state);
}

TEST(BuildModel, AlternatingTreesKeepTheirColumnsTogether) {
  // Bodies a2 b1 a1 b2 c; a1 carries a2, b1 carries b2, c is free. a2 comes before its parent.
  Scene scene =
      scene_of({body("a2"), body("b1"), body("a1"), body("b2"), body("c")},
               {joint("ja2", JointType::kBall, 2, 0), joint("jb2", JointType::kPrismatic, 1, 3),
                joint("ja1", JointType::kRevolute, -1, 2), joint("jb1", JointType::kUniversal, -1, 1)});
  scene.bodies[0].com = {0.1, 0, 0};
  const Built built = build_valid(scene);
  const Model& model = built.model;
  EXPECT_EQ(model.topological_order, (std::vector<int>{2, 0, 1, 3, 4}));
  ASSERT_EQ(model.trees.size(), 3u);
  const auto bodies = [&](int tree) {
    const std::span<const int> of_tree = bodies_of(model, model.trees[tree]);
    return std::vector<int>(of_tree.begin(), of_tree.end());
  };
  EXPECT_EQ(bodies(0), (std::vector<int>{2, 0}));
  EXPECT_EQ(bodies(1), (std::vector<int>{1, 3}));
  EXPECT_EQ(bodies(2), (std::vector<int>{4}));
  EXPECT_EQ(model.trees[0].nv, 4);
  EXPECT_EQ(model.trees[1].nv, 3);
  EXPECT_TRUE(model.trees[2].single_free_body);
  EXPECT_EQ(model.nv, 13);
  EXPECT_EQ(model.nq, 15);
  EXPECT_EQ(model.block_size, 16 + 9 + 36);
  EXPECT_EQ(model.bodies[0].joint.v_begin, 0);
  EXPECT_EQ(model.bodies[2].joint.v_begin, 3);
  EXPECT_EQ(model.bodies[1].joint.v_begin, 4);

  const StateColumns columns = make_state_columns(model);
  EXPECT_EQ(columns.body_v_offset, (std::vector<int>{0, 3, 5, 6, 7, 13}));
  EXPECT_EQ(columns.body_q_offset, (std::vector<int>{0, 4, 6, 7, 8, 15}));
  EXPECT_EQ(columns.v, (std::vector<int>{0, 1, 2, 4, 5, 3, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(columns.joint_q_offset, (std::vector<int>{0, 4, 5, 6, 8}));
  EXPECT_EQ(columns.joint_v_offset, (std::vector<int>{0, 3, 4, 5, 7}));
  EXPECT_EQ(columns.joint_v, (std::vector<int>{0, 1, 2, 6, 3, 4, 5}));
  VectorX recorded;
  gather_columns(columns.q, built.state.q, &recorded);
  ASSERT_EQ(recorded.size(), model.nq);
  for (int i = 0; i < model.nq; ++i) EXPECT_EQ(recorded[i], built.state.q[columns.q[i]]);
}

TEST(BuildModel, WeldGroupsAndExcludedPairs) {
  std::vector<BodySpec> bodies{fixed_body("ground"),
                               fixed_body("wall"),
                               fixed_body("belt"),
                               body("a"),
                               body("b"),
                               body("c"),
                               body("d"),
                               body("e")};
  bodies[2].motion.type = MotionType::kVelocity;
  std::vector<JointSpec> joints{joint("ab", JointType::kWeld, 3, 4), joint("bc", JointType::kRevolute, 4, 5),
                                joint("cd", JointType::kRevolute, 5, 6),
                                joint("ground_e", JointType::kWeld, 0, 7)};
  joints[2].collide = true;
  const Built built = build_valid(scene_of(bodies, joints));
  const auto group = [&](int i) { return built.model.bodies[i].weld_group; };
  EXPECT_EQ(group(0), 0);
  EXPECT_EQ(group(1), 0);
  EXPECT_NE(group(2), 0);
  EXPECT_EQ(group(3), group(4));
  EXPECT_NE(group(3), group(5));
  EXPECT_NE(group(5), group(6));
  EXPECT_EQ(group(7), 0);
  EXPECT_EQ(built.model.bodies[7].tree, -1);
  EXPECT_EQ(built.model.pairs.excluded_bodies, (std::vector<std::pair<int, int>>{{0, 7}, {3, 4}, {4, 5}}));
}

TEST(BuildModel, MassOfGeometries) {
  BodySpec density;
  density.name = "block";
  density.mass_source = MassSource::kDensity;
  density.density = 1000;
  density.geometry = {geometry("left", ShapeType::kBox), geometry("right", ShapeType::kBox),
                      geometry("ghost", ShapeType::kSphere)};
  density.geometry[0].pose.xyz = {-0.1, 0, 1};
  density.geometry[1].pose.xyz = {0.1, 0, 1};
  density.geometry[2].contact = ContactKind::kNone;
  BodySpec solid = density;
  solid.name = "solid";
  solid.mass_source = MassSource::kSolid;
  solid.mass = 9.6;
  const Built built = build_valid(scene_of({density, solid}));
  // Together one box of 0.4 x 0.4 x 0.6 m; the boxes touch, which is no overlap.
  const MassProperties& mass = built.model.bodies[0].mass;
  EXPECT_NEAR(mass.mass, 96.0, 1e-13);
  EXPECT_LT((mass.com - Vector3(0, 0, 1)).norm(), 1e-15);
  const Vector3 moments = 96.0 / 12 * Vector3(0.16 + 0.36, 0.16 + 0.36, 0.16 + 0.16);
  EXPECT_LT((mass.inertia - Matrix3(moments.asDiagonal())).norm(), 1e-13);
  EXPECT_TRUE(built.notes.empty());
  EXPECT_NEAR(built.model.bodies[1].mass.mass, 9.6, 0);
  EXPECT_LT((built.model.bodies[1].mass.inertia - 0.1 * mass.inertia).norm(), 1e-14);

  density.geometry[1].pose.xyz = {0.05, 0, 1};
  const Built overlapping = build_valid(scene_of({density}));
  EXPECT_NEAR(overlapping.model.bodies[0].mass.mass, 96.0, 1e-13);
  ASSERT_EQ(overlapping.notes.size(), 1u);
  EXPECT_NE(overlapping.notes[0].find("block/left and block/right"), std::string::npos);
}

TEST(BuildModel, RadiusHoldsTheCollidingGeometries) {
  BodySpec ball = body("ball");
  ball.geometry = {geometry("a", ShapeType::kSphere), geometry("b", ShapeType::kCapsule),
                   geometry("c", ShapeType::kBox)};
  ball.geometry[0].pose.xyz = {0, 0, 0.5};
  ball.geometry[2].contact = ContactKind::kNone;
  ball.geometry[2].pose.xyz = {9, 0, 0};
  BodySpec ground = fixed_body("ground");
  ground.geometry = {geometry("plane", ShapeType::kHalfSpace)};
  const Built built = build_valid(scene_of({ball, ground}));
  EXPECT_NEAR(built.model.bodies[0].radius, 0.6, 1e-15);
  EXPECT_TRUE(std::isinf(built.model.bodies[1].radius));
  EXPECT_EQ(built.model.geometries[1].name, "ball/b");
  EXPECT_EQ(built.model.geometries[2].pair_class, -1);
}

TEST(BuildModel, FilesAreLoadedOncePerScale) {
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / "csim_model_tetrahedron.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  BodySpec spec;
  spec.name = "a";
  spec.mass_source = MassSource::kDensity;
  spec.density = 600;
  spec.geometry = {geometry("geometry_0", ShapeType::kMesh)};
  spec.geometry[0].shape.file = "t.obj";
  spec.geometry[0].shape.resolved_file = file.string();
  BodySpec twin = spec, hull = spec, large = spec;
  twin.name = "b";
  hull.name = "c";
  hull.geometry[0].shape.type = ShapeType::kConvex;
  large.name = "d";
  large.geometry[0].shape.scale = Vector3::Constant(2.0);
  Scene scene = scene_of({spec, twin, hull, large});
  scene.contact.exclude = {{Selector{SelectorType::kMaterial, -1, -1, 0, "", ""},
                            Selector{SelectorType::kMaterial, -1, -1, 0, "", ""}}};
  const Built built = build_valid(scene);
  const auto mesh = [&](int g) { return std::get<Mesh>(built.model.geometries[g].shape).mesh.get(); };
  EXPECT_EQ(mesh(0), mesh(1));
  EXPECT_NE(mesh(0), mesh(3));
  for (int i : {0, 1, 2}) EXPECT_NEAR(built.model.bodies[i].mass.mass, 100.0, 1e-12);
  EXPECT_NEAR(built.model.bodies[3].mass.mass, 800.0, 1e-11);

  // Solids meet each other; of two sheets nothing tells the sides.
  scene.contact.exclude.clear();
  build_valid(scene);
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n";
  Scene sheets = scene_of({spec, twin});
  for (BodySpec& sheet : sheets.bodies) {
    sheet.mass_source = MassSource::kExplicit;
    sheet.mass = 1.0;
    sheet.inertia = {1, 1, 1, 0, 0, 0};
  }
  expect_problem(sheets, "bodies.a.geometry.0.shape", "a/geometry_0 and b/geometry_0");
  scene.bodies[0].geometry[0].shape.resolved_file = "/nowhere/t.obj";
  scene.bodies.resize(1);
  expect_problem(scene, "bodies.a.geometry.0.file", "/nowhere/t.obj");
}

TEST(BuildModel, OpenSurfacesAndHalfSpacesHaveNoMass) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "csim_model_open.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  BodySpec spec;
  spec.name = "sheet";
  spec.mass_source = MassSource::kDensity;
  spec.density = 600;
  spec.geometry = {geometry("shell", ShapeType::kMesh)};
  spec.geometry[0].shape.resolved_file = file.string();
  expect_problem(scene_of({spec}), "bodies.sheet.geometry.shell.shape", "no volume");
  spec.geometry.clear();
  expect_problem(scene_of({spec}), "bodies.sheet.density", "no geometry");
}

TEST(BuildModel, ProblemsOfJoints) {
  expect_problem(scene_of({body("a"), body("b")},
                          {joint("ab", JointType::kRevolute, 0, 1), joint("ba", JointType::kRevolute, 1, 0)}),
                 "joints.ba.parent", "a, b form a loop");
  expect_problem(scene_of({body("a"), body("b")}, {joint("first", JointType::kRevolute, -1, 1),
                                                   joint("second", JointType::kBall, 0, 1)}),
                 "joints.second.child", "already the child of joint 'first'");
  expect_problem(scene_of({fixed_body("a")}, {joint("j", JointType::kRevolute, -1, 0)}), "joints.j.child",
                 "fixed");
  JointSpec ball = joint("ball", JointType::kBall, -1, 0);
  ball.position = {0, 0, 0, 0};
  expect_problem(scene_of({body("a")}, {ball}), "joints.ball.position", "zero");
}

TEST(BuildModel, ProblemsOfMassAndInertia) {
  BodySpec thin = heavy_body("thin", 1.0, Vector3::Zero(), {0.01, 0.01, 0.03, 0, 0, 0});
  expect_problem(scene_of({thin}), "bodies.thin.inertia", "sum of the others");
  BodySpec negative = heavy_body("negative", 1.0, Vector3::Zero(), {0.01, 0.01, 0.01, 0.02, 0, 0});
  expect_problem(scene_of({negative}), "bodies.negative.inertia", "all > 0");
  BodySpec nothing;
  nothing.name = "nothing";
  expect_problem(scene_of({nothing}), "bodies.nothing", "without mass");
  expect_problem(scene_of({heavy_body("none", 0.0, Vector3::Zero(), {})}), "bodies.none", "singular");
}

// Maps have their origin thousands of kilometres away.
TEST(BuildModel, SaysThatTheOriginIsFar) {
  const BodySpec rock = heavy_body("rock", 1.0, Vector3(5e5, 5e6, 0.0), {0.01, 0.01, 0.01, 0, 0, 0});
  expect_problem(scene_of({rock}), "bodies.rock", "5.025e+06 m from the body's origin");
  build_valid(scene_of({heavy_body("rock", 1.0, Vector3(0.0, 1e4, 0.0), {0.01, 0.01, 0.01, 0, 0, 0})}));
}

TEST(BuildModel, FlatShapesAreRefused) {
  BodySpec slab = body("slab");
  GeometrySpec side;
  side.name = "side";
  side.shape.type = ShapeType::kBox;
  side.shape.size = Vector3(1e-18, 0.1, 0.1);
  slab.geometry = {side};
  expect_problem(scene_of({slab}), "bodies.slab.geometry.side.size", "flat to rounding");
  slab.geometry[0].shape.size.x() = 1e-6;
  build_valid(scene_of({slab}));
}

TEST(BuildModel, MasslessLinksNeedInertiaBeyondThem) {
  const BodySpec massless = heavy_body("hub", 0.0, Vector3::Zero(), {});
  // A hub that carries a body is sound; at the end of a chain it is not.
  build_valid(scene_of({massless, body("tip")},
                       {joint("x", JointType::kRevolute, -1, 0), joint("y", JointType::kPrismatic, 0, 1)}));
  expect_problem(scene_of({body("arm"), massless},
                          {joint("x", JointType::kRevolute, -1, 0), joint("y", JointType::kRevolute, 0, 1)}),
                 "bodies.hub", "joint 'y'");
  // Two hinges about one line through a massless hub: only their sum is resisted.
  expect_problem(scene_of({massless, body("tip")},
                          {joint("x", JointType::kRevolute, -1, 0), joint("y", JointType::kRevolute, 0, 1)}),
                 "bodies.tip", "joint 'y'");
  JointSpec motor = joint("y", JointType::kRevolute, 0, 1);
  motor.armature = {1e-3};
  build_valid(scene_of({body("arm"), massless}, {joint("x", JointType::kRevolute, -1, 0), motor}));
}

TEST(BuildModel, HalfSpacesDoNotMove) {
  BodySpec ball = body("ball");
  ball.geometry = {geometry("plane", ShapeType::kHalfSpace)};
  expect_problem(scene_of({ball}), "bodies.ball.geometry.plane.shape", "half_space");
  BodySpec lift = fixed_body("lift");
  lift.motion.type = MotionType::kSine;
  build_valid(scene_of({lift, ball}, {joint("w", JointType::kWeld, 0, 1)}));
}

BodySpec body_with_velocity_jumps(const std::string& name) {
  BodySpec body = fixed_body(name);
  body.motion.type = MotionType::kKeyframes;
  body.motion.times = {0, 1};
  body.motion.xyz = {{0, 0, 0}, {1, 0, 0}};
  return body;
}

// A joint on a body whose prescribed velocity jumps would need an infinite acceleration.
TEST(BuildModel, RootsOfContinuousTreesMoveWithoutJumps) {
  Scene scene = scene_of({body_with_velocity_jumps("cart"), body("rod"), body("ball")},
                         {joint("hinge", JointType::kRevolute, 0, 1)});
  EXPECT_TRUE(build(scene).problems.empty());
  scene.integrator.type = IntegratorType::kContinuous;
  expect_problem(scene, "bodies.cart.motion.interpolation", "'rod'");
  scene.bodies[0].motion.interpolation = Interpolation::kCubic;
  EXPECT_TRUE(build(scene).problems.empty());
  scene.bodies[0].motion.interpolation = Interpolation::kLinear;
  scene.joints.clear();  // nothing hangs on it
  EXPECT_TRUE(build(scene).problems.empty());
}

// So would a rigid constraint to it, or to what is fixed to it, and a rope that is taut; not a spring.
TEST(BuildModel, WhatContinuousTiesRigidlyMovesWithoutJumps) {
  Scene scene = scene_of({body_with_velocity_jumps("table"), body("arm"), body("plate")},
                         {joint("fixed", JointType::kWeld, 0, 1)});
  scene.integrator.type = IntegratorType::kContinuous;
  ConstraintSpec tie;
  tie.name = "tie";
  tie.type = ConstraintType::kBall;
  tie.a = 1;
  tie.b = 2;
  scene.constraints = {tie};
  expect_problem(scene, "bodies.table.motion.interpolation", "rigid constraint 'tie'");
  scene.constraints[0].stiffness = 1e4;
  EXPECT_TRUE(build(scene).problems.empty());
  scene.constraints[0].stiffness = tie.stiffness;
  scene.constraints[0].type = ConstraintType::kDistance;
  scene.constraints[0].point_b = Vector3(0, 0, 1);
  scene.constraints[0].max = 2.0;
  expect_problem(scene, "bodies.table.motion.interpolation", "rigid constraint 'tie'");
  scene.constraints[0].stiffness = 1e4;
  EXPECT_TRUE(build(scene).problems.empty());
  scene.constraints[0] = tie;
  scene.bodies[0].motion.interpolation = Interpolation::kSmooth;
  EXPECT_TRUE(build(scene).problems.empty());
}

// A volume or an inertia beyond the range of doubles is told as that.
TEST(BuildModel, SizesBeyondTheRangeOfDoubles) {
  Scene scene = scene_of({body("a")});
  scene.bodies[0].mass_source = MassSource::kDensity;
  scene.bodies[0].density = 1000.0;
  scene.bodies[0].geometry = {geometry("box", ShapeType::kBox)};
  build_valid(scene);
  Vector3& size = scene.bodies[0].geometry[0].shape.size;
  size.setConstant(1e-200);
  expect_problem(scene, "bodies.a.geometry.box.shape", "the volume is too small for a double");
  size.setConstant(1e100);
  expect_problem(scene, "bodies.a", "the mass or inertia of its geometries is not finite");
}

// A wheel of 0.012 kg m^2 with a million explicit steps, of 2.51 inertias over the damping, until the end.
TEST(BuildModel, DampingOfAMillionExplicitStepsIsANote) {
  Scene scene = scene_of({body("wheel")}, {joint("hinge", JointType::kRevolute, -1, 0)});
  scene.integrator.type = IntegratorType::kContinuous;
  scene.time.end = 4.0;
  const double bound = 1e6 / scene.time.end * 2.51 * kInertia[2];
  scene.joints[0].damping = {0.5 * bound};
  ActuatorSpec drive;
  drive.name = "drive";
  drive.joint = 0;
  drive.type = ActuatorType::kVelocity;
  drive.damping = 0.49 * bound;
  scene.actuators = {drive};
  EXPECT_TRUE(build(scene).notes.empty());
  scene.actuators[0].damping = 0.51 * bound;
  const Built built = build(scene);
  ASSERT_EQ(built.notes.size(), 1u);
  EXPECT_EQ(built.notes[0].find("joints.hinge: its damping, "), 0u) << built.notes[0];
  scene.actuators[0].effort_limit = 1.0;
  EXPECT_EQ(build(scene).notes, built.notes);
  scene.integrator.type = IntegratorType::kErrorControlled;
  EXPECT_TRUE(build(scene).notes.empty());
}

TEST(BuildModel, KeysWithoutEffectUnderContinuousAreNotes) {
  Scene scene = scene_of({body("a")});
  scene.integrator.type = IntegratorType::kContinuous;
  EXPECT_TRUE(build(scene).notes.empty());
  scene.contact.model = ContactModel::kSap;
  scene.contact.near_rigid = 1.0;
  scene.solver.max_iterations = 7;
  EXPECT_EQ(build(scene).notes.size(), 3u);
  scene.integrator.type = IntegratorType::kDiscrete;
  EXPECT_EQ(build(scene).notes.size(), 1u);  // there is nothing for the solver
  scene.solver = {};
  EXPECT_TRUE(build(scene).notes.empty());
}

TEST(BuildModel, PressureFieldKeysWithoutEffectAreNotes) {
  Scene scene = scene_of({body("ball"), body("box")});
  GeometrySpec ball = geometry("ball", ShapeType::kSphere), box = geometry("box", ShapeType::kBox);
  ball.resolution = 0.25 * 0.1;  // the default, as the reader fills it in
  const auto notes = [&] {
    scene.bodies[0].geometry = {ball};
    scene.bodies[1].geometry = {box};
    return build_valid(scene).notes;
  };
  const auto expect_note = [&](const std::string& start) {
    const std::vector<std::string> told = notes();
    ASSERT_EQ(told.size(), 1u) << start;
    EXPECT_TRUE(told[0].starts_with(start)) << told[0];
  };
  PairSpec pair;
  pair.a.body = 0;
  pair.b.body = 1;
  pair.stiffness = 1e5;
  scene.contact.pairs = {pair};
  EXPECT_TRUE(notes().empty());
  ball.resolution = 0.01;
  expect_note("bodies.ball.geometry.ball.resolution has no effect: only pressure-field");
  ball.contact = ContactKind::kRigid;
  EXPECT_TRUE(notes().empty());
  ball.resolution = 1e-9;
  expect_note("bodies.ball.geometry.ball: resolution 1.0e-09 m is finer than the finest mesh");
  ball.resolution = 0.02;
  box.resolution = 0.02;
  expect_note("bodies.box.geometry.box.resolution has no effect");
  box.contact = ContactKind::kRigid;
  expect_note("bodies.box.geometry.box: resolution has no effect on flat faces");
  box.resolution = 0.0;
  box.contact = ContactKind::kCompliant;
  expect_note("contact.pairs.0.stiffness has no effect: the pair meets on patches");
}

TEST(BuildModel, AllProblemsAreTold) {
  BodySpec thin = heavy_body("thin", 1.0, Vector3::Zero(), {0.01, 0.01, 0.03, 0, 0, 0});
  BodySpec nothing;
  nothing.name = "nothing";
  EXPECT_EQ(build(scene_of({thin, nothing})).problems.size(), 2u);
}

}  // namespace
}  // namespace csim
