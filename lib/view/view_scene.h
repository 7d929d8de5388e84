// What a result file gives to look at: bodies and their surfaces, poses in time, contacts, curves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/rigid_transform.h"
#include "record/reader.h"
#include "view/read_columns.h"
#include "view/read_joints.h"
#include "view/read_links.h"
#include "view/read_pairs.h"
#include "view/read_parts.h"
#include "view/read_patches.h"

namespace csim {

/// Which part of a result is shown.
struct ViewSelection {
  /// Frames a second of simulated time, at most. None: kFps where there are more than kFewRows rows.
  std::optional<double> fps = {};
  static constexpr double kFps = 30.0;
  static constexpr long kFewRows = 301;      // with the first row
  std::optional<double> from = {}, to = {};  // s
  std::optional<double> still = {};          // s: the frame nearest to it is among those chosen
  /// s of simulated time from picture to picture of a film: the rows beside each picture in place of `fps`.
  std::optional<double> film_step = {};
  bool contacts = true;
  bool patches = true;
  bool all_polygons = true;  // false: of the still's frame alone
  /// The polygons of a page take at most so many bytes; else frames are left out. 0: no limit.
  std::size_t polygon_bytes = 20'000'000;
  bool columns = true;  // of bodies, joints and actuators, for plots
  /// They take at most so many bytes; else rows are left out. 0: no limit, nor one of forces between bodies.
  std::size_t column_bytes = 5'000'000;
};

struct ViewBody {
  std::string name;
  bool moves = false;             // is free or has a pose that changes
  double mass = 0.0;              // kg; 0 of fixed bodies without
  Vector3 com = Vector3::Zero();  // m, body frame
  bool free = false;              // has degrees of freedom
};

/// A contact that acts.
struct ViewContact {
  Vector3 point;       // m, world
  Vector3 force;       // N, on body b, world axes
  int body_a, body_b;  // indices into ViewScene::bodies
  bool slips;          // its slip speed is beyond the law's tolerance
};

struct ViewFrame {
  double time = 0.0;  // s
  std::vector<RigidTransform> X_WB = {};
  std::vector<ViewContact> contacts = {};
  std::vector<ViewPatch> patches = {};
  std::vector<ViewForce> forces = {};
  int phase = -1;                 // of the sequence, index into ViewScene::phases; -1: none
  std::vector<char> asleep = {};  // of each body; empty where nothing ever sleeps
  std::vector<char> broken = {};  // of each link; empty where none may break
};

/// A quantity over time.
struct ViewCurve {
  std::string name;
  std::vector<double> time, value;  // s, units of the plot
};

struct ViewPlot {
  std::string title, unit;
  bool logarithmic = false;
  std::vector<ViewCurve> curves;
};

/// Two geometries that overlap where a scene starts.
struct ViewOverlap {
  std::string geometry_a, geometry_b;  // body/geometry
  double depth;                        // m
  Vector3 point;                       // m, world
};

/// Where to look from in place of the view that shows all; its terms are those of the page's mouse.
struct ViewCamera {
  std::optional<double> azimuth = {};    // degrees, of the camera about the target: 0 on +x, 90 on +y
  std::optional<double> elevation = {};  // degrees above the horizon
  double zoom = 1.0;                     // 2: from half the distance
  std::optional<Vector3> target = {};    // m, world: in the middle of the picture
};

struct ViewScene : ViewParts {
  std::string name, file, status, message, version;
  std::vector<ViewBody> bodies;
  std::vector<ViewJoint> joints;
  std::vector<ViewLink> links;
  std::vector<std::string> phases;  // of the sequence
  std::vector<ViewFrame> frames;
  std::optional<Vector3> gravity;  // m/s^2, world axes; none of a file that is older than it
  std::vector<ViewPlot> plots;
  ViewColumns columns;
  std::vector<double> row_times;   // s, of all rows of the file
  std::vector<ViewPair> pairs;     // with rows among these
  std::vector<std::string> notes;  // what is not shown, and why
  bool has_forces = false;         // on bodies, in any frame
  bool has_contacts = false;       // in any frame
  bool has_patches = false;        // in any frame
  bool has_polygons = false;       // the file holds the faces of its patches, and they are shown
  PressureRange pressure;          // of the colours of polygons
  ViewCamera camera;
  std::vector<int> traces;            // bodies whose path stills and films show
  bool before_running = false;        // a scene at its start: with frames of bodies and joints, and masses
  std::vector<ViewOverlap> overlaps;  // before it runs; the deepest first
  /// A second result, to compare: what moves in it is drawn translucent.
  std::shared_ptr<const ViewScene> overlay;
};

/// Whether a link (index into ViewScene::links) still holds in a frame.
[[nodiscard]] inline bool is_whole(const ViewFrame& frame, std::size_t link) {
  return frame.broken.empty() || frame.broken[link] == 0;
}

/// Reads what is to be seen. Throws InvalidResultError when there is no frame (within from and to), and what
/// ResultFile throws.
[[nodiscard]] ViewScene read_view_scene(const ResultFile& result, const ViewSelection& selection);

/// For each body whether polygons of patches that are shown lie on it, at any time: it is drawn see-through.
[[nodiscard]] std::vector<char> bodies_with_polygons(const ViewScene& scene);

/// Of each body, for body_colors().
[[nodiscard]] std::vector<char> bodies_that_move(const ViewScene& scene);

constexpr double kMostPictures = 100'000;  // of a film: their names have five digits

/// Times of the pictures of a film: from `first` on, each `step` (> 0) later, up to `last`.
[[nodiscard]] std::vector<double> film_times(double first, double last, double step);

/// Rows of `times` (ascending) to show: within [from, to], all where they are few, else those at least 1/fps
/// apart (of a film: those before and after each picture), and the last one and that of the still in any
/// case; each once, ascending. Empty when none lies there.
[[nodiscard]] std::vector<long> choose_rows(const std::vector<double>& times, const ViewSelection& selection);

/// A curve of at most `max_points` points that keeps the smallest and the largest value of every stretch it
/// leaves out; values that are not finite are dropped.
[[nodiscard]] ViewCurve envelope(const ViewCurve& curve, std::size_t max_points);

}  // namespace csim
