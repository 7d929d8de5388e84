#include "geometry/surface_files.h"

namespace csim {

namespace {

/// A corner "i", "i/t", "i//n" or "i/t/n": i counts from 1, or backwards from the last vertex when negative.
int parse_corner(std::string_view word, std::size_t num_vertices) {
  long i = 0;
  if (!parse_number(word.substr(0, word.find('/')), &i) || i == 0) {
    throw FileFault{"'" + std::string(word) +
                    "' is not a corner (expected index, index/texture or index/texture/normal, from 1)"};
  }
  const long n = static_cast<long>(num_vertices);
  const long zero_based = i > 0 ? i - 1 : n + i;
  if (zero_based < 0 || zero_based >= n) {
    throw FileFault{"vertex " + std::to_string(i) + " does not exist, the file has defined " +
                    std::to_string(n) + " so far"};
  }
  return static_cast<int>(zero_based);
}

void parse_face(std::string_view line, long number, SurfaceData* surface) {
  std::vector<int> polygon;
  for (std::string_view word = next_word(&line); !word.empty(); word = next_word(&line))
    polygon.push_back(parse_corner(word, surface->vertices.size()));
  if (polygon.size() < 3)
    throw FileFault{"a face of " + std::to_string(polygon.size()) + " corners, at least 3 expected"};
  add_polygon(polygon, number, surface);
}

/// Statements that say nothing about a surface of polygons: texture, normals, groups, materials, display,
/// lines and points.
bool says_nothing(std::string_view keyword) {
  constexpr std::array<std::string_view, 20> kWords{
      "",       "vt",     "vn",     "vp", "o",   "g",     "s",        "l",        "p",          "mtllib",
      "usemtl", "maplib", "usemap", "mg", "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
  return std::find(kWords.begin(), kWords.end(), keyword) != kWords.end();
}

}  // namespace

/// Keeps `v` and `f`.
void read_obj(std::string_view bytes, SurfaceData* surface) {
  surface->place_word = "line";
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);  // a byte order mark
  std::string joined;
  for (long number = 1; !bytes.empty(); ++number) {
    std::string_view line = next_line(&bytes);
    const long first = number;
    // A backslash at the end continues the line.
    if (!line.empty() && line.back() == '\\') {
      joined.clear();
      for (; !line.empty() && line.back() == '\\'; ++number) {
        joined.append(line.substr(0, line.size() - 1));
        line = next_line(&bytes);
      }
      joined.append(line);
      line = joined;
    }
    line = line.substr(0, line.find('#'));
    const std::string_view keyword = next_word(&line);
    reading_at("line " + std::to_string(first) + ": ", [&] {
      if (keyword == "v") {
        surface->vertices.push_back(parse_point(&line));
      } else if (keyword == "f") {
        parse_face(line, first, surface);
      } else if (!says_nothing(keyword)) {
        throw FileFault{"'" + std::string(keyword.substr(0, 20)) +
                        "' is not a statement of a surface of polygons (v, f, ...)"};
      }
    });
  }
}

}  // namespace csim
