// What a study found, for people and programs.
#pragma once

#include <string>

#include "study/judge.h"

namespace csim {

/// All that a report is made of.
struct ReportData {
  const Study& study;
  const Cases& cases;
  const StudyFolder& folder;
  const StudyResults& results;
  const Judgement& judgement;
  bool inconclusive_passes = false;  // --inconclusive pass
};

[[nodiscard]] bool holds(const ReportData& data, const GateResult& gate);
[[nodiscard]] int num_held(const ReportData& data);
[[nodiscard]] int num_complete(const ReportData& data);

[[nodiscard]] int num_with_warnings(const ReportData& data);  // cases

/// "gates held: 3 of 4, cases complete: 40 of 40", and ", with warnings: 2" where there are some.
[[nodiscard]] std::string first_line(const ReportData& data);

/// Which case or ladder a gate's verdict is of; "" for all.
[[nodiscard]] std::string worst_of(const ReportData& data, const GateResult& gate);

/// The command that runs a case again.
[[nodiscard]] std::string repeat_command(const ReportData& data, const Case& one);

/// What the cases have cost.
struct Costs {
  std::optional<double> cpu_seconds, peak_memory;  // of all processes, s; of the largest, bytes
  int slowest = -1;                                // case, by the wall time of its steps
  double slowest_seconds = 0.0;
};
[[nodiscard]] Costs total_costs(const ReportData& data);

/// One object: {name, gates_held, cases_complete, gates, analyses, cases, cpu_seconds, peak_memory}.
[[nodiscard]] std::string report_json(const ReportData& data);

/// Gates, tables, ladders, failed cases and costs as Markdown; plots as links to their SVG files.
[[nodiscard]] std::string report_markdown(const ReportData& data);

/// The same with the plots in the page, which needs nothing else.
[[nodiscard]] std::string report_html(const ReportData& data);

/// JUnit XML: a test case a gate and, in a suite within, one a case with its time.
[[nodiscard]] std::string report_junit(const ReportData& data);

/// Writes report.json, report.md, report.html and the plots into the folder. Throws IoError.
void write_report(const ReportData& data);

}  // namespace csim
