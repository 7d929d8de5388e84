#include "study/case_status.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>

#include "core/seconds_text.h"
#include "record/hdf5/output_lock.h"
#include "record/reader.h"
#include "run/exit_code.h"
#include "study/case_id.h"
#include "study/case_record.h"
#include "study/case_usage.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double wall_seconds(const ResultFile& result) {
  const std::vector<double> seconds = result.real("/stats/step/seconds_total", 0, result.rows().steps);
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

bool has_last_row(const ResultFile& result, const Case& one) {
  if (result.rows().frames == 0) return false;
  const double time = result.real("/trajectory/time", result.rows().frames - 1, 1).at(0);
  return std::abs(time - last_time(one.times)) <= 1e-9 * std::max(1.0, std::abs(time));
}

CaseStatus status_of(const ResultFile& result, const Case& one) {
  CaseStatus status{CaseState::kDamaged, wall_seconds(result), result.message(), result.exit_code()};
  if (case_id(identity_text(result)) != one.id) {
    status.message = "holds the result of another scene";
    return status;
  }
  switch (result.status()) {
    case RunStatus::kComplete:
      if (has_last_row(result, one)) {
        status.state = CaseState::kComplete;
        status.message.clear();
      } else {
        status.message = "says that it is complete, and has no row at the end";
      }
      break;
    case RunStatus::kFailed:
      status.state = CaseState::kFailed;
      break;
    case RunStatus::kInterrupted:
      status.state = CaseState::kInterrupted;
      break;
    case RunStatus::kRunning:
      status.state = CaseState::kInterrupted;
      status.message = "its process was killed";
      break;
  }
  return status;
}

CaseStatus open_result(const std::string& file, const Case& one, Trial trial) {
  try {
    const ResultFile result(file, trial);
    return reading(file, [&] { return status_of(result, one); });
  } catch (const std::exception& error) {
    return {CaseState::kDamaged, kNone, error.what(), -1};
  }
}

/// The last error of a log, else its last line.
std::string last_error(const std::string& file) {
  std::ifstream stream(file);
  std::string last, error;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
    if (line.find("error: ") != std::string::npos) error = line;
  }
  return error.empty() ? last : error;
}

std::string timeout_message(double seconds) {
  return "time-out: stopped after " + seconds_text(seconds) + " of wall time";
}

/// Of a case whose process ended before it made a result.
CaseStatus without_result(const Case& one, const StudyFolder& folder) {
  const std::optional<CaseUsage> usage = read_usage(folder.usage(one));
  if (usage && usage->timeout > 0.0)  // while it read its scene
    return {CaseState::kFailed, kNone, timeout_message(usage->timeout), usage->exit_code};
  if (!usage || usage->exit_code == kDone || usage->exit_code == kInterrupted)
    return {CaseState::kMissing, kNone, "", -1};
  return {CaseState::kFailed, kNone, last_error(folder.log(one)), usage->exit_code};
}

/// Says why a case was interrupted, where that was a time-out.
CaseStatus with_timeout(CaseStatus status, const Case& one, const StudyFolder& folder) {
  if (status.state != CaseState::kInterrupted) return status;
  const std::optional<CaseUsage> usage = read_usage(folder.usage(one));
  if (usage && usage->timeout > 0.0) status.message = timeout_message(usage->timeout);
  return status;
}

}  // namespace

const char* to_string(CaseState state) {
  constexpr const char* kNames[] = {"complete", "failed", "interrupted", "running", "missing", "damaged"};
  return kNames[static_cast<int>(state)];
}

namespace {

CaseStatus look_at_files(const Case& one, const StudyFolder& folder, Trial trial) {
  const std::string file = folder.result(one), part = file + ".part";
  if (is_being_written(part)) return {CaseState::kRunning, kNone, "", -1};
  const bool has_part = fs::exists(part);
  if (fs::exists(file)) {
    CaseStatus status = open_result(file, one, trial);
    if (status.state == CaseState::kComplete || !has_part)
      return with_timeout(std::move(status), one, folder);
  }
  if (!has_part) return without_result(one, folder);
  CaseStatus status = open_result(part, one, Trial::kFirst);
  if (status.state == CaseState::kComplete) {  // a resumption renames it
    status.state = CaseState::kInterrupted;
    status.message = "its process was killed before it renamed the result";
  }
  return with_timeout(std::move(status), one, folder);
}

std::optional<CaseStatus> look_at_record(const Case& one, const StudyFolder& folder) {
  const std::optional<CaseRecord> record = read_record(one, folder);
  if (!record) return std::nullopt;
  return CaseStatus{CaseState::kComplete, record->seconds, "", -1};
}

}  // namespace

CaseStatus look_at_case(const Case& one, const StudyFolder& folder, Trial trial) {
  if (const auto status = look_at_record(one, folder)) return *status;
  const CaseStatus status = look_at_files(one, folder, trial);
  if (status.state != CaseState::kMissing && status.state != CaseState::kDamaged) return status;
  // Another process may have put the record in the place of the result meanwhile.
  if (const auto now = look_at_record(one, folder)) return *now;
  if (status.state == CaseState::kMissing && fs::exists(folder.record(one)))
    return {CaseState::kDamaged, kNone, folder.record(one) + ": no record of this case", -1};
  return status;
}

std::unordered_set<std::string> ids_with_files(const StudyFolder& folder) {
  std::unordered_set<std::string> ids;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.file("cases"), none)) {
    const std::string name = entry.path().filename().string();
    ids.insert(name.substr(0, name.find('.')));
  }
  return ids;
}

std::vector<CaseStatus> look_at_cases(const Cases& cases, const StudyFolder& folder) {
  const std::unordered_set<std::string> ids = ids_with_files(folder);
  std::vector<CaseStatus> all;
  for (const Case& one : cases.cases)
    all.push_back(ids.count(one.id) > 0 ? look_at_case(one, folder)
                                        : CaseStatus{CaseState::kMissing, kNone, "", -1});
  return all;
}

std::string format_ranges(const std::vector<int>& indices) {
  std::string text;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t end = i + 1;
    while (end < indices.size() && indices[end] == indices[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(indices[i]);
    if (end - i > 1) text += "-" + std::to_string(indices[end - 1]);
    i = end;
  }
  return text;
}

std::optional<std::vector<int>> parse_ranges(const std::string& text) {
  constexpr int kMost = 10000000;
  std::set<int> all;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    int first = 0, last = 0;
    auto read = std::from_chars(at, end, first);
    if (read.ec != std::errc() || first < 0 || first > kMost) return std::nullopt;
    last = first;
    at = read.ptr;
    if (at != end && *at == '-') {
      read = std::from_chars(at + 1, end, last);
      if (read.ec != std::errc() || last < first || last > kMost) return std::nullopt;
      at = read.ptr;
    }
    for (int i = first; i <= last; ++i) all.insert(i);
    if (at == end) return std::vector<int>(all.begin(), all.end());
    if (*at++ != ',') return std::nullopt;
  }
}

}  // namespace csim
