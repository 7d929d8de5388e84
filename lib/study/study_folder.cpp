#include "study/study_folder.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/file_bytes.h"
#include "record/errors.h"
#include "record/output_file.h"
#include "scene/yaml/yaml_writer.h"
#include "study/case_id.h"
#include "study/shell_words.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

std::string header(const Study& study) {
  const std::string set = study.arguments.empty() ? "" : ", with " + shell_command(set_options(study));
  return "# A copy by `csim study run`" + set + "; the scene stands beside it.\n";
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder.string() + ": cannot be made: " + error.message());
}

/// Copies a file whose bytes are not there already.
void copy_to(const std::string& from, const fs::path& to) {
  std::string bytes, there;
  if (const std::string fault = read_file_bytes(from, &bytes); !fault.empty())
    throw IoError(from + ": " + fault);
  if (read_file_bytes(to.string(), &there).empty() && there == bytes) return;
  make_folder(to.parent_path());
  replace_file(to.string(), bytes);
}

/// How many folders up a relative name begins.
int num_up(const fs::path& name) {
  int count = 0;
  for (const fs::path& part : name) count += part == ".." ? 1 : 0;
  return count;
}

/// Where the scene goes: beside the study, or as deep below as its files' names lead upwards, so that they
/// are found by the same relative names.
fs::path place_of_scene(const Study& study, const Cases& cases) {
  const fs::path scene(study.scene);
  int up = 0;
  for (const std::string& file : cases.files)
    up = std::max(up, num_up(fs::path(file).lexically_relative(scene.parent_path())));
  const std::set<std::string> taken{"study.yaml",  "report.md", "report.json",
                                    "report.html", "study.csv", "study.h5"};
  if (up == 0 && taken.count(scene.filename().string()) == 0) return scene.filename();
  fs::path place = "scene";
  for (int i = 0; i < up; ++i) place /= "folder";
  return place / scene.filename();
}

/// The scene as it is, but with absolute names of files made relative.
std::string scene_text(const Study& study) {
  std::string text;
  if (const std::string fault = read_file_bytes(study.scene, &text); !fault.empty())
    throw IoError(study.scene + ": " + fault);
  YamlNode root = parse_yaml(text).root;
  const std::string before = write_yaml(root);
  make_files_relative(&root, fs::path(study.scene).parent_path().string());
  const std::string after = write_yaml(root);
  return before == after ? text : after;
}

/// Gives the reference `file` of a node another name: that of its copy.
void rename_reference(YamlNode* node, const std::string& name) {
  YamlNode* file = node != nullptr && node->kind == YamlNode::Kind::kMapping ? node->find("file") : nullptr;
  if (file != nullptr) *file = yaml_text(name);
}

void copy_references(const Study& study, const StudyFolder& folder, YamlNode* root) {
  const auto copy = [&](const Reference& reference, YamlNode* node, const std::string& name) {
    if (reference.kind != ReferenceKind::kFile) return;
    copy_to(reference.file, folder.file(name));
    rename_reference(node, name);
  };
  copy(study.reference, root->find("reference"), "reference.h5");
  YamlNode* analyses = root->find("analyses");
  for (std::size_t a = 0; a < study.analyses.size(); ++a)
    copy(study.analyses[a].reference, analyses->items[a].find("reference"),
         "reference_" + study.analyses[a].name + ".h5");
}

/// The values of the command line under `set`, so that the copy needs none.
void write_set(const Study& study, YamlNode* root) {
  if (study.arguments.empty()) return;
  YamlNode set;
  for (const KeyValue& one : study.set) add_entry(&set, one.key, one.value);
  if (YamlNode* old = root->find("set")) {
    *old = std::move(set);
  } else {
    add_entry(root, "set", std::move(set));
  }
}

/// The copy of the study in the folder; a null node where there is none.
YamlNode read_copy(const StudyFolder& folder) {
  std::string text;
  if (!read_file_bytes(folder.file("study.yaml"), &text).empty()) return {};
  YamlParse parse = parse_yaml(text);
  return parse.errors.empty() ? std::move(parse.root) : YamlNode{};
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return fs::equivalent(a, b, none);
}

}  // namespace

void check_folder_name(const Study& study, const StudyFolder& folder) {
  const YamlNode copy = read_copy(folder);
  const YamlNode* name = copy.find("name");
  if (name == nullptr || name->text == study.name) return;
  throw OutputExistsError(folder.path + ": holds the study '" + name->text + "', not '" + study.name + "'");
}

void prepare_folder(const Study& study, const Cases& cases, const StudyFolder& folder, bool force) {
  if (!force) check_folder_name(study, folder);
  make_folder(folder.path);
  make_folder(folder.file("cases"));
  if (is_same_file(study.file, folder.file("study.yaml"))) return;

  const fs::path place = place_of_scene(study, cases), scene_folder = fs::path(study.scene).parent_path();
  YamlNode root = study.source.root;
  if (YamlNode* name = root.find("name")) {
    *name = yaml_text(study.name);
  } else {
    add_entry(&root, "name", yaml_text(study.name));
  }
  *root.find("scene") = yaml_text(place.generic_string());
  write_set(study, &root);
  copy_references(study, folder, &root);

  const fs::path there = fs::path(folder.path) / place;
  make_folder(there.parent_path());
  replace_file(there.string(), scene_text(study));
  for (const std::string& file : cases.files)
    copy_to(file, (there.parent_path() / fs::path(file).lexically_relative(scene_folder)).lexically_normal());
  replace_file(folder.file("study.yaml"), header(study) + write_yaml(root));
}

std::optional<Assignment> other_set(const Study& study, const StudyFolder& folder) {
  const YamlNode copy = read_copy(folder);
  if (copy.kind == YamlNode::Kind::kNull) return std::nullopt;
  Assignment there;
  if (const YamlNode* set = copy.find("set"))
    for (const YamlEntry& entry : set->entries) there.push_back({entry.key, entry.value, entry.key_mark});
  const bool same = meets(there, study.set) && meets(study.set, there);
  return same ? std::nullopt : std::optional(std::move(there));
}

int count_other_results(const Cases& cases, const StudyFolder& folder) {
  std::set<std::string> ids;
  for (const Case& one : cases.cases) ids.insert(one.id);
  int count = 0;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.file("cases"), none)) {
    const bool is_result = entry.path().extension() == ".h5" || entry.path().extension() == ".json";
    count += is_result && ids.count(entry.path().stem().string()) == 0 ? 1 : 0;
  }
  return count;
}

}  // namespace csim
