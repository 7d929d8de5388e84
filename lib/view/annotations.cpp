#include "view/annotations.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "view/still_things.h"
#include "view/stroke_text.h"

namespace csim {
namespace {

constexpr Rgb8 kPanel = {0xf6, 0xf8, 0xfa};
constexpr double kPanelOpacity = 0.78;
constexpr double kWidestPanel = 0.42;  // of the picture: items beyond it take another line
constexpr double kWidestTitle = 0.7, kHighestPanels = 0.6;  // of the picture: there is no room for more
constexpr std::size_t kLongestName = 40;                    // letters
constexpr double kScaleBar = 0.14;                          // of the picture's width, at most
constexpr double kLegendArrow = 8.0;                        // letters' heights, at most
constexpr double kLineHeight = 1.9;                         // letters' heights
constexpr double kGap = 0.6, kItemGap = 1.6;                // letters' heights: mark to text, item to item

/// A mark with its explanation. `length` of the mark in pixels, 0 for none; `heads` 0: a bar with ends.
struct Item {
  double length = 0.0;
  int heads = 0;
  Rgb8 color = kInk;
  std::string text;
  bool new_line = false;
};

Rgb8 bytes_of(const Color& color) {
  Rgb8 bytes;
  for (int k = 0; k < 3; ++k) bytes[k] = static_cast<std::uint8_t>(std::lround(255.0 * color[k]));
  return bytes;
}

template <typename... Arguments>
std::string formatted(const char* format, Arguments... arguments) {
  char text[64];
  std::snprintf(text, sizeof text, format, arguments...);
  return text;
}

/// Lays a colour over a pixel, if the picture has it.
void blend(Picture* picture, int i, int j, const Rgb8& color, double cover) {
  if (i < 0 || j < 0 || i >= picture->width || j >= picture->height) return;
  std::uint8_t* pixel = &picture->rgb[3 * (static_cast<std::size_t>(j) * picture->width + i)];
  for (int k = 0; k < 3; ++k)
    pixel[k] = static_cast<std::uint8_t>(std::lround(pixel[k] + cover * (color[k] - pixel[k])));
}

/// An arrow to the right from (x, y), in the proportions of Things::add_arrow(); `w` half its shaft, pixels.
void draw_arrow(Picture* picture, double x, double y, double length, double w, int heads, const Rgb8& color) {
  w *= std::min(1.0, length / (10.0 * w));
  const double head = 7.0 * w, rim = 2.6 * w;
  const auto inside = [&](double px, double py) {
    const double along = px - x, across = std::abs(py - y);
    if (along >= 0.0 && along <= length - head && across <= w) return true;
    for (int h = 0; h < heads; ++h) {
      const double before_tip = length - 6.0 * h * w - along;
      if (before_tip >= 0.0 && before_tip <= head && across <= rim * before_tip / head) return true;
    }
    return false;
  };
  constexpr int kSamples = 4;
  for (int j = static_cast<int>(y - rim) - 1; j <= y + rim + 1.0; ++j) {
    for (int i = static_cast<int>(x) - 1; i <= x + length + 1.0; ++i) {
      int covered = 0;
      for (int s = 0; s < kSamples * kSamples; ++s)
        covered += inside(i + (s % kSamples + 0.5) / kSamples, j + (s / kSamples + 0.5) / kSamples);
      blend(picture, i, j, color, static_cast<double>(covered) / (kSamples * kSamples));
    }
  }
}

/// A horizontal bar from x to x + length with upright ends.
void draw_bar(Picture* picture, double x, double y, double length, double letters, const Rgb8& color) {
  const int thick = std::max(1, static_cast<int>(std::lround(0.15 * letters)));
  const int end = std::max(2, static_cast<int>(std::lround(0.45 * letters)));
  const int x0 = static_cast<int>(std::lround(x)), x1 = x0 + static_cast<int>(std::lround(length));
  const int row = static_cast<int>(std::lround(y - 0.5 * thick));
  fill_box(picture, x0, row, x1, row + thick, color);
  fill_box(picture, x0, row - end, x0 + thick, row + thick + end, color);
  fill_box(picture, x1 - thick, row - end, x1, row + thick + end, color);
}

double largest(const std::vector<ViewContact>& contacts, const std::vector<ViewPatch>& patches) {
  double force = 0.0;
  for (const ViewContact& contact : contacts) force = std::max(force, contact.force.norm());
  for (const ViewPatch& patch : patches) force = std::max(force, patch.force.norm());
  return force;
}

/// The arrow of a round amount of a quantity, and of amounts that are cut where the frame has one.
void add_arrow_items(const Annotated& what, double letters, double full, double largest, const char* unit,
                     const char* meaning, unsigned color, int heads, std::vector<Item>* items) {
  const double pixels = kArrowLength * what.framing.radius * what.pixels_per_metre / full;  // of a unit
  const double amount = round_length(kLegendArrow * letters / pixels);
  items->push_back(
      {amount * pixels, heads, bytes_of(color_of(color)), shown_quantity(amount, unit) + meaning, true});
  if (largest <= kLongestArrow * full) return;
  items->push_back(
      {3.0 * letters, heads, bytes_of(kCutDarkness * color_of(color)),
       "cut at " + shown_quantity(kLongestArrow * full, unit) + ", up to " + shown_quantity(largest, unit)});
}

std::vector<Item> title_items(const Annotated& what) {
  std::vector<Item> items = {{0.0, 0, kInk, formatted("t = %.6g s", what.frame.time)}};
  if (what.scene.name.size() <= kLongestName) items.insert(items.begin(), {0.0, 0, kInk, what.scene.name});
  return items;
}

std::vector<Item> legend_items(const Annotated& what, double letters, int width) {
  const ViewScene& scene = what.scene;
  const double bar = round_length(kScaleBar * width / what.pixels_per_metre);
  std::vector<Item> items = {{bar * what.pixels_per_metre, 0, kInk, formatted("%.6g m at the centre", bar)}};
  if (what.grid) items.push_back({0.0, 0, kInk, formatted("grid %.6g m", what.framing.grid)});
  if (scene.has_contacts || scene.has_patches) {
    const double force = largest(what.frame.contacts, what.frame.patches);
    add_arrow_items(what, letters, what.framing.largest_force, force, "N", " force on the second body",
                    kStick, 1, &items);
  }
  if (scene.has_contacts) items.push_back({3.0 * letters, 1, bytes_of(color_of(kSlip)), "slipping"});
  if (scene.has_patches) {
    double moment = 0.0;
    for (const ViewPatch& patch : what.frame.patches) moment = std::max(moment, patch.moment.norm());
    add_arrow_items(what, letters, what.framing.largest_moment, moment, "N m", " moment of a patch", kMoment,
                    2, &items);
  }
  return items;
}

double width_of(const Item& item, double letters) {
  return text_width(item.text, letters) + (item.length > 0.0 ? item.length + kGap * letters : 0.0);
}

void draw_item(const Item& item, double x, double baseline, double letters, double arrow_width,
               Picture* picture) {
  const double middle = baseline - 0.5 * letters;
  if (item.length > 0.0) {
    if (item.heads == 0)
      draw_bar(picture, x, middle, item.length, letters, item.color);
    else
      draw_arrow(picture, x, middle, item.length, arrow_width, item.heads, item.color);
    x += item.length + kGap * letters;
  }
  draw_text(picture, x, baseline, letters, item.text, kInk);
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

Panel lay_out(std::vector<Item> items, double letters, double widest) {
  Panel panel{std::move(items), {}, 0.0, 0.0, letters};
  double x = 0.0;
  int line = 0;
  for (const Item& item : panel.items) {
    const double width = width_of(item, letters);
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

void draw_panel(const Panel& panel, int left, int top, double arrow_width, Picture* picture) {
  for (int j = top; j < top + static_cast<int>(panel.height); ++j) {
    for (int i = left; i < left + static_cast<int>(panel.width); ++i)
      blend(picture, i, j, kPanel, kPanelOpacity);
  }
  for (std::size_t k = 0; k < panel.items.size(); ++k) {
    const double baseline = top + (panel.places[k].line * kLineHeight + 1.65) * panel.letters;
    draw_item(panel.items[k], left + panel.letters + panel.places[k].x, baseline, panel.letters, arrow_width,
              picture);
  }
}

}  // namespace

bool annotate(const Annotated& what, Picture* picture) {
  const double letters = letter_height(picture->height);
  const int margin = static_cast<int>(letters);
  const Panel title = lay_out(title_items(what), letters, kWidestPanel * picture->width);
  const Panel legend =
      lay_out(legend_items(what, letters, picture->width), letters, kWidestPanel * picture->width);
  const double room = picture->width - 2.0 * margin;
  if (legend.width > room || title.width > kWidestTitle * picture->width ||
      legend.height + title.height > kHighestPanels * picture->height) {
    return false;
  }
  const double arrow_width = std::max(0.6, kArrowWidth * what.framing.radius * what.pixels_per_metre);
  draw_panel(title, margin, margin, arrow_width, picture);
  draw_panel(legend, margin, picture->height - margin - static_cast<int>(legend.height), arrow_width,
             picture);
  return true;
}

}  // namespace csim
