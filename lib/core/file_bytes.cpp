#include "core/file_bytes.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/missing_path.h"

namespace csim {

std::string lower_extension(const std::string& file) {
  const std::size_t dot = file.find_last_of('.');
  std::string extension = dot == std::string::npos ? "" : file.substr(dot + 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

std::string describe_open_failure(const std::string& file) {
  const int reason = errno;
  const std::string hint = reason == ENOENT ? missing_file_hint(file) : "";
  return std::string("cannot be opened: ") + std::strerror(reason) + hint;
}

std::string read_file_bytes(const std::string& file, std::string* bytes) {
  // One that never ends, /dev/zero, would fill the memory.
  std::error_code error;
  if (std::filesystem::is_character_file(file, error)) return "is a device, expected a file";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return describe_open_failure(file);
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad() || text.fail()) return "cannot be read (an empty file, a folder, or a read error)";
  *bytes = std::move(text).str();
  return {};
}

bool is_hdf5(const std::string& bytes) {
  return bytes.starts_with("\x89HDF");
}

}  // namespace csim
