#include "mesh/xml_reader.h"

#include <algorithm>

namespace csim {

namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";
constexpr std::string_view kNameEnd = " \t\r\n=/><";

}  // namespace

XmlReader::Event XmlReader::next() {
  if (end_follows_) {
    end_follows_ = false;
    return Event::kEnd;
  }
  while (position_ < bytes_.size()) {
    if (bytes_[position_] != '<') {
      const std::size_t end = std::min(bytes_.find('<', position_), bytes_.size());
      text_ = bytes_.substr(position_, end - position_);
      position_ = end;
      return Event::kText;
    }
    const std::string_view here = rest();
    const bool comment = here.starts_with("<!--");
    if (!comment && !here.starts_with("<?") && !here.starts_with("<!")) return read_tag();
    const std::size_t end = bytes_.find(comment ? "-->" : ">", position_);
    if (end == std::string_view::npos) return fail("a comment or declaration that does not end");
    position_ = end + (comment ? 3 : 1);
  }
  return Event::kEndOfFile;
}

XmlReader::Event XmlReader::read_tag() {
  const auto skip_space = [&] {
    position_ = std::min(bytes_.find_first_not_of(kWhiteSpace, position_), bytes_.size());
  };
  const auto read_name = [&] {
    const std::size_t end = std::min(bytes_.find_first_of(kNameEnd, position_), bytes_.size());
    const std::string_view name = bytes_.substr(position_, end - position_);
    position_ = end;
    return name;
  };
  ++position_;  // <
  const bool is_end = position_ < bytes_.size() && bytes_[position_] == '/';
  if (is_end) ++position_;
  name_ = read_name();
  attributes_.clear();
  if (name_.empty()) return fail("'<' without the name of an element");
  while (true) {
    skip_space();
    if (position_ >= bytes_.size()) return fail("the file ends within <" + std::string(name_.substr(0, 30)));
    if (bytes_[position_] == '>') {
      ++position_;
      return is_end ? Event::kEnd : Event::kStart;
    }
    if (rest().starts_with("/>")) {
      position_ += 2;
      end_follows_ = true;
      return Event::kStart;
    }
    const std::string_view name = read_name();
    skip_space();
    if (name.empty() || !rest().starts_with("=")) return fail("attribute=\"value\" expected");
    ++position_;
    skip_space();
    const char quote = position_ < bytes_.size() ? bytes_[position_] : ' ';
    const std::size_t end = quote == '"' || quote == '\'' ? bytes_.find(quote, position_ + 1) : bytes_.npos;
    if (end == bytes_.npos)
      return fail("attribute " + std::string(name.substr(0, 30)) + " without a value in quotes");
    attributes_.emplace_back(name, bytes_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
  }
}

std::string_view XmlReader::attribute(std::string_view name) const {
  for (const auto& [key, value] : attributes_) {
    if (key == name) return value;
  }
  return {};
}

long XmlReader::line() const {
  if (position_ > counted_) {
    lines_ += std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(counted_),
                         bytes_.begin() + static_cast<std::ptrdiff_t>(position_), '\n');
    counted_ = position_;
  }
  return lines_;
}

XmlReader::Event XmlReader::fail(const std::string& what) {
  error_ = "line " + std::to_string(line()) + ": " + what;
  position_ = bytes_.size();
  return Event::kError;
}

}  // namespace csim
