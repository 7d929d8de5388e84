// The plots of a report.
#pragma once

#include <string>
#include <vector>

#include "study/report.h"

namespace csim {

struct StudyPlot {
  std::string file;  // name in the study's folder
  std::string title;
  std::string svg;
};

/// Values of a measure in the cases of `vary`.
[[nodiscard]] Histogram histogram_of(const ReportData& data, const Analysis& analysis, int measure);

/// Of each plot analysis one; of each measure of a histogram one; of each measure of a convergence analysis
/// one: the errors of its ladders with their fitted slopes beside an order triangle. A plot over a measure
/// has marks alone. Of each measure of a fit one: its errors in the cases with the best keys.
[[nodiscard]] std::vector<StudyPlot> draw_plots(const ReportData& data);

}  // namespace csim
