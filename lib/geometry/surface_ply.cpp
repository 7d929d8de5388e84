#include <bit>
#include <cstdint>
#include <cstring>

#include "geometry/surface_files.h"

namespace csim {

namespace {

enum class Scalar { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };

struct Property {
  std::string name;
  Scalar type = Scalar::kFloat;
  bool is_list = false;
  Scalar count_type = Scalar::kUint8;
};

struct Element {
  std::string name;
  long count = 0;
  std::vector<Property> properties;
};

enum class Encoding { kAscii, kLittleEndian, kBigEndian };

struct Header {
  Encoding encoding = Encoding::kAscii;
  std::vector<Element> elements;
};

bool parse_scalar(std::string_view word, Scalar* type) {
  constexpr std::array<std::pair<std::string_view, Scalar>, 16> kNames{{{"char", Scalar::kInt8},
                                                                        {"int8", Scalar::kInt8},
                                                                        {"uchar", Scalar::kUint8},
                                                                        {"uint8", Scalar::kUint8},
                                                                        {"short", Scalar::kInt16},
                                                                        {"int16", Scalar::kInt16},
                                                                        {"ushort", Scalar::kUint16},
                                                                        {"uint16", Scalar::kUint16},
                                                                        {"int", Scalar::kInt32},
                                                                        {"int32", Scalar::kInt32},
                                                                        {"uint", Scalar::kUint32},
                                                                        {"uint32", Scalar::kUint32},
                                                                        {"float", Scalar::kFloat},
                                                                        {"float32", Scalar::kFloat},
                                                                        {"double", Scalar::kDouble},
                                                                        {"float64", Scalar::kDouble}}};
  for (const auto& [name, value] : kNames) {
    if (name != word) continue;
    *type = value;
    return true;
  }
  return false;
}

std::string parse_property(std::string_view line, Element* element) {
  Property property;
  std::string_view word = next_word(&line);
  property.is_list = word == "list";
  if (property.is_list) {
    word = next_word(&line);
    if (!parse_scalar(word, &property.count_type)) return "'" + std::string(word) + "' is not a PLY type";
    word = next_word(&line);
  }
  if (!parse_scalar(word, &property.type)) return "'" + std::string(word) + "' is not a PLY type";
  property.name = next_word(&line);
  element->properties.push_back(property);
  return {};
}

std::string parse_format(std::string_view line, Encoding* encoding) {
  const std::string_view word = next_word(&line);
  if (word == "ascii") {
    *encoding = Encoding::kAscii;
  } else if (word == "binary_little_endian") {
    *encoding = Encoding::kLittleEndian;
  } else if (word == "binary_big_endian") {
    *encoding = Encoding::kBigEndian;
  } else {
    return "format '" + std::string(word) + "', expected ascii, binary_little_endian or binary_big_endian";
  }
  const std::string_view version = next_word(&line);
  if (version != "1.0") return "format version '" + std::string(version) + "', expected 1.0";
  return {};
}

/// Cuts the header off *bytes.
std::string parse_header(std::string_view* bytes, Header* header) {
  if (next_line(bytes) != "ply") return "line 1: a PLY file begins with 'ply'";
  for (long number = 2; !bytes->empty(); ++number) {
    std::string_view line = next_line(bytes);
    const std::string_view keyword = next_word(&line);
    std::string wrong;
    if (keyword == "end_header") return {};
    if (keyword == "format") {
      wrong = parse_format(line, &header->encoding);
    } else if (keyword == "element") {
      Element element;
      element.name = next_word(&line);
      const std::string_view count = next_word(&line);
      if (!parse_number(count, &element.count) || element.count < 0)
        wrong = "'" + std::string(count) + "' is not an element count";
      header->elements.push_back(element);
    } else if (keyword == "property") {
      wrong = header->elements.empty() ? "a property before any element"
                                       : parse_property(line, &header->elements.back());
    } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
      wrong = "'" + std::string(keyword.substr(0, 20)) + "' is not a word of a PLY header";
    }
    if (!wrong.empty()) return "line " + std::to_string(number) + ": " + wrong;
  }
  return "the header has no 'end_header'";
}

/// Reads one scalar after the other from the body, in any of the three encodings.
class BodyReader {
 public:
  BodyReader(std::string_view body, Encoding encoding) : rest_(body), encoding_(encoding) {}

  /// False at the end of the file or at a word that is no number.
  bool read(Scalar type, double* value) {
    return encoding_ == Encoding::kAscii ? read_word(value) : read_bytes(type, value);
  }
  /// Whether nothing but white space is left.
  [[nodiscard]] bool at_end() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

 private:
  bool read_word(double* value) {
    const std::size_t begin = rest_.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    const std::size_t end = std::min(rest_.find_first_of(" \t\r\n", begin), rest_.size());
    const bool ok = parse_number(rest_.substr(begin, end - begin), value);
    rest_.remove_prefix(end);
    return ok;
  }
  bool read_bytes(Scalar type, double* value) {
    switch (type) {
      case Scalar::kInt8:
        return read_as<std::int8_t>(value);
      case Scalar::kUint8:
        return read_as<std::uint8_t>(value);
      case Scalar::kInt16:
        return read_as<std::int16_t>(value);
      case Scalar::kUint16:
        return read_as<std::uint16_t>(value);
      case Scalar::kInt32:
        return read_as<std::int32_t>(value);
      case Scalar::kUint32:
        return read_as<std::uint32_t>(value);
      case Scalar::kFloat:
        return read_as<float>(value);
      case Scalar::kDouble:
        return read_as<double>(value);
    }
    return false;
  }
  template <typename T>
  bool read_as(double* value) {
    if (rest_.size() < sizeof(T)) return false;
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    const bool little = encoding_ == Encoding::kLittleEndian;
    if (little != (std::endian::native == std::endian::little)) std::reverse(bytes.begin(), bytes.end());
    *value = static_cast<double>(std::bit_cast<T>(bytes));
    return true;
  }

  std::string_view rest_;
  Encoding encoding_;
};

/// Reads the values of one element of the file: property by property, its list (one entry for a scalar
/// property).
class ElementReader {
 public:
  ElementReader(BodyReader* reader, const Element& element) : reader_(reader), element_(element) {
    values_.resize(element.properties.size());
  }
  bool read() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Property& property = element_.properties[i];
      double count = 1.0;
      if (property.is_list && !reader_->read(property.count_type, &count)) return false;
      if (!(count >= 0 && count < 1e6)) return false;
      values_[i].resize(static_cast<std::size_t>(count));
      for (double& value : values_[i]) {
        if (!reader_->read(property.type, &value)) return false;
      }
    }
    return true;
  }
  /// The values of a named property; nullptr when the element has none of these names.
  [[nodiscard]] const std::vector<double>* find(std::string_view name, std::string_view other = {}) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::string& own = element_.properties[i].name;
      if (own == name || (!other.empty() && own == other)) return &values_[i];
    }
    return nullptr;
  }

 private:
  BodyReader* reader_;
  const Element& element_;
  std::vector<std::vector<double>> values_;
};

std::string read_vertex(const ElementReader& reader, const std::string& here, SurfaceData* surface) {
  const std::vector<double>*x = reader.find("x"), *y = reader.find("y"), *z = reader.find("z");
  if (!x || !y || !z || x->size() != 1 || y->size() != 1 || z->size() != 1) {
    return "the vertices have no properties x, y, z";
  }
  surface->vertices.emplace_back((*x)[0], (*y)[0], (*z)[0]);
  return surface->vertices.back().allFinite() ? std::string() : here + "a coordinate is not finite";
}

std::string read_face(const ElementReader& reader, long number, const std::string& here,
                      SurfaceData* surface) {
  const std::vector<double>* corners = reader.find("vertex_indices", "vertex_index");
  if (!corners) return "the faces have no list property vertex_indices (triangle strips are not read)";
  if (corners->size() < 3)
    return here + "a face of " + std::to_string(corners->size()) + " corners, at least 3 expected";
  std::vector<int> polygon;
  for (double corner : *corners) {
    if (!(corner >= 0 && corner < static_cast<double>(surface->vertices.size()))) {
      return here + "vertex " + std::to_string(static_cast<long>(corner)) + " does not exist, the file has " +
             std::to_string(surface->vertices.size()) + " (counted from 0)";
    }
    polygon.push_back(static_cast<int>(corner));
  }
  add_polygon(polygon, number, surface);
  return {};
}

}  // namespace

std::string read_ply(std::string_view bytes, SurfaceData* surface) {
  surface->place_word = "face";
  Header header;
  if (std::string wrong = parse_header(&bytes, &header); !wrong.empty()) return wrong;
  BodyReader body(bytes, header.encoding);
  for (const Element& element : header.elements) {
    ElementReader reader(&body, element);
    for (long i = 1; i <= element.count; ++i) {
      const std::string here = element.name + " " + std::to_string(i) + ": ";
      if (!reader.read())
        return here + "not a number, or the file ends before its " + std::to_string(element.count) +
               " elements";
      std::string wrong;
      if (element.name == "vertex") wrong = read_vertex(reader, here, surface);
      if (element.name == "face") wrong = read_face(reader, i, here, surface);
      if (!wrong.empty()) return wrong;
    }
  }
  if (!body.at_end()) return "the file goes on behind the elements that its header counts";
  return {};
}

}  // namespace csim
