// The report for the test pages of CI.
#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "study/report.h"
#include "study/svg_chart.h"

namespace csim {
namespace {

std::string opening(const std::string& name, std::size_t tests, long failures, long errors, long skipped,
                    const std::string& seconds) {
  return "<testsuite name=\"" + escape_markup(name) + "\" tests=\"" + std::to_string(tests) +
         "\" failures=\"" + std::to_string(failures) + "\" errors=\"" + std::to_string(errors) +
         "\" skipped=\"" + std::to_string(skipped) + "\"" + seconds + ">\n";
}

std::string time_attribute(double seconds) {
  return std::isnan(seconds) ? "" : format_text(" time=\"%.6f\"", seconds);
}

bool is_skipped(const ReportData& data, const GateResult& gate) {
  return gate.verdict == Verdict::kInconclusive && data.inconclusive_passes;
}

std::string gate_text(const ReportData& data, const GateResult& gate) {
  const std::string found = std::isnan(gate.found) ? "NaN" : format_text("%.6g", gate.found);
  const std::string text = escape_markup("expected " + gate.expected + ", found " + found + "; " +
                                         worst_of(data, gate) + (gate.note.empty() ? "" : "; " + gate.note));
  const std::string name = gate.gate->name.empty() ? gate.sentence : gate.gate->name;
  std::string inside;
  if (is_skipped(data, gate)) {
    inside = "    <skipped message=\"" + text + "\"/>\n";
  } else if (gate.verdict != Verdict::kPass) {
    inside =
        std::string("    <failure type=\"") + to_string(gate.verdict) + "\" message=\"" + text + "\"/>\n";
  }
  return "  <testcase classname=\"" + escape_markup(data.study.name) + "\" name=\"" + escape_markup(name) +
         "\">\n" + inside + "  </testcase>\n";
}

/// The name has no index: it stays when the study gets more cases.
std::string case_text(const ReportData& data, std::size_t index) {
  const Case& one = data.cases.cases[index];
  const CaseStatus& status = data.results.cases()[index].status;
  std::string name = one.values.empty() ? "case" : describe(one.values);
  if (one.role != CaseRole::kCase) name += std::string(" (") + to_string(one.role) + ")";
  const std::string head = "    <testcase classname=\"" + escape_markup(data.study.name + ".cases") +
                           "\" name=\"" + escape_markup(name) + "\"" + time_attribute(status.seconds);
  if (status.state == CaseState::kComplete) return head + "/>\n";
  const std::string message = to_string(status.state) + (status.message.empty() ? "" : ": " + status.message);
  return head + ">\n      <error type=\"" + to_string(status.state) + "\" message=\"" +
         escape_markup(message) + "\">" +
         escape_markup("repeat: " + repeat_command(data, one) + "\nlog: " + data.folder.log(one)) +
         "</error>\n    </testcase>\n";
}

/// The cases that are not complete, a line each.
std::string incomplete_cases(const ReportData& data) {
  std::string text;
  for (std::size_t c = 0; c < data.cases.cases.size(); ++c) {
    const CaseStatus& status = data.results.cases()[c].status;
    if (status.state == CaseState::kComplete) continue;
    text += "case " + std::to_string(c) + " (" + describe(data.cases.cases[c].values) +
            "): " + to_string(status.state) + (status.message.empty() ? "" : ": " + status.message) + "\n";
  }
  return text;
}

}  // namespace

std::string report_junit(const ReportData& data) {
  const std::vector<GateResult>& gates = data.judgement.gates;
  const std::size_t num_cases = data.cases.cases.size();
  const long skipped = std::count_if(gates.begin(), gates.end(),
                                     [&](const GateResult& gate) { return is_skipped(data, gate); });
  const long failures = static_cast<long>(gates.size()) - num_held(data);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
                     opening(data.study.name, gates.size(), failures, 0, skipped, "");
  for (const GateResult& gate : gates) text += gate_text(data, gate);
  double seconds = 0.0;
  for (const CaseNumbers& one : data.results.cases())
    seconds += std::isnan(one.status.seconds) ? 0.0 : one.status.seconds;
  text += "  " + opening(data.study.name + ".cases", num_cases, 0,
                         static_cast<long>(num_cases) - num_complete(data), 0, time_attribute(seconds));
  for (std::size_t c = 0; c < num_cases; ++c) text += case_text(data, c);
  return text + "  </testsuite>\n  <system-err>" + escape_markup(incomplete_cases(data)) +
         "</system-err>\n</testsuite>\n";
}

}  // namespace csim
