#include "scene/yaml/yaml_writer.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/number_format.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

constexpr size_t kLineWidth = 100;  // characters

/// Letters, digits, _ + - / . with a letter or _ first, and no word that YAML 1.1 or 1.2 takes for something
/// else.
bool is_plain(const std::string& text) {
  static const std::array<const char*, 9> kWords{"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  constexpr size_t kLongestWord = 5;
  if (text.empty() || !(std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_')) return false;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool allowed =
        byte < 0x80 && (std::isalnum(byte) || c == '_' || c == '+' || c == '-' || c == '/' || c == '.');
    if (!allowed) return false;
  }
  if (text.size() > kLongestWord) return true;
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += format_text("\\x%02x", byte);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string scalar(const YamlNode& node) {
  return node.quoted ? quoted(node.text) : node.text;
}
std::string key_text(const std::string& key) {
  return is_plain(key) ? key : quoted(key);
}

/// Appends a node in flow style; false, with part of it, once *text is longer than `most` characters. A tree
/// is tried on one line at each of its levels: this keeps it linear in the text.
bool add_flow(const YamlNode& node, size_t most, std::string* text) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      *text += "null";
      break;
    case YamlNode::Kind::kScalar:
      *text += scalar(node);
      break;
    case YamlNode::Kind::kSequence: {
      *text += "[";
      const char* separator = "";
      for (const YamlNode& item : node.items) {
        *text += separator;
        if (!add_flow(item, most, text)) return false;
        separator = ", ";
      }
      *text += "]";
      break;
    }
    case YamlNode::Kind::kMapping: {
      *text += "{";
      const char* separator = "";
      for (const YamlEntry& entry : node.entries) {
        *text += separator + key_text(entry.key) + ": ";
        if (!add_flow(entry.value, most, text)) return false;
        separator = ", ";
      }
      *text += "}";
      break;
    }
  }
  return text->size() <= most;
}

/// Lines of a node in block style, each indented by `indent`; `first` stands in place of the first line's
/// indentation ("  - ").
void block(const YamlNode& node, size_t indent, std::string first, std::string* text) {
  const std::string margin(indent, ' ');
  const auto value = [&](const std::string& head, const YamlNode& child) {
    const bool leaf = child.kind == YamlNode::Kind::kScalar || child.kind == YamlNode::Kind::kNull;
    std::string line = head;
    if (add_flow(child, kLineWidth, &line) || leaf) {
      *text += line + "\n";
    } else if (!head.empty() && head.back() == ' ' && head[head.size() - 2] == '-') {
      block(child, head.size(), head, text);
    } else {
      *text += head.substr(0, head.size() - 1) + "\n";
      block(child, indent + 2, std::string(indent + 2, ' '), text);
    }
  };
  for (const YamlEntry& entry : node.entries) {
    value(first + key_text(entry.key) + ": ", entry.value);
    first = margin;
  }
  for (const YamlNode& item : node.items) {
    value(first + "- ", item);
    first = margin;
  }
}

}  // namespace

std::string write_yaml(const YamlNode& node) {
  std::string text;
  const bool leaf = node.items.empty() && node.entries.empty();
  if (leaf) return write_flow(node) + "\n";
  block(node, 0, "", &text);
  return text;
}

std::string write_flow(const YamlNode& node) {
  std::string text;
  add_flow(node, std::string::npos, &text);
  return text;
}

YamlNode yaml_word(const std::string& word) {
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.text = word;
  return node;
}

YamlNode yaml_number(double value) {
  return yaml_word(format_number(value));
}

YamlNode yaml_text(const std::string& text) {
  YamlNode node = yaml_word(text);
  node.quoted = !is_plain(text);
  return node;
}

YamlNode yaml_list(std::vector<YamlNode> items) {
  YamlNode node;
  node.kind = YamlNode::Kind::kSequence;
  node.items = std::move(items);
  return node;
}

YamlNode yaml_numbers(const std::vector<double>& values) {
  YamlNode node = yaml_list();
  for (double value : values) node.items.push_back(yaml_number(value));
  return node;
}

YamlNode yaml_vector(const Vector3& v) {
  return yaml_numbers({v.x(), v.y(), v.z()});
}

YamlNode yaml_coordinates(const std::vector<double>& values) {
  return values.size() == 1 ? yaml_number(values[0]) : yaml_numbers(values);
}

YamlNode& add_entry(YamlNode* mapping, const std::string& key, YamlNode value) {
  mapping->kind = YamlNode::Kind::kMapping;
  mapping->entries.push_back({key, {}, std::move(value)});
  return *mapping;
}

}  // namespace csim
