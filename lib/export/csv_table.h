// Tables as comma-separated values. Of our own: libcsv quotes every field, and would replace no more than the
// comma between two numbers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "record/output_file.h"

namespace csim {

/// A file with a header, "name [unit]" a column, and rows. Numbers have the fewest digits (at most 17) that
/// read back to the same bits; "nan", "inf" and "-inf" are as Python and pandas read them.
class CsvTable {
 public:
  CsvTable(std::string path, const std::vector<std::string>& header);

  CsvTable& number(double value);
  CsvTable& numbers(std::span<const double> values);
  CsvTable& text(const std::string& value);  // without commas, quotes and line ends, as all names are
  void end_row();
  void close();

  [[nodiscard]] long num_rows() const { return num_rows_; }

 private:
  void separate();

  OutputFile file_;
  std::string line_;
  long num_rows_ = 0;
};

/// Columns of a dataset's row, "position_x [m]": x, y, z of three, w, x, y, z of four, else 0, 1, …; a single
/// one has the name alone. `units`: one for all, or one per column.
[[nodiscard]] std::vector<std::string> column_names(const std::string& name, long width,
                                                    const std::vector<std::string>& units);

}  // namespace csim
