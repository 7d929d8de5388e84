#include "record/open_hdf5.h"

#include <unistd.h>

#include <filesystem>

#include "core/file_bytes.h"
#include "core/missing_path.h"
#include "record/report/trial_reading.h"

namespace csim {
namespace {

/// "; a scene, expected its result" of YAML files; the name tells.
std::string other_kind(const std::string& path) {
  const bool is_scene = path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
  return is_scene ? ", but a scene or a study by its name; expected a result of `csim run`" : "";
}

}  // namespace

hdf5::File open_hdf5(const std::string& path, Trial trial) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw InvalidResultError(path + ": no such file" + missing_file_hint(path));
  if (!std::filesystem::is_regular_file(status)) throw InvalidResultError(path + ": is not a file");
  if (std::filesystem::file_size(path, error) == 0) throw InvalidResultError(path + ": is empty");
  if (::access(path.c_str(), R_OK) != 0) throw InvalidResultError(path + ": " + describe_open_failure(path));
  if (!hdf5::File::is_hdf5(path)) throw InvalidResultError(path + ": is not an HDF5 file" + other_kind(path));
  if (const std::string end = trial == Trial::kFirst ? try_reading(path) : ""; !end.empty())
    throw ReadError(path + ": is damaged: " + end + " on reading it");
  return hdf5::File::open_read(path);
}

std::string format_of(const hdf5::File& file) {
  return file.has_attribute("/", "csim_schema") ? file.text_attribute("/", "csim_schema").at(0) : "";
}

}  // namespace csim
