#include "scene/read/scene_reading.h"

#include <algorithm>
#include <system_error>

#include "core/missing_path.h"
#include "scene/format/rows_io.h"
#include "scene/help/synonyms.h"
#include "scene/joint_coordinates.h"
#include "scene/yaml/strict_values.h"

namespace csim {

std::vector<std::string> names(const NameIndex& index) {
  std::vector<std::string> result;
  for (const auto& [name, item] : index) result.push_back(name);
  return result;
}

std::string unknown_name(const std::string& name, const std::string& what,
                         const std::vector<std::string>& known) {
  constexpr size_t kMostListed = 8;
  const std::string found = "'" + name + "', unknown " + what + ", ";
  if (known.empty()) return found + "of which the scene names none";
  if (known.size() > kMostListed)
    return found + "expected one of the " + std::to_string(known.size()) + " of the scene" +
           did_you_mean_value(name, known);
  std::string list;
  for (size_t i = 0; i < known.size(); ++i)
    list += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + known[i];
  return found + "expected " + list + did_you_mean_value(name, known);
}

std::string find_file(const SectionReader& reader, const char* key, const std::string& file,
                      const SceneReading& reading) {
  namespace fs = std::filesystem;
  const fs::path path = reading.folder / file;  // an absolute name stands for itself
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    const std::string found = fs::is_directory(path, error)
                                  ? "', a folder, expected a file"
                                  : "', no such file, expected one relative to the scene file";
    reader.report(key, "'" + file + found + missing_file_hint(file, reading.folder));
  }
  return fs::absolute(path).lexically_normal().string();
}

int find_reference(const SectionReader& reader, const std::string& key, const std::string& what,
                   const NameIndex& index, const std::string& none) {
  if (!reader.has(key)) return -1;
  const std::string name = reader.text(key);
  const auto found = index.find(name);
  if (found != index.end()) return found->second;
  if ((!none.empty() && name == none) || is_list_faulty(reader, what)) return -1;
  // What is meant is looked for among all names: for each of many it would take a time that grows as a
  // square.
  constexpr size_t kMostHints = 100;
  if (reader.num_problems() >= kMostHints) {
    reader.report(key, "'" + name + "', unknown " + what + ", expected one that the scene has");
    return -1;
  }
  std::vector<std::string> known = names(index);
  if (!none.empty()) known.insert(std::upper_bound(known.begin(), known.end(), none), none);
  reader.report(key, unknown_name(name, what, known));
  return -1;
}

bool is_list_faulty(const SectionReader& reader, std::string_view what) {
  for (const auto& [item, list] : {std::pair{"material", "materials"},
                                   {"body", "bodies"},
                                   {"joint", "joints"},
                                   {"actuator", "actuators"}})
    if (what == item) return reader.has_problem_at(list);
  return false;
}

std::string joint_text(const Scene& scene, const JointSpec& joint) {
  return "joint " +
         (joint.name.empty() ? std::to_string(&joint - scene.joints.data()) : "'" + joint.name + "'");
}

bool may_have_one_coordinate(const SceneReading& reading, int joint) {
  const auto index = static_cast<std::size_t>(joint);
  // The joints of the scene come first, then those of its models.
  const bool is_read = index >= reading.joint_readers.size() || reading.joint_readers[index].has("type");
  return !is_read || num_positions(reading.scene.joints[index].type) == 1;
}

void enter_name(const SectionReader& reader, const std::string& what, int item, NameIndex* index) {
  if (!reader.has("name")) return;
  const std::string name = reader.text("name");
  if (index->emplace(name, item).second) return;
  reader.report("name", "'" + name + "', the name of another " + what + ", expected a unique name");
}

void read_materials(const SectionReader& root, SceneReading* reading, Scene* scene) {
  const YamlNode* map = root.node("materials");
  if (map == nullptr) return;
  for (const YamlEntry& entry : map->entries) {
    const std::string path = root.path("materials") + "." + entry.key;
    if (entry.key == "<<") {
      reading->sink->report(entry.key_mark, path,
                            "a merge key, which is not supported, expected the materials themselves");
      continue;
    }
    if (!is_name(entry.key) && !is_item_name(entry.key)) {
      reading->sink->report(
          entry.key_mark, path,
          "'" + entry.key + "', expected a name (letters, digits, '_', '+', '-', not digits alone)");
    }
    if (!reading->materials.emplace(entry.key, static_cast<int>(scene->materials.size())).second) {
      reading->sink->report(entry.key_mark, path, "duplicate material, expected a unique name");
      continue;
    }
    if (entry.value.kind != YamlNode::Kind::kMapping) {
      reading->sink->report(entry.value.mark, path,
                            describe(entry.value) + ", expected a material as a mapping of keys");
    }
    const SectionReader reader = root.entry("materials", entry);
    MaterialSpec material;
    material.name = entry.key;
    read_rows(reader, reading, &material);
    scene->materials.push_back(material);
  }
}

}  // namespace csim
