#include "view/read_parts.h"

#include <algorithm>
#include <map>

#include "record/errors.h"

namespace csim {
namespace {

/// The rows of /geometries.
struct GeometryTable {
  std::vector<std::string> name, shape;
  std::vector<std::int64_t> body;
  std::vector<Vector3> size;
  std::vector<RigidTransform> X_BG;
  std::vector<std::optional<Vector4>> color;
};

/// Of every geometry; none where the scene gives none, or the file is older than colours.
std::vector<std::optional<Vector4>> read_colors(const ResultFile& result, std::size_t count) {
  std::vector<std::optional<Vector4>> colors(count);
  if (!result.has("/geometries/color")) return colors;
  const auto values = result.real("/geometries/color");
  for (std::size_t g = 0; g < count && 4 * g + 3 < values.size(); ++g) {
    const Vector4 color(&values[4 * g]);
    if (color.allFinite()) colors[g] = color.cwiseMax(0.0).cwiseMin(1.0);
  }
  return colors;
}

GeometryTable read_geometries(const ResultFile& result) {
  GeometryTable table{result.texts("/geometries/name"),
                      result.texts("/geometries/shape"),
                      result.index("/geometries/body", result.texts("/bodies/name").size()),
                      {},
                      {},
                      {}};
  const auto size = result.real("/geometries/size"), position = result.real("/geometries/position"),
             quaternion = result.real("/geometries/quaternion");
  for (std::size_t g = 0; g < table.name.size(); ++g) {
    table.size.push_back(vector_at(size, g));
    table.X_BG.push_back(pose_at(position, quaternion, g));
  }
  table.color = read_colors(result, table.name.size());
  return table;
}

/// Half the extent of a round shape or a box along the axes of its frame.
Vector3 half_extent(const std::string& shape, const Vector3& size) {
  if (shape == "box") return 0.5 * size;
  if (shape == "cylinder") return {size[0], size[0], 0.5 * size[1]};
  if (shape == "capsule") return {size[0], size[0], 0.5 * size[1] + size[0]};
  if (shape == "ellipsoid") return size;
  return Vector3::Constant(size[0]);
}

/// Whether what is seen of a shape stands in /meshes alone.
bool has_mesh(const std::string& shape) {
  return shape == "mesh" || shape == "tetmesh" || shape == "convex";
}

/// Whether geometry g lies within a box of its own body, such as the beads that a cube touches with.
bool is_hidden(const GeometryTable& table, const std::vector<std::size_t>& boxes, std::size_t g) {
  const std::string& shape = table.shape[g];
  if (has_mesh(shape) || shape == "half_space") return false;
  const Vector3 half = half_extent(shape, table.size[g]);
  return std::any_of(boxes.begin(), boxes.end(), [&](std::size_t box) {
    if (box == g || table.body[box] != table.body[g]) return false;
    const RigidTransform X_BoxG = table.X_BG[box].inverse() * table.X_BG[g];
    const Vector3 reach = X_BoxG.p.cwiseAbs() + X_BoxG.R.cwiseAbs() * half;
    const bool inside = (reach.array() <= (0.5 + 1e-9) * table.size[box].array()).all();
    // Of two equal boxes the first one is seen.
    return inside && (shape != "box" || table.size[g] != table.size[box] || box < g);
  });
}

/// Makes every surface once.
class SurfaceStore {
 public:
  SurfaceStore(std::vector<Surface>* surfaces, int segments) : surfaces_(surfaces), segments_(segments) {}

  /// Sets the surface and the scale of a shape that has lengths alone.
  void shape(const std::string& shape, const Vector3& size, ViewPart* part) {
    if (shape == "box") {
      part->surface = keep("box", [] { return box_surface(); });
      part->scale = size;
    } else if (shape == "cylinder") {
      part->surface = keep("cylinder", [&] { return cylinder_surface(segments_); });
      part->scale = {size[0], size[0], size[1]};
    } else if (shape == "capsule") {
      const double length = size[1] / size[0];
      part->surface =
          keep("capsule " + std::to_string(length), [&] { return capsule_surface(length, segments_); });
      part->scale = Vector3::Constant(size[0]);
    } else {
      part->surface = keep("sphere", [&] { return sphere_surface(segments_); });
      part->scale = half_extent(shape, size);
    }
  }

  /// The surface that the file holds; in the body's frame.
  void mesh(const ResultFile& result, const std::string& name, ViewPart* part) {
    const auto coordinates = result.real("/meshes/" + name + "/vertices");
    const auto corners = result.index("/meshes/" + name + "/triangles", coordinates.size() / 3);
    std::vector<Vector3> vertices;
    for (std::size_t v = 0; v < coordinates.size() / 3; ++v) vertices.push_back(vector_at(coordinates, v));
    std::vector<std::array<int, 3>> triangles;
    for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
      triangles.push_back(
          {static_cast<int>(corners[t]), static_cast<int>(corners[t + 1]), static_cast<int>(corners[t + 2])});
    }
    part->surface = static_cast<int>(surfaces_->size());
    part->X_BG = RigidTransform();
    surfaces_->push_back(creased_surface(vertices, triangles));
  }

 private:
  template <typename Make>
  int keep(const std::string& key, const Make& make) {
    const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(surfaces_->size()));
    if (is_new) surfaces_->push_back(make());
    return place->second;
  }

  std::vector<Surface>* surfaces_;
  int segments_;
  std::map<std::string, int> known_;
};

}  // namespace

int body_at(const ResultFile& result, const std::string& group, const std::vector<std::int64_t>& bodies,
            std::size_t row, std::int64_t first, std::size_t num_bodies) {
  const std::int64_t body = bodies.at(row);
  if (body < first || body >= static_cast<std::int64_t>(num_bodies))
    throw ReadError(result.path() + ": is damaged: " + group + " names body " + std::to_string(body));
  return static_cast<int>(body);
}

Vector3 vector_at(std::span<const double> values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

RigidTransform pose_at(std::span<const double> positions, std::span<const double> quaternions,
                       std::size_t row) {
  const double* q = &quaternions[4 * row];
  return {Quaternion(q[0], q[1], q[2], q[3]).normalized(), vector_at(positions, row)};
}

ViewParts read_parts(const ResultFile& result, int segments, bool hidden) {
  const GeometryTable table = read_geometries(result);
  std::vector<std::size_t> boxes;
  for (std::size_t g = 0; g < table.shape.size(); ++g) {
    if (table.shape[g] == "box") boxes.push_back(g);
  }
  ViewParts all;
  SurfaceStore store(&all.surfaces, segments);
  for (std::size_t g = 0; g < table.name.size(); ++g) {
    const int body = static_cast<int>(table.body[g]), geometry = static_cast<int>(g);
    if (table.shape[g] == "half_space") {
      all.planes.push_back({table.name[g], body, table.X_BG[g], geometry, table.color[g]});
      continue;
    }
    if (!hidden && is_hidden(table, boxes, g)) continue;
    ViewPart part{table.name[g], body, 0, table.X_BG[g], Vector3::Ones(), geometry, table.color[g]};
    if (has_mesh(table.shape[g])) {
      store.mesh(result, table.name[g], &part);
    } else {
      store.shape(table.shape[g], table.size[g], &part);
    }
    all.parts.push_back(std::move(part));
  }
  return all;
}

}  // namespace csim
