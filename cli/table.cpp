#include "study/result_table.h"

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {
namespace {

struct TableOptions {
  std::vector<std::string> files;
  std::string columns =
      "file,status,contact.model,time.step,energy/balance_error,stats/step/iterations@mean,seconds";
  std::string format = "csv";  // or markdown, json
  bool json = false;           // short for that format
  std::string reference;       // of measures of `difference`; "": none
};

std::string check_columns(const std::string& text) {
  std::string fault;
  return parse_columns(text, &fault) ? "" : fault;
}

int table(const TableOptions& options) {
  std::string names;
  for (const std::string& file : options.files) names += (names.empty() ? "" : ", ") + file;
  const CrashGuard guard(names);
  try {
    std::string fault;
    const auto columns = parse_columns(options.columns, &fault);
    if (!columns) throw InvalidResultError("--columns: " + fault);
    const ResultTable table = make_table(options.files, *columns, options.reference);
    const std::string text = options.json || options.format == "json" ? table_json(table) + "\n"
                             : options.format == "markdown"           ? table_markdown(table)
                                                                      : table_csv(table);
    std::fputs(text.c_str(), stdout);
    return kDone;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace

Command table_command() {
  const auto o = std::make_shared<TableOptions>();
  return {
      .name = "table",
      .description = "compare results in a table, one row per file",
      .options = {required({"files", &o->files, "result files", "FILE.h5"}),
                  with_default({"--columns",
                                &o->columns,
                                "separated by commas: file, status, message, seconds (wall time), warnings "
                                "(their number), keys of the scene, "
                                "and numbers DATASET[ITEM].COMPONENT@REDUCTION; TITLE=COLUMN gives a title",
                                "C,C,..",
                                {&check_columns}}),
                  with_default({"--format", &o->format, "format of the table", "",
                                one_of({"csv", "markdown", "json"})}),
                  {"--json", &o->json, "short for --format json"},
                  {"--reference", &o->reference, "result that @difference compares the others with",
                   "FILE.h5"}},
      .examples =
          "  csim table *.h5                            how the runs differ, and what they cost\n"
          "  csim table *.h5 --columns name,contact.model,energy/total@final --format markdown\n"
          "  csim table *.h5 --columns 'file,peak=contact/normal_force[ground,ball]@max:0.2:0.4'     from "
          "0.2 "
          "to 0.4 s\n"
          "  csim table *.h5 --columns 'file,trajectory/position[ball]@difference' --reference bounce.h5",
      .run = [o] { return table(*o); }};
}

}  // namespace csim::cli
