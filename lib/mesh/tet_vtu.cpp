#include <algorithm>
#include <optional>

#include "core/xml.h"
#include "geometry/surface_files.h"
#include "mesh/tet_files.h"
#include "mesh/vtu_data.h"

namespace csim {

namespace {

std::optional<ScalarType> vtu_scalar_type(std::string_view name) {
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

/// A file cut in two: raw bytes that VTK appends are no XML, but stand in its middle.
struct VtuParts {
  std::string xml;            // with the elements closed that the cut leaves open
  std::string_view appended;  // behind the '_'; empty without appended data
};

VtuParts cut_off_appended_data(std::string_view bytes) {
  const std::size_t element = bytes.find("<AppendedData");
  const std::size_t mark = element == bytes.npos ? bytes.npos : bytes.find('_', bytes.find('>', element));
  if (mark == bytes.npos) return {std::string(bytes), {}};
  return {std::string(bytes.substr(0, mark)) + "</AppendedData></VTKFile>", bytes.substr(mark + 1)};
}

class VtuReader {
 public:
  VtuReader(std::string_view bytes, TetFileData* data)
      : parts_(cut_off_appended_data(bytes)), document_(parts_.xml), data_(data) {}

  std::string read() {
    if (!document_.error().empty()) return document_.error();
    if (std::string wrong = read_root(); !wrong.empty()) return wrong;
    std::vector<double> coordinates, connectivity, offsets{0.0}, ends, types;
    if (std::string wrong = find("Points", "", &coordinates); !wrong.empty()) return wrong;
    if (coordinates.size() % 3 != 0)
      return "Points: " + std::to_string(coordinates.size()) + " numbers, expected a multiple of three";
    if (std::string wrong = find("Cells", "connectivity", &connectivity); !wrong.empty()) return wrong;
    if (std::string wrong = find("Cells", "offsets", &ends); !wrong.empty()) return wrong;
    if (std::string wrong = find("Cells", "types", &types); !wrong.empty()) return wrong;
    add_vtk_points(coordinates, data_);
    offsets.insert(offsets.end(), ends.begin(), ends.end());
    if (std::string wrong = add_vtk_cells(offsets, connectivity, types, data_); !wrong.empty()) return wrong;
    return read_pressures();
  }

 private:
  std::string read_root() {
    const XmlElement root = document_.root();
    if (root.name() != "VTKFile") return fail(root, "no <VTKFile> element");
    const auto is = [&](const char* attribute, std::string_view value) {
      return root.attribute(attribute) == value;
    };
    if (!is("type", "UnstructuredGrid"))
      return fail(root, quoted(root, "type") + ", expected UnstructuredGrid, which holds tetrahedra");
    if (is("byte_order", "BigEndian")) encoding_.byte_order = Encoding::kBigEndian;
    if (is("header_type", "UInt64")) encoding_.header_type = ScalarType::kUint64;
    encoding_.compressed = is("compressor", "vtkZLibDataCompressor");

    int num_pieces = 0;
    for (XmlElement e = root.child("UnstructuredGrid").first_child(); e; e = e.next()) {
      if (e.name() != "Piece") continue;
      piece_ = e;
      ++num_pieces;
    }
    if (num_pieces != 1)
      return std::to_string(num_pieces) + " <Piece> elements, expected one; merge the pieces into one grid";

    const XmlElement appended = root.child("AppendedData");
    appended_base64_ = appended.attribute("encoding") == "base64";
    if (!appended || appended_base64_ || appended.attribute("encoding") == "raw") return {};
    return fail(appended, quoted(appended, "encoding") + ", expected raw or base64");
  }

  /// The values of the array of that parent and name (empty: the first).
  std::string find(const char* parent, std::string_view name, std::vector<double>* values) {
    for (XmlElement e = piece_.child(parent).first_child(); e; e = e.next()) {
      if (e.name() == "DataArray" && (name.empty() || e.attribute("Name") == name)) return read(e, values);
    }
    return "no DataArray '" + std::string(name.empty() ? parent : name) + "' in <" + parent + ">";
  }

  std::string read(const XmlElement& array, std::vector<double>* values) {
    const auto wrong_array = [&](const std::string& what) {
      return fail(array, "array '" + std::string(array.attribute("Name").substr(0, 30)) + "': " + what);
    };
    const auto type = vtu_scalar_type(array.attribute("type"));
    if (!type) return wrong_array(quoted(array, "type") + " is not a type of numbers");
    const std::string wrong = read_values(array, *type, values);
    return wrong.empty() ? wrong : wrong_array(wrong);
  }

  std::string read_values(const XmlElement& array, ScalarType type, std::vector<double>* values) {
    const std::string_view format = array.attribute("format");
    if (format == "ascii") return read_vtu_text(array.text(), values);
    if (format != "binary" && format != "appended")
      return quoted(array, "format") + ", expected ascii, binary or appended";
    if (!encoding_.compressed && !document_.root().attribute("compressor").empty())
      return quoted(document_.root(), "compressor") + " in <VTKFile>, expected vtkZLibDataCompressor or none";
    if (format == "binary") return read_vtu_binary(decode_base64(array.text()), encoding_, type, values);
    std::size_t offset = 0;
    if (!parse_number(array.attribute("offset"), &offset)) return "an appended array without its offset";
    const std::string_view from = parts_.appended.substr(std::min(offset, parts_.appended.size()));
    return appended_base64_ ? read_vtu_binary(decode_base64(from), encoding_, type, values)
                            : read_vtu_binary(from, encoding_, type, values);
  }

  std::string read_pressures() {
    for (XmlElement e = piece_.child("PointData").first_child(); e; e = e.next()) {
      if (e.name() != "DataArray" || !is_pressure_name(e.attribute("Name"))) continue;
      PointScalars scalars{std::string(e.attribute("Name")), {}};
      if (std::string wrong = read(e, &scalars.values); !wrong.empty()) return wrong;
      if (scalars.values.size() != data_->points.size()) {
        return "array '" + scalars.name + "': " + std::to_string(scalars.values.size()) + " values for " +
               std::to_string(data_->points.size()) + " points";
      }
      data_->scalars.push_back(std::move(scalars));
    }
    return {};
  }

  /// attribute="value", the value cut to a length that fits into a message.
  static std::string quoted(const XmlElement& element, const char* attribute) {
    return std::string(attribute) + "=\"" + std::string(element.attribute(attribute).substr(0, 40)) + "\"";
  }

  [[nodiscard]] std::string fail(const XmlElement& element, const std::string& what) const {
    return document_.place(element).prefix() + what;
  }

  VtuParts parts_;
  XmlDocument document_;
  TetFileData* data_;
  VtuEncoding encoding_;
  XmlElement piece_;
  bool appended_base64_ = false;
};

}  // namespace

std::string read_vtu(std::string_view bytes, TetFileData* data) {
  return VtuReader(bytes, data).read();
}

}  // namespace csim
