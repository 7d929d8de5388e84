#include "view/annotations.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/counted.h"
#include "core/number_format.h"
#include "view/color_map.h"
#include "view/still_things.h"

namespace csim {
namespace {

constexpr unsigned kPanel = 0xf6f8fa;
constexpr double kPanelOpacity = 0.78;
constexpr double kWidestPanel = 0.42;  // of the picture: items beyond it take another line
constexpr double kWidestTitle = 0.7, kHighestPanels = 0.6;  // of the picture: there is no room for more
constexpr std::size_t kLongestName = 40;                    // letters
constexpr double kScaleBar = 0.14;                          // of the picture's width, at most
constexpr double kLegendArrow = 8.0;                        // letters' heights, at most
constexpr double kLineHeight = 1.9;                         // letters' heights
constexpr double kGap = 0.6, kItemGap = 1.6;                // letters' heights: mark to text, item to item

constexpr int kSwatch = -1;

/// A mark with its explanation. `length` of the mark in pixels, 0 for none; `heads` 0: a bar with ends;
/// kSwatch: a square.
struct Item {
  double length = 0.0;
  int heads = 0;
  Color color = color_of(kInk);
  std::string text;
  bool new_line = false;
};

/// An arrow to the right from (x, y), in the proportions of Things::add_arrow(); `w` half its shaft, pixels.
void draw_arrow(Canvas* canvas, double x, double y, double length, double w, int heads, const Color& color) {
  w *= std::min(1.0, length / (10.0 * w));
  const double head = 7.0 * w, rim = 2.6 * w;
  canvas->box(x, y - w, x + length - head, y + w, color);
  for (int h = 0; h < heads; ++h) {
    const double tip = x + length - 6.0 * h * w;
    canvas->polygon({{tip, y}, {tip - head, y - rim}, {tip - head, y + rim}}, color);
  }
}

/// A horizontal bar from x to x + length with upright ends, on whole pixels.
void draw_bar(Canvas* canvas, double x, double y, double length, double letters, const Color& color) {
  const double thick = std::max(1.0, std::round(0.15 * letters));
  const double end = std::max(2.0, std::round(0.45 * letters));
  const double x0 = std::round(x), x1 = x0 + std::round(length);
  const double row = std::round(y - 0.5 * thick);
  canvas->box(x0, row, x1, row + thick, color);
  canvas->box(x0, row - end, x0 + thick, row + thick + end, color);
  canvas->box(x1 - thick, row - end, x1, row + thick + end, color);
}

double largest_contact(const ViewFrame& frame) {
  double force = 0.0;
  for (const ViewContact& contact : frame.contacts) force = std::max(force, contact.force.norm());
  for (const ViewPatch& patch : frame.patches) force = std::max(force, patch.force.norm());
  return force;
}

double largest_applied(const ViewFrame& frame) {
  double force = 0.0;
  for (const ViewForce& applied : frame.forces) force = std::max(force, applied.force.norm());
  return force;
}

/// The arrow of a round amount of a quantity, and of amounts that are cut where the frame has one.
void add_arrow_items(const Annotated& what, double letters, double full, double largest, const char* unit,
                     const char* meaning, unsigned color, int heads, std::vector<Item>* items) {
  const double pixels =
      kArrowLength * what.framing.arrow_radius() * what.pixels_per_metre / full;  // of a unit
  const double amount = round_length(kLegendArrow * letters / pixels);
  items->push_back({amount * pixels, heads, color_of(color), shown_quantity(amount, unit) + meaning, true});
  if (largest <= kLongestArrow * full) return;
  items->push_back(
      {3.0 * letters, heads, Color(kCutDarkness * color_of(color)),
       "cut at " + shown_quantity(kLongestArrow * full, unit) + ", up to " + shown_quantity(largest, unit)});
}

std::vector<Item> title_items(const Annotated& what) {
  std::vector<Item> items = {{0.0, 0, color_of(kInk), format_text("t = %.6g s", what.frame.time)}};
  if (what.scene.name.size() <= kLongestName)
    items.insert(items.begin(), {0.0, 0, color_of(kInk), what.scene.name});
  if (what.frame.phase >= 0)
    items.push_back({0.0, 0, color_of(kInk), "phase " + what.scene.phases[what.frame.phase]});
  if (!what.scene.before_running) return items;
  double mass = 0.0;
  int bodies = 0;
  for (const ViewBody& body : what.scene.bodies) {
    if (!body.moves) continue;
    mass += body.mass;
    ++bodies;
  }
  items.push_back({0.0, 0, color_of(kInk),
                   counted(bodies, "body moves", "bodies move") + format_text(", %.3g kg", mass), true});
  if (!what.scene.overlaps.empty()) {
    items.push_back({0.0, 0, color_of(kOverlap), counted(what.scene.overlaps.size(), "overlap")});
  }
  return items;
}

std::vector<Item> legend_items(const Annotated& what, double letters, int width) {
  const ViewScene& scene = what.scene;
  const double bar = round_length(kScaleBar * width / what.pixels_per_metre);
  std::vector<Item> items = {
      {bar * what.pixels_per_metre, 0, color_of(kInk), format_text("%.6g m at the centre", bar)}};
  if (what.grid) items.push_back({0.0, 0, color_of(kInk), format_text("grid %.6g m", what.framing.grid)});
  if (scene.overlay) {
    const std::string& file = scene.overlay->file;
    items.push_back(
        {letters, 0, color_of(kOverlay), file.size() <= kLongestName ? file : "second result", true});
  }
  if (scene.before_running) {
    items.push_back({0.0, 0, color_of(kInk), "axes x, y, z of bodies and joints: red, green, blue", true});
  }
  if (scene.has_contacts || scene.has_patches) {
    add_arrow_items(what, letters, what.framing.largest_force, largest_contact(what.frame), "N",
                    " force on the body later in the scene", kStick, 1, &items);
  }
  if (scene.has_contacts) items.push_back({3.0 * letters, 1, color_of(kSlip), "slipping"});
  if (scene.has_patches) {
    double moment = 0.0;
    for (const ViewPatch& patch : what.frame.patches) moment = std::max(moment, patch.moment.norm());
    add_arrow_items(what, letters, what.framing.largest_moment, moment, "N m", " moment of a patch", kMoment,
                    2, &items);
  }
  if (scene.has_forces) {
    add_arrow_items(what, letters, what.framing.largest_force, largest_applied(what.frame), "N",
                    " force applied", kForce, 1, &items);
  }
  if (!scene.links.empty()) items.push_back({2.0 * letters, 0, color_of(kLink), "constraint", true});
  if (!what.frame.asleep.empty()) items.push_back({0.0, 0, color_of(kInk), "pale: asleep", true});
  return items;
}

double width_of(const Item& item, const Canvas& canvas, double letters) {
  return canvas.text_width(item.text, letters) + (item.length > 0.0 ? item.length + kGap * letters : 0.0);
}

void draw_item(const Item& item, double x, double baseline, double letters, double arrow_width,
               Canvas* canvas) {
  const double middle = baseline - 0.5 * letters;
  if (item.length > 0.0) {
    if (item.heads == kSwatch)
      canvas->box(x, middle - 0.5 * item.length, x + item.length, middle + 0.5 * item.length, item.color,
                  kOverlayOpacity);
    else if (item.heads == 0)
      draw_bar(canvas, x, middle, item.length, letters, item.color);
    else
      draw_arrow(canvas, x, middle, item.length, arrow_width, item.heads, item.color);
    x += item.length + kGap * letters;
  }
  canvas->text(x, baseline, letters, item.text, item.length > 0.0 ? color_of(kInk) : item.color);
}

/// Items in lines, in letters' heights and pixels.
struct Panel {
  struct Place {
    double x;  // pixels from the left
    int line;
  };
  std::vector<Item> items;
  std::vector<Place> places;
  double width = 0.0, height = 0.0, letters;  // pixels
};

Panel lay_out(std::vector<Item> items, const Canvas& canvas, double letters, double widest) {
  Panel panel{std::move(items), {}, 0.0, 0.0, letters};
  double x = 0.0;
  int line = 0;
  for (const Item& item : panel.items) {
    const double width = width_of(item, canvas, letters);
    if (x > 0.0 && (item.new_line || x + width > widest)) {
      x = 0.0;
      ++line;
    }
    panel.places.push_back({x, line});
    panel.width = std::max(panel.width, x + width + 2.0 * letters);
    x += width + kItemGap * letters;
  }
  panel.height = ((line + 1) * kLineHeight + 0.4) * letters;
  return panel;
}

void draw_panel(const Panel& panel, int left, int top, double arrow_width, Canvas* canvas) {
  canvas->box(left, top, left + std::floor(panel.width), top + std::floor(panel.height), color_of(kPanel),
              kPanelOpacity);
  for (std::size_t k = 0; k < panel.items.size(); ++k) {
    const double baseline = top + (panel.places[k].line * kLineHeight + 1.65) * panel.letters;
    draw_item(panel.items[k], left + panel.letters + panel.places[k].x, baseline, panel.letters, arrow_width,
              canvas);
  }
}

}  // namespace

double letter_height(int picture_height) {
  return std::clamp(picture_height / 55.0, 6.0, 40.0);
}

bool annotate(const Annotated& what, Canvas* canvas) {
  const double letters = letter_height(canvas->height());
  const int margin = static_cast<int>(letters);
  const Panel title = lay_out(title_items(what), *canvas, letters, kWidestPanel * canvas->width());
  const Panel legend =
      lay_out(legend_items(what, letters, canvas->width()), *canvas, letters, kWidestPanel * canvas->width());
  const double room = canvas->width() - 2.0 * margin;
  if (legend.width > room || title.width > kWidestTitle * canvas->width() ||
      legend.height + title.height > kHighestPanels * canvas->height()) {
    return false;
  }
  const double arrow_width = std::max(0.6, kArrowWidth * what.framing.arrow_radius() * what.pixels_per_metre);
  draw_panel(title, margin, margin, arrow_width, canvas);
  draw_panel(legend, margin, canvas->height() - margin - static_cast<int>(legend.height), arrow_width,
             canvas);
  return true;
}

void draw_color_bar(const ColorBar& bar, Canvas* canvas) {
  const double letters = letter_height(canvas->height());
  const int margin = static_cast<int>(1.4 * letters), width = static_cast<int>(1.2 * letters);
  const int right = canvas->width() - margin, left = right - width;
  const int top = static_cast<int>((bar.beyond.empty() ? 3.8 : 6.0) * letters);
  const int bottom = top + static_cast<int>(0.4 * canvas->height());
  canvas->text(right, 2.0 * letters, letters, "pressure, " + bar.unit, color_of(kInk), true);
  canvas->text(right, 4.1 * letters, letters, bar.beyond, color_of(kQuietInk), true);
  for (int j = top; j < bottom; ++j) {
    const double u = (bottom - 0.5 - j) / (bottom - top);
    const auto& [r, g, b] = color_map()[color_index(u, 1.0)];
    canvas->box(left, j, right, j + 1, Color(r, g, b) / 255.0);
  }
  for (const ColorBar::Tick& tick : bar.ticks) {
    const double y = bottom - tick.at * (bottom - top);
    const int row = static_cast<int>(y);
    canvas->box(left - width / 3, row, left, row + 1, color_of(kInk));
    canvas->text(left - 0.7 * width, y + 0.5 * letters, letters, tick.label, color_of(kInk), true);
  }
}

}  // namespace csim
