// Reads a result file: complete, or NAME.h5.part of a run that goes on or was killed.
#pragma once

#include <chrono>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "record/hdf5/hdf5_file.h"
#include "record/open_hdf5.h"
#include "record/provenance.h"
#include "record/recorder.h"
#include "record/tables.h"

namespace csim {

/// A kill leaves some tables longer than others. All that this class shows is cut to the rows that every
/// dataset of a table has: the frames whose contacts and patches (with their faces) are there, the steps
/// whose iterations are there.
class ResultFile {
 public:
  /// Throws InvalidResultError for a missing or empty file, one of another format or one that lacks what
  /// every result holds, ReadError when reading fails or the tables contradict each other.
  explicit ResultFile(const std::string& path, Trial trial = Trial::kFirst);

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] RunStatus status() const { return status_; }
  [[nodiscard]] int exit_code() const { return exit_code_; }  // -1 while running
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const RowCounts& rows() const { return rows_; }

  /// Every dataset, sorted by path, with the shape that is shown.
  [[nodiscard]] const std::vector<hdf5::ObjectInfo>& datasets() const { return datasets_; }
  [[nodiscard]] bool has(const std::string& path) const;
  [[nodiscard]] const hdf5::ObjectInfo& dataset(
      const std::string& path) const;  // throws InvalidResultError when there is none

  /// A numeric dataset, row-major: all of it, or `count` rows from `first`.
  static constexpr long kAllRows = -1;
  [[nodiscard]] std::vector<double> real(const std::string& path, long first = 0,
                                         long count = kAllRows) const;
  [[nodiscard]] std::vector<std::int64_t> integer(const std::string& path, long first = 0,
                                                  long count = kAllRows) const;
  /// Integers that are rows of another table, 0 to `limit` - 1; throws ReadError for any other.
  std::vector<std::int64_t> index(const std::string& path, std::size_t limit) const {
    return index(path, 0, kAllRows, limit);
  }
  std::vector<std::int64_t> index(const std::string& path, long first, long count, std::size_t limit) const;
  /// Where the columns or rows of `count` things begin and the last ends: ascending from 0 to `end`; throws
  /// ReadError for any other.
  std::vector<std::int64_t> offsets(const std::string& path, std::size_t count, long end) const;
  /// Reads all such columns; throws what index() and offsets() throw. The offsets of frames, patches and
  /// faces were checked when the file was opened.
  void check_indices() const;
  [[nodiscard]] std::string text(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> units(const std::string& path) const;
  [[nodiscard]] Provenance provenance() const;

  [[nodiscard]] const hdf5::File& file() const { return file_; }

 private:
  void check_parts() const;
  void find_rows();
  [[nodiscard]] long num_rows(const std::string& path) const;  // of a scalar: 1
  [[nodiscard]] long whole_rows(const std::string& offset_path, long rows, long ragged_rows) const;

  hdf5::File file_;
  RunStatus status_ = RunStatus::kRunning;
  int exit_code_ = -1;
  std::string message_;
  RowCounts rows_;
  std::vector<hdf5::ObjectInfo> datasets_;
};

/// The value of `read`. What a damaged file makes of its indices and lengths ends in a ReadError that names
/// the file.
template <typename Read>
auto reading(const std::string& path, const Read& read) {
  const auto damaged = [&](const char* what) {
    return ReadError(path + ": is damaged: its parts do not fit together (" + what + ")");
  };
  try {
    return read();
  } catch (const std::out_of_range& error) {
    throw damaged(error.what());
  } catch (const std::length_error& error) {
    throw damaged(error.what());
  } catch (const std::bad_alloc&) {
    throw damaged("more numbers than memory holds");
  }
}

/// Opens a result and hands it to `read`, whose value it returns. While the run goes on it may write what is
/// just being read: then all is done anew, some twenty times within a few seconds, before the ReadError is
/// passed on.
template <typename Read>
auto read_result(const std::string& path, const Read& read) {
  constexpr int kAttempts = 20;
  for (int attempt = 1;; ++attempt) {
    bool goes_on = path.ends_with(".part");  // what has another name has an end
    try {
      return reading(path, [&] {
        const ResultFile result(path);
        goes_on = result.status() == RunStatus::kRunning;
        return read(result);
      });
    } catch (const ReadError&) {
      if (!goes_on || attempt == kAttempts) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(15 * attempt));
  }
}

}  // namespace csim
