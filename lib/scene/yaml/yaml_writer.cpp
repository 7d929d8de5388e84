#include "scene/yaml/yaml_writer.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/number_format.h"
#include "core/require.h"
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

bool is_leaf(const YamlNode& node) {
  return node.kind == YamlNode::Kind::kScalar || node.kind == YamlNode::Kind::kNull;
}

/// Calls f(head, child) for each child of a node in block style, `head` being what stands before it on its
/// line: the indentation and the key, or "- ". `first` stands in place of the first line's indentation
/// ("  - ").
template <typename F>
void each_line(const YamlNode& node, size_t indent, std::string first, const F& f) {
  const std::string margin(indent, ' ');
  for (const YamlEntry& entry : node.entries) {
    f(first + key_text(entry.key) + ": ", entry.value);
    first = margin;
  }
  for (const YamlNode& item : node.items) {
    f(first + "- ", item);
    first = margin;
  }
}

/// How a child goes on that does not fit on its line: behind "- " at once, else on the next one.
struct Below {
  std::string line;  // that is ended before
  size_t indent;
  std::string first;
};
Below below(const std::string& head, size_t indent) {
  if (head.size() > 1 && head.back() == ' ' && head[head.size() - 2] == '-') return {"", head.size(), head};
  return {head.substr(0, head.size() - 1) + "\n", indent + 2, std::string(indent + 2, ' ')};
}

/// Lines of a node in block style, each indented by `indent`.
void block(const YamlNode& node, size_t indent, const std::string& first, std::string* text) {
  each_line(node, indent, first, [&](const std::string& head, const YamlNode& child) {
    std::string line = head;
    if (add_flow(child, kLineWidth, &line) || is_leaf(child)) {
      *text += line + "\n";
    } else {
      const Below rest = below(head, indent);
      *text += rest.line;
      block(child, rest.indent, rest.first, text);
    }
  });
}

/// What stands in a place while the form is made; elsewhere the writer escapes it.
constexpr char kPlace = '\x01';

/// Marks the places; the order in which they stand in the text goes to *order.
void mark_places(YamlNode* node, const std::vector<YamlNode*>& places, std::vector<std::size_t>* order) {
  const auto place = std::find(places.begin(), places.end(), node);
  if (place != places.end()) {
    order->push_back(static_cast<std::size_t>(place - places.begin()));
    node->text = kPlace;
  }
  for (YamlEntry& entry : node->entries) mark_places(&entry.value, places, order);
  for (YamlNode& item : node->items) mark_places(&item, places, order);
}

}  // namespace

std::string write_yaml(const YamlNode& node) {
  std::string text;
  const bool leaf = node.items.empty() && node.entries.empty();
  if (leaf) return write_flow(node) + "\n";
  block(node, 0, "", &text);
  return text;
}

/// A text with places in it; what stands in its place, `below`, once it is longer than a line.
struct YamlForm::Part {
  std::vector<std::string> chunks;  // between the places
  std::vector<std::size_t> places;  // the values that stand there: one less than chunks
  std::size_t length = 0;           // of the line without its end, places empty
  std::vector<Part> below;          // empty: a line at any length

  void append(const std::vector<std::string>& values, std::string* text) const {
    std::size_t total = length;
    for (const std::size_t place : places) total += values[place].size();
    if (!below.empty() && total > kLineWidth) {
      for (const Part& part : below) part.append(values, text);
      return;
    }
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      *text += chunks[i];
      if (i < places.size()) *text += values[places[i]];
    }
  }
};

/// Makes the parts of a form; follows `block`.
class YamlForm::Maker {
 public:
  explicit Maker(std::vector<std::size_t> order) : order_(std::move(order)) {}

  void add(const YamlNode& node, std::size_t indent, const std::string& first, std::vector<Part>* parts) {
    each_line(node, indent, first, [&](const std::string& head, const YamlNode& child) {
      std::string line = head;
      const bool may_fit = add_flow(child, kLineWidth + order_.size(), &line);
      const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), kPlace));
      const bool is_line = is_leaf(child) || (may_fit && line.size() - count <= kLineWidth);
      if (!is_line) {
        const Below rest = below(head, indent);
        add_constant(rest.line, parts);
        add(child, rest.indent, rest.first, parts);
      } else if (count == 0) {
        add_constant(line + "\n", parts);
      } else {
        Part part = part_of(line);
        if (!is_leaf(child)) {
          const std::size_t at = at_;
          const Below rest = below(head, indent);
          add_constant(rest.line, &part.below);
          add(child, rest.indent, rest.first, &part.below);
          at_ = at;
        }
        at_ += count;
        parts->push_back(std::move(part));
      }
    });
  }

 private:
  static void add_constant(const std::string& text, std::vector<Part>* parts) {
    if (parts->empty() || !parts->back().places.empty()) parts->push_back({{""}, {}, 0, {}});
    parts->back().chunks.back() += text;
  }

  [[nodiscard]] Part part_of(const std::string& line) const {
    Part part;
    std::size_t begin = 0;
    for (std::size_t end; (end = line.find(kPlace, begin)) != std::string::npos; begin = end + 1) {
      part.chunks.push_back(line.substr(begin, end - begin));
      part.places.push_back(order_[at_ + part.places.size()]);
    }
    part.chunks.push_back(line.substr(begin) + "\n");
    part.length = line.size() - part.places.size();
    return part;
  }

  std::vector<std::size_t> order_;  // of the places in the text
  std::size_t at_ = 0;              // the next one
};

YamlForm::YamlForm(YamlNode* root, const std::vector<YamlNode*>& places) {
  std::vector<std::size_t> order;
  mark_places(root, places, &order);
  CSIM_REQUIRE(order.size() == places.size() && !root->entries.empty(), order.size(), places.size());
  Maker(std::move(order)).add(*root, 0, "", &parts_);
}

YamlForm::YamlForm(YamlForm&&) noexcept = default;
YamlForm& YamlForm::operator=(YamlForm&&) noexcept = default;
YamlForm::~YamlForm() = default;

std::string YamlForm::text(const std::vector<std::string>& values) const {
  std::string text;
  for (const Part& part : parts_) part.append(values, &text);
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
