#include "view/view_scene.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/version.h"
#include "record/info.h"

namespace csim {
namespace {

constexpr long kRowsAtOnce = 64;            // as many as a chunk of the file holds: each is unpacked once
constexpr std::size_t kCurvePoints = 2000;  // more than a plot has pixels

Vector3 vector_at(const std::vector<double>& values, std::size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

RigidTransform pose_at(const std::vector<double>& positions, const std::vector<double>& quaternions,
                       std::size_t row) {
  const double* q = &quaternions[4 * row];
  return {Quaternion(q[0], q[1], q[2], q[3]).normalized(), vector_at(positions, row)};
}

// ---------------------------------------------------------------------------------------------- frames

void read_frames(const ResultFile& result, const std::vector<double>& times, const std::vector<long>& rows,
                 ViewScene* scene) {
  const std::size_t num_bodies = scene->bodies.size();
  long first = 0, end = 0;  // the rows read
  std::vector<double> positions, quaternions;
  for (const long row : rows) {
    if (row >= end) {
      first = row;
      end = std::min(row + kRowsAtOnce, rows.back() + 1);
      positions = result.real("/trajectory/position", first, end - first);
      quaternions = result.real("/trajectory/quaternion", first, end - first);
    }
    ViewFrame frame;
    frame.time = times[row];
    frame.X_WB.reserve(num_bodies);
    for (std::size_t b = 0; b < num_bodies; ++b) {
      frame.X_WB.push_back(pose_at(positions, quaternions, (row - first) * num_bodies + b));
    }
    scene->frames.push_back(std::move(frame));
  }
}

void find_moving(const ResultFile& result, ViewScene* scene) {
  const auto v_offset = result.integer("/bodies/v_offset");
  for (std::size_t b = 0; b < scene->bodies.size(); ++b) {
    const RigidTransform& first = scene->frames.front().X_WB[b];
    scene->bodies[b].moves = v_offset[b + 1] > v_offset[b] ||
                             std::any_of(scene->frames.begin(), scene->frames.end(), [&](const ViewFrame& f) {
                               return f.X_WB[b].p != first.p || f.X_WB[b].R != first.R;
                             });
  }
}

void read_contacts(const ResultFile& result, const std::vector<long>& rows, ViewScene* scene) {
  const auto owner = result.integer("/geometries/body");
  for (std::size_t f = 0; f < rows.size(); ++f) {
    const auto offset = result.integer("/contact/row_offset", rows[f], 2);
    const long first = static_cast<long>(offset[0]), count = static_cast<long>(offset[1] - offset[0]);
    if (count == 0) continue;
    const auto point = result.real("/contact/point", first, count);
    const auto force = result.real("/contact/force", first, count);
    const auto a = result.integer("/contact/geometry_a", first, count);
    const auto b = result.integer("/contact/geometry_b", first, count);
    const auto mode = result.integer("/contact/mode", first, count);
    for (long i = 0; i < count; ++i) {
      // Most contacts offered do not touch.
      if (mode[i] == 0) continue;
      scene->frames[f].contacts.push_back({vector_at(point, i), vector_at(force, i),
                                           static_cast<int>(owner[a[i]]), static_cast<int>(owner[b[i]]),
                                           mode[i] == 2});
    }
  }
}

// ------------------------------------------------------------------------------------------ geometries

/// The rows of /geometries.
struct GeometryTable {
  std::vector<std::string> name, shape;
  std::vector<std::int64_t> body;
  std::vector<Vector3> size;
  std::vector<RigidTransform> X_BG;
};

GeometryTable read_geometries(const ResultFile& result) {
  GeometryTable table{result.texts("/geometries/name"),
                      result.texts("/geometries/shape"),
                      result.integer("/geometries/body"),
                      {},
                      {}};
  const auto size = result.real("/geometries/size"), position = result.real("/geometries/position"),
             quaternion = result.real("/geometries/quaternion");
  for (std::size_t g = 0; g < table.name.size(); ++g) {
    table.size.push_back(vector_at(size, g));
    table.X_BG.push_back(pose_at(position, quaternion, g));
  }
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

/// Whether geometry g lies within a box of its own body, such as the beads that a cube touches with.
bool is_hidden(const GeometryTable& table, const std::vector<std::size_t>& boxes, std::size_t g) {
  const std::string& shape = table.shape[g];
  if (shape == "mesh" || shape == "convex" || shape == "half_space") return false;
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
  SurfaceStore(ViewScene* scene, int segments) : scene_(scene), segments_(segments) {}

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
    const auto corners = result.integer("/meshes/" + name + "/triangles");
    std::vector<Vector3> vertices;
    for (std::size_t v = 0; v < coordinates.size() / 3; ++v) vertices.push_back(vector_at(coordinates, v));
    std::vector<std::array<int, 3>> triangles;
    for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
      triangles.push_back(
          {static_cast<int>(corners[t]), static_cast<int>(corners[t + 1]), static_cast<int>(corners[t + 2])});
    }
    part->surface = static_cast<int>(scene_->surfaces.size());
    part->X_BG = RigidTransform();
    scene_->surfaces.push_back(creased_surface(vertices, triangles));
  }

 private:
  template <typename Make>
  int keep(const std::string& key, const Make& make) {
    const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(scene_->surfaces.size()));
    if (is_new) scene_->surfaces.push_back(make());
    return place->second;
  }

  ViewScene* scene_;
  int segments_;
  std::map<std::string, int> known_;
};

void read_parts(const ResultFile& result, ViewScene* scene) {
  const GeometryTable table = read_geometries(result);
  std::vector<std::size_t> boxes;
  for (std::size_t g = 0; g < table.shape.size(); ++g) {
    if (table.shape[g] == "box") boxes.push_back(g);
  }
  // Many bodies are small on the screen: fewer triangles do.
  SurfaceStore store(scene, scene->bodies.size() > 300 ? 20 : 48);
  for (std::size_t g = 0; g < table.name.size(); ++g) {
    const int body = static_cast<int>(table.body[g]);
    if (table.shape[g] == "half_space") {
      scene->planes.push_back({table.name[g], body, table.X_BG[g]});
    } else if (!is_hidden(table, boxes, g)) {
      ViewPart part{table.name[g], body, 0, table.X_BG[g], Vector3::Ones()};
      if (table.shape[g] == "mesh" || table.shape[g] == "convex") {
        store.mesh(result, table.name[g], &part);
      } else {
        store.shape(table.shape[g], table.size[g], &part);
      }
      scene->parts.push_back(std::move(part));
    }
  }
}

// ---------------------------------------------------------------------------------------------- curves

/// The part of a dataset of steps or frames whose time lies within the frames shown.
ViewCurve read_curve(const ResultFile& result, const std::string& name, const std::vector<double>& time,
                     const std::string& path, const ViewScene& scene) {
  const double first = scene.frames.front().time, last = scene.frames.back().time;
  const std::vector<double> values = result.real(path);
  ViewCurve curve{name, {}, {}};
  for (std::size_t i = 0; i < std::min(values.size(), time.size()); ++i) {
    if (time[i] < first || time[i] > last) continue;
    curve.time.push_back(time[i]);
    curve.value.push_back(values[i]);
  }
  return envelope(curve, kCurvePoints);
}

void read_plots(const ResultFile& result, const std::vector<double>& frame_time, ViewScene* scene) {
  const std::vector<double> step_time = result.real("/stats/step/time");
  const auto of_frames = [&](const char* name) {
    return read_curve(result, name, frame_time, std::string("/energy/") + name, *scene);
  };
  const auto of_steps = [&](const char* name, const char* dataset) {
    return read_curve(result, name, step_time, std::string("/stats/step/") + dataset, *scene);
  };
  scene->plots.push_back(
      {"Energy",
       "J",
       false,
       {of_frames("total"), of_frames("kinetic"), of_frames("potential"), of_frames("elastic")}});
  scene->plots.push_back(
      {"Iterations", "per step", false, {of_steps("Newton or interior point", "iterations")}});
  scene->plots.push_back({"Contacts", "offered", false, {of_steps("contacts", "num_contacts")}});
  scene->plots.push_back({"Residual", "1", true, {of_steps("scaled momentum residual", "residual")}});
}

}  // namespace

std::vector<long> choose_rows(const std::vector<double>& times, const ViewSelection& selection) {
  // Times are multiples of the step: a bound given in decimals means the row there.
  const double slack = 1e-9 * (times.empty() ? 0.0 : std::abs(times.back()));
  const auto begin =
      selection.from ? std::lower_bound(times.begin(), times.end(), *selection.from - slack) : times.begin();
  const auto end = selection.to ? std::upper_bound(begin, times.end(), *selection.to + slack) : times.end();
  std::vector<long> rows;
  if (begin == end) return rows;
  for (auto row = begin; row != end; ++row) {
    const bool is_due = rows.empty() || *row - times[rows.back()] >= 1.0 / selection.fps - slack;
    if (is_due) rows.push_back(static_cast<long>(row - times.begin()));
  }
  rows.push_back(static_cast<long>(end - times.begin()) - 1);
  if (selection.still) {
    auto row = std::lower_bound(begin, end, *selection.still);
    if (row == end || (row != begin && *selection.still - *(row - 1) <= *row - *selection.still)) --row;
    rows.push_back(static_cast<long>(row - times.begin()));
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

ViewCurve envelope(const ViewCurve& curve, std::size_t max_points) {
  ViewCurve finite{curve.name, {}, {}};
  for (std::size_t i = 0; i < curve.value.size(); ++i) {
    if (!std::isfinite(curve.value[i])) continue;
    finite.time.push_back(curve.time[i]);
    finite.value.push_back(curve.value[i]);
  }
  const std::size_t n = finite.value.size(), stretches = max_points / 2;
  if (n <= max_points) return finite;
  ViewCurve thin{curve.name, {}, {}};
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto begin = finite.value.begin() + static_cast<long>(s * n / stretches);
    const auto end = finite.value.begin() + static_cast<long>((s + 1) * n / stretches);
    auto [low, high] = std::minmax_element(begin, end);
    if (high < low) std::swap(low, high);
    for (const auto& place : {low, high}) {
      thin.time.push_back(finite.time[static_cast<std::size_t>(place - finite.value.begin())]);
      thin.value.push_back(*place);
    }
  }
  return thin;
}

ViewScene read_view_scene(const ResultFile& result, const ViewSelection& selection) {
  ViewScene scene;
  const RunInfo info = collect_info(result);
  scene.name = info.scene_name;
  scene.file = std::filesystem::path(result.path()).filename().string();
  scene.status = to_string(result.status());
  scene.message = result.message();
  scene.version = info.provenance.version;
  const std::vector<double> times = result.real("/trajectory/time");
  const std::vector<long> rows = choose_rows(times, selection);
  if (times.empty()) throw InvalidResultError(result.path() + ": holds no frame yet");
  if (rows.empty()) {
    throw InvalidResultError(result.path() + ": no frame lies between --from and --to; it runs from " +
                             std::to_string(times.front()) + " s to " + std::to_string(times.back()) + " s");
  }
  for (const std::string& name : result.texts("/bodies/name")) scene.bodies.push_back({name, false});
  read_frames(result, times, rows, &scene);
  find_moving(result, &scene);
  read_parts(result, &scene);
  scene.has_contacts = selection.contacts && result.has("/contact/row_offset");
  if (scene.has_contacts) read_contacts(result, rows, &scene);
  scene.has_contacts = std::any_of(scene.frames.begin(), scene.frames.end(),
                                   [](const ViewFrame& frame) { return !frame.contacts.empty(); });
  read_plots(result, times, &scene);
  return scene;
}

}  // namespace csim
