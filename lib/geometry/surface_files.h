// Readers of surface files, one per format: text or bytes in, triangles out. load_shape.h checks what they
// give.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file_bytes.h"
#include "core/types.h"

namespace csim {

/// Triangles as the file lists them, and where each stands, for complaints.
struct SurfaceData {
  std::vector<Vector3> vertices;              // m, before scaling
  std::vector<std::array<int, 3>> triangles;  // indices checked against the vertices
  std::vector<long> place;                    // [triangles] line or element number, 1-based
  std::string place_word;                     // "line" or "triangle" or "face": what `place` counts
};

/// Thrown by the readers of mesh files: what is wrong, with the line or element ("line 7: …"). It never
/// leaves the functions that load a mesh.
struct FileFault {
  std::string message;
};

/// `bytes` is the whole file. Each throws FileFault.
void read_obj(std::string_view bytes, SurfaceData* surface);
void read_stl(std::string_view bytes, SurfaceData* surface);
void read_ply(std::string_view bytes, SurfaceData* surface);

/// Reads an OBJ, STL or PLY file, by its extension, into *surface. Returns what is wrong, without the file's
/// name, or "".
[[nodiscard]] std::string read_surface(const std::string& file, SurfaceData* surface);

/// Reads a file by the one of three readers that its extension names. Returns what is wrong, without the
/// file's name, or "": words of a damaged file may hold any byte, none of them reaches a terminal.
template <typename Data>
std::string read_mesh_file(
    const std::string& file,
    const std::array<std::pair<const char*, void (*)(std::string_view, Data*)>, 3>& readers, Data* data) {
  const std::string extension = lower_extension(file);
  for (const auto& [name, read] : readers) {
    if (extension != name) continue;
    std::string bytes, wrong = read_file_bytes(file, &bytes);
    if (!wrong.empty()) return wrong;
    if (bytes.starts_with("version https://git-lfs.github.com/spec/"))
      return "a Git LFS pointer, not the mesh itself; 'git lfs pull' fetches it";
    try {
      read(bytes, data);
    } catch (FileFault& fault) {
      wrong = std::move(fault.message);
    }
    std::replace_if(
        wrong.begin(), wrong.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
    return wrong;
  }
  return "unknown extension '." + extension + "', expected ." + readers[0].first + ", ." + readers[1].first +
         " or ." + readers[2].first;
}

/// Appends the fan triangulation of a polygon.
inline void add_polygon(const std::vector<int>& polygon, long place, SurfaceData* surface) {
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    surface->triangles.push_back({polygon[0], polygon[i], polygon[i + 1]});
    surface->place.push_back(place);
  }
}

/// Cuts the next line (without its end) off *rest.
inline std::string_view next_line(std::string_view* rest) {
  const std::size_t end = rest->find('\n');
  std::string_view line = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// Cuts the next word off *line; empty at the end.
inline std::string_view next_word(std::string_view* line) {
  const std::size_t begin = line->find_first_not_of(" \t\r\v\f");
  if (begin == std::string_view::npos) {
    *line = {};
    return {};
  }
  const std::size_t end = std::min(line->find_first_of(" \t\r\v\f", begin), line->size());
  const std::string_view word = line->substr(begin, end - begin);
  line->remove_prefix(end);
  return word;
}

/// Reads a whole word as a number, independent of the locale; false when it is none. Accepts a leading '+'.
template <typename Number>
[[nodiscard]] bool parse_number(std::string_view word, Number* value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

/// Reads three finite numbers off *line; throws FileFault.
[[nodiscard]] inline Vector3 parse_point(std::string_view* line) {
  Vector3 p;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = next_word(line);
    if (word.empty()) throw FileFault{"three coordinates expected, found " + std::to_string(i)};
    if (!parse_number(word, &p[i]) || !std::isfinite(p[i]))
      throw FileFault{"'" + std::string(word) + "' is not a finite number"};
  }
  return p;
}

/// Runs `read`; puts `place` ("line 7: ") before the message of a FileFault.
template <typename Read>
void reading_at(const std::string& place, const Read& read) {
  try {
    read();
  } catch (const FileFault& fault) {
    throw FileFault{place + fault.message};
  }
}

}  // namespace csim
