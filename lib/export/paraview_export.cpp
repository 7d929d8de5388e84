#include "export/paraview_export.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "core/number_format.h"
#include "export/paraview_bodies.h"
#include "geometry/bounds.h"
#include "record/block_reader.h"
#include "record/output_file.h"
#include "run/signals.h"

namespace csim {
namespace {

constexpr int kSegments = 24;        // of round shapes; each frame holds all surfaces
constexpr double kPlaneReach = 3.0;  // sides of a half space's square, times what moves

/// What all files of an export share.
struct Shared {
  const ResultFile& result;
  std::vector<std::string> bodies, geometries;

  [[nodiscard]] std::string bytes(VtkFile* file) const {
    file->field("body_names", bodies);
    file->field("geometry_names", geometries);
    return file->bytes();
  }
};

/// NAME.pvd and its files in NAME/.
class Series {
 public:
  Series(std::string name, const char* ending, const Shared& shared, OutputFolder* folder)
      : name_(std::move(name)), ending_(ending), shared_(shared), folder_(folder) {}

  /// Writes the file of a frame. `beside`: another file that belongs to the frame too.
  void add(long row, double time, VtkFile* file, const std::string& beside = "") {
    const std::string path = name_ + "/" + name_ + format_text("_%06ld.", row) + ending_;
    file->field("TimeValue", time);
    write_file(folder_->place(path), shared_.bytes(file), true);
    list(time, 0, path);
    if (!beside.empty()) list(time, 1, beside);
  }

  void list(double time, int part, const std::string& path) {
    sets_ += "<DataSet timestep=\"" + format_number(time) + "\" group=\"\" part=\"" + std::to_string(part) +
             "\" file=\"" + path + "\"/>\n";
  }

  void close() {
    write_file(
        folder_->place(name_ + ".pvd"),
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n" +
            sets_ + "</Collection>\n</VTKFile>\n",
        true);
  }

 private:
  std::string name_;
  const char* ending_;
  const Shared& shared_;
  OutputFolder* folder_;
  std::string sets_;
};

// --------------------------------------------------------------------------------------------- bodies

/// Poses of all bodies, frame by frame.
class Poses {
 public:
  explicit Poses(const ResultFile& result)
      : position_(result, "/trajectory/position"), quaternion_(result, "/trajectory/quaternion") {}

  [[nodiscard]] std::vector<RigidTransform> at(long row) {
    const std::span<const double> p = position_.row(row), q = quaternion_.row(row);
    std::vector<RigidTransform> X_WB;
    for (std::size_t b = 0; b < p.size() / 3; ++b) X_WB.push_back(pose_at(p, q, b));
    return X_WB;
  }

 private:
  BlockReader position_, quaternion_;
};

/// Which bodies have degrees of freedom or a pose that changes, and how far a half space is drawn.
BodySurfaces read_surfaces(const ResultFile& result, const std::vector<long>& rows) {
  BodySurfaces surfaces{read_parts(result, kSegments, true), {}, 1.0};
  const std::size_t num_bodies = result.texts("/bodies/name").size();
  const auto v_offset =
      result.offsets("/bodies/v_offset", num_bodies, result.dataset("/trajectory/v").shape.at(1));
  for (std::size_t b = 0; b < num_bodies; ++b) surfaces.moves.push_back(v_offset[b + 1] > v_offset[b]);
  Poses poses(result);
  const std::vector<RigidTransform> first = poses.at(rows.front());
  Aabb box;
  for (const long row : rows) {
    const std::vector<RigidTransform> X_WB = poses.at(row);
    for (std::size_t b = 0; b < X_WB.size(); ++b) {
      if (X_WB[b].p != first[b].p || X_WB[b].R != first[b].R) surfaces.moves[b] = true;
      box.add(X_WB[b].p);
    }
  }
  double radius = 0.0;
  for (const ViewPart& part : surfaces.parts.parts) {
    radius = std::max(radius, radius_of(surfaces.parts.surfaces[part.surface], part.scale));
  }
  const double size = surfaces.moves.empty() ? 0.0 : (box.upper - box.lower).norm();
  surfaces.reach = kPlaneReach * std::max(1e-3, size + 2.0 * radius);
  return surfaces;
}

/// Surfaces and fields: all that follows the poses.
void export_bodies(const Shared& shared, const std::vector<long>& rows, OutputFolder* folder) {
  const BodySurfaces surfaces = read_surfaces(shared.result, rows);
  const std::vector<PressureField> fields = read_fields(shared.result);
  Series bodies("bodies", "vtp", shared, folder), tets("fields", "vtu", shared, folder);
  Poses poses(shared.result);
  BlockReader time(shared.result, "/trajectory/time");
  std::string fixed;
  if (surfaces.any(false)) {
    fixed = "bodies/fixed.vtp";
    VtkFile file(VtkFile::Kind::kPolyData);
    surfaces.write(poses.at(rows.front()), false, &file);
    write_file(folder->place(fixed), shared.bytes(&file), true);
  }
  for (const long row : rows) {
    stop_when_asked();
    const double t = time.row(row)[0];
    const std::vector<RigidTransform> X_WB = poses.at(row);
    VtkFile moving(VtkFile::Kind::kPolyData);
    surfaces.write(X_WB, true, &moving);
    bodies.add(row, t, &moving, fixed);
    if (fields.empty()) continue;
    VtkFile grid(VtkFile::Kind::kUnstructuredGrid);
    write_fields(fields, X_WB, &grid);
    tets.add(row, t, &grid);
  }
  bodies.close();
  if (!fields.empty()) tets.close();
}

// ------------------------------------------------------------------------------------ ragged tables

/// add(name, components, values) for every column of a group over its rows `span`; vectors have three
/// components.
template <typename Add>
void add_columns(const ResultFile& result, const std::string& group, RowSpan span, const Add& add) {
  for (const std::string& path : columns_of(result, group)) {
    const hdf5::ObjectInfo& dataset = result.dataset(path);
    const int components = dataset.shape.size() > 1 ? static_cast<int>(dataset.shape[1]) : 1;
    const std::string name = path.substr(group.size() + 1);
    if (dataset.type == hdf5::Type::kReal) {
      add(name, components, result.real(path, span.begin, span.count()));
    } else {
      const auto wide = result.integer(path, span.begin, span.count());
      add(name, components, std::vector<std::int32_t>(wide.begin(), wide.end()));
    }
  }
}

/// Points at `place` of a group's rows, with all its columns.
void write_points(const ResultFile& result, const std::string& group, const std::string& place, RowSpan span,
                  VtkFile* file) {
  file->points(result.real(group + "/" + place, span.begin, span.count()));
  std::vector<std::int64_t> connectivity, end;
  for (long i = 0; i < span.count(); ++i) {
    connectivity.push_back(i);
    end.push_back(i + 1);
  }
  file->cells(VtkFile::Cells::kVertices, connectivity, end);
  add_columns(result, group, span, [&](const std::string& name, int components, const auto& values) {
    if (name != place) file->point_data(name, components, values);
  });
}

/// The polygons of a frame; the patch of a face as cell data, counted from the frame's first.
void write_polygons(const ResultFile& result, RowSpan patches, VtkFile* file) {
  const RowSpan faces = ragged_rows(result, "/patch/face_offset", patches);
  const RowSpan corners = ragged_rows(result, "/patch/polygon/vertex_offset", faces);
  file->points(result.real("/patch/polygon/vertex", corners.begin, corners.count()));
  std::vector<std::int64_t> connectivity, end;
  for (long i = 0; i < corners.count(); ++i) connectivity.push_back(i);
  const auto corner_offset = result.integer("/patch/polygon/vertex_offset", faces.begin, faces.count() + 1);
  for (long i = 0; i < faces.count(); ++i) end.push_back(corner_offset[i + 1] - corners.begin);
  file->cells(VtkFile::Cells::kPolygons, connectivity, end);
  file->point_data("pressure", 1, result.real("/patch/polygon/pressure", corners.begin, corners.count()));
  add_columns(result, "/patch/face", faces, [&](const std::string& name, int components, const auto& values) {
    file->cell_data(name, components, values);
  });
  std::array<std::vector<std::int32_t>, 3> owner;  // the patch, and its geometries
  const auto face_offset = result.integer("/patch/face_offset", patches.begin, patches.count() + 1);
  const auto a = result.integer("/patch/geometry_a", patches.begin, patches.count()),
             b = result.integer("/patch/geometry_b", patches.begin, patches.count());
  for (long p = 0; p < patches.count(); ++p) {
    const auto count = static_cast<std::size_t>(face_offset[p + 1] - face_offset[p]);
    owner[0].insert(owner[0].end(), count, static_cast<std::int32_t>(p));
    owner[1].insert(owner[1].end(), count, static_cast<std::int32_t>(a[p]));
    owner[2].insert(owner[2].end(), count, static_cast<std::int32_t>(b[p]));
  }
  file->cell_data("patch", 1, owner[0]);
  file->cell_data("geometry_a", 1, owner[1]);
  file->cell_data("geometry_b", 1, owner[2]);
}

/// A series over a ragged table of frames.
void export_ragged(const Shared& shared, const std::vector<long>& rows, const std::string& name,
                   const std::string& offset, const std::function<void(RowSpan, VtkFile*)>& write,
                   OutputFolder* folder) {
  Series series(name, "vtp", shared, folder);
  BlockReader time(shared.result, "/trajectory/time");
  for (const long row : rows) {
    stop_when_asked();
    VtkFile file(VtkFile::Kind::kPolyData);
    write(ragged_rows(shared.result, offset, {row, row + 1}), &file);
    series.add(row, time.row(row)[0], &file);
  }
  series.close();
}

}  // namespace

void export_paraview(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder) {
  const Shared shared{result, result.texts("/bodies/name"), result.texts("/geometries/name")};
  export_bodies(shared, rows, folder);
  if (result.rows().contacts > 0) {
    export_ragged(
        shared, rows, "contacts", "/contact/row_offset",
        [&](RowSpan span, VtkFile* file) { write_points(result, "/contact", "point", span, file); }, folder);
  }
  if (result.rows().patches == 0) return;
  export_ragged(
      shared, rows, "patches", "/patch/row_offset",
      [&](RowSpan span, VtkFile* file) { write_points(result, "/patch", "centroid", span, file); }, folder);
  if (!result.has("/patch/face_offset")) return;
  export_ragged(
      shared, rows, "patch_faces", "/patch/row_offset",
      [&](RowSpan span, VtkFile* file) { write_polygons(result, span, file); }, folder);
}

}  // namespace csim
