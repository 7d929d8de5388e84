#include "study/study_folder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/file_bytes.h"
#include "record/errors.h"
#include "record/output_file.h"
#include "scene/yaml/yaml_writer.h"
#include "study/case_id.h"
#include "study/reference_keys.h"
#include "study/shell_words.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCopy = "# A copy by `csim study run`";  // the begin of study.yaml in a folder

std::string header(const Study& study) {
  const std::string set = study.arguments.empty() ? "" : ", with " + shell_command(set_options(study));
  return kCopy + set + "; the scene stands beside it.\n";
}

/// Where results that the study refers to are copied.
constexpr const char* kReferences = "references";

/// What the folder holds beside the cases and the scene.
const std::set<std::string>& names_of_folder() {
  static const std::set<std::string> names{"study.yaml",  "report.md", "report.json",
                                           "report.html", "study.csv", "study.h5"};
  return names;
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
  const std::set<std::string>& taken = names_of_folder();
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

/// Copies files that the study refers to into the folder, each under a name of its own.
class ReferenceCopies {
 public:
  explicit ReferenceCopies(const StudyFolder& folder) : folder_(folder) {}

  /// The name of the copy, relative to the folder.
  std::string add(const std::string& file) {
    const auto known = names_.find(file);
    if (known != names_.end()) return known->second;
    const fs::path name = fs::path(file).filename();
    std::string free = std::string(kReferences) + "/" + name.string();
    for (int number = 2; taken_.count(free) > 0; ++number)
      free = std::string(kReferences) + "/" + name.stem().string() + "_" + std::to_string(number) +
             name.extension().string();
    taken_.insert(free);
    copy_to(file, folder_.file(free));
    return names_[file] = free;
  }

 private:
  const StudyFolder& folder_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

/// Gives the file of a reference the name of its copy.
void copy_reference(const Reference& reference, YamlNode* node, ReferenceCopies* copies) {
  if (node == nullptr || node->kind != YamlNode::Kind::kMapping) return;
  for (const char* key : {"file", "csv", "h5"}) {
    YamlNode* name = node->find(key);
    const std::string& file =
        reference.kind == ReferenceKind::kFile ? reference.file : reference.measured.file;
    if (name != nullptr && !file.empty()) *name = yaml_text(copies->add(file));
  }
}

/// An entry of `vary` as a zip of all its values, files by the names of their copies.
YamlNode zip_of(const Study& study, const Vary& entry, ReferenceCopies* copies) {
  YamlNode columns;
  for (std::size_t k = 0; k < entry.keys.size(); ++k) {
    YamlNode values = yaml_list();
    for (const Assignment& row : entry.rows)
      values.items.push_back(is_reference_file_key(entry.keys[k])
                                 ? yaml_text(copies->add(file_beside(study, row[k].value.text)))
                                 : row[k].value);
    add_entry(&columns, entry.keys[k], std::move(values));
  }
  YamlNode zip;
  add_entry(&zip, "zip", std::move(columns));
  return zip;
}

/// Everything that the study names beside its scene. Tables and the files of cases become lists of values.
void copy_references(const Study& study, const StudyFolder& folder, YamlNode* root) {
  ReferenceCopies copies(folder);
  copy_reference(study.reference, root->find("reference"), &copies);
  YamlNode* analyses = root->find("analyses");
  for (std::size_t a = 0; a < study.analyses.size(); ++a)
    copy_reference(study.analyses[a].reference, analyses->items[a].find("reference"), &copies);
  YamlNode* vary = root->find("vary");
  for (std::size_t v = 0; v < study.vary.size(); ++v) {
    const std::vector<std::string>& keys = study.vary[v].keys;
    if (vary->items[v].find("table") != nullptr ||
        std::any_of(keys.begin(), keys.end(), is_reference_file_key))
      vary->items[v] = zip_of(study, study.vary[v], &copies);
  }
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

/// Whether a study has made the folder.
bool has_copy(const StudyFolder& folder) {
  std::string bytes;
  return read_file_bytes(folder.file("study.yaml"), &bytes).empty() && bytes.starts_with(kCopy);
}

/// A file of the scene and its place in the folder.
struct FileCopy {
  std::string from;
  fs::path to;
};

std::vector<FileCopy> copies_of(const Study& study, const Cases& cases, const fs::path& scene_copy) {
  const fs::path scene_folder = fs::path(study.scene).parent_path();
  std::vector<FileCopy> copies;
  for (const std::string& file : cases.files) {
    const fs::path in_folder = fs::path(file).lexically_relative(scene_folder);
    copies.push_back({file, (scene_copy.parent_path() / in_folder).lexically_normal()});
  }
  return copies;
}

bool has_other_bytes(const fs::path& file, const std::string& bytes) {
  std::string there;
  return read_file_bytes(file.string(), &there).empty() && there != bytes;
}

/// What is wrong with a file of someone else that a study would replace; "" where there is none.
std::string find_stranger(const StudyFolder& folder, const fs::path& scene, const std::string& text,
                          const std::vector<FileCopy>& copies) {
  std::error_code none;
  if (fs::exists(folder.file(kReferences), none))
    return folder.file(kReferences) + ": exists already, in a folder that is not of a study";
  for (const std::string& name : names_of_folder())
    if (fs::exists(folder.file(name), none))
      return folder.file(name) + ": exists already, in a folder that is not of a study";
  if (has_other_bytes(scene, text)) return scene.string() + ": exists already, and is not the study's scene";
  for (const FileCopy& copy : copies) {
    std::string bytes;
    if (read_file_bytes(copy.from, &bytes).empty() && has_other_bytes(copy.to, bytes))
      return copy.to.string() + ": exists already, and is not the file of the study's scene";
  }
  return "";
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
  const fs::path place = place_of_scene(study, cases);
  const fs::path there = fs::path(folder.path) / place;
  const std::vector<FileCopy> copies = copies_of(study, cases, there);
  const bool is_in_place = is_same_file(study.file, folder.file("study.yaml"));
  if (!force && !is_in_place && !has_copy(folder)) {
    // Another process may make the folder meanwhile: what it has put there is no stranger's.
    const std::string stranger = find_stranger(folder, there, scene_text(study), copies);
    if (!stranger.empty() && !has_copy(folder)) throw OutputExistsError(stranger);
  }
  make_folder(folder.path);
  make_folder(folder.file("cases"));
  if (is_in_place) return;

  YamlNode root = study.source.root;
  if (YamlNode* name = root.find("name")) {
    *name = yaml_text(study.name);
  } else {
    add_entry(&root, "name", yaml_text(study.name));
  }
  *root.find("scene") = yaml_text(place.generic_string());
  write_set(study, &root);
  copy_references(study, folder, &root);

  make_folder(there.parent_path());
  replace_file(there.string(), scene_text(study));
  for (const FileCopy& copy : copies) copy_to(copy.from, copy.to);
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

int count_other_results(const Cases& cases, const std::set<std::string>& candidates,
                        const StudyFolder& folder) {
  std::set<std::string> ids = candidates;
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
