#include "record/output_paths.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "record/errors.h"

namespace csim {

void move_file(const std::string& from, const std::string& to, bool replace) {
  int failed = replace ? std::rename(from.c_str(), to.c_str())
                       : ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  if (failed != 0 && !replace && (errno == EINVAL || errno == ENOSYS)) {
    // File systems without that flag (some network ones): a hard link is refused in the same way.
    failed = ::link(from.c_str(), to.c_str());
    if (failed == 0) ::unlink(from.c_str());
    if (failed != 0 && errno != EEXIST) failed = std::rename(from.c_str(), to.c_str());
  }
  if (failed == 0) return;
  const std::string reason = std::strerror(errno);
  if (errno == EEXIST) throw OutputExistsError(to + ": exists already");
  throw IoError(from + ": cannot be renamed to " + to + ": " + reason);
}

OutputPaths output_paths(const std::string& path) {
  constexpr std::string_view kPart = ".part";
  const std::string name = path.ends_with(kPart) ? path.substr(0, path.size() - kPart.size()) : path;
  return {name, name + std::string(kPart)};
}

void finish_renaming(const std::string& path) {
  const OutputPaths paths = output_paths(path);
  std::error_code error;
  if (std::filesystem::exists(paths.part_path, error)) move_file(paths.part_path, paths.final_path, true);
}

}  // namespace csim
