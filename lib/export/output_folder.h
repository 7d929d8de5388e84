// A folder of files that is there complete or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "record/hdf5/output_lock.h"

namespace csim {

/// Files are written into a folder beside the place (inside it when the place is a folder already) and moved
/// there by commit(). Without commit() they are removed again.
class OutputFolder {
 public:
  /// What a killed export left beside the place is removed. Throws OutputExistsError when the place is a
  /// file, or a folder with anything in it and not `force`, or when something else has the name of the folder
  /// beside it; OutputBusyError when another export is writing there; IoError when the folder cannot be made.
  OutputFolder(const std::string& path, bool force);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Where to write a file, "bodies/bodies_0000.vtp"; makes the folder in between.
  [[nodiscard]] std::string place(const std::string& name);

  /// Moves all files to their place. Files of an earlier export there are removed first, all others stay.
  /// Throws IoError. Killed within, it leaves a folder with some of the files, all listed, so that the next
  /// export to it takes their place.
  void commit();

  [[nodiscard]] std::size_t num_files() const { return num_files_; }
  [[nodiscard]] std::uintmax_t bytes() const;  // of what is written so far

 private:
  void make_staging();
  void remove(const std::vector<std::filesystem::path>& files) const;

  std::filesystem::path path_, staging_;
  bool in_place_;    // the folder was there before
  OutputLock lock_;  // of the manifest in staging_, for as long as it is written
  std::string manifest_;
  std::size_t num_files_ = 0;
};

}  // namespace csim
