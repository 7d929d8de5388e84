#include <algorithm>
#include <cctype>
#include <optional>

#include "core/number_format.h"
#include "geometry/surface_files.h"
#include "mesh/file_cursor.h"
#include "mesh/tet_files.h"

namespace csim {

namespace {

std::string upper(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// Legacy type names; vtkIdType is written as int.
std::optional<ScalarType> vtk_scalar_type(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, ScalarType>, 13> kNames{
      {{"CHAR", ScalarType::kInt8},
       {"UNSIGNED_CHAR", ScalarType::kUint8},
       {"SHORT", ScalarType::kInt16},
       {"UNSIGNED_SHORT", ScalarType::kUint16},
       {"INT", ScalarType::kInt32},
       {"UNSIGNED_INT", ScalarType::kUint32},
       {"LONG", ScalarType::kInt64},
       {"UNSIGNED_LONG", ScalarType::kUint64},
       {"VTKTYPEINT64", ScalarType::kInt64},
       {"VTKTYPEUINT64", ScalarType::kUint64},
       {"VTKIDTYPE", ScalarType::kInt32},
       {"FLOAT", ScalarType::kFloat},
       {"DOUBLE", ScalarType::kDouble}}};
  const std::string name = upper(word);
  for (const auto& [known, type] : kNames) {
    if (known == name) return type;
  }
  return std::nullopt;
}

/// Names of arrays have their spaces and the like written as %20.
std::string decoded_name(std::string_view word) {
  std::string name;
  for (std::size_t i = 0; i < word.size(); ++i) {
    int code = 0;
    const std::string_view digits = word.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (word[i] == '%' && digits.size() == 2 && error == std::errc() && end == digits.data() + 2) {
      name.push_back(static_cast<char>(code));
      i += 2;
    } else {
      name.push_back(word[i]);
    }
  }
  return name;
}

class LegacyReader {
 public:
  LegacyReader(std::string_view bytes, TetFileData* data) : cursor_(bytes), data_(data) {}

  std::string read() {
    if (std::string wrong = read_header(); !wrong.empty()) return wrong;
    for (std::string keyword = next_keyword(); !keyword.empty(); keyword = next_keyword()) {
      if (std::string wrong = read_section(keyword); !wrong.empty()) return wrong;
    }
    if (!has_points_) return "no POINTS";
    if (!has_cells_) return "no CELLS";
    return add_vtk_cells(offsets_, connectivity_, types_, data_);
  }

 private:
  std::string read_header() {
    if (!cursor_.line().starts_with("# vtk DataFile Version")) {
      return "line 1: a legacy VTK file begins with '# vtk DataFile Version'";
    }
    cursor_.line();  // the title
    const std::string format = upper(cursor_.word());
    if (format != "ASCII" && format != "BINARY")
      return fail("'" + format.substr(0, 20) + "', expected ASCII or BINARY");
    binary_ = format == "BINARY";
    const std::string dataset = upper(cursor_.word()), kind = upper(cursor_.word());
    if (dataset != "DATASET" || kind != "UNSTRUCTURED_GRID") {
      return fail("'" + dataset.substr(0, 20) + " " + kind.substr(0, 30) +
                  "', expected DATASET UNSTRUCTURED_GRID, which holds tetrahedra");
    }
    return {};
  }

  /// Keywords are text in binary files too. Empty at the end of the file.
  std::string next_keyword() {
    cursor_.set_encoding(Encoding::kText);
    return upper(cursor_.word());
  }

  std::string read_section(const std::string& keyword) {
    if (keyword == "POINTS") return read_points();
    if (keyword == "CELLS") return read_cells();
    if (keyword == "CELL_TYPES") {
      std::size_t n = 0;
      return count(&n) ? values(ScalarType::kInt32, n, "cell types", &types_) : fail_count();
    }
    if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
      of_points_ = keyword == "POINT_DATA";
      if (!count(&num_tuples_)) return fail_count();
      if (of_points_ && num_tuples_ != data_->points.size()) {
        return fail("POINT_DATA of " + std::to_string(num_tuples_) + ", the file has " +
                    std::to_string(data_->points.size()) + " points");
      }
      return {};
    }
    if (keyword == "METADATA") {  // ends with an empty line
      cursor_.line();
      while (!cursor_.at_end() && !cursor_.line().empty()) {
      }
      return {};
    }
    if (keyword == "FIELD") return read_field();
    return read_attribute(keyword);
  }

  std::string read_points() {
    std::size_t n = 0;
    if (has_points_) return fail("a second POINTS");
    if (!count(&n)) return fail_count();
    const std::string_view type_name = cursor_.word();
    const auto type = vtk_scalar_type(type_name);
    if (!type) return fail_type(type_name);
    std::vector<double> coordinates;
    if (std::string wrong = values(*type, 3 * n, "coordinates", &coordinates); !wrong.empty()) return wrong;
    add_vtk_points(coordinates, data_);
    has_points_ = true;
    return {};
  }

  /// Until version 5 each cell is its number of points and the points; from then on offsets and points.
  std::string read_cells() {
    std::size_t n = 0, size = 0;
    if (has_cells_) return fail("a second CELLS");
    if (!count(&n) || !count(&size)) return fail_count();
    has_cells_ = true;
    FileCursor ahead = cursor_;
    if (upper(ahead.word()) == "OFFSETS") {
      cursor_ = ahead;
      return read_typed("offsets", n, &offsets_, "CONNECTIVITY", size, &connectivity_);
    }
    std::vector<double> list;
    if (std::string wrong = values(ScalarType::kInt32, size, "cells", &list); !wrong.empty()) return wrong;
    offsets_.assign(1, 0.0);
    std::size_t next = 0;
    for (std::size_t cell = 0; cell < n; ++cell) {
      if (next >= list.size() || !is_count(list[next]) ||
          list[next] > static_cast<double>(list.size() - next - 1)) {
        return "cell " + std::to_string(cell) + ": CELLS lists fewer numbers than its cells have points";
      }
      const auto num_points = static_cast<std::size_t>(list[next]);
      connectivity_.insert(connectivity_.end(), list.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                           list.begin() + static_cast<std::ptrdiff_t>(next + 1 + num_points));
      offsets_.push_back(static_cast<double>(connectivity_.size()));
      next += num_points + 1;
    }
    return {};
  }

  std::string read_typed(const char* what, std::size_t n, std::vector<double>* first, const char* keyword,
                         std::size_t m, std::vector<double>* second) {
    const std::string_view type_name = cursor_.word();
    const auto type = vtk_scalar_type(type_name);
    if (!type) return fail_type(type_name);
    if (std::string wrong = values(*type, n, what, first); !wrong.empty()) return wrong;
    if (first->empty()) return fail("OFFSETS without a number, at least one expected");
    const std::string found = next_keyword();
    if (found != keyword) return fail("'" + found.substr(0, 20) + "', expected " + keyword);
    const std::string_view second_name = cursor_.word();
    const auto second_type = vtk_scalar_type(second_name);
    if (!second_type) return fail_type(second_name);
    return values(*second_type, m, "points of cells", second);
  }

  /// FIELD name n, then n arrays "name components tuples type".
  std::string read_field() {
    cursor_.word();
    std::size_t n = 0;
    if (!count(&n)) return fail_count();
    for (std::size_t i = 0; i < n; ++i) {
      std::string name = decoded_name(cursor_.word());
      if (name == "METADATA") {
        if (std::string wrong = read_section(name); !wrong.empty()) return wrong;
        cursor_.set_encoding(Encoding::kText);
        name = decoded_name(cursor_.word());
      }
      if (name == "NULL_ARRAY") continue;
      std::size_t components = 0, tuples = 0;
      if (!count(&components) || !count(&tuples)) return fail_count();
      if (std::string wrong = read_array(name, cursor_.word(), components, tuples); !wrong.empty())
        return wrong;
    }
    return {};
  }

  std::string read_attribute(const std::string& keyword) {
    const std::string name = decoded_name(cursor_.word());
    if (keyword == "SCALARS") {
      // "type [components]" on the rest of the line, then a line LOOKUP_TABLE.
      std::string_view line = cursor_.line();
      const std::string_view type = next_word(&line), components_word = next_word(&line);
      std::size_t components = 1;
      if (!components_word.empty() && !parse_number(components_word, &components)) return fail_count();
      FileCursor ahead = cursor_;
      if (upper(ahead.word()) == "LOOKUP_TABLE") {
        ahead.line();
        cursor_ = ahead;
      }
      return read_array(name, type, components, num_tuples_, false);
    }
    if (keyword == "LOOKUP_TABLE") {
      std::size_t n = 0;
      std::vector<double> unused;
      return count(&n) ? values(ScalarType::kUint8, 4 * n, "colours", &unused) : fail_count();
    }
    if (keyword == "COLOR_SCALARS") {
      std::size_t n = 0;
      std::vector<double> unused;
      return count(&n) && n <= 4 ? values(ScalarType::kUint8, n * num_tuples_, "colours", &unused)
                                 : fail_count();
    }
    if (keyword == "TEXTURE_COORDINATES") {
      std::size_t n = 0;
      return count(&n) ? read_array(name, cursor_.word(), n, num_tuples_) : fail_count();
    }
    constexpr std::array<std::pair<std::string_view, std::size_t>, 6> kTuples{{{"VECTORS", 3},
                                                                               {"NORMALS", 3},
                                                                               {"TENSORS", 9},
                                                                               {"TENSORS6", 6},
                                                                               {"GLOBAL_IDS", 1},
                                                                               {"PEDIGREE_IDS", 1}}};
    for (const auto& [known, components] : kTuples) {
      if (known == keyword) return read_array(name, cursor_.word(), components, num_tuples_);
    }
    return fail("'" + keyword.substr(0, 20) + "' is not a keyword of a legacy VTK file");
  }

  /// Keeps the pressures, reads over everything else.
  std::string read_array(const std::string& name, std::string_view type_name, std::size_t components,
                         std::size_t tuples, bool rest_of_line = true) {
    if (components > 1000)
      return fail("array '" + name.substr(0, 30) + "' of " + std::to_string(components) + " components");
    if (upper(type_name) == "STRING") return skip_strings(components * tuples, rest_of_line);
    const auto type = vtk_scalar_type(type_name);
    if (!type) return fail_type(type_name);
    std::vector<double> array;
    if (std::string wrong = values(*type, components * tuples, "values of an array", &array, rest_of_line);
        !wrong.empty()) {
      return wrong;
    }
    if (of_points_ && components == 1 && tuples == data_->points.size() && is_pressure_name(name)) {
      data_->scalars.push_back({name, std::move(array)});
    }
    return {};
  }

  /// Texts, which no mesh needs: a line each. In binary files each stands behind its length, whose first two
  /// bits tell the bytes that hold it: 11, 10, 01, 00 for 1, 2, 4, 8 (vtkDataWriter).
  std::string skip_strings(std::size_t n, bool rest_of_line) {
    if (rest_of_line) cursor_.line();
    for (std::size_t i = 0; i < n; ++i) {
      if (cursor_.at_end()) return fail(std::to_string(n) + " texts expected, found " + std::to_string(i));
      if (!binary_) {
        cursor_.line();
        continue;
      }
      const auto first = static_cast<unsigned char>(cursor_.rest().front());
      const std::size_t num_bytes = std::size_t{8} >> (first >> 6);
      std::uint64_t length = 0;
      for (const char byte : cursor_.rest().substr(0, num_bytes))
        length = length << 8 | static_cast<unsigned char>(byte);
      length &= ~(std::uint64_t{3} << (8 * num_bytes - 2));
      if (!cursor_.skip(num_bytes) || !cursor_.skip(length))
        return fail("a text is longer than the file: it is cut off or damaged");
    }
    return {};
  }

  /// Numbers after a keyword's line, binary ones from its end on.
  std::string values(ScalarType type, std::size_t n, const char* what, std::vector<double>* out,
                     bool rest_of_line = true) {
    if (rest_of_line && binary_) cursor_.line();
    if (binary_) cursor_.set_encoding(Encoding::kBigEndian);
    if (!cursor_.numbers(type, n, out)) {
      return fail(std::to_string(n) + " " + what + " expected, " +
                  (cursor_.at_end() || binary_ ? "the file ends before them: it is cut off or damaged"
                                               : "found something that is not a number"));
    }
    cursor_.set_encoding(Encoding::kText);
    return {};
  }

  /// A count of the header; limited by the file's size, so that products of two of them stay small.
  bool count(std::size_t* n) {
    std::int64_t value = 0;
    if (!cursor_.count(ScalarType::kInt64, &value) || value > (std::int64_t{1} << 40)) return false;
    *n = static_cast<std::size_t>(value);
    return true;
  }

  [[nodiscard]] std::string fail(const std::string& what) const { return cursor_.place() + ": " + what; }
  [[nodiscard]] std::string fail_count() const { return fail("a count expected"); }
  [[nodiscard]] std::string fail_type(std::string_view name) const {
    return fail("'" + std::string(name.substr(0, 20)) + "' is not a type of numbers");
  }

  FileCursor cursor_;
  TetFileData* data_;
  bool binary_ = false, has_points_ = false, has_cells_ = false;
  bool of_points_ = false;
  std::size_t num_tuples_ = 0;
  std::vector<double> offsets_, connectivity_, types_;
};

}  // namespace

std::string read_legacy_vtk(std::string_view bytes, TetFileData* data) {
  return LegacyReader(bytes, data).read();
}

}  // namespace csim
