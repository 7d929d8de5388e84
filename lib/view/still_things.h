// What a still draws: surfaces with their looks, and the marks of forces.
#pragma once

#include <vector>

#include "view/canvas.h"
#include "view/framing.h"
#include "view/raster.h"
#include "view/view_scene.h"

namespace csim {

// Marks of forces: contacts that stick (and patches), that slip, moments of patches.
constexpr unsigned kStick = 0xd9480f, kSlip = 0xb5179e, kMoment = 0x3b2fa0;
constexpr double kArrowLength = 0.36;   // radii of the scene: the arrow of Framing::largest_force
constexpr double kArrowWidth = 0.0032;  // radii: half a shaft
constexpr double kLongestArrow = 2.0;   // times largest_force: a larger one is cut there, and darker
constexpr double kCutDarkness = 0.55;   // of the colour of one that is cut

/// A surface with its looks.
struct Thing {
  RasterItem item;
  Color color;
  bool round = false, grid = false, fades = false, casts = true;
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
  Things(const ViewScene& scene, const ViewFrame& frame, const Framing& framing, const Vector3& camera);
  Things(const Things&) = delete;
  Things& operator=(const Things&) = delete;

  std::vector<Thing> solid;        // bodies and floors
  std::vector<Thing> glass;        // fixed parts that hide what moves
  std::vector<Thing> see_through;  // moving parts of bodies on which polygons of patches lie
  std::vector<Thing> marks;        // forces and moments, in front of all else
  PolygonSurface polygons;

  [[nodiscard]] bool has_grid() const;  // a floor with grid lines is seen

 private:
  void add_parts(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                 const Vector3& camera);
  void add_planes(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                  const Vector3& camera);
  void add_forces(const ViewFrame& frame, const Framing& framing);
  void add_arrow(double radius, const Vector3& start, const Vector3& vector, double largest, Color color,
                 int heads);

  Surface square_, ball_, shaft_, head_;
};

[[nodiscard]] std::vector<RasterItem> items_of(const std::vector<Thing>& things, bool only_casting);

}  // namespace csim
