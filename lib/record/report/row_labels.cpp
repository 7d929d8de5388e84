#include "record/report/row_labels.h"

#include <algorithm>
#include <ranges>

#include "record/tables.h"

namespace csim {
namespace {

/// The last row that begins at or before `row`.
long last_before(const std::vector<std::int64_t>& offsets, long row) {
  return static_cast<long>(std::upper_bound(offsets.begin(), offsets.end(), row) - offsets.begin()) - 1;
}

}  // namespace

RowLabels::RowLabels(const ResultFile& result)
    : result_(result), bodies_(result.texts("/bodies/name")), geometries_(result.texts("/geometries/name")) {
  times_[Table::kFrames] = result.real("/trajectory/time");
  times_[Table::kSteps] = result.real("/stats/step/time");
  if (result.has("/event/time")) times_[Table::kEvents] = result.real("/event/time");
  if (result.has("/warning/time")) times_[Table::kWarnings] = result.real("/warning/time");
  for (const RaggedTable& ragged : kRaggedTables)
    if (result.has(ragged.offsets)) offsets_[ragged.table] = result.integer(ragged.offsets);
}

std::optional<double> RowLabels::time(const std::string& path, long row) const {
  auto place = find_table(path);
  if (!place) return std::nullopt;
  if (place->is_offset) --row;  // the entry that ends a row belongs to it
  const auto [table, owner_row] = owner(place->table, row);
  const auto times = times_.find(table);
  if (times == times_.end() || owner_row < 0 || owner_row >= static_cast<long>(times->second.size()))
    return std::nullopt;
  return times->second[owner_row];
}

std::string RowLabels::label(const std::string& path, const std::vector<long>& index) const {
  const auto name = [](const std::vector<std::string>& names, long i) {
    return i >= 0 && i < static_cast<long>(names.size()) ? names[i] : std::string();
  };
  if (path.starts_with("/pair/") && !find_table(path)->is_offset) {
    return "body " + name(bodies_, result_.integer("/pair/body_a", index[0], 1).at(0)) + " with " +
           name(bodies_, result_.integer("/pair/body_b", index[0], 1).at(0));
  }
  if (path.starts_with("/contact/") || path.starts_with("/patch/")) {
    const auto place = find_table(path);
    if (!place || place->is_offset) return "";
    const bool of_contact = place->table == Table::kContacts;
    const std::string group = of_contact ? "/contact" : "/patch";
    const long row = of_contact ? index[0] : owner(place->table, index[0], Table::kPatches).second;
    const long a = result_.integer(group + "/geometry_a", row, 1).at(0),
               b = result_.integer(group + "/geometry_b", row, 1).at(0);
    return "geometry " + name(geometries_, a) + " with " + name(geometries_, b);
  }
  if (path == "/trajectory/q" || path == "/trajectory/v")
    return column("body", bodies_, path == "/trajectory/q" ? "/bodies/q_offset" : "/bodies/v_offset",
                  index[1]);
  if (path.starts_with("/trajectory/") && index.size() == 3) return "body " + name(bodies_, index[1]);
  if (path.starts_with("/joint/")) {
    return column("joint", result_.texts("/joints/name"),
                  path == "/joint/position" ? "/joints/q_offset" : "/joints/v_offset", index[1]);
  }
  if (path.starts_with("/bodies/")) return "body " + name(bodies_, index[0]);
  if (path.starts_with("/geometries/")) return "geometry " + name(geometries_, index[0]);
  return "";
}

/// The row of another table that a ragged row belongs to, in the table that is not ragged or in `upto`.
std::pair<Table, long> RowLabels::owner(Table table, long row, Table upto) const {
  for (const RaggedTable& ragged : std::views::reverse(kRaggedTables)) {
    const auto offsets = offsets_.find(table);
    if (ragged.table != table || table == upto || offsets == offsets_.end()) continue;
    row = last_before(offsets->second, row);
    table = ragged.owner;
  }
  return {table, row};
}

std::string RowLabels::column(const std::string& kind, const std::vector<std::string>& names,
                              const std::string& offsets, long index) const {
  const long i = last_before(result_.integer(offsets), index);
  return i >= 0 && i < static_cast<long>(names.size()) ? kind + " " + names[i] : "";
}

}  // namespace csim
