// Names of the rows and columns of a result, for messages.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/reader.h"

namespace csim {

class RowLabels {
 public:
  explicit RowLabels(const ResultFile& result);

  /// s, of a row of the dataset; nothing for one without rows in time.
  [[nodiscard]] std::optional<double> time(const std::string& path, long row) const;

  /// "body ball", "joint j1", "geometry a/shell with b/shell", of an entry; "" where there are no names.
  [[nodiscard]] std::string label(const std::string& path, const std::vector<long>& index) const;

 private:
  [[nodiscard]] std::pair<Table, long> owner(Table table, long row, Table upto = Table::kFrames) const;
  [[nodiscard]] std::string column(const std::string& kind, const std::vector<std::string>& names,
                                   const std::string& offsets, long index) const;

  const ResultFile& result_;
  std::vector<std::string> bodies_, geometries_;
  std::map<Table, std::vector<double>> times_;  // s, of each row
  std::map<Table, std::vector<std::int64_t>> offsets_;
};

}  // namespace csim
