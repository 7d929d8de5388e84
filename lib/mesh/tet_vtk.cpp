#include <algorithm>
#include <cctype>
#include <map>

#include "geometry/file_cursor.h"
#include "mesh/tet_files.h"

namespace csim {

namespace {

std::string upper(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
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

  void read() {
    read_header();
    for (std::string keyword = next_keyword(); !keyword.empty(); keyword = next_keyword())
      read_section(keyword);
    if (!has_points_) throw FileFault{"no POINTS"};
    if (!has_cells_) throw FileFault{"no CELLS"};
    add_vtk_cells(offsets_, connectivity_, types_, data_);
  }

 private:
  void read_header() {
    if (!cursor_.line().starts_with("# vtk DataFile Version"))
      throw FileFault{"line 1: a legacy VTK file begins with '# vtk DataFile Version'"};
    cursor_.line();  // the title
    const std::string format = upper(cursor_.word());
    if (format != "ASCII" && format != "BINARY")
      fail("'" + format.substr(0, 20) + "', expected ASCII or BINARY");
    binary_ = format == "BINARY";
    const std::string dataset = upper(cursor_.word()), kind = upper(cursor_.word());
    if (dataset != "DATASET" || kind != "UNSTRUCTURED_GRID") {
      fail("'" + dataset.substr(0, 20) + " " + kind.substr(0, 30) +
           "', expected DATASET UNSTRUCTURED_GRID, which holds tetrahedra");
    }
  }

  /// Keywords are text in binary files too. Empty at the end of the file.
  std::string next_keyword() {
    cursor_.set_encoding(Encoding::kText);
    return upper(cursor_.word());
  }

  void read_section(const std::string& keyword) {
    if (keyword == "POINTS") {
      read_points();
    } else if (keyword == "CELLS") {
      read_cells();
    } else if (keyword == "CELL_TYPES") {
      types_ = values(ScalarType::kInt32, count(), "cell types");
    } else if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
      of_points_ = keyword == "POINT_DATA";
      num_tuples_ = count();
      if (of_points_ && num_tuples_ != data_->points.size()) {
        fail("POINT_DATA of " + std::to_string(num_tuples_) + ", the file has " +
             std::to_string(data_->points.size()) + " points");
      }
    } else if (keyword == "METADATA") {  // ends with an empty line
      cursor_.line();
      while (!cursor_.at_end() && !cursor_.line().empty()) {
      }
    } else if (keyword == "FIELD") {
      read_field();
    } else {
      read_attribute(keyword);
    }
  }

  void read_points() {
    if (has_points_) fail("a second POINTS");
    const std::size_t n = count();
    const ScalarType type = type_of(cursor_.word());
    add_vtk_points(values(type, 3 * n, "coordinates"), data_);
    has_points_ = true;
  }

  /// Until version 5 each cell is its number of points and the points; from then on offsets and points.
  void read_cells() {
    if (has_cells_) fail("a second CELLS");
    const std::size_t n = count(), size = count();
    has_cells_ = true;
    FileCursor ahead = cursor_;
    if (upper(ahead.word()) == "OFFSETS") {
      cursor_ = ahead;
      return read_offsets_and_points(n, size);
    }
    const std::vector<double> list = values(ScalarType::kInt32, size, "cells");
    offsets_.assign(1, 0.0);
    std::size_t next = 0;
    for (std::size_t cell = 0; cell < n; ++cell) {
      if (next >= list.size() || !is_count(list[next]) ||
          list[next] > static_cast<double>(list.size() - next - 1)) {
        throw FileFault{"cell " + std::to_string(cell) +
                        ": CELLS lists fewer numbers than its cells have points"};
      }
      const auto num_points = static_cast<std::size_t>(list[next]);
      connectivity_.insert(connectivity_.end(), list.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                           list.begin() + static_cast<std::ptrdiff_t>(next + 1 + num_points));
      offsets_.push_back(static_cast<double>(connectivity_.size()));
      next += num_points + 1;
    }
  }

  void read_offsets_and_points(std::size_t n, std::size_t size) {
    offsets_ = values(type_of(cursor_.word()), n, "offsets");
    if (offsets_.empty()) fail("OFFSETS without a number, at least one expected");
    const std::string found = next_keyword();
    if (found != "CONNECTIVITY") fail("'" + found.substr(0, 20) + "', expected CONNECTIVITY");
    connectivity_ = values(type_of(cursor_.word()), size, "points of cells");
  }

  /// FIELD name n, then n arrays "name components tuples type".
  void read_field() {
    cursor_.word();
    const std::size_t n = count();
    for (std::size_t i = 0; i < n; ++i) {
      std::string name = decoded_name(cursor_.word());
      if (name == "METADATA") {
        read_section(name);
        cursor_.set_encoding(Encoding::kText);
        name = decoded_name(cursor_.word());
      }
      if (name == "NULL_ARRAY") continue;
      const std::size_t components = count(), tuples = count();
      read_array(name, cursor_.word(), components, tuples);
    }
  }

  void read_attribute(const std::string& keyword) {
    static const std::map<std::string, std::size_t> kTuples{{"VECTORS", 3},    {"NORMALS", 3},
                                                            {"TENSORS", 9},    {"TENSORS6", 6},
                                                            {"GLOBAL_IDS", 1}, {"PEDIGREE_IDS", 1}};
    const std::string name = decoded_name(cursor_.word());
    if (keyword == "SCALARS") {
      // "type [components]" on the rest of the line, then a line LOOKUP_TABLE.
      std::string_view line = cursor_.line();
      const std::string_view type = next_word(&line), components_word = next_word(&line);
      std::size_t components = 1;
      if (!components_word.empty() && !parse_number(components_word, &components)) fail("a count expected");
      FileCursor ahead = cursor_;
      if (upper(ahead.word()) == "LOOKUP_TABLE") {
        ahead.line();
        cursor_ = ahead;
      }
      read_array(name, type, components, num_tuples_, false);
    } else if (keyword == "LOOKUP_TABLE") {
      static_cast<void>(values(ScalarType::kUint8, 4 * count(), "colours"));
    } else if (keyword == "COLOR_SCALARS") {
      const std::size_t n = count();
      if (n > 4) fail("a count expected");
      static_cast<void>(values(ScalarType::kUint8, n * num_tuples_, "colours"));
    } else if (keyword == "TEXTURE_COORDINATES") {
      const std::size_t n = count();
      read_array(name, cursor_.word(), n, num_tuples_);
    } else if (const auto known = kTuples.find(keyword); known != kTuples.end()) {
      read_array(name, cursor_.word(), known->second, num_tuples_);
    } else {
      fail("'" + keyword.substr(0, 20) + "' is not a keyword of a legacy VTK file");
    }
  }

  /// Keeps the pressures, reads over everything else.
  void read_array(const std::string& name, std::string_view type_name, std::size_t components,
                  std::size_t tuples, bool rest_of_line = true) {
    if (components > 1000)
      fail("array '" + name.substr(0, 30) + "' of " + std::to_string(components) + " components");
    if (upper(type_name) == "STRING") return skip_strings(components * tuples, rest_of_line);
    std::vector<double> array =
        values(type_of(type_name), components * tuples, "values of an array", rest_of_line);
    if (of_points_ && components == 1 && tuples == data_->points.size() && is_pressure_name(name))
      data_->scalars.push_back({name, std::move(array)});
  }

  /// Texts, which no mesh needs: a line each. In binary files each stands behind its length, whose first two
  /// bits tell the bytes that hold it: 11, 10, 01, 00 for 1, 2, 4, 8 (vtkDataWriter).
  void skip_strings(std::size_t n, bool rest_of_line) {
    if (rest_of_line) cursor_.line();
    for (std::size_t i = 0; i < n; ++i) {
      if (cursor_.at_end()) fail(std::to_string(n) + " texts expected, found " + std::to_string(i));
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
        fail("a text is longer than the file: it is cut off or damaged");
    }
  }

  /// Numbers after a keyword's line, binary ones from its end on.
  std::vector<double> values(ScalarType type, std::size_t n, const char* what, bool rest_of_line = true) {
    if (rest_of_line && binary_) cursor_.line();
    if (binary_) cursor_.set_encoding(Encoding::kBigEndian);
    std::vector<double> read;
    if (!cursor_.numbers(type, n, &read)) {
      fail(std::to_string(n) + " " + what + " expected, " +
           (cursor_.at_end() || binary_ ? "the file ends before them: it is cut off or damaged"
                                        : "found something that is not a number"));
    }
    cursor_.set_encoding(Encoding::kText);
    return read;
  }

  /// A count of the header; limited by the file's size, so that products of two of them stay small.
  std::size_t count() {
    std::int64_t value = 0;
    if (!cursor_.count(ScalarType::kInt64, &value) || value > (std::int64_t{1} << 40))
      fail("a count expected");
    return static_cast<std::size_t>(value);
  }

  ScalarType type_of(std::string_view name) {
    const auto type = scalar_type(TypeNames::kLegacyVtk, upper(name));
    if (!type) fail("'" + std::string(name.substr(0, 20)) + "' is not a type of numbers");
    return *type;
  }

  [[noreturn]] void fail(const std::string& what) const { throw FileFault{cursor_.place() + ": " + what}; }

  FileCursor cursor_;
  TetFileData* data_;
  bool binary_ = false, has_points_ = false, has_cells_ = false;
  bool of_points_ = false;
  std::size_t num_tuples_ = 0;
  std::vector<double> offsets_, connectivity_, types_;
};

}  // namespace

void read_legacy_vtk(std::string_view bytes, TetFileData* data) {
  LegacyReader(bytes, data).read();
}

}  // namespace csim
