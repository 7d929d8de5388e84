#include "export/output_folder.h"

#include <fstream>
#include <system_error>
#include <vector>

#include "core/missing_path.h"
#include "record/errors.h"
#include "record/output_file.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

// Lists the files of an export, a line each, so that another one can take their place.
constexpr const char* kManifest = ".csim_export";

[[noreturn]] void fail(const fs::path& path, const std::error_code& error) {
  throw IoError(path.string() + ": cannot be written: " + error.message());
}

/// Removes what a killed export left; throws OutputExistsError for anything else. A folder beside the place
/// (not inside it) whose list is written may be a finished export to a folder of this name.
void remove_unfinished(const fs::path& staging, bool inside) {
  const fs::path manifest = staging / kManifest;
  if (!fs::is_regular_file(fs::symlink_status(manifest)) || (!inside && fs::file_size(manifest) > 0)) {
    throw OutputExistsError(staging.string() +
                            ": exists already, and is not an unfinished export; remove it");
  }
  const OutputLock lock(manifest.string());  // throws when the export goes on
  std::error_code error;
  fs::remove_all(staging, error);
  if (error) fail(staging, error);
}

/// The names of a list that are inside its folder.
std::vector<fs::path> listed(const fs::path& manifest) {
  std::vector<fs::path> files;
  std::ifstream text(manifest);
  for (std::string name; std::getline(text, name);) {
    const fs::path relative = fs::path(name).lexically_normal();
    if (!relative.empty() && !relative.is_absolute() && *relative.begin() != "..") files.push_back(relative);
  }
  return files;
}

/// "out/" and "out/." are "out".
fs::path plain(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return normal.has_filename() || !normal.has_parent_path() ? normal : normal.parent_path();
}

}  // namespace

OutputFolder::OutputFolder(const std::string& path, bool force)
    : path_(plain(path)), in_place_(fs::exists(fs::symlink_status(path_))) {
  if (const std::string missing = missing_folder(path_); !missing.empty())
    throw IoError(path + ": cannot be written: " + missing);
  std::error_code error;
  if (in_place_ && !fs::is_directory(path_, error)) {
    throw OutputExistsError(path + ": is a file, expected a folder or a name that is free");
  }
  staging_ = in_place_ ? path_ / ".csim_export.part" : fs::path(path_.string() + ".part");
  if (fs::exists(fs::symlink_status(staging_))) remove_unfinished(staging_, in_place_);
  if (in_place_ && !force && !fs::is_empty(path_, error)) {
    throw OutputExistsError(path +
                            ": is not empty; --force replaces an export there and lets other files stay");
  }
  make_staging();
}

void OutputFolder::make_staging() {
  std::error_code error;
  if (!fs::create_directory(staging_, error)) fail(staging_, error);
  const std::string manifest = (staging_ / kManifest).string();
  try {
    OutputFile(manifest).close();
    lock_ = OutputLock(manifest);
  } catch (...) {
    fs::remove_all(staging_, error);
    throw;
  }
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

std::string OutputFolder::place(const std::string& name) {
  const fs::path file = staging_ / name;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) fail(file.parent_path(), error);
  manifest_ += name + "\n";
  ++num_files_;
  return file.string();
}

std::uintmax_t OutputFolder::bytes() const {
  std::uintmax_t sum = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(staging_)) {
    if (entry.is_regular_file()) sum += entry.file_size();
  }
  return sum;
}

void OutputFolder::remove(const std::vector<fs::path>& files) const {
  std::error_code ignored;
  for (const fs::path& file : files) {
    if (fs::is_regular_file(fs::symlink_status(path_ / file))) fs::remove(path_ / file, ignored);
    // A folder goes with its last file: removing one that holds anything fails.
    if (file.has_parent_path()) fs::remove(path_ / file.parent_path(), ignored);
  }
}

void OutputFolder::commit() {
  write_file((staging_ / kManifest).string(), manifest_, true);
  std::error_code error;
  if (!in_place_) {
    fs::rename(staging_, path_, error);
    if (error) fail(path_, error);
    return;
  }
  // While the files change places the list has those of both exports: wherever this ends, the next export
  // knows what to remove.
  const std::vector<fs::path> earlier = listed(path_ / kManifest), files = listed(staging_ / kManifest);
  std::string both = manifest_;
  for (const fs::path& file : earlier) both += file.string() + "\n";
  const fs::path list = staging_ / ".csim_both";
  write_file(list.string(), both, true);
  fs::rename(list, path_ / kManifest, error);
  if (error) fail(path_ / kManifest, error);
  remove(earlier);
  for (const fs::path& file : files) {
    fs::create_directories((path_ / file).parent_path(), error);
    if (!error) fs::rename(staging_ / file, path_ / file, error);
    if (error) fail(path_ / file, error);
  }
  fs::rename(staging_ / kManifest, path_ / kManifest, error);
  if (error) fail(path_ / kManifest, error);
}

}  // namespace csim
