// One element of a robot's XML file: its values, read strictly, and its problems with their places.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "core/xml.h"
#include "scene/read/section_reader.h"
#include "scene/scene.h"

namespace csim {

/// An XML file among the texts of a scene: where its problems and notes go.
class RobotFile {
 public:
  /// Enters `bytes` as a text of the scene; `name` is the file in messages. Reports text that is not XML and
  /// a root that is not called `root`; then there is no root().
  RobotFile(const std::string& name, std::string bytes, std::string_view root, SceneSource* source,
            ProblemSink* sink);

  [[nodiscard]] XmlElement root() const { return root_; }
  /// The place of an element; `path` ("robot/link[foot]") is what problems found there later are said of.
  Mark mark(XmlElement element, const std::string& path);
  void report(XmlElement element, const std::string& path, const std::string& message);
  /// One note for all elements of a kind: the first element's place, and their names after `message`.
  void note(const Mark& mark, const std::string& path, const std::string& name, const std::string& message);
  /// Hands the notes over to the sink.
  void send_notes();

 private:
  struct Note {
    Mark mark;
    std::string path, message;
    std::vector<std::string> names;
  };

  std::string bytes_;
  XmlDocument document_;
  XmlElement root_;
  SceneSource* source_;
  ProblemSink* sink_;
  int text_;  // of the scene's texts
  std::vector<Note> notes_;
};

class ElementReader {
 public:
  /// `path` as in messages.
  ElementReader(RobotFile* file, XmlElement element, std::string path);

  /// The element is there.
  explicit operator bool() const { return static_cast<bool>(element_); }
  [[nodiscard]] std::string_view tag() const { return element_.name(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Mark mark() const { return file_->mark(element_, path_); }

  /// The only child of a name, or none; a second one is reported.
  [[nodiscard]] ElementReader only(const char* tag) const;
  /// All children of a name in the order of the file.
  [[nodiscard]] std::vector<ElementReader> all(const char* tag) const;
  /// All children.
  [[nodiscard]] std::vector<ElementReader> all() const;

  [[nodiscard]] bool has(const char* attribute) const;
  [[nodiscard]] std::string text(const char* attribute) const;
  /// A name that must be there: any text without "::"; "" after a report.
  [[nodiscard]] std::string name(const char* attribute) const;
  /// The numbers of an attribute; none without it, or after a report where they are not `count` finite ones.
  [[nodiscard]] std::optional<std::vector<double>> numbers(const char* attribute, std::size_t count) const;
  [[nodiscard]] std::optional<double> number(const char* attribute) const;
  /// A number that must be there.
  [[nodiscard]] std::optional<double> required_number(const char* attribute) const;
  [[nodiscard]] std::optional<Vector3> vector(const char* attribute) const;
  /// The pose that the child `origin` gives (xyz, and rpy or quat_xyzw); identity without it.
  [[nodiscard]] Pose origin() const;

  void report(const std::string& message) const { file_->report(element_, path_, message); }
  void note(const std::string& name, const std::string& message) const {
    file_->note(mark(), path_, name, message);
  }

 private:
  RobotFile* file_;
  XmlElement element_;
  std::string path_;
};

}  // namespace csim
