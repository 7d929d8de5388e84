// What a result file gives to look at: bodies and their surfaces, poses in time, contacts, curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/rigid_transform.h"
#include "record/reader.h"
#include "view/surface.h"

namespace csim {

/// Which part of a result is shown.
struct ViewSelection {
  double fps = 30.0;                         // frames a second of simulated time, at most
  std::optional<double> from = {}, to = {};  // s
  std::optional<double> still = {};          // s: the frame nearest to it is among those chosen
  bool contacts = true;
};

struct ViewBody {
  std::string name;
  bool moves = false;  // has degrees of freedom or a pose that changes
};

/// A geometry that has a surface.
struct ViewPart {
  std::string name;  // body/geometry
  int body = 0;
  int surface = 0;  // index into ViewScene::surfaces
  RigidTransform X_BG;
  Vector3 scale = Vector3::Ones();
};

/// A half space, solid below z = 0 of its frame.
struct ViewPlane {
  std::string name;
  int body = 0;
  RigidTransform X_BG;
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
  std::vector<RigidTransform> X_WB;
  std::vector<ViewContact> contacts;
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

struct ViewScene {
  std::string name, file, status, message, version;
  std::vector<ViewBody> bodies;
  std::vector<Surface> surfaces;
  std::vector<ViewPart> parts;
  std::vector<ViewPlane> planes;
  std::vector<ViewFrame> frames;
  std::vector<ViewPlot> plots;
  bool has_contacts = false;  // in any frame
};

/// Reads what is to be seen. Throws InvalidResultError when there is no frame (within from and to), and what
/// ResultFile throws.
[[nodiscard]] ViewScene read_view_scene(const ResultFile& result, const ViewSelection& selection);

/// Rows of `times` (ascending) to show: within [from, to], at least 1/fps apart, and the last one and that of
/// the still in any case; each once, ascending. Empty when none lies there.
[[nodiscard]] std::vector<long> choose_rows(const std::vector<double>& times, const ViewSelection& selection);

/// A curve of at most `max_points` points that keeps the smallest and the largest value of every stretch it
/// leaves out; values that are not finite are dropped.
[[nodiscard]] ViewCurve envelope(const ViewCurve& curve, std::size_t max_points);

}  // namespace csim
