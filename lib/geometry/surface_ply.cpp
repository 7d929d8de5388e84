#include "geometry/file_cursor.h"
#include "geometry/surface_files.h"

namespace csim {

namespace {

struct Property {
  std::string name;
  ScalarType type = ScalarType::kFloat;
  bool is_list = false;
  ScalarType count_type = ScalarType::kUint8;
};

struct Element {
  std::string name;
  long count = 0;
  std::vector<Property> properties;
};

struct Header {
  Encoding encoding = Encoding::kText;
  std::vector<Element> elements;
};

ScalarType parse_scalar(std::string_view word) {
  const auto type = scalar_type(TypeNames::kPly, word);
  if (!type) throw FileFault{"'" + std::string(word) + "' is not a PLY type"};
  return *type;
}

Property parse_property(std::string_view line) {
  Property property;
  std::string_view word = next_word(&line);
  property.is_list = word == "list";
  if (property.is_list) {
    property.count_type = parse_scalar(next_word(&line));
    word = next_word(&line);
  }
  property.type = parse_scalar(word);
  property.name = next_word(&line);
  return property;
}

Encoding parse_format(std::string_view line) {
  const std::string word(next_word(&line)), version(next_word(&line));
  const bool known = word == "ascii" || word == "binary_little_endian" || word == "binary_big_endian";
  if (!known)
    throw FileFault{"format '" + word + "', expected ascii, binary_little_endian or binary_big_endian"};
  if (version != "1.0") throw FileFault{"format version '" + version + "', expected 1.0"};
  return word == "ascii"                  ? Encoding::kText
         : word == "binary_little_endian" ? Encoding::kLittleEndian
                                          : Encoding::kBigEndian;
}

Element parse_element(std::string_view line) {
  Element element;
  element.name = next_word(&line);
  const std::string_view count = next_word(&line);
  if (!parse_number(count, &element.count) || element.count < 0)
    throw FileFault{"'" + std::string(count) + "' is not an element count"};
  return element;
}

/// Cuts the header off *bytes.
Header parse_header(std::string_view* bytes) {
  Header header;
  if (next_line(bytes) != "ply") throw FileFault{"line 1: a PLY file begins with 'ply'"};
  for (long number = 2; !bytes->empty(); ++number) {
    std::string_view line = next_line(bytes);
    const std::string_view keyword = next_word(&line);
    if (keyword == "end_header") return header;
    reading_at("line " + std::to_string(number) + ": ", [&] {
      if (keyword == "format") {
        header.encoding = parse_format(line);
      } else if (keyword == "element") {
        header.elements.push_back(parse_element(line));
      } else if (keyword == "property") {
        if (header.elements.empty()) throw FileFault{"a property before any element"};
        header.elements.back().properties.push_back(parse_property(line));
      } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
        throw FileFault{"'" + std::string(keyword.substr(0, 20)) + "' is not a word of a PLY header"};
      }
    });
  }
  throw FileFault{"the header has no 'end_header'"};
}

/// Reads the values of one element of the file: property by property, its list (one entry for a scalar
/// property).
class ElementReader {
 public:
  ElementReader(FileCursor* cursor, const Element& element) : cursor_(cursor), element_(element) {
    values_.resize(element.properties.size());
  }
  bool read() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Property& property = element_.properties[i];
      double count = 1.0;
      if (property.is_list && !cursor_->number(property.count_type, &count)) return false;
      if (!(count >= 0 && count < 1e6)) return false;
      if (!cursor_->numbers(property.type, static_cast<std::size_t>(count), &values_[i])) return false;
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
  FileCursor* cursor_;
  const Element& element_;
  std::vector<std::vector<double>> values_;
};

void read_vertex(const ElementReader& reader, SurfaceData* surface) {
  const std::vector<double>*x = reader.find("x"), *y = reader.find("y"), *z = reader.find("z");
  if (!x || !y || !z || x->size() != 1 || y->size() != 1 || z->size() != 1)
    throw FileFault{"the vertices have no properties x, y, z"};
  surface->vertices.emplace_back((*x)[0], (*y)[0], (*z)[0]);
  if (!surface->vertices.back().allFinite())
    throw FileFault{"vertex " + std::to_string(surface->vertices.size()) + ": a coordinate is not finite"};
}

void read_face(const ElementReader& reader, long number, SurfaceData* surface) {
  const std::string here = "face " + std::to_string(number) + ": ";
  const std::vector<double>* corners = reader.find("vertex_indices", "vertex_index");
  if (!corners)
    throw FileFault{"the faces have no list property vertex_indices (triangle strips are not read)"};
  if (corners->size() < 3)
    throw FileFault{here + "a face of " + std::to_string(corners->size()) + " corners, at least 3 expected"};
  std::vector<int> polygon;
  for (double corner : *corners) {
    if (!(corner >= 0 && corner < static_cast<double>(surface->vertices.size()))) {
      throw FileFault{here + "vertex " + std::to_string(static_cast<long>(corner)) +
                      " does not exist, the file has " + std::to_string(surface->vertices.size()) +
                      " (counted from 0)"};
    }
    polygon.push_back(static_cast<int>(corner));
  }
  add_polygon(polygon, number, surface);
}

}  // namespace

void read_ply(std::string_view bytes, SurfaceData* surface) {
  surface->place_word = "face";
  const Header header = parse_header(&bytes);
  FileCursor body(bytes, header.encoding);
  for (const Element& element : header.elements) {
    ElementReader reader(&body, element);
    for (long i = 1; i <= element.count; ++i) {
      if (!reader.read()) {
        throw FileFault{element.name + " " + std::to_string(i) +
                        ": not a number, or the file ends before its " + std::to_string(element.count) +
                        " elements"};
      }
      if (element.name == "vertex") read_vertex(reader, surface);
      if (element.name == "face") read_face(reader, i, surface);
    }
  }
  body.skip_white_space();
  if (!body.at_end()) throw FileFault{"the file goes on behind the elements that its header counts"};
}

}  // namespace csim
