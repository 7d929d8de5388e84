#include "record/report/diff.h"

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {
namespace {

struct DiffCommand {
  std::string a, b;
  DiffOptions options;
  std::vector<std::string> tolerances;  // PATH=ATOL[,RTOL]
  bool json = false;
};

/// PATH=ATOL[,RTOL], "contact/phi=1e-6,1e-3"; nothing where `check_tolerance` complains.
std::optional<DiffOptions::Tolerance> parse_tolerance(const std::string& text) {
  const std::size_t equals = text.find('='), comma = text.find(',', equals);
  if (equals == 0 || equals == std::string::npos) return std::nullopt;
  const bool has_both = comma != std::string::npos;
  const auto from_zero = [](const std::string& word) -> std::optional<double> {
    if (!number(kFromZero).fault(word).empty()) return std::nullopt;
    return std::stod(word);
  };
  const auto atol = from_zero(text.substr(equals + 1, has_both ? comma - equals - 1 : comma));
  const auto rtol = has_both ? from_zero(text.substr(comma + 1)) : std::nullopt;
  if (!atol || has_both != rtol.has_value()) return std::nullopt;
  return DiffOptions::Tolerance{text.substr(0, equals), *atol, rtol};
}

std::string check_tolerance(const std::string& text) {
  return parse_tolerance(text) ? ""
                               : "'" + text +
                                     "', expected PATH=ATOL or PATH=ATOL,RTOL with numbers >= 0, such as "
                                     "contact/phi=1e-6,1e-3";
}

int diff(const DiffCommand& command) {
  const CrashGuard guard(command.a + " or " + command.b);
  try {
    DiffOptions options = command.options;
    for (const std::string& text : command.tolerances) options.tolerances.push_back(*parse_tolerance(text));
    const DiffReport report = read_result(command.a, [&](const ResultFile& a) {
      return read_result(command.b, [&](const ResultFile& b) { return diff_results(a, b, options); });
    });
    const std::string text = command.json ? diff_json(report, command.a, command.b, options) + "\n"
                                          : diff_text(report, command.a, command.b, options);
    std::fputs(text.c_str(), stdout);
    return report.equal ? kDone : kGateFailed;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace

Command diff_command() {
  const auto o = std::make_shared<DiffCommand>();
  DiffOptions* what = &o->options;
  return {
      .name = "diff",
      .description = "compare two result files; exit code 5 when they differ beyond tolerance",
      .options = {required({"a", &o->a, "result file", "A.h5"}),
                  required({"b", &o->b, "result file", "B.h5"}),
                  with_default({"--rtol", &what->rtol, "relative tolerance", "", number(kFromZero)}),
                  with_default({"--atol", &what->atol, "absolute tolerance", "", number(kFromZero)}),
                  one_each({"--only", &what->only,
                            "compare only this dataset or group; may be repeated; statistics of steps are "
                            "compared only so",
                            "PATH"}),
                  one_each({"--ignore", &what->ignore, "leave out this dataset or group; may be repeated",
                            "PATH"}),
                  {"--until", &what->until, "compare up to this time, s", "T", number()},
                  one_each({"--tolerance",
                            &o->tolerances,
                            "tolerances of a dataset or group; RTOL defaults to --rtol",
                            "PATH=ATOL[,RTOL]",
                            {&check_tolerance}}),
                  {"--json", &o->json, "one JSON object"}},
      .examples =
          "  csim diff bounce.h5 sap.h5 --rtol 1e-6\n"
          "  csim diff bounce.h5 sap.h5 --only trajectory --ignore trajectory/v --until 0.5\n"
          "  csim diff bounce.h5 sap.h5 --tolerance contact=1e-3,1e-2 --tolerance stats/step/iterations=5",
      .notes =
          "Quantities are listed by their largest difference over a scale, so that round-off comes last. "
          "The\n"
          "scale is the largest value, in both files, of all time series in the same unit; of a pure number, "
          "and\n"
          "of what does not change in time, the largest of its own dataset. Only the tolerances decide "
          "whether\n"
          "files are equal.",
      .run = [o] { return diff(*o); }};
}

}  // namespace csim::cli
