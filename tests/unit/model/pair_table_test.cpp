// Combination of materials, and which pairs collide.
#include "model/pair_table.h"

#include <random>

#include "model/combine_materials.h"
#include "unit/model/test_scenes.h"

namespace csim {
namespace {

using namespace test;

MaterialSpec material(double friction, double stiffness, double dissipation, double relaxation_time) {
  MaterialSpec spec;
  spec.friction = friction;
  spec.stiffness = stiffness;
  spec.hunt_crossley_dissipation = dissipation;
  spec.relaxation_time = relaxation_time;
  return spec;
}

TEST(CombineMaterials, TwoCompliantSides) {
  MaterialSpec a = material(0.3, 1e6, 10, 0.01), b = material(0.6, 3e6, 50, 0.02);
  a.hertz_stiffness = 8e8;
  b.hertz_stiffness = 1e9;
  const PairRule rule = combine_materials(a, b);
  EXPECT_DOUBLE_EQ(rule.stiffness, 0.75e6);
  EXPECT_DOUBLE_EQ(rule.dissipation, 0.75 * 10 + 0.25 * 50);
  EXPECT_DOUBLE_EQ(rule.relaxation_time, 0.03);
  EXPECT_DOUBLE_EQ(rule.friction, 0.4);
  EXPECT_DOUBLE_EQ(rule.weight_a, 0.25);
  // Depths add under one force: (F/k)^(2/3) = (F/k_a)^(2/3) + (F/k_b)^(2/3).
  const double depth = std::pow(100 / 8e8, 2.0 / 3) + std::pow(100 / 1e9, 2.0 / 3);
  EXPECT_NEAR(rule.hertz_stiffness * std::pow(depth, 1.5), 100, 1e-12);
  const PairRule mirrored = combine_materials(b, a);
  EXPECT_DOUBLE_EQ(mirrored.weight_a, 0.75);
  EXPECT_DOUBLE_EQ(mirrored.stiffness, rule.stiffness);
  EXPECT_DOUBLE_EQ(mirrored.dissipation, rule.dissipation);
}

TEST(CombineMaterials, RigidAndZeroSides) {
  const MaterialSpec rigid = material(0.0, kRigid, 7, 0), soft = material(0.0, 2e5, 30, 0),
                     none = material(0.5, 0, 11, 0);
  const PairRule on_rigid = combine_materials(rigid, soft);
  EXPECT_EQ(on_rigid.stiffness, 2e5);
  EXPECT_EQ(on_rigid.dissipation, 30);
  EXPECT_EQ(on_rigid.weight_a, 1.0);
  EXPECT_EQ(on_rigid.friction, 0.0);
  EXPECT_EQ(combine_materials(soft, rigid).weight_a, 0.0);
  EXPECT_EQ(combine_materials(soft, rigid).dissipation, 30);

  const PairRule both_rigid = combine_materials(rigid, rigid);
  EXPECT_EQ(both_rigid.stiffness, kRigid);
  EXPECT_EQ(both_rigid.weight_a, 0.5);

  const PairRule nothing = combine_materials(none, none);
  EXPECT_EQ(nothing.stiffness, 0.0);
  EXPECT_EQ(nothing.dissipation, 0.0);
  EXPECT_EQ(nothing.weight_a, 0.5);
  const PairRule one = combine_materials(none, soft);
  EXPECT_EQ(one.stiffness, 0.0);
  EXPECT_EQ(one.weight_a, 0.0);
  EXPECT_EQ(one.dissipation, 11);
  EXPECT_EQ(combine_materials(none, rigid).stiffness, 0.0);
}

// Four free balls of two materials and two groups, each with a second geometry; those of ball 1 are in
// another group too.
Scene balls() {
  Scene scene;
  scene.materials = {material(0.3, 1e6, 10, 0.01), material(0.6, 3e6, 50, 0.02)};
  scene.materials[0].name = "steel";
  scene.materials[1].name = "rubber";
  for (int i = 0; i < 4; ++i) {
    BodySpec body = heavy_body("ball" + std::to_string(i), 1.0, Vector3::Zero(), {1, 1, 1, 0, 0, 0});
    for (int g = 0; g < 2; ++g) {
      GeometrySpec geometry;
      geometry.name = "g" + std::to_string(g);
      geometry.shape.radius = 0.1;
      geometry.material = i % 2;
      geometry.groups = {i < 2 ? "low" : "high"};
      if (i == 1) geometry.groups.push_back("odd");
      body.geometry.push_back(geometry);
    }
    scene.bodies.push_back(body);
  }
  return scene;
}

Selector of_body(int body) {
  return {SelectorType::kBody, body, -1, -1, "", ""};
}
Selector of_geometry(int body, int index) {
  return {SelectorType::kGeometry, body, index, -1, "", ""};
}
Selector of_material(int material) {
  return {SelectorType::kMaterial, -1, -1, material, "", ""};
}
Selector of_group(const std::string& group) {
  return {SelectorType::kGroup, -1, -1, -1, group, ""};
}

const PairRule& rule_between(const Model& model, int g, int h) {
  return model.pairs.rule(model.geometries[g].pair_class, model.geometries[h].pair_class);
}

bool is_on(const Scene& scene, const Selector& selector, int g) {
  const GeometrySpec& spec = scene.bodies[g / 2].geometry[g % 2];
  switch (selector.type) {
    case SelectorType::kBody:
      return selector.body == g / 2;
    case SelectorType::kGeometry:
      return selector.body == g / 2 && selector.geometry == g % 2;
    case SelectorType::kMaterial:
      return selector.material == spec.material;
    case SelectorType::kGroup:
      return std::ranges::count(spec.groups, selector.group) == 1;
  }
  return false;
}

// Holds the rule of every pair of the balls' geometries against the pair by itself, without classes. Returns
// how many collide.
int expect_each_pair(const Scene& scene, const Model& model) {
  int collisions = 0;
  for (int g = 0; g < 8; ++g) {
    for (int h = 0; h < 8; ++h) {
      PairRule expected = combine_materials(scene.materials[g / 2 % 2], scene.materials[h / 2 % 2]);
      expected.collide = true;
      const auto meet = [&](const Selector& a, const Selector& b) {
        return (is_on(scene, a, g) && is_on(scene, b, h)) || (is_on(scene, a, h) && is_on(scene, b, g));
      };
      for (const ExcludeSpec& exclude : scene.contact.exclude) {
        if (meet(exclude.a, exclude.b)) expected.collide = false;
      }
      for (const PairSpec& pair : scene.contact.pairs) {
        if (!meet(pair.a, pair.b)) continue;
        if (pair.friction) expected.friction = *pair.friction;
        if (pair.stiffness) expected.stiffness = *pair.stiffness;
        if (pair.hunt_crossley_dissipation) expected.dissipation = *pair.hunt_crossley_dissipation;
        if (pair.relaxation_time) expected.relaxation_time = *pair.relaxation_time;
      }
      const PairRule& rule = rule_between(model, g, h);
      EXPECT_EQ(rule.collide, expected.collide) << g << " " << h;
      EXPECT_EQ(rule.friction, expected.friction) << g << " " << h;
      EXPECT_EQ(rule.stiffness, expected.stiffness) << g << " " << h;
      EXPECT_EQ(rule.dissipation, expected.dissipation) << g << " " << h;
      EXPECT_EQ(rule.relaxation_time, expected.relaxation_time) << g << " " << h;
      EXPECT_EQ(rule.weight_a, expected.weight_a) << g << " " << h;
      EXPECT_EQ(rule.reach_tau, expected.relaxation_time);
      EXPECT_EQ(rule.reach_friction, expected.friction);
      collisions += rule.collide;
    }
  }
  return collisions;
}

TEST(PairTable, ClassesAgreeWithEachPairByItself) {
  Scene scene = balls();
  scene.contact.model = ContactModel::kSap;
  scene.contact.normal = NormalLaw::kLinear;
  scene.contact.pairs = {{of_material(0), of_material(1), 0.9, {}, {}, {}},
                         {of_body(1), of_group("high"), {}, 7e5, {}, 0.5},
                         {of_geometry(2, 1), of_material(1), 0.1, {}, 3.0, {}},
                         {of_material(1), of_geometry(2, 1), {}, {}, 4.0, {}}};
  scene.contact.exclude = {
      {of_group("low"), of_group("low")}, {of_geometry(0, 1), of_body(3)}, {of_group("odd"), of_body(2)}};
  EXPECT_EQ(expect_each_pair(scene, build_valid(scene).model), 64 - 16 - 4 - 8);
}

// Entries of all kinds in any order: the later one wins, whether it names a body or a group.
TEST(PairTable, AnyEntriesAgreeWithEachPairByItself) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  const auto any = [&]() -> Selector {
    constexpr const char* kGroups[] = {"low", "high", "odd"};
    switch (below(4)) {
      case 0:
        return of_body(below(4));
      case 1:
        return of_geometry(below(4), below(2));
      case 2:
        return of_material(below(2));
      default:
        return of_group(kGroups[below(3)]);
    }
  };
  for (int i = 0; i < 200; ++i) {
    Scene scene = balls();
    scene.contact.model = ContactModel::kSap;
    scene.contact.normal = NormalLaw::kLinear;
    for (int k = 0; k < 4; ++k) {
      PairSpec pair{any(), any(), {}, {}, {}, {}};
      (below(2) == 0 ? pair.friction : pair.stiffness) = 0.1 * (k + 1);
      (below(2) == 0 ? pair.hunt_crossley_dissipation : pair.relaxation_time) = 2.0 * (k + 1);
      scene.contact.pairs.push_back(pair);
    }
    for (int k = below(3); k > 0; --k) scene.contact.exclude.push_back({any(), any()});
    expect_each_pair(scene, build_valid(scene).model);
    ASSERT_FALSE(HasFailure()) << i;
  }
}

// A row for each body, as programs write them: rules are made for the rows and not for their square.
TEST(PairTable, RulesGrowWithTheEntriesThatNameBodies) {
  constexpr int kBalls = 1000;
  Scene scene = balls();
  for (int i = 4; i < kBalls; ++i) {
    scene.bodies.push_back(scene.bodies[i % 4]);
    scene.bodies.back().name = "more" + std::to_string(i);
  }
  for (int i = 1; i < kBalls; ++i)
    scene.contact.pairs.push_back({of_body(i), of_body(0), 0.001 * i, {}, {}, {}});
  scene.contact.exclude = {{of_group("low"), of_group("low")}};
  const Built built = build_valid(scene);
  EXPECT_EQ(built.model.pairs.num_classes, kBalls);
  EXPECT_EQ(rule_between(built.model, 0, 2 * 602).friction, 0.602);
  EXPECT_EQ(rule_between(built.model, 2 * 602, 1).friction, 0.602);
  EXPECT_TRUE(rule_between(built.model, 0, 2 * 602).collide);
  EXPECT_FALSE(rule_between(built.model, 0, 2 * 601).collide);  // low with low
}

TEST(PairTable, StaysSmall) {
  Scene scene = balls();
  for (int i = 0; i < 500; ++i) {
    scene.bodies.push_back(scene.bodies[i % 4]);
    scene.bodies.back().name = "more" + std::to_string(i);
  }
  scene.contact.exclude = {{of_geometry(0, 0), of_geometry(1, 0)}};
  // Two materials (groups matter only where an entry names them), and the two named geometries.
  EXPECT_EQ(build_valid(scene).model.pairs.num_classes, 4);
}

TEST(PairTable, ReachOfEachLaw) {
  Scene scene = balls();
  const auto rule = [&] { return rule_between(build_valid(scene).model, 0, 2); };
  scene.contact.model = ContactModel::kSap;
  scene.contact.normal = NormalLaw::kLinear;
  EXPECT_DOUBLE_EQ(rule().reach_tau, 0.03);
  EXPECT_DOUBLE_EQ(rule().reach_friction, 0.4);
  scene.contact.model = ContactModel::kSimilar;
  scene.contact.normal = NormalLaw::kHuntCrossley;
  EXPECT_EQ(rule().reach_tau, 0.0);
  EXPECT_DOUBLE_EQ(rule().reach_friction, 0.4);
  EXPECT_EQ(rule().reach_distance, 0.0);
  scene.contact.model = ContactModel::kLagged;
  scene.contact.normal = NormalLaw::kIpcBarrier;
  scene.contact.barrier_thickness = 2e-3;
  EXPECT_EQ(rule().reach_tau, 0.0);
  EXPECT_EQ(rule().reach_friction, 0.0);
  EXPECT_EQ(rule().reach_distance, 2e-3);
}

TEST(PairTable, TwoRigidSidesAreAnErrorWhereTheyMeet) {
  Scene scene = balls();
  scene.materials[1].stiffness = kRigid;
  const Built built = build(scene);
  ASSERT_EQ(built.problems.size(), 1u);
  EXPECT_EQ(built.problems[0].path, "materials.rubber.stiffness");
  EXPECT_NE(built.problems[0].message.find("ball1/g0 and ball3/g0"), std::string::npos)
      << built.problems[0].message;

  Scene pairs = scene;
  pairs.contact.pairs = {{of_material(1), of_material(1), {}, 5e6, {}, {}}};
  EXPECT_EQ(rule_between(build_valid(pairs).model, 2, 6).stiffness, 5e6);
  EXPECT_EQ(rule_between(build_valid(pairs).model, 2, 6).weight_a, 0.5);

  Scene near_rigid = scene;
  near_rigid.contact.model = ContactModel::kSap;
  near_rigid.contact.normal = NormalLaw::kLinear;
  EXPECT_EQ(build(near_rigid).problems.size(), 1u);
  near_rigid.contact.near_rigid = 1.0;
  EXPECT_EQ(rule_between(build_valid(near_rigid).model, 2, 6).stiffness, kRigid);

  Scene excluded = scene;
  excluded.contact.exclude = {{of_body(1), of_body(3)}};
  build_valid(excluded);
  Scene fixed = scene;  // two bodies that never move do not meet
  for (int i : {1, 3}) fixed.bodies[i].fixed = true;
  build_valid(fixed);
}

TEST(CombineMaterials, DissipationOfAPatchGoesByModuli) {
  MaterialSpec a = material(0.5, 1e6, 10, 0), b = material(0.5, 1e6, 50, 0);
  a.hydroelastic_modulus = 1e6;
  b.hydroelastic_modulus = 3e6;
  EXPECT_DOUBLE_EQ(patch_dissipation(a, true, b, true), 0.75 * 10 + 0.25 * 50);
  EXPECT_DOUBLE_EQ(patch_dissipation(b, true, a, true), 0.75 * 10 + 0.25 * 50);
  EXPECT_EQ(patch_dissipation(a, true, b, false), 10);
  EXPECT_EQ(patch_dissipation(a, false, b, true), 50);
}

// Who meets whom: every pair of kinds. A half space without the key stands on the ground alone.
TEST(PairTable, PatchesPointsAndFallback) {
  struct Case {
    ContactKind a, b;
    bool patch, fallback;
  };
  using enum ContactKind;
  const Case cases[] = {{kCompliant, kCompliant, true, false},
                        {kCompliant, kRigid, true, false},
                        {kCompliant, kPointOrRigid, true, false},
                        {kCompliant, kPoint, false, true},
                        {kRigid, kRigid, false, true},
                        {kRigid, kPoint, false, true},
                        {kRigid, kPointOrRigid, false, true},
                        {kPoint, kPoint, false, false},
                        {kPoint, kPointOrRigid, false, false}};
  for (const Case& c : cases) {
    Scene scene = balls();
    for (int i = 0; i < 4; ++i) scene.bodies[i].geometry.resize(1);
    scene.bodies.resize(2);
    for (const auto& [i, kind] : {std::pair{0, c.a}, std::pair{1, c.b}}) {
      GeometrySpec& geometry = scene.bodies[i].geometry[0];
      geometry.contact = kind;
      geometry.resolution = 0.1;
      if (kind == kPointOrRigid) {
        geometry.shape.type = ShapeType::kHalfSpace;
        scene.bodies[i].fixed = true;
      }
    }
    for (const bool mirrored : {false, true}) {
      const Built built = build_valid(scene);
      const PairRule& rule = rule_between(built.model, mirrored ? 1 : 0, mirrored ? 0 : 1);
      const std::string text =
          std::to_string(static_cast<int>(c.a)) + " " + std::to_string(static_cast<int>(c.b));
      EXPECT_TRUE(rule.collide) << text;
      EXPECT_EQ(rule.patch, c.patch) << text;
      EXPECT_EQ(rule.fallback, c.fallback) << text;
    }
    scene.contact.fallback = Fallback::kError;
    const Built strict = build(scene);
    ASSERT_EQ(strict.problems.size(), c.fallback ? 1u : 0u);
    if (c.fallback) {
      EXPECT_EQ(strict.problems[0].path, "bodies.ball0.geometry.g0.contact");
      EXPECT_NE(strict.problems[0].message.find("ball0/g0 and ball1/g0"), std::string::npos);
    }
  }
}

// A body with itself, and a pair that is excluded.
TEST(PairTable, AnEntryThatNothingMeetsIsTold) {
  const auto num_notes = [](int a, int b, bool excluded) {
    Scene scene = balls();
    PairSpec pair;
    pair.a = of_body(a);
    pair.b = of_body(b);
    pair.friction = 0.1;
    scene.contact.pairs = {pair};
    if (excluded) scene.contact.exclude.push_back({of_body(b), of_body(a)});
    const std::vector<std::string> notes = build_valid(scene).notes;
    return std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
      return note.starts_with("contact.pairs.0 has no effect");
    });
  };
  EXPECT_EQ(num_notes(0, 1, false), 0);
  EXPECT_EQ(num_notes(0, 0, false), 1);
  EXPECT_EQ(num_notes(0, 1, true), 1);
}

// Bodies whose contact points exert no force pass through each other, and nothing else would say so.
TEST(PairTable, AStiffnessOfZeroIsTold) {
  const auto notes_of = [](double stiffness, std::optional<double> of_pair, NormalLaw law) {
    Scene scene = balls();
    for (MaterialSpec& material : scene.materials) material.stiffness = stiffness;
    for (MaterialSpec& material : scene.materials) material.hertz_stiffness = 1e8;
    PairSpec pair;
    pair.a = of_body(0);
    pair.b = of_body(1);
    pair.stiffness = of_pair;
    scene.contact.pairs = {pair};
    scene.contact.normal = law;
    std::vector<std::string> notes = build_valid(scene).notes;
    std::erase_if(notes, [](const std::string& note) { return note.find(" is 0: ") == std::string::npos; });
    return notes;
  };
  const std::string first = balls().materials.front().name;
  EXPECT_THAT(notes_of(1e5, {}, NormalLaw::kHuntCrossley), testing::IsEmpty());
  EXPECT_THAT(notes_of(0.0, {}, NormalLaw::kHuntCrossley),
              testing::Contains(testing::StartsWith("materials." + first + ".stiffness is 0")));
  EXPECT_THAT(notes_of(0.0, {}, NormalLaw::kHertz), testing::IsEmpty());
  EXPECT_THAT(notes_of(1e5, 0.0, NormalLaw::kHuntCrossley),
              testing::ElementsAre(testing::StartsWith("contact.pairs.0.stiffness is 0")));
}

TEST(PairTable, HertzNeedsItsStiffness) {
  Scene scene = balls();
  scene.contact.normal = NormalLaw::kHertz;
  scene.materials[0].hertz_stiffness = 1e9;
  const Built built = build(scene);
  ASSERT_EQ(built.problems.size(), 1u);
  EXPECT_EQ(built.problems[0].path, "materials.rubber");
  Scene unfelt = scene;  // a material of geometries that meet nothing needs none
  for (int i : {1, 3}) {
    for (GeometrySpec& geometry : unfelt.bodies[i].geometry) geometry.contact = ContactKind::kNone;
  }
  build_valid(unfelt);
  scene.materials[1].hertz_stiffness = 1e9;
  EXPECT_NEAR(rule_between(build_valid(scene).model, 0, 2).hertz_stiffness, 1e9 / std::pow(2.0, 1.5), 1e-3);
}

}  // namespace
}  // namespace csim
