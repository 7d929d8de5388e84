#include "study/study_plots.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/number_format.h"
#include "study/svg_chart.h"

namespace csim {
namespace {

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

int measure_index(const Study& study, const std::string& name) {
  for (std::size_t m = 0; m < study.measures.size(); ++m)
    if (study.measures[m].name == name) return static_cast<int>(m);
  return -1;
}

/// The number of a case along an axis: a measure or a varied key.
double coordinate(const ReportData& data, int index, const std::string& name) {
  if (const int measure = measure_index(data.study, name); measure >= 0)
    return data.results.value(index, measure);
  const KeyValue* found = find_key(data.cases.cases[static_cast<std::size_t>(index)].values, name);
  return (found != nullptr ? number_of(found->value) : std::nullopt).value_or(std::nan(""));
}

std::string axis_label(const ReportData& data, const std::string& name) {
  const int measure = measure_index(data.study, name);
  return measure < 0 ? name : with_unit(name, data.cases.units[static_cast<std::size_t>(measure)]);
}

StudyPlot draw_plot(const ReportData& data, const Analysis& analysis) {
  Chart chart;
  chart.title = analysis.name;
  chart.x_label = axis_label(data, analysis.x);
  chart.y_label = axis_label(data, analysis.y);
  chart.log_x = analysis.scale == PlotScale::kLogLog || analysis.scale == PlotScale::kLogX;
  chart.log_y = analysis.scale == PlotScale::kLogLog || analysis.scale == PlotScale::kLogY;
  for (int c = 0; c < data.cases.num_varied; ++c) {
    const Assignment& values = data.cases.cases[static_cast<std::size_t>(c)].values;
    const KeyValue* per = analysis.per.empty() ? nullptr : find_key(values, analysis.per);
    const std::string name = per != nullptr ? describe({*per}) : "";
    auto found = std::find_if(chart.series.begin(), chart.series.end(),
                              [&](const ChartSeries& series) { return series.name == name; });
    if (found == chart.series.end()) {
      chart.series.push_back({name, {}, false, static_cast<int>(chart.series.size())});
      found = chart.series.end() - 1;
    }
    found->points.emplace_back(coordinate(data, c, analysis.x), coordinate(data, c, analysis.y));
  }
  for (ChartSeries& series : chart.series) {
    std::stable_sort(series.points.begin(), series.points.end());
    series.is_marks_alone = measure_index(data.study, analysis.x) >= 0;
  }
  return {analysis.name + ".svg", analysis.name, draw_chart(chart)};
}

StudyPlot draw_histogram(const ReportData& data, const Analysis& analysis, int measure) {
  const std::string& name = data.study.measures[static_cast<std::size_t>(measure)].name;
  const Histogram histogram = histogram_of(data, analysis, measure);
  Chart chart;
  const int count = std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0);
  chart.title = analysis.name + ": " + name + " of " + std::to_string(count) + " cases";
  chart.x_label = axis_label(data, name);
  chart.y_label = "cases";
  for (std::size_t i = 0; i < histogram.counts.size(); ++i)
    chart.bars.push_back({histogram.edges[i], histogram.edges[i + 1], 1.0 * histogram.counts[i]});
  return {analysis.name + "-" + name + ".svg", chart.title, draw_chart(chart)};
}

StudyPlot draw_convergence(const ReportData& data, int analysis_index, int measure) {
  const Analysis& analysis = data.study.analyses[static_cast<std::size_t>(analysis_index)];
  const Measure& what = data.study.measures[static_cast<std::size_t>(measure)];
  Chart chart;
  chart.title = analysis.name + ": error of " + what.name;
  chart.x_label = analysis.over;
  chart.y_label = with_unit("error of " + what.name, data.cases.units[static_cast<std::size_t>(measure)]);
  chart.log_x = chart.log_y = true;
  double sum = 0.0;
  int count = 0, color = 0;
  for (const LadderResult& result : data.judgement.ladders) {
    if (result.ladder->analysis != analysis_index || result.measure != measure) continue;
    ChartSeries series{describe(result.ladder->where), {}, false, color++};
    for (std::size_t i = 0; i < result.errors.size(); ++i)
      series.points.emplace_back(result.ladder->h[i], result.errors[i]);
    if (series.name.empty()) series.name = what.name;
    chart.series.push_back(series);
    if (!result.fit) continue;
    ChartSeries fit{format_text("order %.2f", result.fit->order), {}, true, series.color};
    for (const double h : {result.ladder->h.front(), result.ladder->h.back()})
      fit.points.emplace_back(h, std::exp(result.fit->intercept + result.fit->order * std::log(h)));
    chart.series.push_back(fit);
    sum += result.fit->order;
    ++count;
  }
  if (count > 0) chart.triangle = std::clamp(static_cast<int>(std::lround(sum / count)), 1, 9);
  return {analysis.name + "-" + what.name + ".svg", chart.title, draw_chart(chart)};
}

/// What is left of a measure in each case with the best keys.
StudyPlot draw_fit(const ReportData& data, int analysis_index, std::size_t m) {
  const Analysis& analysis = data.study.analyses[static_cast<std::size_t>(analysis_index)];
  const auto measure = static_cast<std::size_t>(analysis.measures[m]);
  const std::string& name = data.study.measures[measure].name;
  Chart chart;
  chart.title = analysis.name + ": " + name + " with the best keys";
  chart.x_label = "case";
  chart.y_label = with_unit(name, data.cases.units[measure]);
  for (const bool is_test : {false, true}) {
    ChartSeries series{is_test ? "test" : "training", {}, false, is_test ? 1 : 0, true};
    for (const FitResult& fit : data.judgement.fits) {
      if (fit.analysis != analysis_index) continue;
      for (const FittedCase& one : fit.cases)
        if (one.is_test == is_test) series.points.emplace_back(one.index, one.errors[m]);
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  return {analysis.name + "-" + name + ".svg", chart.title, draw_chart(chart)};
}

}  // namespace

Histogram histogram_of(const ReportData& data, const Analysis& analysis, int measure) {
  std::vector<double> values;
  for (int c = 0; c < data.cases.num_varied; ++c) values.push_back(data.results.value(c, measure));
  return make_histogram(values, analysis.bins > 0 ? analysis.bins : sturges_bins(values.size()));
}

std::vector<StudyPlot> draw_plots(const ReportData& data) {
  std::vector<StudyPlot> plots;
  for (std::size_t a = 0; a < data.study.analyses.size(); ++a) {
    const Analysis& analysis = data.study.analyses[a];
    if (analysis.type == AnalysisType::kPlot) plots.push_back(draw_plot(data, analysis));
    for (std::size_t m = 0; analysis.type == AnalysisType::kFit && m < analysis.measures.size(); ++m)
      plots.push_back(draw_fit(data, static_cast<int>(a), m));
    for (const int measure : analysis.measures) {
      if (analysis.type == AnalysisType::kConvergence)
        plots.push_back(draw_convergence(data, static_cast<int>(a), measure));
      if (analysis.type == AnalysisType::kHistogram) plots.push_back(draw_histogram(data, analysis, measure));
    }
  }
  return plots;
}

}  // namespace csim
