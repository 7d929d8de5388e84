#include "scene/yaml/scene_source.h"

#include <charconv>
#include <utility>

#include "core/nearest_name.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

/// The name that a list element gives itself, or nullptr.
const std::string* name_of(const YamlNode& element) {
  const YamlNode* name = element.find("name");
  const bool good = name != nullptr && name->kind == YamlNode::Kind::kScalar &&
                    (is_name(name->text) || is_item_name(name->text));
  return good ? &name->text : nullptr;
}

}  // namespace

SceneSource::SceneSource(std::string file, std::string text) : text_(std::move(text)) {
  texts_.push_back({std::move(file), SourceLines(text_)});
}

int SceneSource::add_override(const std::string& argument) {
  texts_.push_back({"--set " + argument.substr(0, argument.find('=')), SourceLines(argument)});
  return static_cast<int>(texts_.size()) - 1;
}

int SceneSource::add_text(const std::string& name, const std::string& text) {
  texts_.push_back({name, SourceLines(text)});
  return static_cast<int>(texts_.size()) - 1;
}

void SceneSource::name_place(const Mark& mark, const std::string& path) {
  place_names_[{mark.source, mark.line, mark.column}] = path;
}

Diagnostic SceneSource::at(const Mark& mark, const std::string& path, const std::string& message) const {
  const Text& text = texts_[mark.source];
  const auto named = place_names_.find({mark.source, mark.line, mark.column});
  const SourceExcerpt shown = text.lines.around(mark.line, mark.column);
  return {text.name, mark.line,  mark.column,       named != place_names_.end() ? named->second : path,
          message,   shown.text, shown.first_column};
}

const std::string& SceneSource::line(const Mark& mark) const {
  return texts_[mark.source].lines.line(mark.line);
}

Diagnostic SceneSource::locate(const Problem& problem) const {
  const YamlNode* node = &root;
  const std::vector<std::string> keys = split_path(problem.path);
  for (size_t i = 0; i < keys.size(); ++i) {
    const YamlNode* next =
        node->kind == YamlNode::Kind::kSequence ? find_element(*node, keys, &i) : node->find(keys[i]);
    if (next == nullptr) break;
    node = next;
  }
  return at(node->mark, problem.path, problem.message);
}

Diagnostics SceneSource::locate(const Problems& problems) const {
  Diagnostics diagnostics;
  for (const Problem& problem : problems) diagnostics.push_back(locate(problem));
  return diagnostics;
}

const YamlNode* find_element(const YamlNode& list, std::string_view key) {
  for (const YamlNode& item : list.items) {
    const std::string* name = name_of(item);
    if (name != nullptr && *name == key) return &item;
  }
  constexpr std::string_view kUnnamed = "geometry_";
  const bool unnamed = key.substr(0, kUnnamed.size()) == kUnnamed;
  const std::string_view digits = unnamed ? key.substr(kUnnamed.size()) : key;
  size_t index = 0;
  const std::from_chars_result result = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool good =
      result.ec == std::errc() && result.ptr == digits.data() + digits.size() && index < list.items.size();
  if (!good || (unnamed && name_of(list.items[index]) != nullptr)) return nullptr;
  return &list.items[index];
}

const YamlNode* find_element(const YamlNode& list, const std::vector<std::string>& keys, size_t* i) {
  std::string name = keys[*i];
  for (size_t last = *i;; name += "." + keys[last]) {
    if (const YamlNode* element = find_element(list, name)) {
      *i = last;
      return element;
    }
    if (++last == keys.size()) return nullptr;
  }
}

const YamlNode* find_value(const YamlNode& root, std::string_view path, std::string* fault) {
  const YamlNode* node = &root;
  const std::vector<std::string> keys = split_path(plain_path(path));
  for (size_t k = 0; k < keys.size(); ++k) {
    const std::string& part = keys[k];
    const YamlNode* next =
        node->kind == YamlNode::Kind::kSequence ? find_element(*node, keys, &k) : node->find(part);
    if (next == nullptr) {
      std::vector<std::string> known;
      for (const YamlEntry& entry : node->entries) known.push_back(entry.key);
      for (std::size_t i = 0; i < node->items.size(); ++i)
        known.push_back(element_path("", node->items[i], i).substr(1));
      *fault = "the scene has no '" + part + "' there" + did_you_mean(part, known);
      return nullptr;
    }
    node = next;
  }
  return node;
}

std::string element_path(const std::string& path, const YamlNode& element, size_t index) {
  const std::string* name = name_of(element);
  return path + "." + (name != nullptr ? *name : std::to_string(index));
}

std::string plain_path(std::string_view path) {
  std::string plain;
  for (size_t i = 0; i < path.size(); ++i) {
    const bool closes = path[i] == ']' && (i + 1 == path.size() || path[i + 1] == '.' || path[i + 1] == '[');
    if (!closes) plain += path[i] == '[' ? '.' : path[i];
  }
  return plain;
}

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> keys;
  while (!path.empty()) {
    const size_t dot = path.find('.');
    keys.emplace_back(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return keys;
}

}  // namespace csim
