#include "mesh/tet_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mesh/load_tet_mesh.h"
#include "mesh/vtu_data.h"
#include "unit/mesh/mesh_files.h"
#include "unit/mesh/sound_mesh.h"

namespace csim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::mesh_file;
using testing::TemporaryFile;

const std::vector<std::string> kFiles{"vtk_42_ascii.vtk",
                                      "vtk_42_binary.vtk",
                                      "vtk_51_ascii.vtk",
                                      "vtk_51_binary.vtk",
                                      "meshio_42_binary.vtk",
                                      "meshio_51_ascii.vtk",
                                      "ascii.vtu",
                                      "base64.vtu",
                                      "base64_zlib.vtu",
                                      "appended_raw.vtu",
                                      "appended_raw_zlib_big_endian.vtu",
                                      "appended_base64_tets_64.vtu",
                                      "appended_base64_zlib_64.vtu",
                                      "meshio_ascii.vtu",
                                      "meshio_zlib.vtu",
                                      "gmsh_22_ascii.msh",
                                      "gmsh_22_binary.msh",
                                      "gmsh_41_ascii.msh",
                                      "gmsh_41_binary.msh"};

/// What files/write_files.py put into every file.
void expect_star_of_a_box(const TetMeshFile& file, double tolerance) {
  ASSERT_EQ(file.mesh.vertices.size(), 9u);
  for (int v = 0; v < 8; ++v) {
    const Vector3 corner(v & 1 ? 0.05 : -0.05, v & 2 ? 0.1 : -0.1, v & 4 ? 0.15 : -0.15);
    EXPECT_LE((file.mesh.vertices[v] - corner).norm(), tolerance) << v;
  }
  EXPECT_LE((file.mesh.vertices[8] - Vector3(0.01, 0.02, 0.03)).norm(), tolerance);
  ASSERT_EQ(file.mesh.tets.size(), 12u);
  EXPECT_THAT(file.mesh.tets[0], ElementsAre(8, 0, 2, 3));
  EXPECT_THAT(file.mesh.tets[11], ElementsAre(8, 1, 7, 5));
  testing::expect_sound(file.mesh);
  EXPECT_EQ(file.value_name, "extent");
  EXPECT_THAT(file.values, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 1));
}

class TetFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(TetFiles, HoldTheSameMesh) {
  const auto loaded = read_tet_mesh(mesh_file(GetParam()), Vector3::Ones());
  ASSERT_TRUE(loaded.ok()) << loaded.error;
  // meshio's ASCII writers give eleven to seventeen digits.
  expect_star_of_a_box(*loaded.value, 1e-12);
  const bool gmsh = GetParam().starts_with("gmsh");
  EXPECT_EQ(loaded.value->numbers.vertex(0), gmsh ? "node 1" : "point 0");
  const bool only_tets = GetParam().find("_tets_") != std::string::npos;
  EXPECT_EQ(loaded.value->numbers.tet(0), gmsh ? "element 13" : only_tets ? "cell 0" : "cell 12");
  if (only_tets) {
    EXPECT_TRUE(loaded.value->notes.empty());
  } else {
    EXPECT_THAT(loaded.value->notes.at(0),
                HasSubstr("12 " + std::string(gmsh ? "element" : "cell") + "s of fewer dimensions"));
  }
}

TEST_P(TetFiles, CutOffAnywhereAreAnErrorOrTheWholeMesh) {
  const std::string bytes = testing::file_bytes(mesh_file(GetParam()));
  const std::string extension = GetParam().substr(GetParam().rfind('.'));
  const auto read = extension == ".vtk" ? &read_legacy_vtk : extension == ".vtu" ? &read_vtu : &read_gmsh;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    TetFileData data;
    try {
      read(std::string_view(bytes).substr(0, size), &data);
      ASSERT_EQ(data.tets.size(), 12u) << size;
      ASSERT_EQ(data.points.size(), 9u) << size;
    } catch (const FileFault& fault) {
      EXPECT_FALSE(fault.message.empty()) << size;
    }
  }
}

TEST_P(TetFiles, MutatedAnywhereNeverCrash) {
  const std::string bytes = testing::file_bytes(mesh_file(GetParam()));
  const std::string extension = GetParam().substr(GetParam().rfind('.'));
  std::mt19937 rng(17);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(rng() % n); };
  const std::vector<std::string> words{
      "-1", "1e400", "nan", "99999999999", "18446744073709551615", "0", " ", "\n", "\"", "<", ">", "$End"};
  for (int trial = 0; trial < 500; ++trial) {
    std::string mutated = bytes;
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) {
      const std::size_t at = below(mutated.size());
      switch (below(5)) {
        case 0:
          mutated[at] = static_cast<char>(below(256));
          break;
        case 1:
          mutated.erase(at, 1 + below(16));
          break;
        case 2:
          mutated.insert(at, words[below(words.size())]);
          break;
        case 3: {
          const std::string piece = mutated.substr(below(mutated.size()), 1 + below(40));
          mutated.insert(at, piece);
          break;
        }
        default:
          mutated[at] = static_cast<char>(mutated[at] ^ (1 << below(8)));
      }
      if (mutated.empty()) mutated = "x";
    }
    const TemporaryFile file("mutated" + extension, mutated);
    CompliantFileOptions options;
    options.fix_orientation = trial % 2 == 0;
    options.split_problem_simplices = trial % 3 == 0;
    options.ignore_values = trial % 5 < 3;
    options.margin = trial % 7 == 0 ? 1e-3 : 0.0;
    const auto loaded = load_compliant_mesh(file.path(), options);
    if (!loaded.ok()) {
      ASSERT_THAT(loaded.error, HasSubstr(file.path() + ": ")) << trial;
      continue;
    }
    // What passes is fit for use.
    const CompliantMesh& compliant = loaded.value->compliant;
    for (std::size_t t = 0; t < compliant.mesh.tets.size(); ++t)
      ASSERT_GT(tet_volume(compliant.mesh, static_cast<int>(t)), 0.0);
    for (const double p : compliant.pressure) ASSERT_TRUE(std::isfinite(p)) << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(Written, TetFiles, ::testing::ValuesIn(kFiles), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

/// The error of a file of that name and content.
std::string error_of(const std::string& name, const std::string& bytes) {
  const TemporaryFile file(name, bytes);
  const auto loaded = load_compliant_mesh(file.path(), {});
  EXPECT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error, ::testing::StartsWith(file.path() + ": "));
  std::string error = loaded.error;
  for (std::size_t at = 0; (at = error.find(file.path() + ": ")) != std::string::npos;)
    error.erase(at, file.path().size() + 2);
  return error;
}

/// A legacy file of the given points and cells: each its type and its points.
std::string legacy(const std::string& points, const std::vector<std::pair<int, std::string>>& cells) {
  std::ostringstream text;
  std::istringstream counter(points);
  int num_points = 0, num_numbers = 0;
  for (std::string line; std::getline(counter, line);) ++num_points;
  for (const auto& [type, list] : cells)
    num_numbers += 2 + static_cast<int>(std::count(list.begin(), list.end(), ' '));
  text << "# vtk DataFile Version 3.0\ntest\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " << num_points
       << " double\n"
       << points << "CELLS " << cells.size() << " " << num_numbers << "\n";
  for (const auto& [type, list] : cells)
    text << 1 + std::count(list.begin(), list.end(), ' ') << " " << list << "\n";
  text << "CELL_TYPES " << cells.size() << "\n";
  for (const auto& [type, list] : cells) text << type << "\n";
  return text.str();
}

/// A tetrahedron with a point inside, which is the last.
const std::string kPoints = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n0.2 0.2 0.2\n";
const std::vector<std::pair<int, std::string>> kCells{
    {10, "4 1 2 3"}, {10, "0 4 2 3"}, {10, "0 1 4 3"}, {10, "0 1 2 4"}};

TEST(BadTetFile, UnreadableOnes) {
  EXPECT_THAT(load_compliant_mesh("/nowhere/x.vtk", {}).error,
              HasSubstr("/nowhere/x.vtk: cannot be opened: No such file"));
  EXPECT_EQ(error_of("a.stl", "solid"), "unknown extension '.stl', expected .vtk, .vtu or .msh");
  EXPECT_EQ(error_of("a.vtk", ""), "cannot be read (an empty file, a folder, or a read error)");
  EXPECT_EQ(error_of("a.vtk", "hello\n"), "line 1: a legacy VTK file begins with '# vtk DataFile Version'");
  EXPECT_EQ(error_of("a.msh", "hello\n"), "line 1: a Gmsh file begins with '$MeshFormat'");
  EXPECT_EQ(error_of("a.vtu", "hello\n"), "line 1, column 1: XML: no element in the file");
  EXPECT_EQ(error_of("a.vtu", "<a/>\n"), "line 1, column 1: no <VTKFile> element");
  EXPECT_EQ(error_of("a.vtu", "<!-- x\n --><VTKFile type=\"PolyData\"/>\n"),
            "line 2, column 5: type=\"PolyData\", expected UnstructuredGrid, which holds tetrahedra");
  EXPECT_EQ(
      error_of("a.vtu",
               "<?xml version='1.0'?>\n<VTKFile type=\"UnstructuredGrid\" "
               "compressor=\"vtkLZMADataCompressor\">\n<UnstructuredGrid><Piece><Points>\n<DataArray "
               "type=\"Float64\" "
               "Name=\"p\" format=\"binary\">AAAA</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"),
      "line 4, column 1: array 'p': compressor=\"vtkLZMADataCompressor\" in <VTKFile>, expected "
      "vtkZLibDataCompressor or none");
  EXPECT_EQ(error_of("a.vtk", "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n"),
            "line 4: 'DATASET POLYDATA', expected DATASET UNSTRUCTURED_GRID, which holds tetrahedra");
  EXPECT_EQ(error_of("a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n"),
            "line 2: format version 4.0, expected 2.2 or 4.1 (gmsh -save -format msh41)");
}

TEST(BadTetFile, NumbersThatAreNone) {
  std::string text = legacy(kPoints, kCells);
  text.replace(text.find("1 0 0\n"), 5, "1 x 0");
  EXPECT_EQ(error_of("a.vtk", text), "line 7: 15 coordinates expected, found something that is not a number");
  text = legacy(kPoints, kCells);
  text.replace(text.find("1 0 0\n"), 5, "1 nan 0");
  EXPECT_EQ(error_of("a.vtk", text), "point 1: (1, .nan, 0), finite coordinates expected");
  text = legacy(kPoints, kCells);
  text.replace(text.find("POINTS 5"), 8, "POINTS 500000000000");
  EXPECT_THAT(error_of("a.vtk", text),
              HasSubstr("1500000000000 coordinates expected, the file ends before them"));
  EXPECT_THAT(error_of("a.vtk", legacy(kPoints, kCells).substr(0, 100)),
              HasSubstr("expected, the file ends before them"));
}

TEST(BadTetFile, CellsThatAreNoTets) {
  EXPECT_EQ(error_of("a.vtk", legacy(kPoints, {{10, "0 1 2 3"}, {14, "0 1 2 3 4"}})),
            "cell 1: type 14 (pyramid), expected linear tetrahedra (type 10); mesh the body with tetrahedra");
  EXPECT_EQ(error_of("a.vtk", legacy(kPoints, {{24, "0 1 2 3 4 4 4 4 4 4"}})),
            "cell 0: type 24 (quadratic tetrahedron), expected linear tetrahedra (type 10); export the mesh "
            "with elements of first order");
  EXPECT_EQ(error_of("a.vtk", legacy(kPoints, {{10, "0 1 2 3"}, {10, "0 1 2 5"}})),
            "cell 1: point 5 does not exist, the file has 5 (counted from 0)");
  EXPECT_EQ(error_of("a.vtk", legacy(kPoints, {{10, "0 1 2 -3"}})),
            "cell 0: point -3 does not exist, the file has 5 (counted from 0)");
  EXPECT_EQ(error_of("a.vtk", legacy(kPoints, {{10, "0 1 2"}})), "cell 0: 3 points, 4 expected for type 10");
  EXPECT_EQ(error_of("a.vtk", legacy(kPoints, {{5, "0 1 2"}, {5, "1 2 3"}})),
            "no tetrahedra, 2 cells of fewer dimensions; mesh the inside of the body");
  const std::string gmsh =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n7 0 0 "
      "1\n$EndNodes\n$Elements\n";
  EXPECT_EQ(error_of("a.msh", gmsh + "1\n9 4 0 1 2 3 4\n$EndElements\n"), "element 9: node 4 does not exist");
  EXPECT_EQ(error_of("a.msh", gmsh + "1\n9 11 0 1 2 3 7 1 2 3 7 1 2\n$EndElements\n"),
            "element 9: type 11 (quadratic tetrahedron), expected linear tetrahedra (type 4); save the mesh "
            "with elements of first order (gmsh -order 1)");
  EXPECT_EQ(error_of("a.msh", gmsh + "1\n9 4 0 1 2 3 7\n$EndElements\n"),
            "no vertex lies inside, so that a pressure that vanishes on the surface vanishes everywhere; "
            "mesh the body finer, or refine it with csim mesh export --split-problem-simplices");
}

TEST(BadTetFile, MeshesThatAreUnsound) {
  auto cells = kCells;
  cells[1].second = "4 0 2 3";
  EXPECT_EQ(error_of("a.vtk", legacy(kPoints, cells)),
            "1 tetrahedron has no positive volume: cell 1 (-0.03333333333333334 m^3); csim mesh export "
            "--fix-orientation turns them over");
  EXPECT_EQ(error_of("a.vtk", legacy("0 0 0\n1 0 0\n0 1 0\n0 0 1\n0.2 0.2 0\n", kCells)),
            "1 tetrahedron has no positive volume: cell 3 (0 m^3); flat ones have to be meshed anew");
  cells = kCells;
  cells.push_back(kCells[0]);
  EXPECT_THAT(
      error_of("a.vtk", legacy(kPoints, cells)),
      HasSubstr("faces shared by more than two tetrahedra: cell 0, cell 1, cell 2, cell 3, cell 4; remove"));
  // Tets side by side with vertices of their own.
  const std::string twice = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 0 0\n0 1 0\n1 0 0\n0 0 -1\n";
  EXPECT_EQ(error_of("a.vtk", legacy(twice, {{10, "0 1 2 3"}, {10, "4 5 6 7"}})),
            "1 pair of faces lies in one place without shared vertices: cell 0 with cell 1; merge coincident "
            "vertices");
}

TEST(BadTetFile, ValuesThatAreNoField) {
  const auto with_values = [](const std::string& values) {
    return legacy(kPoints, kCells) + "POINT_DATA 5\nSCALARS extent double 1\nLOOKUP_TABLE default\n" +
           values + "\n";
  };
  EXPECT_EQ(error_of("a.vtk", with_values("0 0 0.5 0 1")),
            "array 'extent': point 2 has the value 0.5, 0 expected on the boundary");
  EXPECT_EQ(error_of("a.vtk", with_values("0 0 0 0 0")),
            "array 'extent': no value is positive: the field presses nowhere");
  EXPECT_EQ(error_of("a.vtk", with_values("0 0 0 0 nan")),
            "array 'extent': point 4 has the value .nan, a finite number expected");
  const TemporaryFile file("b.vtk", with_values("0 0 0 0 1"));
  CompliantFileOptions options;
  options.margin = 0.01;
  EXPECT_THAT(load_compliant_mesh(file.path(), options).error,
              HasSubstr("margin: 0.01, but the file carries its own field (array 'extent')"));
  options.margin = -1.0;
  EXPECT_THAT(load_compliant_mesh(file.path(), options).error, HasSubstr("margin: -1, expected >= 0 (m)"));
  options.margin = 0.0;
  options.modulus = 0.0;
  EXPECT_THAT(load_compliant_mesh(file.path(), options).error, HasSubstr("modulus: 0, expected > 0 (Pa)"));
}

TEST(TetFile, ArraysOfPressure) {
  const auto with_array = [](const std::string& name, const std::string& values) {
    return legacy(kPoints, kCells) + "POINT_DATA 5\nSCALARS " + name + " double 1\nLOOKUP_TABLE default\n" +
           values + "\n";
  };
  CompliantFileOptions options;
  options.modulus = 200.0;
  const TemporaryFile extent("a.vtk", with_array("extent", "0 0 0 0 0.5"));
  EXPECT_THAT(load_compliant_mesh(extent.path(), options).value->compliant.pressure,
              ElementsAre(0, 0, 0, 0, 100));
  const TemporaryFile pressure("a.vtk", with_array("pressure", "0 0 0 0 7e3"));
  EXPECT_THAT(load_compliant_mesh(pressure.path(), options).value->compliant.pressure,
              ElementsAre(0, 0, 0, 0, 7e3));
  const TemporaryFile other("a.vtk", with_array("heat", "0 0 0 0 7e3"));
  EXPECT_THAT(load_compliant_mesh(other.path(), options).value->compliant.pressure,
              ElementsAre(0, 0, 0, 0, 200));
  const TemporaryFile margin("a.vtk", with_array("extent", "-0.1 -0.1 -0.1 -0.1 1"));
  EXPECT_THAT(load_compliant_mesh(margin.path(), options).value->compliant.pressure,
              ElementsAre(-20, -20, -20, -20, 200));
}

// `extent` is taken; a note says so where `pressure` is another field, not a multiple of it.
TEST(TetFile, TwoArraysOfOneFieldNeedNoNote) {
  const auto notes_of = [](const std::string& pressure) {
    const std::string head = " double 1\nLOOKUP_TABLE default\n";
    const TemporaryFile file("a.vtk", legacy(kPoints, kCells) + "POINT_DATA 5\nSCALARS pressure" + head +
                                          pressure + "\nSCALARS extent" + head + "-0.1 -0.1 -0.1 -0.1 0.3\n");
    const auto loaded = read_tet_mesh(file.path(), Vector3::Ones());
    EXPECT_TRUE(loaded.ok()) << loaded.error;
    EXPECT_EQ(loaded.value->value_name, "extent");
    return loaded.value->notes;
  };
  EXPECT_THAT(notes_of("-1e5 -1e5 -1e5 -1e5 3e5"), ElementsAre());
  EXPECT_THAT(notes_of("-1e5 -1e5 -1e5 -1e5 300000.02"), ElementsAre());  // in single precision
  for (const char* other :
       {"0 0 0 0 3e5", "-1e5 -1e5 -1e5 -1e5 3.01e5", "1e5 1e5 1e5 1e5 -3e5", "0 0 0 0 0", "nan 0 0 0 3e5"}) {
    EXPECT_THAT(notes_of(other),
                ElementsAre("of 2 arrays of extent or pressure the first, 'extent', is used"))
        << other;
  }
}

TEST(TetFile, ScaleAndMirror) {
  const TemporaryFile file("a.vtk", legacy(kPoints, kCells));
  const auto loaded = read_tet_mesh(file.path(), {2.0, -1.0, 0.5});
  testing::expect_sound(loaded.value->mesh);
  EXPECT_NEAR(volume(loaded.value->mesh), 1.0 / 6.0, 1e-15);
  EXPECT_EQ(loaded.value->mesh.vertices[4], Vector3(0.4, -0.2, 0.1));
  EXPECT_THAT(read_tet_mesh(file.path(), {1, 0, 1}).error,
              HasSubstr("the scale must be finite and not zero"));
}

TEST(TetFile, UnusedPointsAreLeftOutWithANote) {
  const TemporaryFile file(
      "a.vtk",
      legacy("9 9 9\n" + kPoints, {{10, "5 2 3 4"}, {10, "1 5 3 4"}, {10, "1 2 5 4"}, {10, "1 2 3 5"}}));
  const auto loaded = read_tet_mesh(file.path(), Vector3::Ones());
  EXPECT_EQ(loaded.value->mesh.vertices.size(), 5u);
  EXPECT_THAT(loaded.value->notes, ElementsAre("1 point that no tetrahedron uses left out"));
  EXPECT_EQ(loaded.value->numbers.vertex(0), "point 1");
  testing::expect_sound(loaded.value->mesh);
}

TEST(Base64, DecodesWithPaddingInTheMiddle) {
  EXPECT_EQ(decode_base64("TWFu"), "Man");
  EXPECT_EQ(decode_base64("TWE="), "Ma");
  EXPECT_EQ(decode_base64("TQ=="), "M");
  EXPECT_EQ(decode_base64(" TQ==\nTWFu "), "MMan");
  EXPECT_EQ(decode_base64("TWFu<TWFu"), "Man");
  EXPECT_EQ(decode_base64("+/+/"), std::string("\xfb\xff\xbf"));
}

}  // namespace
}  // namespace csim
