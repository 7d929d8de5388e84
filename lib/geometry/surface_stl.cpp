#include <cctype>
#include <map>

#include "geometry/file_cursor.h"
#include "geometry/surface_files.h"

namespace csim {

namespace {

constexpr std::size_t kBinaryHeader = 84;    // 80 bytes of text, a count
constexpr std::size_t kBinaryTriangle = 50;  // a normal, three corners, two spare bytes

/// Merges corners of equal coordinates: STL lists every triangle on its own.
class VertexMerger {
 public:
  explicit VertexMerger(SurfaceData* surface) : surface_(surface) {}
  int index_of(const Vector3& p) {
    const std::array<double, 3> key{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0};  // -0 is 0
    const auto [entry, fresh] = index_.try_emplace(key, static_cast<int>(surface_->vertices.size()));
    if (fresh) surface_->vertices.push_back(p);
    return entry->second;
  }
  void add_triangle(const std::array<Vector3, 3>& corners, long place) {
    surface_->triangles.push_back({index_of(corners[0]), index_of(corners[1]), index_of(corners[2])});
    surface_->place.push_back(place);
  }

 private:
  SurfaceData* surface_;
  std::map<std::array<double, 3>, int> index_;
};

/// The number of triangles that a binary file states.
std::size_t stated_count(std::string_view bytes) {
  FileCursor cursor(bytes.substr(80), Encoding::kLittleEndian);
  std::int64_t count = 0;
  static_cast<void>(cursor.count(ScalarType::kUint32, &count));
  return static_cast<std::size_t>(count);
}

void read_binary(std::string_view bytes, SurfaceData* surface) {
  surface->place_word = "triangle";
  VertexMerger merger(surface);
  const long count = static_cast<long>(stated_count(bytes));
  FileCursor cursor(bytes.substr(kBinaryHeader), Encoding::kLittleEndian);
  for (long t = 1; t <= count; ++t) {
    std::array<Vector3, 3> corners;
    cursor.skip(12);  // the normal
    for (int i = 0; i < 9; ++i) static_cast<void>(cursor.number(ScalarType::kFloat, &corners[i / 3][i % 3]));
    cursor.skip(2);
    for (const Vector3& p : corners)
      if (!p.allFinite()) throw FileFault{"triangle " + std::to_string(t) + ": a coordinate is not finite"};
    merger.add_triangle(corners, t);
  }
}

/// Keywords are written in capitals by some programs.
std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Texts hold no zero; the count of a binary file does, below 16 million triangles.
bool is_text(std::string_view bytes) {
  return lower(bytes.substr(0, 5)) == "solid" &&
         bytes.substr(0, kBinaryHeader).find('\0') == std::string_view::npos;
}

void read_ascii(std::string_view bytes, SurfaceData* surface) {
  surface->place_word = "line";
  VertexMerger merger(surface);
  std::array<Vector3, 3> corners;
  int num_corners = 0;
  long facet_line = 0;
  bool ended = false;
  for (long number = 1; !bytes.empty(); ++number) {
    std::string_view line = next_line(&bytes);
    const std::string keyword = lower(next_word(&line));
    reading_at("line " + std::to_string(number) + ": ", [&] {
      if (keyword == "facet") {
        num_corners = 0;
        facet_line = number;
        ended = false;
      } else if (keyword == "vertex") {
        if (num_corners == 3) throw FileFault{"a fourth vertex, STL facets are triangles"};
        corners[num_corners++] = parse_point(&line);
      } else if (keyword == "endfacet") {
        if (num_corners != 3)
          throw FileFault{"a facet of " + std::to_string(num_corners) + " vertices, 3 expected"};
        merger.add_triangle(corners, facet_line);
        num_corners = 0;
      } else if (keyword == "endsolid") {
        ended = true;
      } else if (!keyword.empty() && keyword != "solid" && keyword != "outer" && keyword != "endloop") {
        throw FileFault{"'" + keyword.substr(0, 20) + "' is not a word of an ASCII STL file"};
      }
    });
  }
  if (!ended) throw FileFault{"the file ends before 'endsolid': it is cut off"};
}

}  // namespace

/// Binary files may begin with the word "solid" too: what tells them is their length.
void read_stl(std::string_view bytes, SurfaceData* surface) {
  if (bytes.size() >= kBinaryHeader) {
    const std::size_t count = stated_count(bytes), expected = kBinaryHeader + kBinaryTriangle * count;
    if (bytes.size() == expected) return read_binary(bytes, surface);
    if (!is_text(bytes)) {
      throw FileFault{"a binary STL of " + std::to_string(count) + " triangles has " +
                      std::to_string(expected) + " bytes, this file has " + std::to_string(bytes.size()) +
                      ": it is cut off or damaged"};
    }
  }
  if (!is_text(bytes))
    throw FileFault{"neither an ASCII STL (begins with 'solid') nor a binary one (at least 84 bytes)"};
  read_ascii(bytes, surface);
}

}  // namespace csim
