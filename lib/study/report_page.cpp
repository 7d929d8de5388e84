// The report for people: one content, as Markdown and as a page.
#include <cmath>
#include <map>
#include <set>

#include "core/number_format.h"
#include "core/seconds_text.h"
#include "study/fit_report.h"
#include "study/report.h"
#include "study/study_plots.h"
#include "study/svg_chart.h"

namespace csim {
namespace {

using Row = std::vector<std::string>;

/// What a report is written with.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void heading(const std::string& text) = 0;
  virtual void paragraph(const std::string& text) = 0;
  virtual void code(const std::string& text) = 0;
  virtual void table(const Row& header, const std::vector<Row>& rows) = 0;
  virtual void plot(const StudyPlot& plot) = 0;
};

class MarkdownWriter : public Writer {
 public:
  void heading(const std::string& text) override { out += "\n## " + text + "\n\n"; }
  void paragraph(const std::string& text) override { out += text + "\n\n"; }
  void code(const std::string& text) override { out += "    " + text + "\n\n"; }
  void table(const Row& header, const std::vector<Row>& rows) override {
    out += line(header) + "|";
    for (std::size_t i = 0; i < header.size(); ++i) out += "---|";
    out += "\n";
    for (const Row& row : rows) out += line(row);
    out += "\n";
  }
  void plot(const StudyPlot& plot) override { out += "![" + plot.title + "](" + plot.file + ")\n\n"; }

  std::string out;

 private:
  static std::string line(const Row& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) {
      text += " ";
      for (const char c : cell) text += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
      text += " |";
    }
    return text + "\n";
  }
};

class HtmlWriter : public Writer {
 public:
  void heading(const std::string& text) override { out += "<h2>" + escape_markup(text) + "</h2>\n"; }
  void paragraph(const std::string& text) override { out += "<p>" + escape_markup(text) + "</p>\n"; }
  void code(const std::string& text) override { out += "<pre>" + escape_markup(text) + "</pre>\n"; }
  void table(const Row& header, const std::vector<Row>& rows) override {
    out += "<table>\n<tr>";
    for (const std::string& cell : header) out += "<th>" + escape_markup(cell) + "</th>";
    out += "</tr>\n";
    for (const Row& row : rows) {
      out += "<tr>";
      for (const std::string& cell : row) {
        const bool verdict = cell == "pass" || cell == "fail" || cell == "inconclusive";
        out += "<td" + (verdict ? " class=\"" + cell + "\"" : "") + ">" + escape_markup(cell) + "</td>";
      }
      out += "</tr>\n";
    }
    out += "</table>\n";
  }
  void plot(const StudyPlot& plot) override { out += plot.svg; }

  std::string out;
};

std::string number(double value) {
  return std::isnan(value) ? "NaN" : format_text("%.6g", value);
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : "-";
}

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : ", ") + (std::isnan(value) ? "-" : format_text("%.3g", value));
  return text;
}

void write_gates(const ReportData& data, Writer* writer) {
  if (data.judgement.gates.empty()) return;
  writer->heading("Gates");
  std::vector<Row> rows;
  for (const GateResult& gate : data.judgement.gates)
    rows.push_back({gate.sentence, gate.expected, number(gate.found), to_string(gate.verdict),
                    worst_of(data, gate), gate.note});
  writer->table({"gate", "expected", "found", "verdict", "worst", "note"}, rows);
}

void write_table(const ReportData& data, const Analysis& analysis, Writer* writer) {
  writer->heading(analysis.name);
  const std::vector<std::string> keys = data.study.varied_keys();
  Row header{"case"};
  header.insert(header.end(), keys.begin(), keys.end());
  for (const int m : analysis.measures) {
    const std::string& unit = data.cases.units[static_cast<std::size_t>(m)];
    header.push_back(data.study.measures[static_cast<std::size_t>(m)].name + " [" + unit + "]");
  }
  const bool any_warning = num_with_warnings(data) > 0;
  if (any_warning) header.push_back("warnings");
  std::vector<Row> rows;
  for (const Case& one : data.cases.cases) {
    if (one.role == CaseRole::kCoRefine) continue;
    Row row{std::to_string(one.index) + (one.role == CaseRole::kReference ? " (reference)" : "")};
    for (const std::string& key : keys) {
      const KeyValue* found = find_key(one.values, key);
      row.push_back(found != nullptr ? describe({*found}).substr(found->key.size() + 2) : "");
    }
    for (const int m : analysis.measures) row.push_back(number(data.results.value(one.index, m)));
    if (any_warning)
      row.push_back(
          std::to_string(data.results.cases()[static_cast<std::size_t>(one.index)].warnings.size()));
    rows.push_back(std::move(row));
  }
  writer->table(header, rows);
}

void write_ladders(const ReportData& data, int analysis_index, Writer* writer) {
  const Analysis& analysis = data.study.analyses[static_cast<std::size_t>(analysis_index)];
  writer->heading(analysis.name);
  std::vector<Row> rows;
  for (const LadderResult& result : data.judgement.ladders) {
    if (result.ladder->analysis != analysis_index) continue;
    const auto& fit = result.fit;
    const std::string interval = fit && fit->low ? number(*fit->low) + " to " + number(*fit->high) : "-";
    const auto& limit = result.extrapolation;
    const auto m = static_cast<std::size_t>(result.measure);
    rows.push_back({data.study.measures[m].name + " [" + data.cases.units[m] + "]",
                    describe(result.ladder->where), numbers(result.ladder->h), numbers(result.errors),
                    numbers(result.pairwise), fit ? number(fit->order) : "-", interval,
                    number(limit ? std::optional(limit->value) : std::nullopt),
                    number(limit ? std::optional(limit->gci) : std::nullopt), result.doubt});
  }
  writer->table({"measure", "ladder", analysis.over, "errors", "pairwise orders", "fitted order",
                 "95 % interval", "extrapolated", "grid convergence index", "note"},
                rows);
}

void write_fit(const ReportData& data, int analysis_index, Writer* writer) {
  writer->heading(data.study.analyses[static_cast<std::size_t>(analysis_index)].name);
  for (const FitResult& fit : data.judgement.fits) {
    if (fit.analysis != analysis_index) continue;
    const FitText text = describe_fit(data.study, data.cases, fit);
    for (const std::string& sentence : text.sentences) writer->paragraph(sentence);
    for (const ReportTable* table : {&text.keys, &text.starts, &text.cases})
      if (!table->rows.empty()) writer->table(table->header, table->rows);
  }
}

void write_failures(const ReportData& data, Writer* writer) {
  bool first = true;
  for (std::size_t c = 0; c < data.cases.cases.size(); ++c) {
    const CaseStatus& status = data.results.cases()[c].status;
    if (status.state == CaseState::kComplete) continue;
    if (first) writer->heading("Cases that are not complete");
    first = false;
    const Case& one = data.cases.cases[c];
    writer->paragraph("Case " + std::to_string(one.index) + " (" + describe(one.values) + "): " +
                      to_string(status.state) + (status.message.empty() ? "" : ". " + status.message));
    writer->code(repeat_command(data, one));
  }
}

/// One row a kind of warning: in how many cases, and what the first of them says.
void write_warnings(const ReportData& data, Writer* writer) {
  struct Kind {
    int count = 0;
    std::size_t first_case = 0;
    std::string text;
  };
  std::map<std::string, Kind> kinds;
  for (std::size_t c = 0; c < data.cases.cases.size(); ++c) {
    std::set<std::string> counted;
    for (const Warning& warning : data.results.cases()[c].warnings) {
      if (!counted.insert(warning.kind).second) continue;
      Kind& kind = kinds[warning.kind];
      if (kind.count++ == 0) kind.first_case = c, kind.text = warning.text;
    }
  }
  if (kinds.empty()) return;
  writer->heading("Warnings");
  std::vector<Row> rows;
  for (const auto& [name, kind] : kinds)
    rows.push_back(
        {name, std::to_string(kind.count),
         std::to_string(kind.first_case) + ": " + describe(data.cases.cases[kind.first_case].values),
         kind.text});
  writer->table({"kind", "cases", "first case", "what it says"}, rows);
}

void write_costs(const ReportData& data, Writer* writer) {
  writer->heading("Costs");
  const Costs costs = total_costs(data);
  std::string text;
  if (costs.slowest >= 0)
    text += "Slowest: case " + std::to_string(costs.slowest) + " (" +
            describe(data.cases.cases[static_cast<std::size_t>(costs.slowest)].values) + "), " +
            seconds_text(costs.slowest_seconds) + ". ";
  text += "CPU time of all cases: " + (costs.cpu_seconds ? seconds_text(*costs.cpu_seconds) : "unknown");
  text += ". Peak memory of a case: " +
          (costs.peak_memory ? format_text("%.0f", *costs.peak_memory / 1048576.0) + " MiB" : "unknown") +
          ".";
  const int others = count_other_results(data.cases, candidate_ids(data.judgement.fits), data.folder);
  if (others > 0)
    text +=
        " " + std::to_string(others) + " results in the folder belong to no case of the study as it is now.";
  writer->paragraph(text);
}

void write_body(const ReportData& data, Writer* writer) {
  writer->paragraph(first_line(data));
  if (!data.study.set.empty()) writer->paragraph("In every case: " + describe(data.study.set));
  write_gates(data, writer);
  const std::vector<StudyPlot> plots = draw_plots(data);
  std::size_t next = 0;
  for (std::size_t a = 0; a < data.study.analyses.size(); ++a) {
    const Analysis& analysis = data.study.analyses[a];
    std::size_t num_plots = 0;
    if (analysis.type == AnalysisType::kTable) {
      write_table(data, analysis, writer);
    } else if (analysis.type == AnalysisType::kConvergence) {
      write_ladders(data, static_cast<int>(a), writer);
      num_plots = analysis.measures.size();
    } else if (analysis.type == AnalysisType::kFit) {
      write_fit(data, static_cast<int>(a), writer);
      num_plots = analysis.measures.size();
    } else {
      writer->heading(analysis.name);
      num_plots = analysis.type == AnalysisType::kPlot ? 1 : analysis.measures.size();
    }
    for (; num_plots > 0; --num_plots) writer->plot(plots[next++]);
  }
  write_failures(data, writer);
  write_warnings(data, writer);
  write_costs(data, writer);
}

constexpr const char* kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<style>body{font-family:sans-serif;margin:2em;max-width:80em}table{border-collapse:collapse;margin:1em "
    "0}"
    "td,th{border:1px solid #bbb;padding:.2em .6em;text-align:left;vertical-align:top}th{background:#eee}"
    ".pass{background:#c8f0c8}.fail{background:#f6c4c4}.inconclusive{background:#f8e6a8}pre{background:#"
    "f4f4f4;"
    "padding:.5em}svg{display:block;margin:1em 0}</style>\n";

}  // namespace

std::string worst_of(const ReportData& data, const GateResult& gate) {
  if (gate.worst_ladder != nullptr) return describe(gate.worst_ladder->where);
  if (gate.worst_case < 0) return "";
  return "case " + std::to_string(gate.worst_case) + ": " +
         describe(data.cases.cases[static_cast<std::size_t>(gate.worst_case)].values);
}

std::string report_markdown(const ReportData& data) {
  MarkdownWriter writer;
  writer.out = "# " + data.study.name + "\n\n";
  write_body(data, &writer);
  return writer.out;
}

std::string report_html(const ReportData& data) {
  HtmlWriter writer;
  const std::string title = escape_markup(data.study.name);
  writer.out = kHead + ("<title>" + title + "</title>\n</head>\n<body>\n<h1>" + title + "</h1>\n");
  write_body(data, &writer);
  return writer.out + "</body>\n</html>\n";
}

}  // namespace csim
