// VTK's XML files of polygons and of tetrahedra, with compressed binary arrays appended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/deflate.h"

namespace csim {

/// One file (.vtp or .vtu; VTK File Formats, "XML File Formats", with zlib and 64-bit headers). Arrays are
/// added in any order; bytes() puts them together.
class VtkFile {
 public:
  enum class Kind { kPolyData, kUnstructuredGrid };
  enum class Cells { kVertices, kPolygons, kTets };  // kTets in an unstructured grid only, all it can hold

  explicit VtkFile(Kind kind) : kind_(kind) {}

  /// Three coordinates a point, m; float or double.
  template <typename T>
  void points(const std::vector<T>& coordinates) {
    num_points_ = static_cast<long>(coordinates.size() / 3);
    points_xml_ = array("Points", 3, coordinates);
  }

  /// Cells of one kind: the points of all of them, and where those of each end.
  void cells(Cells kind, const std::vector<std::int64_t>& connectivity, const std::vector<std::int64_t>& end);

  /// A quantity with `components` numbers a point or a cell.
  template <typename T>
  void point_data(const std::string& name, int components, const std::vector<T>& values) {
    point_xml_ += array(name, components, values);
  }
  template <typename T>
  void cell_data(const std::string& name, int components, const std::vector<T>& values) {
    cell_xml_ += array(name, components, values);
  }

  /// Of the whole file.
  void field(const std::string& name, double value);
  void field(const std::string& name, const std::vector<std::string>& texts);

  [[nodiscard]] std::string bytes() const;

 private:
  /// The XML element of an array, whose bytes are appended.
  template <typename T>
  std::string array(const std::string& name, int components, const std::vector<T>& values) {
    const std::string kind = std::is_floating_point_v<T> ? "Float" : std::is_signed_v<T> ? "Int" : "UInt";
    return array(kind + std::to_string(8 * sizeof(T)), name, components,
                 {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)});
  }
  std::string array(const std::string& type, const std::string& name, int components,
                    std::span<const std::uint8_t> bytes);

  Kind kind_;
  long num_points_ = 0, num_cells_ = 0;
  Cells cells_ = Cells::kVertices;
  std::string field_xml_, point_xml_, cell_xml_, points_xml_, cells_xml_;
  std::string appended_;
  Deflater deflater_;
};

}  // namespace csim
