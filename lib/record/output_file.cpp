#include "record/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/missing_path.h"
#include "record/errors.h"

namespace csim {
namespace {

constexpr const char* kPart = ".part";  // of a name: the file that is not complete yet

/// Under the name with `ending` first, then renamed.
void write_beside(const std::string& path, const std::string& ending, std::string_view bytes) {
  const std::string part = path + ending;
  OutputFile file(part);
  file.write(bytes);
  file.close();
  if (std::rename(part.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  std::remove(part.c_str());
  throw IoError(path + ": cannot be written: " + reason);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
  if (file_ == nullptr) throw IoError(path_ + ": cannot be written: " + std::strerror(errno));
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(path_.c_str());
}

void OutputFile::fail() {
  throw IoError(path_ + ": cannot be written: " + std::strerror(errno));
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void OutputFile::close() {
  // What the C library still holds may be what does not fit.
  if (std::fflush(file_) != 0) fail();
  const int closed = std::fclose(std::exchange(file_, nullptr));
  if (closed == 0) return;
  const int reason = errno;
  std::remove(path_.c_str());
  errno = reason;
  fail();
}

void check_output(const std::string& path, bool force, const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const std::string& input : inputs) {
    for (const std::string& place : {path, path + kPart}) {
      if (!std::filesystem::equivalent(place, input, error)) continue;
      throw OutputIsInputError(place + ": the output is the input" + (place == input ? "" : " " + input) +
                               "; give another name");
    }
  }
  if (const std::string missing = missing_folder(path); !missing.empty())
    throw IoError(path + ": cannot be written: " + missing);
  if (!std::filesystem::exists(path, error)) {
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)))
      throw IoError(path + ": is a link to a file that is not there");
    return;
  }
  if (std::filesystem::is_directory(path, error)) throw IoError(path + ": is a folder");
  // A rename would put the result in the place of the device itself, /dev/null with the rights to do so.
  if (!std::filesystem::is_regular_file(path, error))
    throw IoError(path + ": is a device, a pipe or a socket, expected a file");
  if (!force) throw OutputExistsError(path + ": exists already");
}

void write_file(const std::string& path, std::string_view bytes, bool force) {
  check_output(path, force);
  write_beside(path, kPart, bytes);
}

void replace_file(const std::string& path, std::string_view bytes) {
  write_beside(path, std::string(kPart) + "." + std::to_string(::getpid()), bytes);
}

}  // namespace csim
