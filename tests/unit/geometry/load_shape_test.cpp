#include "geometry/load_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "geometry/mass_properties.h"
#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::box_mesh;
using ::testing::HasSubstr;

const Vector3 kSize(0.25, 0.5, 1.0);  // exact in single precision
const Vector3 kUnit = Vector3::Ones();

class SurfaceFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("csim_load_shape_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string file = (folder_ / name).string();
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  /// The error of loading these bytes under this name.
  std::string error_of(const std::string& name, const std::string& bytes, const Vector3& scale = kUnit) {
    const LoadResult<TriangleMesh> result = load_triangle_mesh(write(name, bytes), scale);
    EXPECT_FALSE(result.ok());
    EXPECT_THAT(result.error, HasSubstr(name));  // the file is named
    return result.error;
  }

 private:
  std::filesystem::path folder_;
};

std::string obj_of(const TriangleMesh& mesh) {
  std::ostringstream text;
  text << "# a comment\nmtllib none.mtl\no thing\nvt 0 0\nvn 0 0 1\n";
  for (const Vector3& v : mesh.vertices) text << "v " << v.x() << " " << v.y() << " " << v.z() << "\r\n";
  for (const auto& t : mesh.triangles)
    text << "f " << t[0] + 1 << "/1/1 " << t[1] + 1 << "//1 " << t[2] + 1 << "/1\n";
  return text.str();
}

template <typename T>
void append(T value, bool little, std::string* bytes) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (little != (std::endian::native == std::endian::little)) std::reverse(raw.begin(), raw.end());
  bytes->append(raw.data(), raw.size());
}

std::string binary_stl_of(const TriangleMesh& mesh) {
  std::string bytes = "solid of a binary file that begins like an ASCII one";
  bytes.resize(80, ' ');
  append(static_cast<std::uint32_t>(mesh.triangles.size()), true, &bytes);
  for (const auto& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) append(0.0f, true, &bytes);
    for (int v : t) {
      for (int i = 0; i < 3; ++i) append(static_cast<float>(mesh.vertices[v][i]), true, &bytes);
    }
    append(std::uint16_t{0}, true, &bytes);
  }
  return bytes;
}

std::string ascii_stl_of(const TriangleMesh& mesh) {
  std::ostringstream text;
  text << "solid box\n";
  for (const auto& t : mesh.triangles) {
    text << "  facet normal 0 0 0\n    outer loop\n";
    for (int v : t) text << "      vertex " << mesh.vertices[v].transpose() << "\n";
    text << "    endloop\n  endfacet\n";
  }
  text << "endsolid box\n";
  return text.str();
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string ply_of(const TriangleMesh& mesh, const std::string& format) {
  std::ostringstream header;
  header << "ply\nformat " << format << " 1.0\ncomment none\nelement vertex " << mesh.vertices.size()
         << "\nproperty double x\nproperty float quality\nproperty double y\nproperty float z\nelement face "
         << mesh.triangles.size()
         << "\nproperty uchar flag\nproperty list uchar int vertex_indices\nend_header\n";
  std::string bytes = header.str();
  const bool little = format == "binary_little_endian";
  for (const Vector3& v : mesh.vertices) {
    if (format == "ascii") {
      std::ostringstream text;
      text << v.x() << " 0.5 " << v.y() << " " << v.z() << "\n";
      bytes += text.str();
      continue;
    }
    append(v.x(), little, &bytes);
    append(0.5f, little, &bytes);
    append(v.y(), little, &bytes);
    append(static_cast<float>(v.z()), little, &bytes);
  }
  for (const auto& t : mesh.triangles) {
    if (format == "ascii") {
      std::ostringstream text;
      text << "7 3 " << t[0] << " " << t[1] << " " << t[2] << "\n";
      bytes += text.str();
      continue;
    }
    append(std::uint8_t{7}, little, &bytes);
    append(std::uint8_t{3}, little, &bytes);
    for (int v : t) append(std::int32_t{v}, little, &bytes);
  }
  return bytes;
}

TEST_F(SurfaceFile, EveryFormatGivesTheSameBox) {
  const TriangleMesh box = box_mesh(kSize);
  const std::vector<std::pair<std::string, std::string>> files{
      {"a.obj", obj_of(box)},
      {"b.stl", binary_stl_of(box)},
      {"c.STL", ascii_stl_of(box)},
      {"capitals.stl", in_capitals(ascii_stl_of(box))},
      {"d.ply", ply_of(box, "ascii")},
      {"e.ply", ply_of(box, "binary_little_endian")},
      {"f.ply", ply_of(box, "binary_big_endian")}};
  for (const auto& [name, bytes] : files) {
    const LoadResult<TriangleMesh> result = load_triangle_mesh(write(name, bytes), kUnit);
    ASSERT_TRUE(result.ok()) << result.error;
    EXPECT_TRUE(result.value->closed) << name;
    EXPECT_EQ(result.value->vertices.size(), 8u) << name;
    ASSERT_EQ(result.value->triangles.size(), 12u) << name;
    for (int t = 0; t < 12; ++t) {
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(result.value->vertices[result.value->triangles[t][i]], box.vertices[box.triangles[t][i]])
            << name;
      }
    }
  }
}

TEST_F(SurfaceFile, PolygonsNegativeIndicesAndContinuedLines) {
  const std::string text =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 4 3 2 1\nf -4 -3 -2 -1\nf 1 2 \\\n 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const LoadResult<TriangleMesh> result = load_triangle_mesh(write("cube.obj", text), kUnit);
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_TRUE(result.value->closed);
  EXPECT_EQ(result.value->triangles.size(), 12u);
}

TEST_F(SurfaceFile, ScaleAndMirrorKeepTheOutsideOut) {
  const std::string file = write("box.obj", obj_of(box_mesh(kSize)));
  const LoadResult<TriangleMesh> mirrored = load_triangle_mesh(file, Vector3(-2, 1, 0.5));
  ASSERT_TRUE(mirrored.ok()) << mirrored.error;
  const Shape shape = Mesh{std::make_shared<const TriangleMesh>(*mirrored.value)};
  EXPECT_DOUBLE_EQ(volume(shape), kSize.prod());
  const LoadResult<ConvexPolytope> hull = load_convex(file, Vector3(-2, 1, 0.5));
  ASSERT_TRUE(hull.ok()) << hull.error;
  EXPECT_EQ(hull.value->face_normals.size(), 6u);
  EXPECT_THAT(load_triangle_mesh(file, Vector3(1, 0, 1)).error,
              HasSubstr("scale must be finite and not zero"));
}

TEST_F(SurfaceFile, OpenSurfaceIsFoundOpen) {
  TriangleMesh open = box_mesh(kSize);
  open.triangles.pop_back();
  std::vector<std::string> notes;
  const LoadResult<TriangleMesh> result = load_triangle_mesh(write("open.obj", obj_of(open)), kUnit, &notes);
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_FALSE(result.value->closed);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0],
              HasSubstr("open surface, two-sided and without an inside: 3 edges of one triangle, one at"));
}

TEST_F(SurfaceFile, ATriangleTooManyIsNoted) {
  TriangleMesh box = box_mesh(kSize);
  box.triangles.push_back(box.triangles.back());
  std::vector<std::string> notes;
  const LoadResult<TriangleMesh> result = load_triangle_mesh(write("box.obj", obj_of(box)), kUnit, &notes);
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_FALSE(result.value->closed);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("inside: 3 edges of more than two, one at line"));
}

TEST_F(SurfaceFile, AHullSaysThatItTakesVerticesOfNoFace) {
  TriangleMesh box = box_mesh(kSize);
  std::vector<std::string> notes;
  ASSERT_TRUE(load_convex(write("box.obj", obj_of(box)), kUnit, &notes).ok());
  EXPECT_TRUE(notes.empty());
  box.vertices.push_back(Vector3::Zero());  // inside: not felt
  box.vertices.push_back(Vector3(0.0, 0.0, -9.0));
  const LoadResult<ConvexPolytope> hull = load_convex(write("spike.obj", obj_of(box)), kUnit, &notes);
  ASSERT_TRUE(hull.ok()) << hull.error;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("the hull takes 1 vertex that no face uses, at (0, 0, -9) m"));
}

TEST_F(SurfaceFile, RepeatedVerticesAreMergedWhereThatClosesTheSurface) {
  // Every triangle with vertices of its own, moved by less than 1e-9 of the extent.
  const TriangleMesh box = box_mesh(kSize);
  TriangleMesh soup;
  for (const auto& t : box.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(box.vertices[v].array() + 1e-11 * n);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  std::ostringstream text;
  text.precision(17);
  for (const Vector3& v : soup.vertices) text << "v " << v.x() << " " << v.y() << " " << v.z() << "\n";
  for (const auto& t : soup.triangles) text << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
  const auto closed = load_triangle_mesh(write("soup.obj", text.str()), kUnit);
  ASSERT_TRUE(closed.ok()) << closed.error;
  EXPECT_TRUE(closed.value->closed);
  EXPECT_EQ(closed.value->vertices.size(), 8u);
  EXPECT_EQ(closed.value->triangles.size(), 12u);
  EXPECT_NEAR(volume(testing::make_mesh(*closed.value)), kSize.prod(), 1e-9);
  // Without its last triangle it stays open, and as it is.
  const std::string open_text = text.str().substr(0, text.str().rfind("f "));
  const auto open = load_triangle_mesh(write("open.obj", open_text), kUnit);
  EXPECT_FALSE(open.value->closed);
  EXPECT_EQ(open.value->vertices.size(), 36u);
  // A triangle turned over keeps it open too: only its own corners are in its list.
  std::string turned = text.str();
  turned.replace(turned.rfind("f 34 35 36"), 10, "f 35 34 36");
  std::vector<std::string> notes;
  const auto mixed = load_triangle_mesh(write("mixed.obj", turned), kUnit, &notes);
  ASSERT_TRUE(mixed.ok()) << mixed.error;
  EXPECT_FALSE(mixed.value->closed);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("36 edges of one triangle"));
  EXPECT_THAT(notes[0], HasSubstr("merged, lines"));
}

// What is only seen has no inside that could be wrong.
TEST_F(SurfaceFile, WhatIsOnlySeenNeedsNoSense) {
  TriangleMesh box = box_mesh(kSize);
  std::swap(box.triangles[3][0], box.triangles[3][1]);
  const std::string turned = write("turned.obj", obj_of(box));
  EXPECT_THAT(load_triangle_mesh(turned, kUnit).error, HasSubstr("wound in opposite senses"));
  std::vector<std::string> notes;
  const auto seen = load_triangle_mesh(turned, kUnit, &notes, SurfaceUse::kSeen);
  ASSERT_TRUE(seen.ok()) << seen.error;
  EXPECT_FALSE(seen.value->closed);
  EXPECT_EQ(seen.value->triangles, box.triangles);
  EXPECT_TRUE(notes.empty());
  for (auto& triangle : box.triangles) std::swap(triangle[0], triangle[1]);
  std::swap(box.triangles[3][0], box.triangles[3][1]);
  const std::string inside_out = write("inside_out.obj", obj_of(box));
  EXPECT_THAT(load_triangle_mesh(inside_out, kUnit).error, HasSubstr("inside out"));
  EXPECT_TRUE(load_triangle_mesh(inside_out, kUnit, nullptr, SurfaceUse::kSeen).ok());
  EXPECT_THAT(load_triangle_mesh("/nonexistent/a.obj", kUnit, nullptr, SurfaceUse::kSeen).error,
              HasSubstr("a.obj"));
}

TEST_F(SurfaceFile, SolidsThatTouchStaySolids) {
  // Two boxes on each other with vertices of their own: merged, four triangles would share their edges.
  const TriangleMesh box = box_mesh(kSize);
  TriangleMesh two = box;
  for (const Vector3& v : box.vertices) two.vertices.push_back(v + Vector3(0, 0, kSize.z()));
  for (const auto& t : box.triangles) two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  const auto loaded = load_triangle_mesh(write("two.obj", obj_of(two)), kUnit);
  ASSERT_TRUE(loaded.ok()) << loaded.error;
  EXPECT_TRUE(loaded.value->closed);
  EXPECT_EQ(loaded.value->vertices.size(), 16u);
}

TEST_F(SurfaceFile, InsideOutAndMixedWindingAreErrors) {
  TriangleMesh inverted = box_mesh(kSize);
  for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
  EXPECT_THAT(error_of("inverted.stl", binary_stl_of(inverted)), HasSubstr("inside out"));
  TriangleMesh mixed = box_mesh(kSize);
  std::swap(mixed.triangles[5][0], mixed.triangles[5][1]);
  EXPECT_THAT(error_of("mixed.obj", obj_of(mixed)), HasSubstr("wound in opposite senses"));
}

TEST_F(SurfaceFile, TrianglesWithoutAreaAreLeftOutAndCounted) {
  const TriangleMesh whole = box_mesh(kSize);
  TriangleMesh box = whole;
  box.triangles.push_back({0, 1, 1});
  box.triangles.push_back({0, 2, 0});
  const std::pair<std::string, std::string> files[] = {{"box.obj", obj_of(box)},
                                                       {"box.stl", ascii_stl_of(box)},
                                                       {"binary.stl", binary_stl_of(box)},
                                                       {"box.ply", ply_of(box, "ascii")}};
  const std::string places[] = {"line 26", "line 86", "triangle 13", "face 13"};
  for (int k = 0; k < 4; ++k) {
    std::vector<std::string> notes;
    const std::string file = write(files[k].first, files[k].second);
    const LoadResult<TriangleMesh> loaded = load_triangle_mesh(file, kUnit, &notes);
    ASSERT_TRUE(loaded.ok()) << loaded.error;
    EXPECT_TRUE(loaded.value->closed);
    EXPECT_EQ(loaded.value->triangles.size(), 12u);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0], file + ": 2 triangles without area left out, the first at " + places[k]);
  }
  std::vector<std::string> notes;
  EXPECT_TRUE(load_triangle_mesh(write("whole.obj", obj_of(whole)), kUnit, &notes).ok());
  EXPECT_TRUE(notes.empty());
  EXPECT_THAT(error_of("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
              HasSubstr("no triangles with an area, 1 without"));
}

// A vertex in the middle of an edge, which a triangle without area joins to it: the surface is closed, as the
// triangle on the other side of the edge is cut at the vertex. So is one whose triangles without area share
// sides.
TEST_F(SurfaceFile, TrianglesWithoutAreaThatCloseASurfaceAreAbsorbed) {
  const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.5 0 0\nv 0.25 0 0\nv 0.75 0 0\n";
  const std::pair<std::string, std::string> files[] = {
      {"f 1 3 2\nf 1 5 4\nf 5 2 4\nf 2 3 4\nf 3 1 4\nf 1 2 5\n",
       "1 triangle without area left out, at line 13"},
      {"f 1 3 2\nf 1 6 4\nf 6 5 4\nf 5 7 4\nf 7 2 4\nf 2 3 4\nf 3 1 4\nf 1 2 5\nf 1 5 6\nf 5 2 7\n",
       "3 triangles without area left out, the first at line 15"}};
  for (const auto& [faces, told] : files) {
    std::vector<std::string> notes;
    const LoadResult<TriangleMesh> loaded = load_triangle_mesh(write("t.obj", head + faces), kUnit, &notes);
    ASSERT_TRUE(loaded.ok()) << loaded.error;
    EXPECT_TRUE(loaded.value->closed);
    EXPECT_NEAR(volume(Mesh{std::make_shared<TriangleMesh>(*loaded.value)}), 1.0 / 6.0, 1e-15);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_THAT(notes[0], HasSubstr(told));
    EXPECT_THAT(notes[0], HasSubstr("the surface is closed with"));
  }
}

// Solids that touch in an edge share it evenly, and are closed.
TEST_F(SurfaceFile, SolidsThatShareAnEdgeAreClosed) {
  const TriangleMesh box = box_mesh(kSize);
  TriangleMesh two = box;
  const Vector3 shift(kSize.x(), kSize.y(), 0);
  for (const Vector3& v : box.vertices) two.vertices.push_back(v + shift);
  for (const auto& t : box.triangles) two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  const auto loaded = load_triangle_mesh(write("two.stl", binary_stl_of(two)), kUnit);
  ASSERT_TRUE(loaded.ok()) << loaded.error;
  EXPECT_TRUE(loaded.value->closed);
  EXPECT_NEAR(volume(Mesh{std::make_shared<TriangleMesh>(*loaded.value)}), 2.0 * kSize.prod(),
              1e-6 * kSize.prod());
}

TEST_F(SurfaceFile, AGitLfsPointerIsCalledThat) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
  for (const char* name : {"a.stl", "a.obj", "a.ply"})
    EXPECT_THAT(error_of(name, pointer), HasSubstr("a Git LFS pointer, not the mesh itself"));
}

TEST_F(SurfaceFile, BadFilesSayWhereAndWhat) {
  EXPECT_THAT(error_of("a.obj", "v 0 0 0\nv 1 0\n"),
              HasSubstr("line 2: three coordinates expected, found 2"));
  EXPECT_THAT(error_of("a.obj", "v 0 0 x1\n"), HasSubstr("line 1: 'x1' is not a finite number"));
  EXPECT_THAT(error_of("a.obj", "v 0 0 inf\n"), HasSubstr("'inf' is not a finite number"));
  EXPECT_THAT(error_of("a.obj", "v 0 0 1e308\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
              HasSubstr("a coordinate of 1.0e+308 m, expected at most 1.0e+100"));
  EXPECT_THAT(error_of("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n"), HasSubstr("line 3: vertex 3 does not exist"));
  EXPECT_THAT(error_of("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"), HasSubstr("line 3: a face of 2 corners"));
  EXPECT_THAT(error_of("a.obj", "v 0 0 0\nf 1 0 1\n"), HasSubstr("'0' is not a corner"));
  EXPECT_THAT(error_of("a.obj", "v 0 0 0\n"), HasSubstr("no triangles"));
  EXPECT_THAT(error_of("a.obj", "\xEF\xBB\xBFv 0 0 0\nv 1 0 0\nV 0 1 0\n"),
              HasSubstr("line 3: 'V' is not a statement of a surface of polygons"));
  EXPECT_THAT(error_of("a.off", "OFF\n"), HasSubstr("expected .obj, .stl or .ply"));
  EXPECT_THAT(error_of("a.stl", ""), HasSubstr("a.stl"));
  const std::string stl = binary_stl_of(box_mesh(kSize));
  std::string cut = stl.substr(0, stl.size() - 10);
  EXPECT_THAT(error_of("a.stl", cut), HasSubstr("12 triangles has 684 bytes, this file has 674"));
  EXPECT_THAT(error_of("a.stl", stl + "abc"), HasSubstr("12 triangles has 684 bytes, this file has 687"));
  cut[0] = 'x';
  EXPECT_THAT(error_of("a.stl", cut), HasSubstr("684 bytes, this file has 674"));
  const std::string ascii = ascii_stl_of(box_mesh(kSize));
  EXPECT_THAT(error_of("a.stl", ascii.substr(0, ascii.size() / 2)), HasSubstr("cut off"));
  const std::string ply = ply_of(box_mesh(kSize), "binary_big_endian");
  EXPECT_THAT(error_of("a.ply", ply.substr(0, ply.size() - 3)), HasSubstr("face 12: "));
  EXPECT_THAT(error_of("a.ply", ply + "1"), HasSubstr("goes on behind the elements that its header counts"));
  EXPECT_THAT(error_of("a.ply", "ply\nformat ascii 2.0\n"),
              HasSubstr("line 2: format version '2.0', expected 1.0"));
  EXPECT_THAT(error_of("a.ply", "ply\nformat text 1.0\n"), HasSubstr("line 2: format 'text'"));
  TriangleMesh bad = box_mesh(kSize);
  bad.triangles[3][1] = 99;
  EXPECT_THAT(error_of("a.ply", ply_of(bad, "ascii")), HasSubstr("face 4: vertex 99 does not exist"));
  EXPECT_THAT(load_triangle_mesh("/nonexistent/a.obj", kUnit).error,
              HasSubstr("cannot be opened: No such file"));
}

}  // namespace
}  // namespace csim
