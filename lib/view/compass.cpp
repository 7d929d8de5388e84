#include "view/compass.h"

#include <algorithm>
#include <vector>

#include "view/annotations.h"
#include "view/framing.h"
#include "view/still_things.h"

namespace csim {
namespace {

constexpr double kArm = 3.6;  // letters' heights
constexpr unsigned kGravity = 0x3c4654;

struct Arm {
  const char* name;
  Vector3 tip;  // camera axes, at most 1 long
  Color color;
};

/// From `a` to `b`, as thick as `width`.
void draw_line(const Vector2& a, const Vector2& b, double width, const Color& color, Canvas* canvas) {
  const Vector2 along = b - a;
  if (along.norm() < 1e-6) return;
  const Vector2 side = 0.5 * width * Vector2(-along.y(), along.x()).normalized();
  canvas->polygon({a + side, b + side, b - side, a - side}, color);
}

void draw_arm(const Arm& arm, const Vector2& middle, double letters, Canvas* canvas) {
  const double width = std::max(1.5, 0.2 * letters);
  const Vector2 way = kArm * letters * Vector2(arm.tip.x(), -arm.tip.y()), tip = middle + way;
  draw_line(middle, tip, width, arm.color, canvas);
  if (way.norm() > 4.0 * width) {
    const Vector2 along = way.normalized(), side(-along.y(), along.x());
    canvas->polygon({tip + 2.0 * width * along, tip + 1.5 * width * side - width * along,
                     tip - 1.5 * width * side - width * along},
                    arm.color);
  }
  const double small = 0.85 * letters, half = 0.5 * canvas->text_width(arm.name, small);
  const Vector2 place = tip + (way.norm() > 1e-9 ? 1.25 * letters * way.normalized() : Vector2(letters, 0.0));
  canvas->text(place.x() - half, place.y() + 0.5 * small, small, arm.name, arm.color);
}

}  // namespace

void draw_compass(const Vector3& direction, const std::optional<Vector3>& gravity, Canvas* canvas) {
  const double letters = letter_height(canvas->height());
  const Matrix3 axes = camera_axes(direction);
  const double margin = (kArm + 3.0) * letters;
  const Vector2 middle(canvas->width() - margin, canvas->height() - margin);
  std::vector<Arm> arms;
  const char* names[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis)
    arms.push_back({names[axis], axes.row(axis).transpose(), color_of(kAxes[axis])});
  if (gravity && gravity->norm() > 0.0)
    arms.push_back({"g", 0.8 * (axes.transpose() * gravity->normalized()), color_of(kGravity)});
  // The nearest last.
  std::stable_sort(arms.begin(), arms.end(),
                   [](const Arm& a, const Arm& b) { return a.tip.z() < b.tip.z(); });
  for (const Arm& arm : arms) draw_arm(arm, middle, letters, canvas);
}

}  // namespace csim
