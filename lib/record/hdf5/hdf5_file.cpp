#include "record/hdf5/hdf5_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/require.h"
#include "record/hdf5/hdf5_detail.h"
#include "record/hdf5/ordered_driver.h"

namespace csim::hdf5 {

namespace {

Handle write_access() {
  Handle access = own<H5Pclose>(H5Pcreate(H5P_FILE_ACCESS));
  set_ordered_driver(access.id());
  // The earliest format: its object headers have no checksum, so that the number of rows changes by one write
  // of 8 bytes. The formats from 1.10 on would mark the file as open for writing, and a killed run's would
  // not open.
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
  H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
  return access;
}

}  // namespace

// ---- Opening and closing ----

void File::fail(const std::string& what) const {
  const std::string system = ordered_ && is_open() ? *ordered_driver_error(handle_.id()) : "";
  const std::string reason = system.empty() ? hdf5_reason() : system;
  const std::string message = path() + ": " + what + (reason.empty() ? "" : ": " + reason);
  if (!ordered_) throw ReadError(message);
  throw IoError(message);
}

File File::create(const std::string& path) {
  silence_hdf5();
  const Handle access = write_access();
  const Handle creation = own<H5Pclose>(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation.id(), false);
  // Half the entries of a node in the index of a dataset's chunks, and of a group's links. Every chunked
  // dataset has a node, of 2 kB with HDF5's own 32: more than the rows of a short run. A dataset of 50 000
  // chunks takes as long to write and read, and a twentieth more space.
  constexpr unsigned kChunkEntries = 4, kLinkEntries = 4, kLinksOfLeaf = 4;
  H5Pset_istore_k(creation.id(), kChunkEntries);
  H5Pset_sym_k(creation.id(), kLinkEntries, kLinksOfLeaf);
  errno = 0;
  File file(path, own<H5Fclose>(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id())), true);
  const std::string system = errno != 0 ? std::strerror(errno) : hdf5_reason();
  if (!file.is_open()) throw IoError(path + ": cannot be created: " + system);
  return file;
}

File File::open_write(const std::string& path) {
  silence_hdf5();
  const Handle access = write_access();
  File file(path, own<H5Fclose>(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id())), true);
  if (!file.is_open()) throw IoError(path + ": cannot be opened for writing: " + hdf5_reason());
  return file;
}

File File::open_read(const std::string& path) {
  silence_hdf5();
  const Handle access = own<H5Pclose>(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access.id(), /*use_file_locking=*/false, /*ignore_when_disabled=*/true);
  H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG);
  File file(path, own<H5Fclose>(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id())), false);
  if (!file.is_open()) throw ReadError(path + ": cannot be opened: " + hdf5_reason());
  return file;
}

bool File::is_hdf5(const std::string& path) {
  silence_hdf5();
  const htri_t answer = H5Fis_hdf5(path.c_str());
  H5Eclear2(H5E_DEFAULT);
  return answer > 0;
}

void File::flush() {
  const bool flushed = H5Fflush(handle_.id(), H5F_SCOPE_GLOBAL) >= 0;
  if (!flushed || !ordered_driver_error(handle_.id())->empty()) fail("cannot be written");
}

void File::sync() {
  flush();
  if (!ordered_driver_sync(handle_.id())) fail("cannot be brought to the disk");
}

void File::close() {
  flush();
  const auto error = ordered_driver_error(handle_.id());
  handle_.reset();
  if (!error->empty()) throw IoError(path() + ": cannot be written: " + *error);
}

void File::discard() noexcept {
  if (is_open() && ordered_) ordered_driver_discard(handle_.id());
  handle_.reset();
}

// ---- Writing ----

void File::create_group(const std::string& path) {
  const Handle links = link_properties();
  const Handle creation = own<H5Pclose>(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(creation.id(), false);
  const Handle group =
      own<H5Gclose>(H5Gcreate2(handle_.id(), path.c_str(), links.id(), creation.id(), H5P_DEFAULT));
  if (group.id() < 0) fail("cannot create the group " + path);
}

void File::link_external(const std::string& path, const std::string& file, const std::string& object) {
  const Handle links = link_properties();
  if (H5Lcreate_external(file.c_str(), object.c_str(), handle_.id(), path.c_str(), links.id(), H5P_DEFAULT) <
      0)
    fail("cannot create the link " + path);
}

void File::write_text(const std::string& path, const std::string& text) {
  write_strings(path, {}, {text});
}

void File::write_texts(const std::string& path, const std::vector<std::string>& texts) {
  write_strings(path, {static_cast<long>(texts.size())}, texts);
}

void File::write_strings(const std::string& path, const std::vector<long>& shape,
                         const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::vector<char> bytes(texts.size() * length, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * length));

  const Handle type = text_type(length);
  const Handle space = simple_space(shape), links = link_properties(), creation = dataset_properties();
  const Handle dataset = own<H5Dclose>(
      H5Dcreate2(handle_.id(), path.c_str(), type.id(), space.id(), links.id(), creation.id(), H5P_DEFAULT));
  if (dataset.id() < 0 ||
      (!texts.empty() &&
       H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) ||
      !put_units(dataset.id(), {""})) {
    fail("cannot write " + path);
  }
}

void File::create_array(const std::string& path, Type type, const std::vector<long>& shape,
                        const void* values, std::size_t count, const std::vector<std::string>& units) {
  CSIM_REQUIRE(count == entries(shape), path, count);
  const LargeAttributes large(handle_.id(), units.size() > kManyTexts);
  const Handle space = simple_space(shape), links = link_properties(), creation = dataset_properties();
  H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY);  // its place in the file never changes
  const Handle dataset = own<H5Dclose>(H5Dcreate2(handle_.id(), path.c_str(), file_type(type), space.id(),
                                                  links.id(), creation.id(), H5P_DEFAULT));
  if (dataset.id() < 0 ||
      (count > 0 && H5Dwrite(dataset.id(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) ||
      !put_units(dataset.id(), units)) {
    fail("cannot write " + path);
  }
}

void File::overwrite(const std::string& path, Type type, std::size_t count, const void* values) {
  const Handle dataset = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT));
  const Handle space = own<H5Sclose>(H5Dget_space(dataset.id()));
  CSIM_REQUIRE(H5Sget_simple_extent_npoints(space.id()) == static_cast<hssize_t>(count), path, count);
  if (count > 0 && H5Dwrite(dataset.id(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail("cannot write " + path);
}

}  // namespace csim::hdf5
