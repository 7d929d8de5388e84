// Files that are there complete or not at all.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace csim {

/// A file that is written piece by piece. All of it throws IoError with the file's name and the system's
/// reason. Without close() the file is removed.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view bytes);
  void close();

 private:
  [[noreturn]] void fail();

  std::string path_;
  std::FILE* file_;
};

/// Throws OutputIsInputError when the place, or the one beside it, is a file that is read (whatever its name
/// or link), else
/// OutputExistsError when it is taken and not `force`, IoError when it is no regular file (a folder, a
/// device) or its folder is not there.
void check_output(const std::string& path, bool force, const std::vector<std::string>& inputs = {});

/// Writes a file beside its place and renames it. Throws OutputExistsError when the place is taken and not
/// `force`, IoError with the system's reason when it cannot be written; then nothing is left behind.
void write_file(const std::string& path, std::string_view bytes, bool force);

/// The same in the place of whatever stands there, by several processes at once too.
void replace_file(const std::string& path, std::string_view bytes);

}  // namespace csim
