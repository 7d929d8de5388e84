// Ids of cases that are found without reading their scenes, against those of the scenes.
#include "study/cases.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "core/number_format.h"
#include "core/sha256.h"
#include "scene/resolve.h"
#include "scene/yaml/yaml_writer.h"
#include "study/case_id.h"
#include "study/case_maker.h"
#include "study/number_keys.h"
#include "study/read_study.h"
#include "support/source_folder.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

std::string digest(const std::string& file) {
  return sha256_of_file(file).value_or("");
}

/// Of the case alone: its scene is read and built. "" where that fails.
std::string id_of_scene(const Study& study, const Assignment& values) {
  Diagnostics problems;
  const auto loaded = load_scene(study.scene, overrides_of(study, values), &problems);
  EXPECT_TRUE(loaded) << describe(values) << "\n" << format_diagnostics(problems);
  return loaded ? case_id(identity_text(*loaded, digest)) : "";
}

std::vector<fs::path> files_of(const std::string& folder, const std::string& in) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(test::source_folder() + folder)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".yaml" && path.string().find(in) != std::string::npos) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

Vary column(const std::string& key, const std::vector<double>& values) {
  Vary entry{{key}, {}};
  for (const double value : values) entry.rows.push_back({{key, yaml_number(value), {}}});
  return entry;
}

/// Draws of numbers, also long ones and with exponents.
class Draws {
 public:
  explicit Draws(unsigned seed) : random_(seed) {}

  double near(double value) {
    const double factor = std::exp(std::uniform_real_distribution<double>(-7.0, 7.0)(random_));
    const double drawn = (value == 0.0 ? 1.0 : value) * factor;
    return std::bernoulli_distribution(0.3)(random_)
               ? std::strtod(format_text("%.1e", drawn).c_str(), nullptr)
               : drawn;
  }

 private:
  std::mt19937 random_;
};

/// Of every `stride`-th case.
void expect_ids_of_scenes(const Study& study, const std::vector<Case>& cases, std::size_t stride = 1) {
  for (std::size_t c = 0; c < cases.size(); c += stride)
    ASSERT_EQ(cases[c].id, id_of_scene(study, cases[c].values)) << describe(cases[c].values);
}

/// The shipped studies as they are; and with a number more, so that each has as many cases of a group as it
/// takes to go by a form.
TEST(Cases, OfShippedStudiesHaveTheIdsOfTheirScenes) {
  const std::vector<fs::path> files = files_of("/scenes", "/studies/");
  ASSERT_GE(files.size(), 9u);
  Draws draws(1);
  for (const fs::path& file : files) {
    Diagnostics problems;
    std::optional<Study> study = read_study(file.string(), {}, &problems);
    ASSERT_TRUE(study) << format_diagnostics(problems);
    const std::optional<Cases> shipped = list_cases(*study, &problems);
    ASSERT_TRUE(shipped) << format_diagnostics(problems);
    expect_ids_of_scenes(*study, shipped->cases);

    std::vector<double> values;
    for (int i = 0; i < 12; ++i) values.push_back(draws.near(1e-5));
    study->vary.push_back(column("solver.absolute_tolerance", values));
    study->analyses.clear();
    study->gates.clear();
    study->reference = {};
    CaseMaker maker(*study, &problems);
    std::vector<Assignment> all;
    for (int c = 0; c < shipped->num_varied; ++c)
      for (const Assignment& row : study->vary.back().rows)
        all.push_back(with_changes(shipped->cases[static_cast<std::size_t>(c)].values, row));
    const std::size_t count = all.size();
    const std::vector<int> indices = maker.make(std::move(all), CaseRole::kCase);
    ASSERT_EQ(maker.cases().size(), count) << file;
    EXPECT_EQ(indices.back(), static_cast<int>(count) - 1);
    EXPECT_LT(maker.num_read(), static_cast<int>(count)) << file;
    expect_ids_of_scenes(*study, maker.cases());
  }
}

/// Paths, as in --set, of the numbers of a resolved scene that number_keys() has.
void find_numbers(const YamlNode& node, const std::string& path, const Scene& scene,
                  std::vector<KeyValue>* found) {
  if (node.kind == YamlNode::Kind::kScalar) {
    const FieldPlace place = find_field(path);
    const NumberKey* key = find_number_key(place);
    if (key != nullptr && number_of(node) && (key->applies == nullptr || key->applies(scene)))
      found->push_back({path, node, {}});
  }
  for (const YamlEntry& entry : node.entries)
    find_numbers(entry.value, path.empty() ? entry.key : path + "." + entry.key, scene, found);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    find_numbers(node.items[i], element_path(path, node.items[i], i), scene, found);
}

/// Every key of number_keys() in the shipped scenes: cases in which many of them are changed at random, one
/// by one and together, have the ids of their scenes, and their scenes can be read and built.
TEST(Cases, NumbersStandAlone) {
  std::set<std::string> tried;
  Draws draws(2);
  std::mt19937 random(3);
  const std::string copy = testing::TempDir() + "numbers_stand_alone.yaml";
  for (const fs::path& file : files_of("/scenes", "/scene.yaml")) {
    Diagnostics problems;
    const auto shipped = load_scene(file.string(), {}, &problems);
    ASSERT_TRUE(shipped) << format_diagnostics(problems);
    const YamlNode resolved = resolved_tree(shipped->read.scene);  // with all keys, files by absolute names
    std::ofstream(copy) << write_yaml(resolved);
    std::vector<KeyValue> numbers;
    find_numbers(resolved, "", shipped->read.scene, &numbers);
    std::shuffle(numbers.begin(), numbers.end(), random);
    std::erase_if(numbers, [&](const KeyValue& one) { return number_of(one.value) == 0.0; });
    std::map<std::string, int> count;  // a few of the same kind
    std::erase_if(numbers, [&](const KeyValue& one) { return ++count[find_field(one.key).keys] > 2; });
    Study study;
    study.scene = copy;
    std::vector<Assignment> all;
    const std::size_t num_rows = 2 * (numbers.size() + 2) + 3;
    for (std::size_t row = 0; row < num_rows; ++row) {
      Assignment& values = all.emplace_back();
      for (const KeyValue& one : numbers) {
        const FieldPlace place = find_field(one.key);
        tried.insert(place.keys);
        double value = draws.near(*number_of(one.value));
        if (place.field->type == FieldType::kInteger) value = std::ceil(value);
        const NumberKey& key = *find_number_key(place);
        if (std::abs(value) < key.least || std::abs(value) > key.most) value = *number_of(one.value);
        values.push_back({one.key, yaml_number(value), {}});
      }
    }
    CaseMaker maker(study, &problems);
    maker.make(std::move(all), CaseRole::kCase);
    ASSERT_EQ(format_diagnostics(problems), "") << file;
    ASSERT_EQ(maker.cases().size(), num_rows) << file;
    EXPECT_LE(maker.num_read(), static_cast<int>(numbers.size()) + 2) << file;
    expect_ids_of_scenes(study, maker.cases(), 4);
  }
  EXPECT_GE(tried.size(), 30u);
}

/// What follows from a key of another one, or is written in another way, is found out: such cases are read.
TEST(Cases, OtherKeysAreRead) {
  const std::string file = testing::TempDir() + "other_keys.yaml";
  std::ofstream(file)
      << "csim: 1\ntime: {end: 1}\nmaterials: {steel: {}}\nbodies:\n"
         "  - {name: a, density: 1000, pose: {xyz: [0, 0, 9]}, geometry: [{shape: sphere, radius: 1, "
         "material: steel}]}\n"
         "  - {name: b, density: 1000, geometry: [{shape: sphere, radius: 1, material: steel}]}\n"
         "joints: [{name: j, type: revolute, parent: a, child: b, pose: {xyz: [3, 0, 0]}}]\n";
  Study study;
  study.scene = file;
  const auto num_read = [&](const std::string& key, int count) {
    std::vector<Assignment> all;
    for (int i = 1; i <= count; ++i)
      all.push_back({{key, yaml_number(i), {}}, {"materials.steel.friction", yaml_number(0.5 / i), {}}});
    Diagnostics problems;
    CaseMaker maker(study, &problems);
    maker.make(std::move(all), CaseRole::kCase);
    EXPECT_EQ(format_diagnostics(problems), "");
    EXPECT_EQ(maker.cases().size(), static_cast<std::size_t>(count)) << key;
    expect_ids_of_scenes(study, maker.cases());
    return maker.num_read();
  };
  EXPECT_LE(num_read("joints.j.damping", 40), 5);
  EXPECT_GE(num_read("bodies.a.density", 40), 40);
  EXPECT_GE(num_read("bodies.a.pose.xyz.0", 40), 40);  // a body with a joint
}

/// Masses and sizes of free bodies: what the scene leaves out follows from them, what it gives does not.
TEST(Cases, OfMassesAndSizesAreMadeOfOneScene) {
  const std::string file = testing::TempDir() + "sizes.yaml";
  std::ofstream(file)
      << "csim: 1\ntime: {end: 1}\nmaterials: {steel: {}}\nbodies:\n"
         "  - {name: a, mass: 1, inertia: solid, geometry: [{shape: sphere, radius: 1, material: steel}]}\n"
         "  - {name: b, density: 1000, geometry: [{shape: cylinder, radius: 1, length: 1, resolution: 0.25, "
         "material: steel}, {shape: box, size: [1, 2, 3], material: steel}]}\n"
         "  - {name: c, mass: 1, inertia: [1, 1, 1], geometry: [{shape: capsule, radius: 1, length: 1, "
         "contact: rigid, material: steel}]}\n";
  Study study;
  study.scene = file;
  const auto num_read = [&](const std::vector<std::string>& keys) {
    std::vector<Assignment> all;
    for (int i = 1; i <= 40; ++i) {
      all.emplace_back();
      for (const std::string& key : keys) all.back().push_back({key, yaml_number(0.1 * i), {}});
    }
    Diagnostics problems;
    CaseMaker maker(study, &problems);
    maker.make(std::move(all), CaseRole::kCase);
    EXPECT_EQ(format_diagnostics(problems), "");
    EXPECT_EQ(maker.cases().size(), 40u) << keys[0];
    expect_ids_of_scenes(study, maker.cases());
    return maker.num_read();
  };
  EXPECT_LE(num_read({"bodies.a.mass", "bodies.b.density", "bodies.c.mass"}), 5);
  EXPECT_GE(num_read({"bodies.a.geometry.geometry_0.radius"}), 40);  // the capsule has a mesh
  study.set = {{"bodies.c.geometry.geometry_0.contact", yaml_word("point"), {}}};
  EXPECT_LE(num_read({"bodies.a.geometry.geometry_0.radius", "bodies.b.geometry.geometry_0.radius",
                      "bodies.b.geometry.geometry_0.length", "bodies.b.geometry.geometry_1.size.1"}),
            6);
}

/// Cases whose keys name other measurements are cases of their own, of one scene where its values are the
/// same; what they name asks for no scene that is read.
TEST(Cases, OfOneSceneWithMeasurementsOfTheirOwn) {
  const std::string file = testing::TempDir() + "measured_cases.yaml";
  std::ofstream(file) << "csim: 1\ntime: {end: 1}\nmaterials: {steel: {}}\nbodies: [{name: a, density: 1000, "
                         "geometry: [{shape: sphere, radius: 1, material: steel}]}]\n";
  Study study;
  study.scene = file;
  std::vector<Assignment> all;
  for (int i = 0; i < 60; ++i)
    all.push_back({{"materials.steel.friction", yaml_number(0.1 + 0.1 * (i / 2)), {}},
                   {"reference.where.run", yaml_number(i / 2 % 2 == 0 ? i : i / 2), {}}});
  all.push_back(all.front());
  Diagnostics problems;
  CaseMaker maker(study, &problems);
  const std::vector<int> indices = maker.make(std::move(all), CaseRole::kCase);
  EXPECT_EQ(format_diagnostics(problems), "");
  ASSERT_EQ(maker.cases().size(), 45u);  // every second pair has one measurement
  EXPECT_EQ(indices.back(), 0);
  EXPECT_EQ(indices[1], 1);
  EXPECT_EQ(indices[2], indices[3]);
  EXPECT_EQ(maker.cases()[0].id, maker.cases()[1].id);
  EXPECT_NE(maker.cases()[1].id, maker.cases()[2].id);
  EXPECT_LE(maker.num_read(), 3);
  expect_ids_of_scenes(study, maker.cases());
}

}  // namespace
}  // namespace csim
