#include "scene/urdf/element_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/number_format.h"
#include "scene/read/scene_reading.h"

namespace csim {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

bool parse_finite(std::string_view word, double* value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size() && std::isfinite(*value);
}

/// Of a link, a joint or another element that is named: "link[foot]".
std::string path_of(const std::string& parent, XmlElement element) {
  const std::string_view name = element.attribute("name");
  std::string path = parent + "/" + std::string(element.name());
  if (!name.empty()) path += "[" + std::string(name) + "]";
  return path;
}

}  // namespace

RobotFile::RobotFile(const std::string& name, std::string bytes, std::string_view root, SceneSource* source,
                     ProblemSink* sink)
    : bytes_(std::move(bytes)),
      document_(bytes_),
      source_(source),
      sink_(sink),
      text_(source->add_text(name, bytes_)) {
  if (!document_.error().empty()) {
    sink_->report({text_, static_cast<int>(document_.error_place().line),
                   static_cast<int>(document_.error_place().column)},
                  std::string(root), document_.error_text());
    return;
  }
  const XmlElement element = document_.root();
  if (element.name() == root) {
    root_ = element;
  } else {
    report(element, std::string(element.name()),
           "'" + std::string(element.name()) + "', expected '" + std::string(root) + "' around the file" +
               (element.name() == "mujoco" ? " (`csim.py import-mjcf FILE.xml` makes a scene of it)" : ""));
  }
}

Mark RobotFile::mark(XmlElement element, const std::string& path) {
  const TextPlace place = document_.place(element);
  const Mark mark{text_, static_cast<int>(place.line), static_cast<int>(place.column)};
  source_->name_place(mark, path);
  return mark;
}

void RobotFile::report(XmlElement element, const std::string& path, const std::string& message) {
  sink_->report(mark(element, path), path, message);
}

void RobotFile::note(const Mark& mark, const std::string& path, const std::string& name,
                     const std::string& message) {
  for (Note& note : notes_) {
    if (note.message != message) continue;
    note.names.push_back(name);
    return;
  }
  notes_.push_back({mark, path, message, {name}});
}

void RobotFile::send_notes() {
  constexpr std::size_t kMostNamed = 4;
  for (const Note& note : notes_) {
    std::string names;
    for (std::size_t i = 0; i < std::min(note.names.size(), kMostNamed); ++i)
      names += (i > 0 ? ", " : "") + note.names[i];
    if (note.names.size() > kMostNamed)
      names += " and " + std::to_string(note.names.size() - kMostNamed) + " more";
    sink_->note(note.mark, note.path, note.message + ": " + names);
  }
  notes_.clear();
}

ElementReader::ElementReader(RobotFile* file, XmlElement element, std::string path)
    : file_(file), element_(element), path_(std::move(path)) {}

ElementReader ElementReader::only(const char* tag) const {
  const std::vector<ElementReader> found = all(tag);
  if (found.empty()) return {file_, XmlElement(), path_ + "/" + tag};
  if (found.size() > 1) found[1].report("a second one, expected one");
  return found[0];
}

std::vector<ElementReader> ElementReader::all(const char* tag) const {
  std::vector<ElementReader> found = all();
  std::erase_if(found, [tag](const ElementReader& child) { return child.tag() != tag; });
  return found;
}

std::vector<ElementReader> ElementReader::all() const {
  std::vector<ElementReader> found;
  for (XmlElement child = element_.first_child(); child; child = child.next())
    found.emplace_back(file_, child, path_of(path_, child));
  return found;
}

bool ElementReader::has(const char* attribute) const {
  return element_.has_attribute(attribute);
}

std::string ElementReader::text(const char* attribute) const {
  return std::string(element_.attribute(attribute));
}

std::string ElementReader::name(const char* attribute) const {
  const std::string name = text(attribute);
  if (name.empty()) {
    report("missing, expected the attribute " + std::string(attribute));
  } else if (name.find("::") != std::string::npos) {
    report("'" + name + "', expected a name without '::'");
    return "";
  }
  return name;
}

std::optional<std::vector<double>> ElementReader::numbers(const char* attribute, std::size_t count) const {
  if (!has(attribute)) return std::nullopt;
  const std::string text = this->text(attribute);
  const std::vector<std::string_view> words = words_of(text);
  std::vector<double> values(words.size());
  const bool good = words.size() == count && std::equal(words.begin(), words.end(), values.begin(),
                                                        [](std::string_view word, double& value) {
                                                          return parse_finite(word, &value);
                                                        });
  if (good) return values;
  report(std::string(attribute) + " '" + text + "', expected " +
         (count == 1 ? "a finite number" : std::to_string(count) + " finite numbers"));
  return std::nullopt;
}

std::optional<double> ElementReader::number(const char* attribute) const {
  const std::optional<std::vector<double>> values = numbers(attribute, 1);
  return values ? std::optional(values->front()) : std::nullopt;
}

std::optional<double> ElementReader::required_number(const char* attribute) const {
  if (!has(attribute)) report("missing, expected the attribute " + std::string(attribute) + ", a number");
  return number(attribute);
}

std::optional<Vector3> ElementReader::vector(const char* attribute) const {
  const std::optional<std::vector<double>> values = numbers(attribute, 3);
  return values ? std::optional(Vector3((*values)[0], (*values)[1], (*values)[2])) : std::nullopt;
}

Pose ElementReader::origin() const {
  Pose pose;
  const ElementReader origin = only("origin");
  if (!origin) return pose;
  pose.xyz = origin.vector("xyz").value_or(Vector3::Zero());
  pose.rotation = quaternion_from_rpy(origin.vector("rpy").value_or(Vector3::Zero()));
  if (!origin.has("quat_xyzw")) return pose;
  if (origin.has("rpy")) origin.report("quat_xyzw beside rpy, expected one of the two");
  const std::optional<std::vector<double>> q = origin.numbers("quat_xyzw", 4);
  if (!q) return pose;
  const Quaternion given((*q)[3], (*q)[0], (*q)[1], (*q)[2]);
  if (std::abs(given.norm() - 1.0) > kQuaternionSlack) {
    origin.report("a quaternion of norm " + format_number(given.norm()) + ", expected 1 within " +
                  format_number(kQuaternionSlack));
    return pose;
  }
  pose.rotation = unit_quaternion(given);
  return pose;
}

}  // namespace csim
