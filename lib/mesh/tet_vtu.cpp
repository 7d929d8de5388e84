#include <algorithm>

#include "core/xml.h"
#include "geometry/surface_files.h"
#include "mesh/tet_files.h"
#include "mesh/vtu_data.h"

namespace csim {

namespace {

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

  void read() {
    if (!document_.error().empty()) throw FileFault{document_.error()};
    read_root();
    const std::vector<double> coordinates = find("Points", "");
    if (coordinates.size() % 3 != 0) {
      throw FileFault{"Points: " + std::to_string(coordinates.size()) +
                      " numbers, expected a multiple of three"};
    }
    const std::vector<double> connectivity = find("Cells", "connectivity"), ends = find("Cells", "offsets"),
                              types = find("Cells", "types");
    std::vector<double> offsets{0.0};
    offsets.insert(offsets.end(), ends.begin(), ends.end());
    add_vtk_points(coordinates, data_);
    add_vtk_cells(offsets, connectivity, types, data_);
    read_pressures();
  }

 private:
  void read_root() {
    const XmlElement root = document_.root();
    if (root.name() != "VTKFile") fail(root, "no <VTKFile> element");
    const auto is = [&](const char* attribute, std::string_view value) {
      return root.attribute(attribute) == value;
    };
    if (!is("type", "UnstructuredGrid"))
      fail(root, quoted(root, "type") + ", expected UnstructuredGrid, which holds tetrahedra");
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
      throw FileFault{std::to_string(num_pieces) +
                      " <Piece> elements, expected one; merge the pieces into one grid"};

    const XmlElement appended = root.child("AppendedData");
    appended_base64_ = appended.attribute("encoding") == "base64";
    if (!appended || appended_base64_ || appended.attribute("encoding") == "raw") return;
    fail(appended, quoted(appended, "encoding") + ", expected raw or base64");
  }

  /// The values of the array of that parent and name (empty: the first).
  std::vector<double> find(const char* parent, std::string_view name) {
    for (XmlElement e = piece_.child(parent).first_child(); e; e = e.next())
      if (e.name() == "DataArray" && (name.empty() || e.attribute("Name") == name)) return read(e);
    throw FileFault{"no DataArray '" + std::string(name.empty() ? parent : name) + "' in <" + parent + ">"};
  }

  std::vector<double> read(const XmlElement& array) {
    std::vector<double> values;
    const std::string name(array.attribute("Name").substr(0, 30));
    reading_at(document_.place(array).prefix() + "array '" + name + "': ",
               [&] { values = read_values(array); });
    return values;
  }

  std::vector<double> read_values(const XmlElement& array) {
    const auto type = scalar_type(TypeNames::kVtkXml, array.attribute("type"));
    if (!type) throw FileFault{quoted(array, "type") + " is not a type of numbers"};
    const std::string_view format = array.attribute("format");
    if (format == "ascii") return read_vtu_text(array.text());
    if (format != "binary" && format != "appended")
      throw FileFault{quoted(array, "format") + ", expected ascii, binary or appended"};
    const XmlElement root = document_.root();
    if (!encoding_.compressed && !root.attribute("compressor").empty())
      throw FileFault{quoted(root, "compressor") + " in <VTKFile>, expected vtkZLibDataCompressor or none"};
    if (format == "binary") return read_vtu_binary(decode_base64(array.text()), encoding_, *type);
    std::size_t offset = 0;
    if (!parse_number(array.attribute("offset"), &offset))
      throw FileFault{"an appended array without its offset"};
    const std::string_view from = parts_.appended.substr(std::min(offset, parts_.appended.size()));
    return appended_base64_ ? read_vtu_binary(decode_base64(from), encoding_, *type)
                            : read_vtu_binary(from, encoding_, *type);
  }

  void read_pressures() {
    for (XmlElement e = piece_.child("PointData").first_child(); e; e = e.next()) {
      if (e.name() != "DataArray" || !is_pressure_name(e.attribute("Name"))) continue;
      PointScalars scalars{std::string(e.attribute("Name")), read(e)};
      if (scalars.values.size() != data_->points.size()) {
        throw FileFault{"array '" + scalars.name + "': " + std::to_string(scalars.values.size()) +
                        " values for " + std::to_string(data_->points.size()) + " points"};
      }
      data_->scalars.push_back(std::move(scalars));
    }
  }

  /// attribute="value", the value cut to a length that fits into a message.
  static std::string quoted(const XmlElement& element, const char* attribute) {
    return std::string(attribute) + "=\"" + std::string(element.attribute(attribute).substr(0, 40)) + "\"";
  }

  [[noreturn]] void fail(const XmlElement& element, const std::string& what) const {
    throw FileFault{document_.place(element).prefix() + what};
  }

  VtuParts parts_;
  XmlDocument document_;
  TetFileData* data_;
  VtuEncoding encoding_;
  XmlElement piece_;
  bool appended_base64_ = false;
};

}  // namespace

void read_vtu(std::string_view bytes, TetFileData* data) {
  VtuReader(bytes, data).read();
}

}  // namespace csim
