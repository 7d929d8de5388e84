#include "view/write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "record/errors.h"

namespace csim {

void check_output(const std::string& path, bool force) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return;
  if (std::filesystem::is_directory(path, error)) throw IoError(path + ": is a folder");
  if (!force) throw OutputExistsError(path + ": exists already");
}

void write_file(const std::string& path, std::string_view bytes, bool force) {
  check_output(path, force);
  const std::string part = path + ".part";
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) throw IoError(path + ": cannot be written: " + std::strerror(errno));
  bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  written = std::fclose(file) == 0 && written;
  written = written && std::rename(part.c_str(), path.c_str()) == 0;
  if (!written) {
    const std::string reason = std::strerror(errno);
    std::remove(part.c_str());
    throw IoError(path + ": cannot be written: " + reason);
  }
}

}  // namespace csim
