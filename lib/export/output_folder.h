// A folder of files that is there complete or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace csim {

/// Files are written into a folder beside the place (inside it when the place is a folder already) and moved
/// there by commit(). Without commit() they are removed again.
class OutputFolder {
 public:
  /// Throws OutputExistsError when the place is a file, or a folder with anything in it and not `force`, or
  /// when an unfinished export stands there; IoError when the folder cannot be made.
  OutputFolder(const std::string& path, bool force);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Where to write a file, "bodies/bodies_0000.vtp"; makes the folder in between.
  [[nodiscard]] std::string place(const std::string& name);

  /// Moves all files to their place. Files of an earlier export there are removed first, all others stay.
  /// Throws IoError.
  void commit();

  [[nodiscard]] std::size_t num_files() const { return num_files_; }
  [[nodiscard]] std::uintmax_t bytes() const;  // of what is written so far

 private:
  void remove_earlier() const;

  std::filesystem::path path_, staging_;
  bool in_place_;  // the folder was there before
  std::string manifest_;
  std::size_t num_files_ = 0;
};

}  // namespace csim
