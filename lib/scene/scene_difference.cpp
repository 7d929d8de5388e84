#include "scene/scene_difference.h"

#include <algorithm>

#include "scene/yaml/scene_source.h"
#include "scene/yaml/yaml_document.h"

namespace csim {
namespace {

constexpr std::size_t kMaxShown = 60;  // characters of a value

std::string shown(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kScalar:
      return node.text.size() <= kMaxShown ? node.text : node.text.substr(0, kMaxShown) + "...";
    case YamlNode::Kind::kSequence: {
      std::string text = "[";
      for (const YamlNode& item : node.items)
        text += (&item == &node.items.front() ? "" : ", ") + shown(item);
      return text.size() <= kMaxShown ? text + "]" : std::to_string(node.items.size()) + " elements";
    }
    case YamlNode::Kind::kMapping:
      return std::to_string(node.entries.size()) + " keys";
    case YamlNode::Kind::kNull:
      break;
  }
  return "nothing";
}

/// A list of numbers or words, which is one value.
bool is_plain_list(const YamlNode& node) {
  return node.kind == YamlNode::Kind::kSequence &&
         std::all_of(node.items.begin(), node.items.end(),
                     [](const YamlNode& item) { return item.kind == YamlNode::Kind::kScalar; });
}

bool is_same(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [](const YamlEntry& x, const YamlEntry& y) {
                      return x.key == y.key && is_same(x.value, y.value);
                    });
}

struct Search {
  bool (*is_ignored)(const std::string& path);

  [[nodiscard]] std::string compare(const std::string& path, const YamlNode* a, const YamlNode* b) const {
    if (is_ignored(path)) return "";
    if (a == nullptr) return path + ": not given, now " + shown(*b);
    if (b == nullptr) return path + ": " + shown(*a) + ", now not given";
    if (a->kind == b->kind && a->kind == YamlNode::Kind::kMapping) return compare_mappings(path, *a, *b);
    if (a->kind == b->kind && a->kind == YamlNode::Kind::kSequence &&
        !(is_plain_list(*a) && is_plain_list(*b)))
      return compare_lists(path, *a, *b);
    return is_same(*a, *b) ? "" : path + ": " + shown(*a) + ", now " + shown(*b);
  }

  [[nodiscard]] std::string compare_mappings(const std::string& path, const YamlNode& a,
                                             const YamlNode& b) const {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const YamlEntry& entry : a.entries) {
      if (std::string text = compare(prefix + entry.key, &entry.value, b.find(entry.key)); !text.empty())
        return text;
    }
    for (const YamlEntry& entry : b.entries) {
      if (a.find(entry.key) != nullptr) continue;
      if (std::string text = compare(prefix + entry.key, nullptr, &entry.value); !text.empty()) return text;
    }
    return "";
  }

  [[nodiscard]] std::string compare_lists(const std::string& path, const YamlNode& a,
                                          const YamlNode& b) const {
    for (std::size_t i = 0; i < std::max(a.items.size(), b.items.size()); ++i) {
      const YamlNode* in_a = i < a.items.size() ? &a.items[i] : nullptr;
      const YamlNode* in_b = i < b.items.size() ? &b.items[i] : nullptr;
      const std::string at = element_path(path, in_a != nullptr ? *in_a : *in_b, i);
      if (std::string text = compare(at, in_a, in_b); !text.empty()) return text;
    }
    return "";
  }
};

}  // namespace

std::string first_difference(const std::string& resolved_a, const std::string& resolved_b,
                             bool (*is_ignored)(const std::string& path)) {
  const YamlParse a = parse_yaml(resolved_a), b = parse_yaml(resolved_b);
  return Search{is_ignored}.compare("", &a.root, &b.root);
}

}  // namespace csim
