#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>

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

float little_endian_float(const char* bytes) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i)
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return std::bit_cast<float>(word);
}

std::uint32_t little_endian_count(const char* bytes) {
  return std::bit_cast<std::uint32_t>(little_endian_float(bytes));
}

std::string read_binary(std::string_view bytes, SurfaceData* surface) {
  surface->place_word = "triangle";
  VertexMerger merger(surface);
  const std::size_t count = little_endian_count(bytes.data() + 80);
  for (std::size_t t = 0; t < count; ++t) {
    const char* record = bytes.data() + kBinaryHeader + kBinaryTriangle * t + 12;
    std::array<Vector3, 3> corners;
    for (int i = 0; i < 9; ++i) corners[i / 3][i % 3] = little_endian_float(record + 4 * i);
    for (const Vector3& p : corners) {
      if (!p.allFinite()) return "triangle " + std::to_string(t + 1) + ": a coordinate is not finite";
    }
    merger.add_triangle(corners, static_cast<long>(t + 1));
  }
  return {};
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

std::string read_ascii(std::string_view bytes, SurfaceData* surface) {
  surface->place_word = "line";
  VertexMerger merger(surface);
  std::array<Vector3, 3> corners;
  int num_corners = 0;
  long facet_line = 0;
  bool ended = false;
  for (long number = 1; !bytes.empty(); ++number) {
    std::string_view line = next_line(&bytes);
    const std::string keyword = lower(next_word(&line));
    const std::string here = "line " + std::to_string(number) + ": ";
    if (keyword == "facet") {
      num_corners = 0;
      facet_line = number;
      ended = false;
    } else if (keyword == "vertex") {
      if (num_corners == 3) return here + "a fourth vertex, STL facets are triangles";
      if (std::string wrong = parse_point(&line, &corners[num_corners++]); !wrong.empty())
        return here + wrong;
    } else if (keyword == "endfacet") {
      if (num_corners != 3)
        return here + "a facet of " + std::to_string(num_corners) + " vertices, 3 expected";
      merger.add_triangle(corners, facet_line);
      num_corners = 0;
    } else if (keyword == "endsolid") {
      ended = true;
    } else if (!keyword.empty() && keyword != "solid" && keyword != "outer" && keyword != "endloop") {
      return here + "'" + keyword.substr(0, 20) + "' is not a word of an ASCII STL file";
    }
  }
  if (!ended) return "the file ends before 'endsolid': it is cut off";
  return {};
}

}  // namespace

/// Binary files may begin with the word "solid" too: what tells them is their length.
std::string read_stl(std::string_view bytes, SurfaceData* surface) {
  if (bytes.size() >= kBinaryHeader) {
    const std::size_t expected =
        kBinaryHeader + kBinaryTriangle * std::size_t{little_endian_count(bytes.data() + 80)};
    if (bytes.size() == expected) return read_binary(bytes, surface);
    if (!is_text(bytes)) {
      return "a binary STL of " + std::to_string(little_endian_count(bytes.data() + 80)) + " triangles has " +
             std::to_string(expected) + " bytes, this file has " + std::to_string(bytes.size()) +
             ": it is cut off or damaged";
    }
  }
  if (!is_text(bytes))
    return "neither an ASCII STL (begins with 'solid') nor a binary one (at least 84 bytes)";
  return read_ascii(bytes, surface);
}

}  // namespace csim
