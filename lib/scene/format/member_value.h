// A member of a struct of scene.h from and to YAML, by its type. A word in place of a number (`none`, `auto`,
// `rigid`) means no value of an optional number, and infinity of a plain one. An enumeration has its words in
// the order of the enumerators. Empty texts and lists are not written, nor enumerators without a word.
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
M read_member(const SectionReader& reader, const std::string& key, const SceneReading& reading) {
  if constexpr (std::is_enum_v<M>) return reader.choice<M>(key);
  if constexpr (std::is_same_v<M, bool>) return reader.boolean(key);
  if constexpr (std::is_same_v<M, int>) return static_cast<int>(reader.number(key));
  if constexpr (std::is_same_v<M, double>)
    return reader.is_any_word(key) ? std::numeric_limits<double>::infinity() : reader.number(key);
  if constexpr (std::is_same_v<M, std::optional<double>>)
    return reader.is_any_word(key) ? std::nullopt : std::optional(reader.number(key));
  if constexpr (std::is_same_v<M, std::string>) return reader.text(key);
  if constexpr (std::is_same_v<M, std::vector<std::string>>) return reader.texts(key);
  if constexpr (std::is_same_v<M, Vector3>) return reader.vector3(key);
  if constexpr (std::is_same_v<M, std::vector<double>>) return reader.numbers(key);
  if constexpr (std::is_same_v<M, std::vector<Vector3>>) return reader.points(key);
  if constexpr (std::is_same_v<M, Selector>) return read_selector(reader, key, reading);
}

inline YamlNode node_of(int value) {
  return yaml_number(value);
}
inline YamlNode node_of(bool value) {
  return yaml_word(value ? "true" : "false");
}
inline YamlNode node_of(const std::string& value) {
  return yaml_text(value);
}
inline YamlNode node_of(const Vector3& value) {
  return yaml_vector(value);
}
inline YamlNode node_of(const Selector& value) {
  return yaml_text(value.text);
}
inline YamlNode node_of(const std::vector<std::string>& value) {
  if (value.size() == 1) return yaml_text(value.front());
  YamlNode list = yaml_list();
  for (const std::string& one : value) list.items.push_back(yaml_text(one));
  return list;
}
inline YamlNode node_of(const std::vector<double>& value) {
  return yaml_numbers(value);
}
inline YamlNode node_of(const std::vector<Vector3>& value) {
  YamlNode list = yaml_list();
  for (const Vector3& point : value) list.items.push_back(yaml_vector(point));
  return list;
}

template <class M>
std::optional<YamlNode> write_member(const M& value, const Field& field) {
  const auto word = [&](std::size_t i) {
    return i < field.choices.size() ? std::optional(yaml_word(field.choices[i].name)) : std::nullopt;
  };
  if constexpr (std::is_enum_v<M>) {
    return word(static_cast<std::size_t>(value));
  } else if constexpr (std::is_same_v<M, double>) {
    return std::isinf(value) && !field.choices.empty() ? word(0) : yaml_number(value);
  } else if constexpr (std::is_same_v<M, std::optional<double>>) {
    return value ? yaml_number(*value) : word(0);
  } else if constexpr (requires { value.empty(); }) {
    return value.empty() ? std::nullopt : std::optional(node_of(value));
  } else {
    return node_of(value);
  }
}

}  // namespace csim
