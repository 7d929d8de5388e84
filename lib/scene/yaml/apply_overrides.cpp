#include "scene/yaml/apply_overrides.h"

#include <algorithm>

#include "core/nearest_name.h"
#include "scene/format/fields.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

struct Fault {
  Mark mark;
  std::string path;
  std::string message;
};

/// Walks the tree along the keys of one override.
class Walk {
 public:
  Walk(YamlNode* root, int source, std::vector<std::string> keys, std::vector<int> columns)
      : node_(root), source_(source), keys_(std::move(keys)), columns_(std::move(columns)) {}

  /// Puts the value at the end of the way; throws a Fault.
  void put(YamlNode value) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      switch (node_->kind) {
        case Kind::kMapping:
          enter_mapping(&i);
          break;
        case Kind::kSequence:
          enter_list(&i);
          break;
        default:
          throw Fault{mark(i), path(i), "no key here, " + path_before(i) + " is " + describe(*node_)};
      }
    }
    *node_ = std::move(value);
  }

 private:
  Mark mark(size_t i) const { return {source_, 1, columns_[i]}; }
  std::string path(size_t i) const {
    std::string text;
    for (size_t k = 0; k <= i; ++k) text += (k > 0 ? "." : "") + keys_[k];
    return text;
  }
  std::string path_before(size_t i) const { return i == 0 ? "the scene" : path(i - 1); }

  /// The entry of a name that may hold dots (`tool.x`), whose last key *i becomes; null for none.
  YamlNode* find_named(size_t* i) {
    std::string name = keys_[*i];
    for (size_t k = *i;; name += "." + keys_[++k]) {
      if (YamlNode* value = node_->find(name)) {
        *i = k;
        return value;
      }
      if (k + 1 == keys_.size()) return nullptr;
    }
  }

  /// *place becomes the last key of the entry's name.
  void enter_mapping(size_t* place) {
    const Field* field = section_ != nullptr && !names_ ? section_->find(keys_[*place]) : nullptr;
    YamlNode* value = names_ ? find_named(place) : node_->find(keys_[*place]);
    const size_t i = *place;
    const bool last = i + 1 == keys_.size();
    if (value == nullptr) {
      if (names_ && !last) throw missing_element(i, mark(i), keys_of(*node_));
      if (!last && field != nullptr && field->type == FieldType::kSectionList)
        throw missing_element(i + 1, mark(i), {});
      // The last one is but a place for the value, which brings its mark.
      node_->entries.push_back({keys_[i], mark(i), last ? YamlNode{} : fresh_value(field, i)});
      value = &node_->entries.back().value;
    }
    // Into the mapping of a name (a material), or under a key of the table.
    if (names_) {
      names_ = false;
    } else {
      section_ = field != nullptr ? field->section : nullptr;
      names_ = field != nullptr && field->type == FieldType::kSectionMap;
    }
    node_ = value;
  }

  /// *i becomes the last key of the element's name.
  void enter_list(size_t* i) {
    YamlNode* element = const_cast<YamlNode*>(find_element(*node_, keys_, i));
    if (element == nullptr) throw missing_element(*i, mark(*i), names_in(*node_));
    node_ = element;
  }

  /// What a key that the scene leaves out is before a key below it changes: the default of a list of numbers,
  /// else a mapping without keys.
  YamlNode fresh_value(const Field* field, size_t i) const {
    YamlNode fresh;
    if (field != nullptr && field->type == FieldType::kNumbers) {
      if (!field->standard || field->standard->kind != Kind::kSequence)
        throw Fault{mark(i + 1), path(i + 1),
                    "the scene gives no list " + path(i) + ", expected the whole list"};
      fresh = *field->standard;
      for (YamlNode& item : fresh.items) item.mark = mark(i);
    } else {
      fresh.kind = Kind::kMapping;
    }
    fresh.mark = mark(i);
    return fresh;
  }

  Fault missing_element(size_t i, const Mark& place, const std::vector<std::string>& known) const {
    const std::string expected = known.empty() ? "which has none" : "expected one that the scene has";
    return {place, path(i),
            "no element '" + keys_[i] + "' in " + path_before(i) + ", " + expected +
                did_you_mean(keys_[i], known)};
  }

  static std::vector<std::string> keys_of(const YamlNode& mapping) {
    std::vector<std::string> keys;
    for (const YamlEntry& entry : mapping.entries) keys.push_back(entry.key);
    return keys;
  }

  static std::vector<std::string> names_in(const YamlNode& list) {
    std::vector<std::string> names;
    for (size_t k = 0; k < list.items.size(); ++k)
      names.push_back(element_path("", list.items[k], k).substr(1));
    return names;
  }

  YamlNode* node_;
  int source_;
  std::vector<std::string> keys_;
  std::vector<int> columns_;                   // of the keys in the argument
  const Section* section_ = &scene_section();  // of the keys of node_, nullptr where the table knows none
  bool names_ = false;                         // the keys of node_ are names of `section_`s
};

/// Where the keys of a path begin in it, 1-based.
std::vector<int> columns_of(const std::string& path) {
  std::vector<int> columns{1};
  for (size_t i = 0; i < path.size(); ++i) {
    const bool closes = path[i] == ']' && i + 1 < path.size() && path[i + 1] == '.';
    if (path[i] == '[' || (path[i] == '.' && !(i > 0 && path[i - 1] == ']')) || closes)
      columns.push_back(static_cast<int>(i) + (closes ? 3 : 2));
  }
  return columns;
}

void apply(const std::string& argument, int source, YamlNode* root) {
  OverrideParts parts = split_override(argument, source);
  const std::string& key = parts.key;
  const std::string plain = plain_path(key);
  const std::vector<std::string> keys = split_path(plain);
  if (!key.empty() && (plain.back() == '.' || std::find(keys.begin(), keys.end(), "") != keys.end())) {
    throw Fault{{source, 1, 1}, key, "an empty key on the way, expected names with single dots between them"};
  }
  if (parts.error) throw Fault{parts.error->mark, key, parts.error->message};
  Walk(root, source, keys, columns_of(key)).put(std::move(parts.value));
}

}  // namespace

OverrideParts split_override(const std::string& argument, int source) {
  OverrideParts parts;
  const size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    parts.error = {{source, 1, 1}, "'" + argument + "', expected KEY=VALUE such as contact.model=sap"};
    return parts;
  }
  parts.key = argument.substr(0, equals);
  const int column = static_cast<int>(equals) + 2;
  YamlParse value = parse_yaml(argument.substr(equals + 1), source, column);
  if (!value.errors.empty()) parts.error = value.errors.front();
  if (value.root.kind == Kind::kNull) value.root.mark = {source, 1, column};
  parts.value = std::move(value.root);
  return parts;
}

Overrides::Overrides(std::vector<std::string> arguments, SceneSource* source)
    : arguments_(std::move(arguments)), source_(source) {
  for (const std::string& argument : arguments_) texts_.push_back(source->add_override(argument));
}

Diagnostics Overrides::apply(Part part) const {
  Diagnostics diagnostics;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const std::string& argument = arguments_[i];
    const std::vector<std::string> keys = split_path(plain_path(argument.substr(0, argument.find('='))));
    const bool of_models = !keys.empty() && keys.front() == "models";
    if (of_models != (part == Part::kModels)) continue;
    try {
      csim::apply(argument, texts_[i], &source_->root);
    } catch (const Fault& fault) {
      diagnostics.push_back(source_->at(fault.mark, fault.path, fault.message));
    }
  }
  return diagnostics;
}

}  // namespace csim
