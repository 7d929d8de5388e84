// Columns of a result that name rows of its other tables: what a damaged file may have wrong without HDF5's
// notice.
#include <algorithm>
#include <utility>

#include "record/reader.h"

namespace csim {
namespace {

constexpr long kIndexRowsAtOnce = 1 << 20;

}  // namespace

std::vector<std::int64_t> ResultFile::index(const std::string& path, long first, long count,
                                            std::size_t limit) const {
  auto values = integer(path, first, count);
  for (const std::int64_t value : values) {
    if (value >= 0 && value < static_cast<std::int64_t>(limit)) continue;
    throw ReadError(file_.path() + ": is damaged: " + path + " holds " + std::to_string(value) +
                    ", expected 0 to " + std::to_string(static_cast<std::int64_t>(limit) - 1));
  }
  return values;
}

std::vector<std::int64_t> ResultFile::offsets(const std::string& path, std::size_t count, long end) const {
  auto values = integer(path);
  if (values.size() == count + 1 && values.front() == 0 && values.back() == end &&
      std::is_sorted(values.begin(), values.end()))
    return values;
  throw ReadError(file_.path() + ": is damaged: " + path + ", expected " + std::to_string(count + 1) +
                  " numbers that ascend from 0 to " + std::to_string(end));
}

void ResultFile::check_indices() const {
  const auto width = [&](const char* path) { return dataset(path).shape.at(1); };
  const auto count = [&](const char* path) { return static_cast<std::size_t>(dataset(path).shape.at(0)); };
  const std::size_t num_bodies = count("/bodies/name"), num_joints = count("/joints/name");
  const std::vector<std::string> geometries = texts("/geometries/name");
  index("/geometries/body", num_bodies);
  offsets("/bodies/q_offset", num_bodies, width("/trajectory/q"));
  offsets("/bodies/v_offset", num_bodies, width("/trajectory/v"));
  offsets("/joints/q_offset", num_joints, width("/joint/position"));
  offsets("/joints/v_offset", num_joints, width("/joint/velocity"));
  const std::pair<const char*, std::size_t> kNames[] = {{"/contact/geometry_a", geometries.size()},
                                                        {"/contact/geometry_b", geometries.size()},
                                                        {"/patch/geometry_a", geometries.size()},
                                                        {"/patch/geometry_b", geometries.size()},
                                                        {"/pair/body_a", num_bodies},
                                                        {"/pair/body_b", num_bodies}};
  for (const auto& [path, limit] : kNames) {
    if (!has(path)) continue;
    const long rows = num_rows(path);
    for (long first = 0; first < rows; first += kIndexRowsAtOnce)
      index(path, first, std::min(kIndexRowsAtOnce, rows - first), limit);
  }
  for (const std::string& geometry : geometries) {
    const std::string mesh = "/meshes/" + geometry;
    for (const std::string& elements : {mesh + "/triangles", mesh + "/tets"})
      if (has(elements)) index(elements, static_cast<std::size_t>(num_rows(mesh + "/vertices")));
  }
}

}  // namespace csim
