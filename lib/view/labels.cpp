#include "view/labels.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/number_format.h"
#include "view/annotations.h"
#include "view/still_things.h"

namespace csim {
namespace {

constexpr unsigned kPaper = 0xffffff;
constexpr double kPaperOpacity = 0.72;

struct Box {
  double x0, y0, x1, y1;
  [[nodiscard]] bool meets(const Box& other) const {
    return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1;
  }
};

class Labels {
 public:
  explicit Labels(Canvas* canvas) : canvas_(canvas), letters_(0.8 * letter_height(canvas->height())) {}

  /// To the upper right of a place, in pixels.
  void add(const Vector3& place, const std::string& text, unsigned color) {
    if (!(place.z() > 0.0)) return;
    const double x = place.x() + 0.8 * letters_, y = place.y() - 0.8 * letters_;
    const double width = canvas_->text_width(text, letters_);
    const Box box{x - 0.4 * letters_, y - 1.4 * letters_, x + width + 0.4 * letters_, y + 0.5 * letters_};
    if (box.x0 < 0.0 || box.y0 < 0.0 || box.x1 > canvas_->width() || box.y1 > canvas_->height()) return;
    if (std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) { return box.meets(other); })) return;
    taken_.push_back(box);
    canvas_->box(box.x0, box.y0, box.x1, box.y1, color_of(kPaper), kPaperOpacity);
    canvas_->text(x, y, letters_, text, color_of(color));
  }

 private:
  Canvas* canvas_;
  double letters_;
  std::vector<Box> taken_;
};

}  // namespace

void draw_labels(const ViewScene& scene, const ViewFrame& frame,
                 const std::function<Vector3(const Vector3&)>& pixel_of, Canvas* canvas) {
  Labels labels(canvas);
  for (const ViewOverlap& overlap : scene.overlaps)
    labels.add(pixel_of(overlap.point), "overlap " + shown_quantity(overlap.depth, "m"), kOverlap);
  std::vector<std::size_t> moving;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (scene.bodies[b].moves) moving.push_back(b);
  std::stable_sort(moving.begin(), moving.end(),
                   [&](std::size_t a, std::size_t b) { return scene.bodies[a].mass > scene.bodies[b].mass; });
  for (const std::size_t b : moving) {
    const ViewBody& body = scene.bodies[b];
    labels.add(pixel_of(frame.X_WB[b] * body.com), body.name + format_text("  %.3g kg", body.mass), kInk);
  }
}

}  // namespace csim
