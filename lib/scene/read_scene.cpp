#include "scene/read_scene.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

#include "core/file_bytes.h"
#include "core/missing_path.h"
#include "scene/format/rows_io.h"
#include "scene/read/scene_reading.h"
#include "scene/urdf/expand_models.h"
#include "scene/yaml/apply_overrides.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = 256u << 20;  // bytes

SceneReadResult failed(const std::string& file, const std::string& message) {
  SceneReadResult result;
  result.source = SceneSource(file, "");
  result.diagnostics.push_back(result.source.at({}, "", message));
  return result;
}

Scene read_all(const SceneSource& source, const std::string& file, const ModelExpansion& models,
               ProblemSink* sink) {
  SceneReading reading;
  reading.sink = sink;
  reading.folder = fs::path(file).parent_path();
  reading.scene.name = fs::path(file).stem().string();
  reading.efforts = models.efforts;
  read_rows(SectionReader(&source.root, scene_section(), "", sink), &reading, &reading.scene);
  return std::move(reading.scene);
}

/// A robot alone, on its root link.
std::string scene_of_robot(const std::string& file) {
  std::string quoted;
  for (const char c : fs::path(file).filename().string()) quoted += c == '\'' ? "''" : std::string(1, c);
  return "csim: 1\ntime: {end: 1}\nbodies: []\nmodels:\n  - file: '" + quoted + "'\n";
}

constexpr std::uintmax_t kAnySize = static_cast<std::uintmax_t>(-1);

/// `size`: bytes that must come.
SceneReadResult read_scene_stream(std::istream& stream, const std::string& name,
                                  const std::vector<std::string>& overrides, std::uintmax_t size = kAnySize) {
  std::string text;
  char block[1 << 16];
  while (stream && text.size() <= kLargestFile) {  // a device may never end
    stream.read(block, sizeof block);
    text.append(block, static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > kLargestFile) return failed(name, "more than 256 MiB, expected a scene");
  if (is_hdf5(text))
    return failed(name,
                  "an HDF5 file such as a result, expected a scene; `csim info` and `csim view` read "
                  "results, `--resume` of `csim run SCENE -o RESULT` goes on with one");
  if (!stream.eof() || (size != kAnySize && text.size() != size))
    return failed(name, std::string("cannot be read: ") + std::strerror(errno));
  return read_scene_text(text, name, overrides);
}

}  // namespace

/// The interior point needs a law that is a cone with a compliance.
void check_method(const SectionReader& reader, SceneReading* reading, SolverSpec* solver) {
  const ContactSpec& contact = reading->scene.contact;
  if (solver->method != MethodKind::kInteriorPoint) return;
  if (!facts_of(contact.model).is_cone) {
    reader.report("method",
                  "'interior_point', expected auto or newton: the interior point takes contact.model: sap or "
                  "similar, whose friction is a cone");
  } else if (!facts_of(contact.normal).has_inverse) {
    reader.report("method",
                  "'interior_point', expected auto or newton: the interior point takes contact.normal: "
                  "hunt_crossley or linear, whose inverse has a closed form");
  }
}

void finish_scene(const SectionReader& root, SceneReading* reading, Scene* scene) {
  if (root.has("csim") && root.number("csim") != 1.0) {
    root.report("csim", "version " + root.text("csim") +
                            ", expected 1, the version of the scene format that this csim reads");
  }
  // The name becomes a file name: no folder in it.
  if (root.has("name") && (scene->name.find('/') != std::string::npos || scene->name.front() == '.')) {
    root.report("name", "'" + scene->name +
                            "', expected a name that a file can have, without '/' and not starting with '.'");
  }
  check_joints(reading);
  check_bodies_with_joints(reading);
}

SceneReadResult read_scene(const std::string& file, const std::vector<std::string>& overrides) {
  if (file == kStandardInput) return read_scene_stream(std::cin, "stdin", overrides);
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return failed(file, "file not found" + missing_file_hint(file));
  if (fs::is_directory(status)) return failed(file, "a folder, expected a scene file");
  if (fs::path(file).extension() == ".urdf") return read_scene_text(scene_of_robot(file), file, overrides);
  std::ifstream stream(file, std::ios::binary);
  const bool is_file = fs::is_regular_file(status);
  return read_scene_stream(stream, file, overrides, is_file ? fs::file_size(file, error) : kAnySize);
}

SceneReadResult read_scene_text(const std::string& text, const std::string& file,
                                const std::vector<std::string>& overrides) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool marked = std::string_view(text).substr(0, 3) == kByteOrderMark;
  SceneReadResult result;
  result.source = SceneSource(file, marked ? text.substr(3) : text);
  YamlParse parse = parse_yaml(result.source.text());
  for (const YamlError& error : parse.errors)
    result.diagnostics.push_back(result.source.at(error.mark, "", error.message));
  if (!result.ok()) return result;
  if (parse.root.kind == YamlNode::Kind::kNull) return failed(file, "an empty file, expected a scene");
  result.source.root = std::move(parse.root);
  if (result.source.root.find("csim_study") != nullptr && result.source.root.find("csim") == nullptr)
    return failed(file, "a study, expected a scene; `csim study run " + file + "` runs it");
  if (result.source.root.kind != YamlNode::Kind::kMapping) {
    const Mark mark = result.source.root.mark;
    result.diagnostics.push_back(
        result.source.at(mark, "", "not a mapping, expected the keys of a scene (csim, time, bodies, …)"));
    return result;
  }
  const Overrides given(overrides, &result.source);
  result.diagnostics = given.apply(Overrides::Part::kModels);
  if (!result.ok()) return result;
  ProblemSink sink(result.source);
  const ModelExpansion models = expand_models(fs::path(file).parent_path(), &result.source, &sink);
  result.diagnostics = sink.sorted();
  if (!result.ok()) return result;
  result.diagnostics = given.apply(Overrides::Part::kOthers);
  if (!result.ok()) return result;
  result.model_files = models.files;
  result.scene = read_all(result.source, file, models, &sink);
  result.diagnostics = sink.sorted();
  result.warnings = sink.sorted_warnings();
  result.notes = sink.sorted_notes();
  return result;
}

}  // namespace csim
