#include "export/vtk_file.h"

#include <bit>

#include "core/number_format.h"

namespace csim {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays go into the file as they are");

void push(std::string* bytes, std::uint64_t number) {
  for (int k = 0; k < 8; ++k) *bytes += static_cast<char>(number >> 8 * k & 255);
}

}  // namespace

std::string VtkFile::array(const std::string& type, const std::string& name, int components,
                           std::span<const std::uint8_t> bytes) {
  const std::string xml = "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
                          std::to_string(components) + "\" format=\"appended\" offset=\"" +
                          std::to_string(appended_.size()) + "\"/>\n";
  // Number of blocks; size of each but the last; size of the last when it is smaller; compressed sizes.
  if (bytes.empty()) {
    for (int k = 0; k < 3; ++k) push(&appended_, 0);
    return xml;
  }
  const std::span<const std::uint8_t> block = deflater_.deflate(bytes);
  for (const std::uint64_t number :
       {std::uint64_t{1}, std::uint64_t{bytes.size()}, std::uint64_t{0}, std::uint64_t{block.size()}})
    push(&appended_, number);
  appended_.append(reinterpret_cast<const char*>(block.data()), block.size());
  return xml;
}

void VtkFile::cells(Cells kind, const std::vector<std::int64_t>& connectivity,
                    const std::vector<std::int64_t>& end) {
  constexpr std::uint8_t kVtkTetra = 10;
  cells_ = kind;
  num_cells_ = static_cast<long>(end.size());
  cells_xml_ = array("connectivity", 1, connectivity) + array("offsets", 1, end);
  if (kind_ == Kind::kPolyData) return;
  cells_xml_ += array("types", 1, std::vector<std::uint8_t>(end.size(), kVtkTetra));
}

void VtkFile::field(const std::string& name, double value) {
  field_xml_ += "<DataArray type=\"Float64\" Name=\"" + name + "\" NumberOfTuples=\"1\" format=\"ascii\">" +
                format_number(value) + "</DataArray>\n";
}

void VtkFile::field(const std::string& name, const std::vector<std::string>& texts) {
  field_xml_ += "<Array type=\"String\" Name=\"" + name + "\" NumberOfTuples=\"" +
                std::to_string(texts.size()) + "\" format=\"ascii\">";
  // Each text as its bytes, ended by 0.
  for (const std::string& text : texts) {
    for (const char c : text) field_xml_ += std::to_string(static_cast<unsigned char>(c)) + " ";
    field_xml_ += "0 ";
  }
  field_xml_ += "</Array>\n";
}

std::string VtkFile::bytes() const {
  const bool grid = kind_ == Kind::kUnstructuredGrid;
  const std::string kind = grid ? "UnstructuredGrid" : "PolyData";
  const auto section = [](const char* name, const std::string& xml) {
    return std::string("<") + name + ">\n" + xml + "</" + name + ">\n";
  };
  const auto count = [](const char* name, long number) {
    return std::string(" ") + name + "=\"" + std::to_string(number) + "\"";
  };
  std::string piece = "<Piece" + count("NumberOfPoints", num_points_);
  if (grid) {
    piece += count("NumberOfCells", num_cells_);
  } else {
    piece += count("NumberOfVerts", cells_ == Cells::kVertices ? num_cells_ : 0);
    piece += count("NumberOfLines", 0) + count("NumberOfStrips", 0);
    piece += count("NumberOfPolys", cells_ == Cells::kPolygons ? num_cells_ : 0);
  }
  const char* cells = grid ? "Cells" : cells_ == Cells::kVertices ? "Verts" : "Polys";
  std::string file = "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + kind +
                     "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
                     "compressor=\"vtkZLibDataCompressor\">\n<" +
                     kind + ">\n" + section("FieldData", field_xml_) + piece + ">\n";
  file += section("PointData", point_xml_) + section("CellData", cell_xml_);
  file += section("Points", points_xml_) + section(cells, cells_xml_);
  file += "</Piece>\n</" + kind + ">\n<AppendedData encoding=\"raw\">\n_";
  return file + appended_ + "\n</AppendedData>\n</VTKFile>\n";
}

}  // namespace csim
