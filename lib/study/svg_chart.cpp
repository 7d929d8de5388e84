#include "study/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/number_format.h"

namespace csim {
namespace {

constexpr double kWidth = 640, kHeight = 420, kLeft = 80, kRight = 170, kTop = 40, kBottom = 60;  // pixels
// Okabe & Ito (2008): told apart by everybody.
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#000000"};

std::string number(double value) {
  return format_text("%.1f", value);
}

/// One axis: values to pixels.
class Axis {
 public:
  Axis(bool log, double from, double to) : log_(log), from_(from), to_(to) {}

  void include(double value) {
    low_ = std::min(low_, scaled(value));
    high_ = std::max(high_, scaled(value));
  }
  [[nodiscard]] bool can_show(double value) const { return std::isfinite(value) && (!log_ || value > 0.0); }

  void finish() {
    if (low_ > high_) low_ = 0.0, high_ = 1.0;
    const double margin = high_ > low_ ? 0.05 * (high_ - low_)
                          : log_       ? 0.5
                                       : std::max(0.5 * std::abs(high_), 0.5);
    low_ -= margin;
    high_ += margin;
  }

  [[nodiscard]] double pixel(double value) const {
    return from_ + (to_ - from_) * (scaled(value) - low_) / (high_ - low_);
  }

  /// Round values across the axis: powers of ten (with 2 and 5 on a short axis), or multiples of 1, 2, 5.
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> values;
    if (log_) {
      const bool short_axis = high_ - low_ < 2.0;
      const int every = std::max(1, static_cast<int>((high_ - low_) / 7.0));
      for (int power = static_cast<int>(std::floor(low_)); power <= static_cast<int>(std::ceil(high_));
           ++power) {
        for (const double digit : {1.0, 2.0, 5.0}) {
          if ((digit > 1.0 && !short_axis) || (!short_axis && power % every != 0)) continue;
          const double value = digit * std::pow(10.0, power);
          if (scaled(value) >= low_ && scaled(value) <= high_) values.push_back(value);
        }
      }
      return values;
    }
    const double raw = (high_ - low_) / 6.0, power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = power * (raw / power < 1.5   ? 1.0
                                 : raw / power < 3.5 ? 2.0
                                 : raw / power < 7.5 ? 5.0
                                                     : 10.0);
    for (double i = std::ceil(low_ / step); i * step <= high_; ++i) values.push_back(i * step);
    return values;
  }

 private:
  [[nodiscard]] double scaled(double value) const { return log_ ? std::log10(value) : value; }

  bool log_;
  double from_, to_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
         number(y2) + "\" " + style + "/>\n";
}

std::string text(double x, double y, const std::string& words, const std::string& style) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + style + ">" + escape_markup(words) +
         "</text>\n";
}

std::string axes(const Chart& chart, const Axis& x, const Axis& y) {
  std::string svg;
  const double bottom = kHeight - kBottom, right = kWidth - kRight;
  for (const double tick : x.ticks()) {
    svg += line(x.pixel(tick), kTop, x.pixel(tick), bottom, "stroke=\"#ddd\"");
    svg += text(x.pixel(tick), bottom + 18, format_text("%.4g", tick), "text-anchor=\"middle\"");
  }
  for (const double tick : y.ticks()) {
    svg += line(kLeft, y.pixel(tick), right, y.pixel(tick), "stroke=\"#ddd\"");
    svg += text(kLeft - 6, y.pixel(tick) + 4, format_text("%.4g", tick), "text-anchor=\"end\"");
  }
  svg += "<rect x=\"" + number(kLeft) + "\" y=\"" + number(kTop) + "\" width=\"" + number(right - kLeft) +
         "\" height=\"" + number(bottom - kTop) + "\" fill=\"none\" stroke=\"#333\"/>\n";
  svg += text(0.5 * (kLeft + right), kHeight - 18, chart.x_label, "text-anchor=\"middle\"");
  svg += text(
      0, 0, chart.y_label,
      "text-anchor=\"middle\" transform=\"translate(18 " + number(0.5 * (kTop + bottom)) + ") rotate(-90)\"");
  return svg + text(kLeft, 24, chart.title, "font-weight=\"bold\"");
}

std::string draw_series(const ChartSeries& series, const Axis& x, const Axis& y) {
  const std::string color = kColors[static_cast<std::size_t>(series.color) % std::size(kColors)];
  std::string path, marks;
  for (const auto& [u, v] : series.points) {
    if (!x.can_show(u) || !y.can_show(v)) continue;
    const std::string place = number(x.pixel(u)) + "," + number(y.pixel(v));
    path += (path.empty() ? "" : " ") + place;
    marks += "<circle cx=\"" + number(x.pixel(u)) + "\" cy=\"" + number(y.pixel(v)) + "\" r=\"3.5\" fill=\"" +
             color + "\"/>\n";
  }
  const std::string dashes = series.is_line_alone ? " stroke-dasharray=\"6 4\"" : "";
  if (series.is_marks_alone) return marks;
  std::string svg =
      "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"" + color + "\"" + dashes + "/>\n";
  return series.is_line_alone ? svg : svg + marks;
}

std::string draw_bar(const ChartBar& bar, const Axis& x, const Axis& y) {
  const double left = x.pixel(bar.from), top = y.pixel(bar.height);
  return "<rect class=\"bar\" x=\"" + number(left) + "\" y=\"" + number(top) + "\" width=\"" +
         number(x.pixel(bar.to) - left) + "\" height=\"" + number(y.pixel(0.0) - top) + "\" fill=\"" +
         kColors[0] + "\" fill-opacity=\"0.7\" stroke=\"white\"/>\n";
}

std::string legend(const Chart& chart) {
  std::string svg;
  double y = kTop + 10;
  for (const ChartSeries& series : chart.series) {
    if (series.name.empty()) continue;
    const std::string color = kColors[static_cast<std::size_t>(series.color) % std::size(kColors)];
    const double x = kWidth - kRight + 12;
    svg += line(x, y, x + 18, y,
                "stroke=\"" + color + "\" stroke-width=\"2\"" +
                    (series.is_line_alone ? " stroke-dasharray=\"6 4\"" : ""));
    svg += text(x + 24, y + 4, series.name, "");
    y += 18;
  }
  return svg;
}

/// A triangle of the slope `order` near the lower right corner.
std::string triangle(const Chart& chart, int order, const Axis& x, const Axis& y) {
  double low = std::numeric_limits<double>::infinity(), high = 0.0, floor = low;
  for (const ChartSeries& series : chart.series) {
    for (const auto& [u, v] : series.points) {
      if (!x.can_show(u) || !y.can_show(v)) continue;
      low = std::min(low, u), high = std::max(high, u), floor = std::min(floor, v);
    }
  }
  if (!(high > low)) return "";
  const double right = high, left = high / std::pow(high / low, 0.3), bottom = floor;
  const double top = bottom * std::pow(right / left, order);
  const std::string corners = number(x.pixel(left)) + "," + number(y.pixel(bottom)) + " " +
                              number(x.pixel(right)) + "," + number(y.pixel(bottom)) + " " +
                              number(x.pixel(right)) + "," + number(y.pixel(top));
  return "<polygon points=\"" + corners + "\" fill=\"none\" stroke=\"#777\"/>\n" +
         text(x.pixel(right) + 4, 0.5 * (y.pixel(bottom) + y.pixel(top)) + 4, std::to_string(order),
              "fill=\"#555\"");
}

}  // namespace

std::string escape_markup(const std::string& plain) {
  std::string result;
  for (const char c : plain) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return result;
}

std::string draw_chart(const Chart& chart) {
  Axis x(chart.log_x, kLeft, kWidth - kRight), y(chart.log_y, kHeight - kBottom, kTop);
  for (const ChartSeries& series : chart.series) {
    for (const auto& [u, v] : series.points) {
      if (!x.can_show(u) || !y.can_show(v)) continue;
      x.include(u);
      y.include(v);
    }
  }
  for (const ChartBar& bar : chart.bars) {
    x.include(bar.from);
    x.include(bar.to);
    y.include(0.0);
    y.include(bar.height);
  }
  x.finish();
  y.finish();
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"420\" viewBox=\"0 0 640 420\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"640\" height=\"420\" fill=\"white\"/>\n";
  svg += axes(chart, x, y);
  if (chart.triangle && chart.log_x && chart.log_y) svg += triangle(chart, *chart.triangle, x, y);
  for (const ChartBar& bar : chart.bars) svg += draw_bar(bar, x, y);
  for (const ChartSeries& series : chart.series) svg += draw_series(series, x, y);
  return svg + legend(chart) + "</svg>\n";
}

}  // namespace csim
