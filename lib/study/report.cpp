#include "study/report.h"

#include <algorithm>

#include "record/output_file.h"
#include "study/shell_words.h"
#include "study/study_plots.h"

namespace csim {

bool holds(const ReportData& data, const GateResult& gate) {
  return gate.verdict == Verdict::kPass ||
         (gate.verdict == Verdict::kInconclusive && data.inconclusive_passes);
}

int num_held(const ReportData& data) {
  return static_cast<int>(std::count_if(data.judgement.gates.begin(), data.judgement.gates.end(),
                                        [&](const GateResult& gate) { return holds(data, gate); }));
}

int num_complete(const ReportData& data) {
  return static_cast<int>(
      std::count_if(data.results.cases().begin(), data.results.cases().end(),
                    [](const CaseNumbers& one) { return one.status.state == CaseState::kComplete; }));
}

int num_with_warnings(const ReportData& data) {
  return static_cast<int>(std::count_if(data.results.cases().begin(), data.results.cases().end(),
                                        [](const CaseNumbers& one) { return !one.warnings.empty(); }));
}

std::string first_line(const ReportData& data) {
  return "gates held: " + std::to_string(num_held(data)) + " of " +
         std::to_string(data.judgement.gates.size()) +
         ", cases complete: " + std::to_string(num_complete(data)) + " of " +
         std::to_string(data.cases.cases.size()) +
         (num_with_warnings(data) > 0 ? ", with warnings: " + std::to_string(num_with_warnings(data)) : "");
}

std::string repeat_command(const ReportData& data, const Case& one) {
  std::vector<std::string> words{"csim", "study",          "run",    data.study.file,
                                 "-o",   data.folder.path, "--case", std::to_string(one.index)};
  const std::vector<std::string> set = set_options(data.study);
  words.insert(words.end(), set.begin(), set.end());
  return shell_command(words);
}

Costs total_costs(const ReportData& data) {
  Costs costs;
  for (std::size_t c = 0; c < data.cases.cases.size(); ++c) {
    const CaseNumbers& numbers = data.results.cases()[c];
    if (numbers.status.seconds > costs.slowest_seconds) {
      costs.slowest_seconds = numbers.status.seconds;
      costs.slowest = static_cast<int>(c);
    }
    if (!numbers.usage) continue;
    costs.cpu_seconds = costs.cpu_seconds.value_or(0.0) + numbers.usage->cpu_seconds;
    costs.peak_memory = std::max(costs.peak_memory.value_or(0.0), numbers.usage->peak_memory);
  }
  return costs;
}

void write_report(const ReportData& data) {
  replace_file(data.folder.file("report.json"), report_json(data));
  replace_file(data.folder.file("report.md"), report_markdown(data));
  replace_file(data.folder.file("report.html"), report_html(data));
  for (const StudyPlot& plot : draw_plots(data)) replace_file(data.folder.file(plot.file), plot.svg);
}

}  // namespace csim
