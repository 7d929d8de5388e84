#include "view/view_scene.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/number_format.h"
#include "core/seconds_text.h"
#include "record/block_reader.h"
#include "record/report/info.h"

namespace csim {
namespace {

constexpr std::size_t kCurvePoints = 2000;  // more than a plot has pixels
constexpr std::size_t kPairRows = 100'000;  // 2.4 MB of a page

// ---------------------------------------------------------------------------------------------- frames

/// Of `rows`, that whose time is nearest to `time`.
long nearest_row(const std::vector<double>& times, const std::vector<long>& rows, double time) {
  return *std::min_element(rows.begin(), rows.end(), [&](long a, long b) {
    return std::abs(times[a] - time) < std::abs(times[b] - time);
  });
}

void read_frames(const ResultFile& result, const std::vector<double>& times, const std::vector<long>& rows,
                 ViewScene* scene) {
  BlockReader position(result, "/trajectory/position"), quaternion(result, "/trajectory/quaternion");
  std::optional<BlockReader> asleep;
  if (result.has("/trajectory/asleep")) asleep.emplace(result, "/trajectory/asleep");
  for (const long row : rows) {
    const auto positions = position.row(row), quaternions = quaternion.row(row);
    ViewFrame frame;
    frame.time = times[row];
    for (std::size_t b = 0; b < scene->bodies.size(); ++b)
      frame.X_WB.push_back(pose_at(positions, quaternions, b));
    if (asleep)
      for (const double one : asleep->row(row)) frame.asleep.push_back(one != 0.0 ? 1 : 0);
    scene->frames.push_back(std::move(frame));
  }
}

/// Leaves out frames so that the polygons do not make the page too large; says so.
void thin_out(const ResultFile& result, const std::vector<double>& times, const ViewSelection& selection,
              std::vector<long>* rows, ViewScene* scene) {
  const std::size_t bytes = polygon_bytes(result, *rows);
  if (selection.polygon_bytes == 0 || bytes <= selection.polygon_bytes) return;
  const std::size_t every = (bytes + selection.polygon_bytes - 1) / selection.polygon_bytes;
  const long still = selection.still ? nearest_row(times, *rows, *selection.still) : -1;
  std::vector<long> kept;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if (i % every == 0 || i + 1 == rows->size() || (*rows)[i] == still) kept.push_back((*rows)[i]);
  }
  scene->notes.push_back(format_text(
      "one frame in %zu is shown: the polygons of the patches of all %zu would take %.0f MB, more "
      "than %.0f MB",
      every, rows->size(), 1e-6 * static_cast<double>(bytes),
      1e-6 * static_cast<double>(selection.polygon_bytes)));
  *rows = std::move(kept);
}

/// Forces on bodies, and the phases of the sequence.
void read_commands(const ResultFile& result, const std::vector<long>& rows, ViewScene* scene) {
  if (result.has("/sequence/name")) scene->phases = result.texts("/sequence/name");
  for (std::size_t f = 0; f < rows.size(); ++f) {
    ViewFrame& frame = scene->frames[f];
    frame.forces = read_forces(result, rows[f], frame.X_WB);
    scene->has_forces = scene->has_forces || !frame.forces.empty();
    frame.broken = read_broken(result, rows[f], scene->links);
    if (scene->phases.empty()) continue;
    const std::int64_t phase = result.integer("/sequence/phase", rows[f], 1).at(0);
    frame.phase = phase < static_cast<std::int64_t>(scene->phases.size()) ? static_cast<int>(phase) : -1;
  }
}

void find_moving(const ResultFile& result, ViewScene* scene) {
  const auto v_offset =
      result.offsets("/bodies/v_offset", scene->bodies.size(), result.dataset("/trajectory/v").shape.at(1));
  for (std::size_t b = 0; b < scene->bodies.size(); ++b) {
    const RigidTransform& first = scene->frames.front().X_WB[b];
    scene->bodies[b].free = v_offset[b + 1] > v_offset[b];
    scene->bodies[b].moves = scene->bodies[b].free ||
                             std::any_of(scene->frames.begin(), scene->frames.end(), [&](const ViewFrame& f) {
                               return f.X_WB[b].p != first.p || f.X_WB[b].R != first.R;
                             });
  }
}

void read_bodies(const ResultFile& result, ViewScene* scene) {
  const auto names = result.texts("/bodies/name");
  const auto mass = result.real("/bodies/mass"), com = result.real("/bodies/com");
  for (std::size_t b = 0; b < names.size(); ++b)
    scene->bodies.push_back({names[b], false, mass.at(b), vector_at(com, b)});
  if (!result.has("/scene/gravity")) return;
  const auto gravity = result.real("/scene/gravity");
  scene->gravity = vector_at(gravity, 0);
}

/// Of the bodies that move, of joints and actuators.
void read_all_columns(const ResultFile& result, const ViewSelection& selection, const std::vector<long>& rows,
                      ViewScene* scene) {
  std::vector<int> bodies;
  for (std::size_t b = 0; b < scene->bodies.size(); ++b)
    if (scene->bodies[b].moves) bodies.push_back(static_cast<int>(b));
  scene->columns = read_columns(result, bodies, rows.front(), rows.back(), selection.column_bytes);
  const auto all = static_cast<std::size_t>(rows.back() - rows.front() + 1),
             shown = scene->columns.time.size();
  if (shown == all) return;
  scene->notes.push_back(format_text("plots of bodies and joints: %zu of %zu rows", shown, all));
}

/// Points, and faces of patches unless the patches themselves are shown.
void read_contacts(const ResultFile& result, const std::vector<long>& rows, bool faces, ViewScene* scene) {
  const auto owner = result.index("/geometries/body", scene->bodies.size());
  for (std::size_t f = 0; f < rows.size(); ++f) {
    const RowSpan span = ragged_rows(result, "/contact/row_offset", {rows[f], rows[f] + 1});
    const long first = span.begin, count = span.count();
    if (count == 0) continue;
    const auto point = result.real("/contact/point", first, count);
    const auto force = result.real("/contact/force", first, count);
    const auto a = result.index("/contact/geometry_a", first, count, owner.size());
    const auto b = result.index("/contact/geometry_b", first, count, owner.size());
    const auto mode = result.integer("/contact/mode", first, count),
               kind = result.integer("/contact/kind", first, count);
    for (long i = 0; i < count; ++i) {
      // Most contacts offered do not touch.
      if (mode[i] == 0 || (kind[i] == 1 && !faces)) continue;
      scene->frames[f].contacts.push_back({vector_at(point, i), vector_at(force, i),
                                           static_cast<int>(owner[a[i]]), static_cast<int>(owner[b[i]]),
                                           mode[i] == 2});
    }
  }
}

// ---------------------------------------------------------------------------------------------- curves

/// The part of a quantity of steps or frames whose time lies within the frames shown.
ViewCurve make_curve(const std::string& name, const std::vector<double>& time,
                     const std::vector<double>& values, const ViewScene& scene) {
  const double first = scene.frames.front().time, last = scene.frames.back().time;
  ViewCurve curve{name, {}, {}};
  for (std::size_t i = 0; i < std::min(values.size(), time.size()); ++i) {
    if (time[i] < first || time[i] > last) continue;
    curve.time.push_back(time[i]);
    curve.value.push_back(values[i]);
  }
  return envelope(curve, kCurvePoints);
}

/// Over the patches of every frame.
ViewCurve largest_pressures(const ResultFile& result, const std::vector<double>& times,
                            const ViewScene& scene) {
  const auto offset = result.integer("/patch/row_offset");
  const auto pressure = result.real("/patch/max_pressure");
  std::vector<double> largest(times.size(), 0.0);
  for (std::size_t f = 0; f < times.size(); ++f) {
    for (long p = offset[f]; p < offset[f + 1]; ++p) largest[f] = std::max(largest[f], pressure[p]);
  }
  return make_curve("largest pressure", times, largest, scene);
}

void read_plots(const ResultFile& result, const std::vector<double>& frame_time, ViewScene* scene) {
  const std::vector<double> step_time = result.real("/stats/step/time");
  const auto of_frames = [&](const char* name) {
    return make_curve(name, frame_time, result.real(std::string("/energy/") + name), *scene);
  };
  const auto of_steps = [&](const char* name, const char* dataset) {
    return make_curve(name, step_time, result.real(std::string("/stats/step/") + dataset), *scene);
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
  if (!scene->has_patches) return;
  scene->plots.push_back({"Faces of patches", "", false, {of_steps("faces", "num_faces")}});
  scene->plots.push_back({"Largest pressure", "Pa", false, {largest_pressures(result, frame_time, *scene)}});
}

}  // namespace

std::vector<double> film_times(double first, double last, double step) {
  const auto count = static_cast<std::size_t>(std::floor((last - first) / step + 1e-6));
  std::vector<double> times;
  for (std::size_t k = 0; k <= count; ++k)
    times.push_back(std::min(last, first + static_cast<double>(k) * step));
  return times;
}

std::vector<long> choose_rows(const std::vector<double>& times, const ViewSelection& selection) {
  // Times are multiples of the step: a bound given in decimals means the row there.
  const double slack = 1e-9 * (times.empty() ? 0.0 : std::abs(times.back()));
  const auto begin =
      selection.from ? std::lower_bound(times.begin(), times.end(), *selection.from - slack) : times.begin();
  const auto end = selection.to ? std::upper_bound(begin, times.end(), *selection.to + slack) : times.end();
  std::vector<long> rows;
  if (begin == end) return rows;
  if (selection.film_step) {
    for (const double time : film_times(*begin, *(end - 1), *selection.film_step)) {
      const auto after = std::lower_bound(begin, end - 1, time - slack);
      if (after != begin && *after > time + slack)
        rows.push_back(static_cast<long>(after - times.begin()) - 1);
      rows.push_back(static_cast<long>(after - times.begin()));
    }
  }
  const bool takes_all = !selection.fps && end - begin <= ViewSelection::kFewRows;
  const double apart = takes_all ? 0.0 : 1.0 / selection.fps.value_or(ViewSelection::kFps) - slack;
  for (auto row = begin; row != end && !selection.film_step; ++row) {
    const bool is_due = rows.empty() || *row - times[rows.back()] >= apart;
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
      thin.time.push_back(finite.time[place - finite.value.begin()]);
      thin.value.push_back(*place);
    }
  }
  return thin;
}

std::vector<char> bodies_with_polygons(const ViewScene& scene) {
  std::vector<char> bodies(scene.bodies.size(), false);
  for (const ViewFrame& frame : scene.frames) {
    if (!scene.has_polygons) break;
    for (const ViewPatch& patch : frame.patches) bodies[patch.body_a] = bodies[patch.body_b] = true;
  }
  return bodies;
}

std::vector<char> bodies_that_move(const ViewScene& scene) {
  std::vector<char> moves;
  for (const ViewBody& body : scene.bodies) moves.push_back(body.moves);
  return moves;
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
  if (selection.film_step && !times.empty()) {
    const double first = selection.from.value_or(times.front()), last = selection.to.value_or(times.back());
    const double pictures =
        (std::min(last, times.back()) - std::max(first, times.front())) / *selection.film_step;
    if (pictures > kMostPictures - 1.0) {
      throw InvalidResultError(
          format_text("a film of %.3g pictures, expected at most %.0f: lower --fps, raise --speed, or "
                      "choose a part of the time with --from and --to",
                      pictures, kMostPictures));
    }
  }
  std::vector<long> rows = choose_rows(times, selection);
  if (times.empty()) throw InvalidResultError(result.path() + ": holds no frame yet");
  if (rows.empty()) {
    throw InvalidResultError(result.path() + ": no frame lies between --from and --to; it runs from " +
                             time_text(times.front()) + " to " + time_text(times.back()));
  }
  const bool with_patches = selection.patches && result.has("/patch/row_offset");
  const bool with_polygons = with_patches && result.has("/patch/face_offset");
  if (with_polygons && selection.all_polygons) thin_out(result, times, selection, &rows, &scene);
  read_bodies(result, &scene);
  scene.joints = read_joints(result);
  scene.links = read_links(result, scene.joints);
  read_frames(result, times, rows, &scene);
  read_commands(result, rows, &scene);
  find_moving(result, &scene);
  // Many bodies are small on the screen: fewer triangles do.
  static_cast<ViewParts&>(scene) = read_parts(result, scene.bodies.size() > 300 ? 20 : 48, false);
  if (selection.contacts && result.has("/contact/row_offset"))
    read_contacts(result, rows, !with_patches, &scene);
  const long still = nearest_row(times, rows, selection.still.value_or(times[rows.back()]));
  for (std::size_t f = 0; with_patches && f < rows.size(); ++f) {
    scene.frames[f].patches = read_patches(result, rows[f], selection.all_polygons || rows[f] == still);
  }
  const auto any = [&](const auto& member) {
    return std::any_of(scene.frames.begin(), scene.frames.end(),
                       [&](const ViewFrame& frame) { return !(frame.*member).empty(); });
  };
  scene.has_contacts = any(&ViewFrame::contacts);
  scene.has_patches = any(&ViewFrame::patches);
  scene.has_polygons = with_polygons && scene.has_patches;
  if (scene.has_polygons) scene.pressure = read_pressure_range(result);
  read_plots(result, times, &scene);
  if (selection.columns) read_all_columns(result, selection, rows, &scene);
  scene.row_times = times;
  const bool all_pairs = selection.column_bytes == 0;
  ViewPairs pairs =
      read_pairs(result, times, all_pairs ? std::numeric_limits<std::size_t>::max() : kPairRows);
  scene.pairs = std::move(pairs.pairs);
  if (pairs.num_left_out > 0) {
    scene.notes.push_back(
        format_text("forces between bodies: of the %zu pairs with the largest ones, %zu pairs are left out",
                    scene.pairs.size(), pairs.num_left_out));
  }
  return scene;
}

}  // namespace csim
