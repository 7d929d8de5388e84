#include "scene/yaml/yaml_document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>
#include <utility>

namespace csim {
namespace {

constexpr size_t kDeepest = 64;            // levels of nesting; a scene needs nine
constexpr size_t kMostCopies = 1'000'000;  // nodes that aliases may add: stops "billion laughs"

/// Text that cannot become a tree; ends the parse.
struct Refused {
  YamlError error;
};

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A part of a line in a message: not all of a long one.
std::string shortened(const std::string& text) {
  constexpr size_t kLongest = 40;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "..";
}

/// The offset of the first byte that is not UTF-8 text (or is a control character other than tab and line
/// ends).
std::optional<size_t> first_bad_byte(const std::string& text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      const bool control = (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
      if (control) return i;
      ++i;
      continue;
    }
    const int tail = byte >= 0xF0 && byte < 0xF5   ? 3
                     : byte >= 0xE0 && byte < 0xF0 ? 2
                     : byte >= 0xC2 && byte < 0xE0 ? 1
                                                   : -1;
    if (tail < 0) return i;
    for (int k = 1; k <= tail; ++k) {
      if (i + k >= text.size() || (static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return i;
    }
    i += static_cast<size_t>(tail) + 1;
  }
  return std::nullopt;
}

/// What kind of text has this first byte that is none in UTF-8: " (..)", or "" for what is no text at all.
std::string encoding_of(const std::string& text, size_t bad_byte) {
  const std::string_view begin = std::string_view(text).substr(0, 2);
  const bool has_mark = begin == "\xFF\xFE" || begin == "\xFE\xFF";
  const bool has_zero = begin.size() == 2 && (begin[0] == 0) != (begin[1] == 0);
  if (has_mark || has_zero) return " (it is UTF-16: save it as UTF-8)";
  const bool has_control = std::any_of(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  if (has_control || static_cast<unsigned char>(text[bad_byte]) < 0x80) return "";
  return " (a letter in another encoding, such as Latin-1 or Windows-1252: save it as UTF-8)";
}

bool indented_with_tab(const std::vector<std::string>& lines, int line) {
  if (line < 1 || static_cast<size_t>(line) > lines.size()) return false;
  const std::string& text = lines[static_cast<size_t>(line) - 1];
  return text.substr(0, text.find_first_not_of(" \t")).find('\t') != std::string::npos;
}

size_t count_nodes(const YamlNode& node) {
  size_t count = 1;
  for (const YamlNode& item : node.items) count += count_nodes(item);
  for (const YamlEntry& entry : node.entries) count += 1 + count_nodes(entry.value);
  return count;
}

size_t depth(const YamlNode& node) {
  size_t deepest = 0;
  for (const YamlNode& item : node.items) deepest = std::max(deepest, depth(item));
  for (const YamlEntry& entry : node.entries) deepest = std::max(deepest, depth(entry.value));
  return deepest + 1;
}

/// Builds the tree from the parser's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::vector<std::string>& lines, int source, int first_column)
      : lines_(lines), source_(source), first_column_(first_column) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!list_as_key_ && documents_++ > 0)
      refuse(mark, "a second YAML document, expected one scene in a file");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (list_as_key_) return;
    YamlNode node;
    node.mark = place(mark);
    add(mark, std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (list_as_key_) return;
    if (expects_key()) refuse(mark, "an alias as a key, expected a plain word");
    const auto target = anchored_.find(anchor);
    if (target == anchored_.end()) refuse(mark, "an alias inside its own anchor");
    copies_ += target->second.size;
    if (copies_ > kMostCopies)
      refuse(mark, "aliases that unfold to more than " + std::to_string(kMostCopies) + " nodes");
    if (open_.size() + target->second.depth > kDeepest) refuse_depth(mark);
    add(mark, target->second.node, YAML::NullAnchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (list_as_key_) return;
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.mark = place(mark);
    node.text = value;
    node.quoted = tag == "!";
    if (node.quoted && !quote_closes(mark)) refuse(mark, "not valid YAML: a quote that is never closed");
    if (tag != "!" && tag != "?" && !tag.empty()) refuse_tag(mark, tag);
    if (expects_key()) {
      if (anchor != YAML::NullAnchor) refuse(mark, "an anchor on a key, expected it on a value");
      key_ = {value, node.mark};
      return;
    }
    add(mark, std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, YamlNode::Kind::kSequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, YamlNode::Kind::kMapping);
  }
  void OnMapEnd() override { close(); }

  /// The place of a mark of the library: 0-based, columns in bytes. Marks of a line mostly come in its order,
  /// so that characters are counted on from the last one: a line of any length is read once.
  Mark place(const YAML::Mark& mark) const {
    const int line = std::max(mark.line, 0), bytes = std::max(mark.column, 0);
    if (line != counted_.line || bytes < counted_.bytes) counted_ = {line, 0, 1};
    const std::string_view text =
        static_cast<size_t>(line) < lines_.size() ? lines_[static_cast<size_t>(line)] : std::string_view();
    for (; counted_.bytes < bytes; ++counted_.bytes) {
      const auto i = static_cast<size_t>(counted_.bytes);
      const bool continues = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
      if (!continues) ++counted_.column;
    }
    return {source_, line + 1, counted_.column + (line == 0 ? first_column_ - 1 : 0)};
  }

  /// " (the '[' at line 3, column 7 is still open)" when the text ends within brackets, which is where the
  /// fault usually is.
  std::string open_bracket() const {
    if (open_.empty() || !open_.back().flow) return "";
    const Mark mark = open_.back().node.mark;
    const char* bracket = open_.back().node.kind == YamlNode::Kind::kSequence ? "[" : "{";
    return std::string(" (the '") + bracket + "' at line " + std::to_string(mark.line) + ", column " +
           std::to_string(mark.column) + " is still open)";
  }

  /// Where a list or mapping stands as a key, which is refused. The library also takes a bracket that is
  /// never closed for the start of such a key, and notices only at the end: what follows is parsed on to tell
  /// the two apart, and dropped.
  const std::optional<Mark>& list_as_key() const { return list_as_key_; }

  YamlNode root;
  bool any = false;

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    bool flow = false;
    std::optional<std::pair<std::string, Mark>> key;  // of the mapping around it
  };
  struct Anchored {
    YamlNode node;
    size_t size = 0, depth = 0;
  };

  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::kMapping && !key_;
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& message) const {
    throw Refused{{place(mark), message}};
  }
  /// Whether the quote at or after the mark (an anchor stands before its value) has its other end. The
  /// library takes the end of the text for it.
  bool quote_closes(const YAML::Mark& mark) const {
    auto line = static_cast<size_t>(std::max(mark.line, 0));
    auto column = static_cast<size_t>(std::max(mark.column, 0));
    char quote = 0;  // 0: still before it
    bool in_anchor = false;
    for (; line < lines_.size(); ++line, column = 0, in_anchor = false) {
      const std::string& text = lines_[line];
      for (; column < text.size(); ++column) {
        const char c = text[column];
        if (quote == 0) {
          if (c == ' ' || c == '\t') {
            in_anchor = false;
          } else if (c == '#' && !in_anchor) {
            break;  // a comment
          } else if (c == '&') {
            in_anchor = true;
          } else if (!in_anchor) {
            if (c != '"' && c != '\'') return true;  // '|' or '>': text of lines has no quotes around it
            quote = c;
          }
        } else if (quote == '"' && c == '\\') {
          ++column;
        } else if (c == quote) {
          if (quote == '"' || column + 1 >= text.size() || text[column + 1] != quote) return true;
          ++column;  // '' stands for one within single quotes
        }
      }
    }
    return quote == 0;
  }
  [[noreturn]] void refuse_depth(const YAML::Mark& mark) const {
    refuse(mark, "more than " + std::to_string(kDeepest) + " levels of nesting");
  }
  [[noreturn]] void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    refuse(mark, "the YAML tag '" + tag + "', expected a value without a tag");
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style, YamlNode::Kind kind) {
    if (list_as_key_) return;
    if (expects_key()) {
      list_as_key_ = place(mark);
      return;
    }
    if (open_.size() >= kDeepest) refuse_depth(mark);
    if (tag != "?" && !tag.empty()) refuse_tag(mark, tag);
    Open level;
    level.node.kind = kind;
    level.node.mark = place(mark);
    level.anchor = anchor;
    level.flow = style == YAML::EmitterStyle::Flow;
    level.key = std::exchange(key_, std::nullopt);
    open_.push_back(std::move(level));
  }

  void close() {
    if (list_as_key_) return;
    Open level = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(level.key);
    add({}, std::move(level.node), level.anchor);
  }

  /// Puts a finished value into the innermost open list or mapping.
  void add(const YAML::Mark& mark, YamlNode node, YAML::anchor_t anchor) {
    if (expects_key()) refuse(mark, "an empty key, expected a plain word");
    if (anchor != YAML::NullAnchor) anchored_[anchor] = {node, count_nodes(node), depth(node)};
    any = true;
    if (open_.empty()) {
      root = std::move(node);
    } else if (open_.back().node.kind == YamlNode::Kind::kSequence) {
      open_.back().node.items.push_back(std::move(node));
    } else {
      // The library marks an empty value at the next token, which may be lines away: its key is the better
      // place.
      if (node.kind == YamlNode::Kind::kNull && node.mark.line != key_->second.line) node.mark = key_->second;
      open_.back().node.entries.push_back({key_->first, key_->second, std::move(node)});
      key_.reset();
    }
  }

  /// Up to where characters of a line are counted.
  struct Counted {
    int line = 0, bytes = 0, column = 1;
  };

  const std::vector<std::string>& lines_;
  int source_, first_column_;
  mutable Counted counted_;
  int documents_ = 0;
  size_t copies_ = 0;
  std::vector<Open> open_;
  std::optional<std::pair<std::string, Mark>> key_;  // read, its value still to come
  std::map<YAML::anchor_t, Anchored> anchored_;
  std::optional<Mark> list_as_key_;
};

/// What is wrong at or above a line (1-based) at which the parser met a ':' too many: characters that look
/// like others, and a key without a space behind its ':'. "" where it is neither.
std::string fault_above(const std::vector<std::string>& lines, int line) {
  static const std::string kNoBreakSpace = "\xC2\xA0";
  static const std::regex no_space("[ -]*([A-Za-z_][A-Za-z0-9_]*:[^ :/].*)\\r?");
  static const std::regex tag("[ -]*(?:[^ ]+: +)?(![^ ]+).*\\r?");
  constexpr int kLinesAbove = 2;
  for (int n = std::min(line, static_cast<int>(lines.size())); n > std::max(line - 1 - kLinesAbove, 0); --n) {
    const std::string& text = lines[static_cast<size_t>(n) - 1];
    const std::string place = " (line " + std::to_string(n) + ": ";
    std::smatch found;
    if (text.find(kNoBreakSpace) != std::string::npos)
      return place + "a no-break space, U+00A0, in place of a space)";
    if (std::regex_match(text, found, no_space))
      return place + "no space behind the ':' of '" + shortened(found[1]) + "')";
    if (std::regex_match(text, found, tag))
      return place + "the tag '" + shortened(found[1]) + "', which a scene does not have)";
  }
  return "";
}

/// What the parser's shorter words mean to who writes a scene; "" where they say enough.
std::string meaning_of(const std::string& message, const std::vector<std::string>& lines, int line) {
  if (message == YAML::ErrorMsg::MAP_VALUE || message == YAML::ErrorMsg::END_OF_MAP) {
    const std::string fault = fault_above(lines, line);
    if (!fault.empty()) return fault;
  }
  if (message == YAML::ErrorMsg::MAP_VALUE)
    return " (a second ':' on its line, or a line above without its ':')";
  if (message == YAML::ErrorMsg::END_OF_SEQ || message == YAML::ErrorMsg::END_OF_MAP)
    return " (an indentation that is none of those above)";
  if (message == YAML::ErrorMsg::BLOCK_ENTRY) return " (an element, '-', beside a key; expected below it)";
  return "";
}

}  // namespace

const YamlNode* YamlNode::find(const std::string& key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

YamlNode* YamlNode::find(const std::string& key) {
  return const_cast<YamlNode*>(std::as_const(*this).find(key));
}

YamlParse parse_yaml(const std::string& text, int source, int first_column) {
  YamlParse result;
  result.root.mark = {source, 1, first_column};
  const std::vector<std::string> lines = split_lines(text);
  TreeBuilder builder(lines, source, first_column);
  if (const std::optional<size_t> bad = first_bad_byte(text)) {
    YAML::Mark mark;
    mark.line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(*bad), '\n'));
    const size_t line_begin = *bad == 0 ? std::string::npos : text.rfind('\n', *bad - 1);
    mark.column = static_cast<int>(*bad - (line_begin == std::string::npos ? 0 : line_begin + 1));
    result.errors.push_back(
        {builder.place(mark), "not text, expected YAML in UTF-8" + encoding_of(text, *bad)});
    return result;
  }
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
    if (builder.list_as_key()) {
      result.errors.push_back({*builder.list_as_key(), "a list or mapping as a key, expected a plain word"});
    }
  } catch (const Refused& refused) {
    result.errors.push_back(refused.error);
  } catch (const YAML::Exception& error) {
    if (builder.list_as_key()) {
      result.errors.push_back({*builder.list_as_key(), "not valid YAML: a bracket that is never closed"});
    } else {
      const Mark mark = builder.place(error.mark);
      std::string hint = indented_with_tab(lines, mark.line) ? " (a tab in the indentation, expected spaces)"
                                                             : builder.open_bracket();
      if (hint.empty()) hint = meaning_of(error.msg, lines, mark.line);
      result.errors.push_back({mark, "not valid YAML: " + error.msg + hint});
    }
  }
  if (result.errors.empty() && builder.any) result.root = std::move(builder.root);
  return result;
}

}  // namespace csim
