#include "record/reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

#include "record/static_part.h"

namespace csim {
namespace {

hdf5::File open_result(const std::string& path, Trial trial) {
  hdf5::File file = open_hdf5(path, trial);
  if (format_of(file) != "csim-result/1")
    throw InvalidResultError(path + ": is no result file of the format csim-result/1");
  return file;
}

/// What every result holds, whatever its `output` leaves out.
constexpr std::array<const char*, 16> kAlways = {
    "/scene/resolved",        "/bodies/name",         "/bodies/v_offset", "/geometries/name",
    "/geometries/body",       "/joints/name",         "/trajectory/time", "/trajectory/position",
    "/trajectory/quaternion", "/trajectory/velocity", "/trajectory/q",    "/trajectory/v",
    "/energy/total",          "/energy/kinetic",      "/stats/step/time", "/stats/step/iterations"};

}  // namespace

ResultFile::ResultFile(const std::string& path, Trial trial) : file_(open_result(path, trial)) {
  status_ = parse_run_status(file_.text_attribute("/", "status").at(0));
  exit_code_ = static_cast<int>(file_.integer_attribute("/", "exit_code"));
  message_ = file_.text_attribute("/", "message").at(0);
  for (hdf5::ObjectInfo& object : file_.objects()) {
    if (!object.is_group) datasets_.push_back(std::move(object));
  }
  check_parts();
  find_rows();
  for (hdf5::ObjectInfo& dataset : datasets_) {
    if (const auto place = find_table(dataset.path))
      dataset.shape.at(0) = table_rows(rows_, place->table) + (place->is_offset ? 1 : 0);
  }
}

void ResultFile::check_parts() const {
  for (const char* path : kAlways) static_cast<void>(dataset(path));
  const long num_bodies = dataset("/bodies/name").shape.at(0);
  for (const char* path : {"/trajectory/position", "/trajectory/quaternion", "/trajectory/velocity"}) {
    const auto& shape = dataset(path).shape;
    if (shape.size() == 3 && shape[1] == num_bodies) continue;
    throw ReadError(file_.path() + ": is damaged: " + path + " is not of the " + std::to_string(num_bodies) +
                    " bodies of /bodies/name");
  }
}

/// The most of `rows` rows whose ragged part is there: all of them unless the run was killed or the disk
/// full.
long ResultFile::whole_rows(const std::string& offset_path, long rows, long ragged_rows) const {
  const auto offsets = file_.read_integer(offset_path, 0, rows + 1);
  const auto sorted = std::is_sorted_until(offsets.begin(), offsets.end());
  const auto end = std::upper_bound(offsets.begin(), sorted, ragged_rows);
  if (offsets.at(0) == 0 && (end == offsets.end() || status_ != RunStatus::kComplete))
    return static_cast<long>(end - offsets.begin()) - 1;
  const auto wrong = offsets[0] != 0 ? offsets.begin() : end != sorted ? end : sorted;
  throw ReadError(file_.path() + ": is damaged: " + offset_path + "[" +
                  std::to_string(wrong - offsets.begin()) + "] is " + std::to_string(*wrong) +
                  ", expected 0 at first, ascending, at most " + std::to_string(ragged_rows));
}

void ResultFile::find_rows() {
  RowCounts shortest;
  for (int table = 0; table < kNumTables; ++table)
    table_rows(&shortest, static_cast<Table>(table)) = std::numeric_limits<long>::max();
  for (const hdf5::ObjectInfo& dataset : datasets_) {
    const auto place = find_table(dataset.path);
    if (!place) continue;
    long& rows = table_rows(&shortest, place->table);
    rows = std::min(rows, dataset.shape.at(0) - (place->is_offset ? 1 : 0));
  }
  for (const RaggedTable& ragged : std::views::reverse(kRaggedTables)) {
    if (!has(ragged.offsets)) continue;
    long& owners = table_rows(&shortest, ragged.owner);
    owners = whole_rows(ragged.offsets, owners, table_rows(shortest, ragged.table));
  }
  rows_ = shortest;
  if (!has("/event/time")) rows_.events = 0;  // of an older file
  if (!has("/warning/time")) rows_.warnings = 0;
  for (const RaggedTable& ragged : kRaggedTables) {
    const long owners = table_rows(rows_, ragged.owner);
    table_rows(&rows_, ragged.table) =
        has(ragged.offsets) ? static_cast<long>(file_.read_integer(ragged.offsets, owners, 1).at(0)) : 0;
  }
}

bool ResultFile::has(const std::string& path) const {
  return std::any_of(datasets_.begin(), datasets_.end(),
                     [&](const hdf5::ObjectInfo& d) { return d.path == path; });
}

const hdf5::ObjectInfo& ResultFile::dataset(const std::string& path) const {
  const auto found = std::find_if(datasets_.begin(), datasets_.end(),
                                  [&](const hdf5::ObjectInfo& d) { return d.path == path; });
  if (found == datasets_.end()) throw InvalidResultError(file_.path() + ": has no dataset " + path);
  return *found;
}

long ResultFile::num_rows(const std::string& path) const {
  const std::vector<long>& shape = dataset(path).shape;
  return shape.empty() ? 1 : shape[0];
}

std::vector<double> ResultFile::real(const std::string& path, long first, long count) const {
  return file_.read_real(path, first, count == kAllRows ? num_rows(path) : count);
}

std::vector<std::int64_t> ResultFile::integer(const std::string& path, long first, long count) const {
  return file_.read_integer(path, first, count == kAllRows ? num_rows(path) : count);
}

std::string ResultFile::text(const std::string& path) const {
  return file_.read_text(dataset(path).path);
}

std::vector<std::string> ResultFile::texts(const std::string& path) const {
  const hdf5::ObjectInfo& shown = dataset(path);
  std::vector<std::string> all = file_.read_texts(path);
  if (!shown.shape.empty()) all.resize(std::min(all.size(), static_cast<std::size_t>(shown.shape[0])));
  return all;
}

std::vector<std::string> ResultFile::units(const std::string& path) const {
  return file_.text_attribute(path, "units");
}

Provenance ResultFile::provenance() const {
  return read_provenance(file_, "/provenance");
}

}  // namespace csim
