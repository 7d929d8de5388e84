#include "study/result_table.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {

int table(const TableOptions& options) {
  std::string names;
  for (const std::string& file : options.files) names += (names.empty() ? "" : ", ") + file;
  const CrashGuard guard(names);
  try {
    std::string fault;
    const auto columns = parse_columns(options.columns, &fault);
    if (!columns) throw InvalidResultError("--columns: " + fault);
    const ResultTable table = make_table(options.files, *columns, options.reference);
    const std::string text = options.format == "json"       ? table_json(table) + "\n"
                             : options.format == "markdown" ? table_markdown(table)
                                                            : table_csv(table);
    std::fputs(text.c_str(), stdout);
    return kDone;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace csim::cli
