// A member of a struct of scene.h from and to YAML, by its type. A word in place of a number (`none`, `auto`,
// `rigid`) means no value of an optional number, and infinity of a plain one.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "scene/read/scene_reading.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {

template <class M>
struct MemberValue {
  static_assert(std::is_enum_v<M>, "a type of member that scenes cannot have yet");
  static M read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return reader.choice<M>(key);
  }
  /// The row lists the words in the order of the enumerators; an enumerator beyond them has no word.
  static std::optional<YamlNode> write(M value, const Field& field) {
    const auto index = static_cast<size_t>(value);
    if (index >= field.choices.size()) return std::nullopt;
    return yaml_word(field.choices[index].name);
  }
};

template <>
struct MemberValue<double> {
  static double read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return reader.is_any_word(key) ? std::numeric_limits<double>::infinity() : reader.number(key);
  }
  static std::optional<YamlNode> write(double value, const Field& field) {
    const bool word = std::isinf(value) && !field.choices.empty();
    return word ? yaml_word(field.choices.front().name) : yaml_number(value);
  }
};

template <>
struct MemberValue<std::optional<double>> {
  static std::optional<double> read(const SectionReader& reader, const std::string& key,
                                    const SceneReading*) {
    return reader.is_any_word(key) ? std::nullopt : std::optional(reader.number(key));
  }
  static std::optional<YamlNode> write(const std::optional<double>& value, const Field& field) {
    if (value) return yaml_number(*value);
    return field.choices.empty() ? std::nullopt : std::optional(yaml_word(field.choices.front().name));
  }
};

template <>
struct MemberValue<int> {
  static int read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return static_cast<int>(reader.number(key));
  }
  static std::optional<YamlNode> write(int value, const Field&) { return yaml_number(value); }
};

template <>
struct MemberValue<bool> {
  static bool read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return reader.boolean(key);
  }
  static std::optional<YamlNode> write(bool value, const Field&) {
    return yaml_word(value ? "true" : "false");
  }
};

/// Empty texts and lists are left out.
template <>
struct MemberValue<std::string> {
  static std::string read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return reader.text(key);
  }
  static std::optional<YamlNode> write(const std::string& value, const Field&) {
    return value.empty() ? std::nullopt : std::optional(yaml_text(value));
  }
};

template <>
struct MemberValue<Vector3> {
  static Vector3 read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return reader.vector3(key);
  }
  static std::optional<YamlNode> write(const Vector3& value, const Field&) { return yaml_vector(value); }
};

template <>
struct MemberValue<std::vector<double>> {
  static std::vector<double> read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return reader.numbers(key);
  }
  static std::optional<YamlNode> write(const std::vector<double>& value, const Field&) {
    return value.empty() ? std::nullopt : std::optional(yaml_numbers(value));
  }
};

template <>
struct MemberValue<std::vector<Vector3>> {
  static std::vector<Vector3> read(const SectionReader& reader, const std::string& key, const SceneReading*) {
    return reader.points(key);
  }
  static std::optional<YamlNode> write(const std::vector<Vector3>& value, const Field&) {
    if (value.empty()) return std::nullopt;
    YamlNode list = yaml_list();
    for (const Vector3& point : value) list.items.push_back(yaml_vector(point));
    return list;
  }
};

template <>
struct MemberValue<Selector> {
  static Selector read(const SectionReader& reader, const std::string& key, const SceneReading* reading) {
    return read_selector(reader, key, *reading);
  }
  static std::optional<YamlNode> write(const Selector& value, const Field&) { return yaml_text(value.text); }
};

}  // namespace csim
