// A chart of points and lines as SVG.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace csim {

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // not finite, or <= 0 on a logarithmic axis: left out
  bool is_line_alone = false;                     // dashed, without marks: a fit
  int color = 0;                                  // of the palette
  bool is_marks_alone = false;                    // without lines between them
};

struct ChartBar {
  double from = 0.0, to = 0.0, height = 0.0;
};

struct Chart {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<ChartSeries> series;
  std::vector<ChartBar> bars;   // from 0, with linear axes
  std::optional<int> triangle;  // order whose slope is drawn, with logarithmic axes
};

/// A complete SVG document of 640 x 420 pixels, without outside files or scripts.
[[nodiscard]] std::string draw_chart(const Chart& chart);

/// Text for XML and HTML: & < > and quotes replaced.
[[nodiscard]] std::string escape_markup(const std::string& text);

}  // namespace csim
