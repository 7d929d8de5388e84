#include "view/read_patches.h"

#include <algorithm>
#include <cmath>

#include "record/block_reader.h"
#include "view/read_parts.h"

namespace csim {
namespace {

constexpr double kSeldom = 0.98;        // of the patches have no larger pressure than PressureRange::top
constexpr double kWorthClipping = 1.5;  // a largest pressure below so many times that is the top itself
constexpr std::size_t kBytesPerCorner = 7, kBytesPerFace = 1;

/// The polygons of the patches `rows`.
void read_polygons(const ResultFile& result, RowSpan rows, std::vector<ViewPatch>* patches) {
  const RowSpan faces = ragged_rows(result, "/patch/face_offset", rows);
  const RowSpan corners = ragged_rows(result, "/patch/polygon/vertex_offset", faces);
  const auto face_offset = result.integer("/patch/face_offset", rows.begin, rows.count() + 1);
  const auto corner_offset = result.integer("/patch/polygon/vertex_offset", faces.begin, faces.count() + 1);
  const auto vertex = result.real("/patch/polygon/vertex", corners.begin, corners.count());
  const auto pressure = result.real("/patch/polygon/pressure", corners.begin, corners.count());
  for (std::size_t i = 0; i < patches->size(); ++i) {
    ViewPolygons& polygons = (*patches)[i].polygons;
    const long first = corner_offset[face_offset[i] - faces.begin];
    for (long face = face_offset[i]; face < face_offset[i + 1]; ++face) {
      for (long corner = corner_offset[face - faces.begin]; corner < corner_offset[face + 1 - faces.begin];
           ++corner) {
        polygons.corners.push_back(vector_at(vertex, corner - corners.begin));
        polygons.pressure.push_back(pressure[corner - corners.begin]);
      }
      polygons.end.push_back(static_cast<int>(corner_offset[face + 1 - faces.begin] - first));
    }
  }
}

}  // namespace

std::vector<ViewPatch> read_patches(const ResultFile& result, long row, bool polygons) {
  std::vector<ViewPatch> patches;
  const RowSpan rows = ragged_rows(result, "/patch/row_offset", {row, row + 1});
  if (rows.count() == 0) return patches;
  const auto owner = result.index("/geometries/body", result.texts("/bodies/name").size());
  const auto a = result.index("/patch/geometry_a", rows.begin, rows.count(), owner.size()),
             b = result.index("/patch/geometry_b", rows.begin, rows.count(), owner.size());
  const auto centroid = result.real("/patch/centroid", rows.begin, rows.count()),
             force = result.real("/patch/force", rows.begin, rows.count()),
             moment = result.real("/patch/moment", rows.begin, rows.count());
  for (long i = 0; i < rows.count(); ++i) {
    patches.push_back({vector_at(centroid, i),
                       vector_at(force, i),
                       vector_at(moment, i),
                       static_cast<int>(owner[a[i]]),
                       static_cast<int>(owner[b[i]]),
                       {}});
  }
  if (polygons && result.has("/patch/face_offset")) read_polygons(result, rows, &patches);
  return patches;
}

PressureRange read_pressure_range(const ResultFile& result) {
  std::vector<double> values = result.real("/patch/max_pressure");
  std::erase_if(values, [](double p) { return !(p > 0.0) || !std::isfinite(p); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const double seldom = values[static_cast<std::size_t>(kSeldom * static_cast<double>(values.size() - 1))];
  const double largest = values.back();
  return {largest <= kWorthClipping * seldom ? largest : seldom, largest};
}

std::size_t polygon_bytes(const ResultFile& result, const std::vector<long>& rows) {
  const auto patch = result.integer("/patch/row_offset"), face = result.integer("/patch/face_offset"),
             corner = result.integer("/patch/polygon/vertex_offset");
  std::size_t bytes = 0;
  for (const long row : rows) {
    const std::int64_t first = face[patch[row]], end = face[patch[row + 1]];
    bytes += kBytesPerFace * (end - first) + kBytesPerCorner * (corner[end] - corner[first]);
  }
  return bytes;
}

}  // namespace csim
