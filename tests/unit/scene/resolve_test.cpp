// The resolved scene is the same scene: complete, and the same bits when it is read again.
#include "scene/resolve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "scene/format/field_check.h"
#include "scene/format/field_rows.h"
#include "scene/read_scene.h"
#include "support/source_folder.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

Scene read(const std::string& text, const std::string& file = "scene.yaml") {
  const SceneReadResult result = read_scene_text(text, file);
  EXPECT_EQ(format_diagnostics(result.diagnostics), "") << text;
  return result.scene;
}

// Every shape, joint, motion and option at once, with numbers that no decimal holds exactly.
const char* const kFull = R"(csim: 1
name: full
gravity: [0.1, -0.2, -9.81]
time: {step: 3.3e-4, end: 0.7}
materials:
  steel: {friction: 0.1, stiffness: 1.0e+7, hunt_crossley_dissipation: 0.3, relaxation_time: 0.7, hydroelastic_modulus: 3.0e+5, hertz_stiffness: 1.1e+9}
  rock: {stiffness: rigid, hertz_stiffness: 1}
  rubber-2: {hertz_stiffness: 2}
bodies:
  - name: ground
    fixed: true
    geometry:
      - {shape: half_space, material: rock, pose: {rpy_deg: [10, 20, 30]}}
      - {shape: half_space, material: rock, contact: compliant, slab_thickness: 0.7, margin: 0.1}
      - {shape: sphere, radius: 0.3, material: rock, contact: compliant, mesh_strategy: dense}
      - {shape: cylinder, radius: 0.3, length: 0.1, material: rock, contact: rigid, resolution: 0.07}
  - name: plate
    mass: 0.3
    inertia: [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
    com: [0.1, 0.2, 0.3]
    pose: {xyz: [0.1, 0.2, 0.3], axis: [1, 2, 3], angle_deg: 77}
    velocity: {linear: [0.1, 0.2, 0.3], angular: [0.4, 0.5, 0.6]}
  - name: shapes
    density: 1234.5
    pose: {rpy: [0.1, 0.2, 0.3]}
    geometry:
      - {shape: sphere, radius: 0.1, material: steel, group: g}
      - {name: brick, shape: box, size: [0.1, 0.2, 0.3], material: steel, pose: {quaternion_wxyz: [0.7071, 0.7071, 0, 0]}}
      - {shape: cylinder, radius: 0.1, length: 0.7, material: rubber-2, group: [g, other]}
      - {shape: capsule, radius: 0.1, length: 0.7, material: rubber-2}
      - {shape: ellipsoid, semi_axes: [0.1, 0.2, 0.3], contact: none}
      - {shape: convex, points: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], scale: [0.1, 0.2, 0.3], material: steel}
      - {shape: mesh, file: triangle.obj, scale: 0.3, contact: none}
  - {name: belt, surface_velocity: [0.1, 0, 0]}
  - {name: mover, motion: {times: [0, 0.1, 0.3], xyz: [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]], rpy: [[0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]], interpolation: cubic}}
  - {name: turner, pose: {xyz: [0.1, 0, 0]}, motion: {velocity: [0.1, 0, 0], angular_velocity: [0, 0.3, 0]}}
  - {name: shaker, motion: {sine: {amplitude: [0.1, 0, 0], frequency: 0.3, phase: 0.7}}}
  - {name: l0, mass: 0.1, inertia: solid, geometry: [{shape: sphere, radius: 0.1, material: steel}]}
  - {name: l1, mass: 0, inertia: [0, 0, 0]}
  - {name: l2, mass: 1, inertia: [1, 1, 1]}
  - {name: l3, mass: 1, inertia: [1, 1, 1]}
  - {name: l4, mass: 1, inertia: [1, 1, 1]}
  - {name: l5, mass: 1, inertia: [1, 1, 1]}
  - {name: 1e5, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: j0, type: revolute, parent: world, child: l0, pose: {xyz: [0.1, 0, 0], rpy: [0.1, 0, 0]}, axis: [1, 2, 3], position: 0.1, velocity: 0.2, damping: 0.3, armature: 0.7, stiffness: 1.1, rest_position: 1.3}
  - {name: j1, type: prismatic, parent: l0, child: l1}
  - {name: j2, type: planar, parent: l1, child: l2, position: [0.1, 0.2, 0.3], damping: 0.1, collide: true}
  - {name: j3, type: ball, parent: l2, child: l3, position: [0.8, 0.6001, 0, 0], velocity: [0.1, 0.2, 0.3], armature: [0.1, 0.2, 0.3]}
  - {name: j4, type: universal, parent: mover, child: l4, stiffness: [0.1, 0.2]}
  - {name: j5, type: weld, parent: l4, child: l5}
  - {name: j6, type: free, parent: l5, child: 1e5, position: [0.5, 0.5, 0.5, 0.5, 0.1, 0.2, 0.3]}
contact:
  model: similar
  normal: hertz
  barrier: {stiffness: 0.1, thickness: 0.3}
  margin: 0.01
  fallback: error
  patch: {representation: triangle, quadrature: three_point, max_face_size: 0.03, cull_angle_deg: none, gradient_filter: drop}
  pairs: [{a: shapes, b: ground/geometry_0, friction: 0.7}, {a: "material:rock", b: "group:g", stiffness: 0.1, hunt_crossley_dissipation: 0.2, relaxation_time: 0.3}]
  exclude: [{a: "group:g", b: "group:g"}]
solver: {method: newton, tolerance: 1.0e-7, line_search: exact, condition_number: none}
output: {period: 0.003, contacts: false, patches: none, iterations: true, checkpoint: 0.3}
)";

const std::string kFolder = test::source_folder() + "/tests/regression/bad_scenes/";

TEST(Resolve, IsIdempotentToTheByte) {
  const std::string once = resolved_yaml(read(kFull, kFolder + "full.yaml"));
  // From another folder: mesh files still open.
  EXPECT_EQ(resolved_yaml(read(once, "/elsewhere/other.yaml")), once);
}

TEST(Resolve, KeepsEveryBit) {
  const Scene a = read(kFull, kFolder + "full.yaml"), b = read(resolved_yaml(a), "/elsewhere/other.yaml");
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].pose.rotation.coeffs(), b.bodies[i].pose.rotation.coeffs());
    EXPECT_EQ(a.bodies[i].pose.xyz, b.bodies[i].pose.xyz);
    EXPECT_EQ(a.bodies[i].inertia, b.bodies[i].inertia);
    EXPECT_EQ(a.bodies[i].com, b.bodies[i].com);
    EXPECT_EQ(a.bodies[i].linear_velocity, b.bodies[i].linear_velocity);
    EXPECT_EQ(a.bodies[i].angular_velocity, b.bodies[i].angular_velocity);
    EXPECT_EQ(a.bodies[i].mass_source, b.bodies[i].mass_source);
    EXPECT_EQ(a.bodies[i].motion.type, b.bodies[i].motion.type);
    EXPECT_EQ(a.bodies[i].motion.xyz, b.bodies[i].motion.xyz);
    EXPECT_EQ(a.bodies[i].motion.interpolation, b.bodies[i].motion.interpolation);
    ASSERT_EQ(a.bodies[i].geometry.size(), b.bodies[i].geometry.size());
    for (size_t k = 0; k < a.bodies[i].geometry.size(); ++k) {
      const GeometrySpec &ga = a.bodies[i].geometry[k], &gb = b.bodies[i].geometry[k];
      EXPECT_EQ(ga.pose.rotation.coeffs(), gb.pose.rotation.coeffs());
      EXPECT_EQ(ga.shape.size, gb.shape.size);
      EXPECT_EQ(ga.shape.points, gb.shape.points);
      EXPECT_EQ(ga.shape.scale, gb.shape.scale);
      EXPECT_EQ(ga.shape.resolved_file, gb.shape.resolved_file);
      EXPECT_EQ(ga.material, gb.material);
      EXPECT_EQ(ga.contact, gb.contact);
      EXPECT_EQ(ga.name, gb.name);
    }
  }
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (size_t j = 0; j < a.joints.size(); ++j) {
    EXPECT_EQ(a.joints[j].type, b.joints[j].type);
    EXPECT_EQ(a.joints[j].parent, b.joints[j].parent);
    EXPECT_EQ(a.joints[j].axis, b.joints[j].axis);
    EXPECT_EQ(a.joints[j].position, b.joints[j].position);
    EXPECT_EQ(a.joints[j].armature, b.joints[j].armature);
    EXPECT_EQ(a.joints[j].pose.rotation.coeffs(), b.joints[j].pose.rotation.coeffs());
  }
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.time.step, b.time.step);
  EXPECT_EQ(a.materials[0].hertz_stiffness, b.materials[0].hertz_stiffness);
  EXPECT_EQ(a.materials[1].stiffness, b.materials[1].stiffness);
  EXPECT_EQ(a.contact.barrier_thickness, b.contact.barrier_thickness);
  EXPECT_EQ(a.contact.margin, b.contact.margin);
  EXPECT_EQ(a.contact.pairs[1].relaxation_time, b.contact.pairs[1].relaxation_time);
  EXPECT_EQ(a.output.checkpoint, b.output.checkpoint);
}

TEST(Resolve, NeverTurnsARotationAgain) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> angle(-7.0, 7.0), near(-1e-3, 1e-3);
  std::string text = "csim: 1\ntime: {end: 0}\nbodies:\n";
  const auto list = [&](auto&& next, int n) {
    std::string numbers;
    for (int i = 0; i < n; ++i) numbers += (i > 0 ? ", " : "") + std::to_string(next());
    return "[" + numbers + "]";
  };
  for (int i = 0; i < 1000; ++i) {
    const std::string forms[] = {"rpy: " + list([&] { return angle(generator); }, 3),
                                 "rpy_deg: " + list([&] { return 57.0 * angle(generator); }, 3),
                                 "axis: " + list([&] { return angle(generator); }, 3) + ", angle_deg: 33",
                                 "quaternion_wxyz: " + list([&] { return 0.5 + 0.5 * near(generator); }, 4)};
    text += "  - {name: b" + std::to_string(i) + ", fixed: true, pose: {" + forms[i % 4] + "}}\n";
  }
  const Scene first = read(text), second = read(resolved_yaml(first));
  for (size_t i = 0; i < first.bodies.size(); ++i) {
    EXPECT_EQ(first.bodies[i].pose.rotation.coeffs(), second.bodies[i].pose.rotation.coeffs()) << i;
    EXPECT_NEAR(first.bodies[i].pose.rotation.norm(), 1.0, 1e-14);
  }
}

/// Expects every row with a default that a kind of mapping knows to stand in it.
void expect_complete(const YamlNode& mapping, const Section& section) {
  const YamlNode* kind = mapping.find(section.discriminator);
  for (const Field& field : section.fields) {
    const bool known =
        field.only_for.empty() || (kind != nullptr && std::find(field.only_for.begin(), field.only_for.end(),
                                                                kind->text) != field.only_for.end());
    const bool expected = known && (field.required || !field.default_text.empty());
    EXPECT_TRUE(!expected || mapping.find(field.key) != nullptr) << section.name << "." << field.key;
    const YamlNode* value = mapping.find(field.key);
    if (field.section == nullptr || value == nullptr) continue;
    if (field.type == FieldType::kSection) expect_complete(*value, *field.section);
    for (const YamlNode& item : value->items) expect_complete(item, *field.section);
    if (field.type == FieldType::kSectionMap) {
      for (const YamlEntry& entry : value->entries) expect_complete(entry.value, *field.section);
    }
  }
}

TEST(Resolve, WritesEveryDefault) {
  const YamlParse full = parse_yaml(resolved_yaml(read(kFull, kFolder + "full.yaml")));
  expect_complete(full.root, scene_section());
  const YamlParse minimal = parse_yaml(resolved_yaml(read("csim: 1\ntime: {end: 1}\nbodies: []\n")));
  expect_complete(minimal.root, scene_section());
  for (const Field& field : scene_section().fields) {
    // A section with a required key has no default as a whole (initial: from).
    const bool is_optional = field.type == FieldType::kSection &&
                             std::any_of(field.section->fields.begin(), field.section->fields.end(),
                                         [](const Field& inner) { return inner.required; });
    EXPECT_TRUE(!field.supported || is_optional || minimal.root.find(field.key) != nullptr) << field.key;
  }
}

TEST(Resolve, TakesAllScenesOfTheRepository) {
  int count = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(test::source_folder()) / "scenes")) {
    const fs::path file = entry.path() / "scene.yaml";
    if (!fs::exists(file)) continue;
    const SceneReadResult result = read_scene(file.string());
    ASSERT_EQ(format_diagnostics(result.diagnostics), "");
    const std::string once = resolved_yaml(result.scene);
    EXPECT_EQ(resolved_yaml(read(once)), once) << file;
    ++count;
  }
  EXPECT_GT(count, 5);
}

}  // namespace
}  // namespace csim
