#include "study/read_study.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "core/file_bytes.h"
#include "core/missing_path.h"
#include "core/nearest_name.h"
#include "scene/read_scene.h"
#include "scene/yaml/apply_overrides.h"
#include "scene/yaml/strict_values.h"
#include "study/cases.h"
#include "study/reference_keys.h"
#include "study/study_fields.h"
#include "study/study_reading.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

Diagnostic problem_of_file(const std::string& file, const std::string& message) {
  return SceneSource(file, "").at({}, "study", message);
}

void read_skip(const YamlNode& node, const StudyReading& reading) {
  if (node.kind != Kind::kSequence) {
    reading.report(node.mark, "skip",
                   describe(node) + ", expected a list of mappings from varied keys to values");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    reading.study->skip.push_back(read_condition(node.items[i], "skip." + std::to_string(i), reading));
}

void read_name(const SectionReader& root, Study* study) {
  study->name = root.has("name") ? root.text("name") : std::filesystem::path(study->file).stem().string();
  // It becomes the name of a folder.
  if (study->name.find('/') != std::string::npos || study->name.front() == '.')
    root.report("name",
                "'" + study->name +
                    "', expected a name that a folder can have, without '/' and not starting with '.'");
}

constexpr const char* kMisplacedReferenceKey = "of a case's reference, expected under `vary`";

/// Puts the command line's values in the place of those of the file.
void read_arguments(const StudyReading& reading) {
  Study* study = reading.study;
  for (const std::string& argument : study->arguments) {
    const int source = study->source.add_override(argument);
    OverrideParts parts = split_override(argument, source);
    if (parts.error) {
      reading.report(parts.error->mark, parts.key, parts.error->message);
      continue;
    }
    if (is_reference_key(parts.key)) {
      reading.report({source, 1, 1}, parts.key, kMisplacedReferenceKey);
      continue;
    }
    // At the end, so that it also stands above a mapping around it.
    std::erase_if(study->set,
                  [&](const KeyValue& one) { return plain_path(one.key) == plain_path(parts.key); });
    study->set.push_back({parts.key, std::move(parts.value), {source, 1, 1}});
  }
}

/// `set` and the first row of each entry of `vary`, without some keys.
Assignment first_values(const Study& study, const std::vector<std::string>& without) {
  Assignment all = study.set;
  for (const Vary& entry : study.vary)
    if (!entry.rows.empty()) all = with_changes(all, entry.rows.front());
  std::erase_if(all, [&](const KeyValue& one) {
    return std::find(without.begin(), without.end(), one.key) != without.end();
  });
  return all;
}

/// Reports the keys of `set` and `vary` that the scene does not know, before what refers to them. A way that
/// leads nowhere hides keys that are unknown at the end of theirs: so the scene is read again without those
/// that are told.
std::vector<std::string> find_unknown_keys(const StudyReading& reading) {
  std::vector<std::string> unknown;
  std::size_t num_known = 0;
  do {
    num_known = unknown.size();
    const Assignment all = first_values(*reading.study, unknown);
    for (const Diagnostic& found : read_scene(reading.study->scene, as_overrides(all)).diagnostics) {
      const std::string prefix = "--set ";
      const KeyValue* cause =
          found.file.starts_with(prefix) ? find_key(all, found.file.substr(prefix.size())) : nullptr;
      if (cause == nullptr || found.column > static_cast<int>(cause->key.size())) continue;
      reading.report(cause->key_mark, found.path, found.message);
      unknown.push_back(cause->key);
    }
  } while (unknown.size() > num_known);
  return unknown;
}

/// A study that has problems without the keys and the measures that were told: what is left says whether
/// values and measures have problems of their own.
Study without_told(Study study, const std::vector<std::string>& unknown_keys, const Diagnostics& told) {
  const auto is_unknown = [&](const std::string& key) {
    return std::find(unknown_keys.begin(), unknown_keys.end(), key) != unknown_keys.end();
  };
  const auto has_unknown_key = [&](const KeyValue& one) { return is_unknown(one.key); };
  std::erase_if(study.set, has_unknown_key);
  for (Vary& entry : study.vary) {
    std::erase_if(entry.keys, is_unknown);
    for (Assignment& row : entry.rows) std::erase_if(row, has_unknown_key);
  }
  std::erase_if(study.vary, [](const Vary& entry) { return entry.rows.empty(); });
  std::set<std::string> told_paths;  // and those of what they are in
  for (const Diagnostic& one : told)
    for (std::size_t end = one.path.find('.');; end = one.path.find('.', end + 1)) {
      told_paths.insert(one.path.substr(0, end));
      if (end == std::string::npos) break;
    }
  std::erase_if(study.measures, [&](const Measure& measure) { return told_paths.count(measure.path) > 0; });
  return study;
}

/// Adds what else is wrong: each place is told once, places of the study first and in their order.
void add_scene_problems(const Study& study, Diagnostics* diagnostics) {
  Diagnostics found;
  check_some_scenes(study, &found);
  std::set<std::tuple<std::string, int, int>> told;
  for (const Diagnostic& one : *diagnostics) told.insert({one.file, one.line, one.column});
  for (Diagnostic& one : found)
    if (told.insert({one.file, one.line, one.column}).second) diagnostics->push_back(std::move(one));
  const auto place = [&](const Diagnostic& one) {
    const bool is_here = one.file == study.file;
    return std::tuple(!is_here, is_here ? one.line : 0, is_here ? one.column : 0);
  };
  std::stable_sort(diagnostics->begin(), diagnostics->end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
}

/// Returns the keys of `set` and `vary` that the scene does not know.
std::vector<std::string> read_all(const SectionReader& root, StudyReading reading) {
  Study* study = reading.study;
  if (root.has("csim_study") && root.number("csim_study") != 1.0)
    root.report("csim_study", "version " + root.text("csim_study") +
                                  ", expected 1, the version of the study format that this csim reads");
  read_name(root, study);
  if (root.has("scene")) study->scene = file_beside(*study, root.text("scene"));
  if (const YamlNode* node = root.node("set")) study->set = read_assignment(*node, "set", reading);
  read_arguments(reading);
  const std::size_t num_before = reading.sink->num_problems();
  if (const YamlNode* node = root.node("vary")) read_vary(*node, reading);
  reading.vary_is_told =
      root.bad("vary") || (study->vary.empty() && reading.sink->num_problems() > num_before);
  reading.measure_is_told = root.bad("measure");
  if (!study->scene.empty()) reading.unknown_keys = find_unknown_keys(reading);
  if (const YamlNode* node = root.node("skip")) read_skip(*node, reading);
  study->keeps_results = root.text("keep") != "measures";
  read_measures(root, reading);
  if (const YamlNode* node = root.node("reference"))
    study->reference = read_reference(*node, "reference", reading);
  check_reference_keys(reading);
  read_analyses(root, reading);
  const YamlNode* analyses = root.node("analyses");
  reading.analysis_is_told =
      root.bad("analyses") || (analyses != nullptr && study->analyses.size() < analyses->items.size());
  read_gates(root, reading);
  return reading.unknown_keys;
}

}  // namespace

std::string unknown_word(const std::string& word, const std::string& what,
                         const std::vector<std::string>& known) {
  constexpr std::size_t kMostListed = 20;
  std::string list;
  if (known.size() > kMostListed) list = "the " + std::to_string(known.size()) + " of the study";
  for (std::size_t i = 0; i < known.size() && known.size() <= kMostListed; ++i)
    list += (i == 0 ? "" : ", ") + known[i];
  return "'" + word + "', " + what + ", " +
         (known.empty() ? "of which the study has none" : "expected one of " + list) +
         did_you_mean(word, known);
}

void report_not_varied(const std::string& word, const Mark& mark, const std::string& path,
                       const StudyReading& reading) {
  const std::vector<std::string>& unknown = reading.unknown_keys;
  if (!nearest_name(word, unknown).empty()) return;
  std::vector<std::string> keys = reading.study->varied_keys();
  std::erase_if(keys, [&](const std::string& key) {
    return std::find(unknown.begin(), unknown.end(), key) != unknown.end();
  });
  if (reading.vary_is_told) return;
  reading.report(mark, path,
                 keys.empty() ? "'" + word + "', not varied, expected a key that stands under vary"
                              : unknown_word(word, "not varied", keys));
}

namespace {

/// A mapping from keys to values, each key once.
Assignment read_keys(const YamlNode& node, const std::string& path, const StudyReading& reading) {
  Assignment assignment;
  if (node.kind != Kind::kMapping) {
    reading.report(node.mark, path, describe(node) + ", expected a mapping from keys of the scene to values");
    return assignment;
  }
  for (const YamlEntry& entry : node.entries) {
    if (find_key(assignment, entry.key) != nullptr) {
      reading.report(entry.key_mark, path + "." + entry.key, "duplicate key, expected each key once");
    } else {
      assignment.push_back({entry.key, entry.value, entry.key_mark});
    }
  }
  return assignment;
}

}  // namespace

Assignment read_assignment(const YamlNode& node, const std::string& path, const StudyReading& reading) {
  Assignment assignment = read_keys(node, path, reading);
  for (const KeyValue& one : assignment)
    if (is_reference_key(one.key)) reading.report(one.key_mark, path + "." + one.key, kMisplacedReferenceKey);
  return assignment;
}

Assignment read_condition(const YamlNode& node, const std::string& path, const StudyReading& reading) {
  Assignment condition = read_keys(node, path, reading);
  const std::vector<std::string> keys = reading.study->varied_keys();
  for (const KeyValue& one : condition) {
    const bool known = std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
      return plain_path(key) == plain_path(one.key);
    });
    if (!known) report_not_varied(one.key, one.key_mark, path + "." + one.key, reading);
  }
  return condition;
}

std::optional<Study> read_study(const std::string& file, const std::vector<std::string>& arguments,
                                Diagnostics* diagnostics) {
  std::string text;
  if (const std::string fault = read_file_bytes(file, &text); !fault.empty()) {
    diagnostics->push_back(problem_of_file(file, fault + ", expected a study"));
    return std::nullopt;
  }
  if (is_hdf5(text)) {
    diagnostics->push_back(problem_of_file(
        file, "an HDF5 file such as a result, expected a study; `csim info` and `csim view` read results"));
    return std::nullopt;
  }
  std::optional<Study> study = read_study_text(text, file, arguments, diagnostics);
  std::error_code none;
  if (!study || std::filesystem::exists(study->scene, none)) return study;
  const YamlNode& scene = *study->source.root.find("scene");
  diagnostics->push_back(
      study->source.at(scene.mark, "scene",
                       "'" + scene.text + "', file not found; it is looked for relative to this file" +
                           missing_file_hint(scene.text, std::filesystem::path(file).parent_path())));
  return std::nullopt;
}

std::optional<Study> read_study_text(const std::string& text, const std::string& file,
                                     const std::vector<std::string>& arguments, Diagnostics* diagnostics) {
  Study study;
  study.file = file;
  study.arguments = arguments;
  study.source = SceneSource(file, text);
  YamlParse parse = parse_yaml(text);
  for (const YamlError& error : parse.errors)
    diagnostics->push_back(study.source.at(error.mark, "study", error.message));
  if (!parse.errors.empty()) return std::nullopt;
  study.source.root = std::move(parse.root);
  const YamlNode& root = study.source.root;
  if (root.find("csim") != nullptr && root.find("csim_study") == nullptr) {
    diagnostics->push_back(problem_of_file(file, "a scene, expected a study; `csim run " + file +
                                                     "` runs it, `csim study new " + file +
                                                     " --over time.step` prints a study of it"));
    return std::nullopt;
  }
  if (root.kind != Kind::kMapping) {
    diagnostics->push_back(study.source.at(
        root.mark, "study", "not a mapping, expected the keys of a study (csim_study, scene, vary, …)"));
    return std::nullopt;
  }
  ProblemSink sink(study.source);
  const std::vector<std::string> unknown_keys =
      read_all(SectionReader(&root, study_section(), "", &sink), {&study, &sink});
  *diagnostics = sink.sorted();
  if (diagnostics->empty()) return study;
  std::error_code none;
  if (std::filesystem::is_regular_file(study.scene, none))
    add_scene_problems(without_told(std::move(study), unknown_keys, *diagnostics), diagnostics);
  return std::nullopt;
}

}  // namespace csim
