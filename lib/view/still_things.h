// What a still draws: surfaces with their looks, and the marks of forces.
#pragma once

#include <deque>
#include <vector>

#include "view/canvas.h"
#include "view/framing.h"
#include "view/raster.h"
#include "view/view_scene.h"

namespace csim {

// Axes of frames: x, y, z; axes of joints; overlaps; a second result.
constexpr unsigned kAxes[3] = {0xd83a34, 0x2f9e44, 0x2563c9};
constexpr unsigned kJointAxis = 0x8a3ffc, kOverlap = 0xe00025, kOverlay = 0x31456e;

// Marks of forces: contacts that stick (and patches), that slip, moments of patches, forces on bodies; links.
constexpr unsigned kStick = 0xd9480f, kSlip = 0xb5179e, kMoment = 0x3b2fa0, kForce = 0x0b7285;
constexpr unsigned kLink = 0x5c3d2e;
constexpr double kArrowLength = 0.36;   // radii of the scene: the arrow of Framing::largest_force
constexpr double kArrowWidth = 0.0032;  // radii: half a shaft
constexpr double kLongestArrow = 2.0;   // times largest_force: a larger one is cut there, and darker
constexpr double kRim = 0.98;           // of the picture's half width and height: arrows are cut there too
constexpr double kCutDarkness = 0.55;   // of the colour of one that is cut

constexpr double kPathWidth = 0.0022;  // radii: half a line of a path
constexpr double kFrameLength = 0.13;  // radii: the axes of a frame
constexpr double kOverlayOpacity = 0.4;
constexpr double kGlass = 0.16;         // opacity of fixed parts that hide what moves
constexpr double kSeeThrough = 0.3;     // opacity of moving parts while polygons of patches lie in them
constexpr double kShadowOpacity = 0.5;  // a part throws a shadow from this opacity on

/// A surface with its looks.
struct Thing {
  RasterItem item;
  Color color;
  bool round = false, grid = false, fades = false, casts = true;
  double opacity = 1.0;
};

/// The polygons of a frame as one surface of triangle fans, and the pressure at each vertex.
struct PolygonSurface {
  Surface surface;
  std::vector<double> pressure;  // Pa
};

/// What a frame is drawn from. It holds the surfaces that no scene has, to which its things point: it stays
/// where it is.
class Things {
 public:
  Things(const ViewScene& scene, const ViewFrame& frame, const Framing& framing, const RasterCamera& camera);
  Things(const Things&) = delete;
  Things& operator=(const Things&) = delete;

  std::vector<Thing> solid;        // bodies and floors
  std::vector<Thing> glass;        // fixed parts that hide what moves
  std::vector<Thing> see_through;  // parts with polygons of patches on them, or of colours with opacity
  std::vector<Thing> overlay;      // what moves in the second result
  std::vector<Thing> marks;        // forces, moments and paths; fainter where bodies hide them
  std::vector<Thing> signs;        // frames of bodies and joints, overlaps; in front of all else
  PolygonSurface polygons;

  [[nodiscard]] bool has_grid() const;  // a floor with grid lines is seen

 private:
  /// What all arrows of a picture share.
  struct ArrowStyle {
    double radius;  // m, Framing::arrow_radius()
    const RasterCamera& camera;
  };
  struct Arrow {
    Vector3 start, vector;  // m, world; in the quantity's unit
    double largest;         // of the quantity: an arrow of kArrowLength
    Color color;
    int heads = 1;
  };

  void add_parts(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                 const Vector3& camera);
  void add_planes(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                  const Vector3& camera);
  void add_overlay(const ViewScene& overlay, double time);
  void add_forces(const ViewFrame& frame, const Framing& framing, const ArrowStyle& style);
  /// Of the bodies in `traces`, up to the frame; and of those of the same names in the overlay.
  void add_paths(const ViewScene& scene, double time, const ArrowStyle& style);
  void add_path(const std::vector<Vector3>& path, const Color& color, const ArrowStyle& style);
  /// Constraints between bodies: a line from end to end, with a dot at each.
  void add_links(const ViewScene& scene, const ViewFrame& frame, const ArrowStyle& style);
  void add_frames(const ViewScene& scene, const ViewFrame& frame, const ArrowStyle& style);
  void add_arrow(const Arrow& arrow, const ArrowStyle& style);
  void draw_arrow(const Vector3& start, const Vector3& along, double width, Color color, int heads,
                  std::vector<Thing>* things) const;

  Surface square_, ball_, shaft_, head_;
  std::deque<Surface> paths_;  // they stay where they are as more come
};

[[nodiscard]] std::vector<RasterItem> items_of(const std::vector<Thing>& things, bool only_casting);

}  // namespace csim
