#include <algorithm>
#include <optional>

#include "geometry/surface_files.h"
#include "mesh/tet_files.h"
#include "mesh/vtu_data.h"
#include "mesh/xml_reader.h"

namespace csim {

namespace {

std::optional<ScalarType> scalar_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ScalarType>, 10> kNames{
      {{"Int8", ScalarType::kInt8},
       {"UInt8", ScalarType::kUint8},
       {"Int16", ScalarType::kInt16},
       {"UInt16", ScalarType::kUint16},
       {"Int32", ScalarType::kInt32},
       {"UInt32", ScalarType::kUint32},
       {"Int64", ScalarType::kInt64},
       {"UInt64", ScalarType::kUint64},
       {"Float32", ScalarType::kFloat},
       {"Float64", ScalarType::kDouble}}};
  for (const auto& [known, type] : kNames) {
    if (known == name) return type;
  }
  return std::nullopt;
}

/// An array as the file announces it; its values come from its own text or from the appended data.
struct DataArray {
  std::string parent;  // Points, Cells, PointData, …
  std::string name, type, format;
  std::string text;
  std::size_t offset = 0;  // in the appended data
  long line = 0;
};

class VtuReader {
 public:
  VtuReader(std::string_view bytes, TetFileData* data) : xml_(bytes), data_(data) {}

  std::string read() {
    if (std::string wrong = read_elements(); !wrong.empty()) return wrong;
    if (!has_root_) return "no <VTKFile> element";
    if (num_pieces_ != 1) {
      return std::to_string(num_pieces_) + " <Piece> elements, expected one; merge the pieces into one grid";
    }
    std::vector<double> coordinates, connectivity, offsets{0.0}, ends, types;
    if (std::string wrong = find("Points", "", &coordinates); !wrong.empty()) return wrong;
    if (coordinates.size() % 3 != 0)
      return "Points: " + std::to_string(coordinates.size()) + " numbers, no multiple of three";
    if (std::string wrong = find("Cells", "connectivity", &connectivity); !wrong.empty()) return wrong;
    if (std::string wrong = find("Cells", "offsets", &ends); !wrong.empty()) return wrong;
    if (std::string wrong = find("Cells", "types", &types); !wrong.empty()) return wrong;
    add_vtk_points(coordinates, data_);
    offsets.insert(offsets.end(), ends.begin(), ends.end());
    if (std::string wrong = add_vtk_cells(offsets, connectivity, types, data_); !wrong.empty()) return wrong;
    return read_pressures();
  }

 private:
  std::string read_elements() {
    std::string parent;
    bool in_array = false;
    int depth_in_array = 0;
    while (true) {
      const XmlReader::Event event = xml_.next();
      if (event == XmlReader::Event::kError) return xml_.error();
      if (event == XmlReader::Event::kEndOfFile) {
        return has_root_ && !ended_ ? fail("no </VTKFile>: the file is cut off") : "";
      }
      if (event == XmlReader::Event::kText) {
        if (in_array && depth_in_array == 0) arrays_.back().text += xml_.text();
        continue;
      }
      const std::string name(xml_.name());
      if (event == XmlReader::Event::kEnd) {
        ended_ = ended_ || name == "VTKFile";
        if (in_array && depth_in_array > 0) {
          --depth_in_array;
        } else {
          in_array = false;
        }
        continue;
      }
      if (in_array) {
        ++depth_in_array;  // what VTK notes about an array within it
        continue;
      }
      if (name == "AppendedData") return read_appended();
      if (name == "DataArray") {
        if (std::string wrong = start_array(parent); !wrong.empty()) return wrong;
        in_array = true;
      } else if (name == "VTKFile") {
        if (std::string wrong = read_root(); !wrong.empty()) return wrong;
      } else {
        num_pieces_ += name == "Piece" ? 1 : 0;
        parent = name;
      }
    }
  }

  std::string read_root() {
    has_root_ = true;
    const auto is = [&](const char* attribute, std::string_view value) {
      return xml_.attribute(attribute) == value;
    };
    if (!is("type", "UnstructuredGrid")) {
      return fail("type=\"" + std::string(xml_.attribute("type").substr(0, 30)) +
                  "\", expected UnstructuredGrid, which holds tetrahedra");
    }
    if (is("byte_order", "BigEndian")) encoding_.byte_order = Encoding::kBigEndian;
    if (is("header_type", "UInt64")) encoding_.header_type = ScalarType::kUint64;
    const std::string_view compressor = xml_.attribute("compressor");
    encoding_.compressed = compressor == "vtkZLibDataCompressor";
    if (!encoding_.compressed) unknown_compressor_ = compressor;
    return {};
  }

  std::string start_array(const std::string& parent) {
    DataArray array;
    array.parent = parent;
    array.name = xml_.attribute("Name");
    array.type = xml_.attribute("type");
    array.format = xml_.attribute("format");
    array.line = xml_.line();
    if (array.format != "ascii" && array.format != "binary" && array.format != "appended") {
      return fail("format=\"" + array.format.substr(0, 20) + "\", expected ascii, binary or appended");
    }
    if (array.format == "appended" && !parse_number(xml_.attribute("offset"), &array.offset)) {
      return fail("an appended array without its offset");
    }
    arrays_.push_back(std::move(array));
    return {};
  }

  /// Everything behind the '_' that follows the element; raw bytes are no XML.
  std::string read_appended() {
    const std::string_view encoding = xml_.attribute("encoding");
    appended_base64_ = encoding == "base64";
    if (!appended_base64_ && encoding != "raw") {
      return fail("encoding=\"" + std::string(encoding.substr(0, 20)) + "\", expected raw or base64");
    }
    const std::string_view rest = xml_.rest();
    const std::size_t mark = rest.find('_');
    if (mark == std::string_view::npos) return fail("appended data without the '_' before them");
    appended_ = rest.substr(mark + 1);
    return {};
  }

  /// The values of the array of that parent and name (empty: the first).
  std::string find(std::string_view parent, std::string_view name, std::vector<double>* values) {
    for (const DataArray& array : arrays_) {
      if (array.parent == parent && (name.empty() || array.name == name)) return read(array, values);
    }
    return "no DataArray '" + std::string(name.empty() ? parent : name) + "' in <" + std::string(parent) +
           ">";
  }

  std::string read(const DataArray& array, std::vector<double>* values) {
    const std::string here =
        "line " + std::to_string(array.line) + ": array '" + array.name.substr(0, 30) + "': ";
    const auto type = scalar_type(array.type);
    if (!type) return here + "'" + array.type.substr(0, 20) + "' is no type of numbers";
    std::string wrong;
    if (array.format != "ascii" && !unknown_compressor_.empty()) {
      wrong = "compressor=\"" + unknown_compressor_.substr(0, 40) +
              "\" in <VTKFile>, expected vtkZLibDataCompressor or none";
    } else if (array.format == "ascii") {
      wrong = read_vtu_text(array.text, values);
    } else if (array.format == "binary") {
      wrong = read_vtu_binary(decode_base64(array.text), encoding_, *type, values);
    } else {
      const std::string_view from = appended_.substr(std::min(array.offset, appended_.size()));
      wrong = appended_base64_ ? read_vtu_binary(decode_base64(from), encoding_, *type, values)
                               : read_vtu_binary(from, encoding_, *type, values);
    }
    return wrong.empty() ? wrong : here + wrong;
  }

  std::string read_pressures() {
    for (const DataArray& array : arrays_) {
      if (array.parent != "PointData" || !is_pressure_name(array.name)) continue;
      PointScalars scalars{array.name, {}};
      if (std::string wrong = read(array, &scalars.values); !wrong.empty()) return wrong;
      if (scalars.values.size() != data_->points.size()) {
        return "array '" + array.name + "': " + std::to_string(scalars.values.size()) + " values for " +
               std::to_string(data_->points.size()) + " points";
      }
      data_->scalars.push_back(std::move(scalars));
    }
    return {};
  }

  [[nodiscard]] std::string fail(const std::string& what) const {
    return "line " + std::to_string(xml_.line()) + ": " + what;
  }

  XmlReader xml_;
  TetFileData* data_;
  VtuEncoding encoding_;
  std::string unknown_compressor_;  // of the data that are not text
  bool has_root_ = false, ended_ = false, appended_base64_ = false;
  int num_pieces_ = 0;
  std::vector<DataArray> arrays_;
  std::string_view appended_;
};

}  // namespace

std::string read_vtu(std::string_view bytes, TetFileData* data) {
  return VtuReader(bytes, data).read();
}

}  // namespace csim
