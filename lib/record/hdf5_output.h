// HDF5 files that are there complete or not at all.
#pragma once

#include <unistd.h>

#include <optional>
#include <string>

#include "record/hdf5/hdf5_file.h"
#include "record/output_paths.h"

namespace csim {

/// Writes an HDF5 file by `fill`, which takes a hdf5::File*, beside its place under a name of this process,
/// and renames it. Throws OutputExistsError where the place is taken and not `replace`, IoError, and what
/// `fill` throws; then nothing is left behind.
template <typename Fill>
void write_hdf5_file(const std::string& path, bool replace, const Fill& fill) {
  const std::string part = path + ".part." + std::to_string(::getpid());
  std::optional<hdf5::File> file;
  try {
    file = hdf5::File::create(part);
    fill(&*file);
    file->close();
    move_file(part, path, replace);
  } catch (...) {
    // HDF5 crashes where it closes a file that it cannot write.
    if (file) file->discard();
    ::unlink(part.c_str());
    throw;
  }
}

}  // namespace csim
