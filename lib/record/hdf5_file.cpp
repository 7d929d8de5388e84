#include "record/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/require.h"
#include "record/ordered_driver.h"

namespace csim::hdf5 {
namespace {

using Closer = herr_t (*)(hid_t);
template <Closer close>
Handle own(hid_t id) {
  return Handle(id, [](std::int64_t value) { return static_cast<int>(close(static_cast<hid_t>(value))); });
}

/// HDF5 prints nothing by itself; what went wrong is taken from its stack.
void silence_hdf5() {
  static const herr_t once = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static_cast<void>(once);
}

herr_t keep_first_description(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

/// The innermost entry of HDF5's error stack; "" when it is empty.
std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_description, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason;
}

hid_t memory_type(Type type) {
  switch (type) {
    case Type::kReal:
      return H5T_NATIVE_DOUBLE;
    case Type::kInt32:
      return H5T_NATIVE_INT32;
    case Type::kInt64:
      return H5T_NATIVE_INT64;
    case Type::kText:
      break;
  }
  return H5T_C_S1;
}

hid_t file_type(Type type) {
  switch (type) {
    case Type::kReal:
      return H5T_IEEE_F64LE;
    case Type::kInt32:
      return H5T_STD_I32LE;
    case Type::kInt64:
      return H5T_STD_I64LE;
    case Type::kText:
      break;
  }
  return H5T_C_S1;
}

/// UTF-8 of a fixed length, padded with zeros (H5T_VARIABLE: of any length).
Handle text_type(std::size_t length) {
  Handle type = own<H5Tclose>(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), length);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  H5Tset_strpad(type.id(), length == H5T_VARIABLE ? H5T_STR_NULLTERM : H5T_STR_NULLPAD);
  return type;
}

Type type_of(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_STRING) return Type::kText;
  if (kind == H5T_INTEGER) return H5Tget_size(type) <= 4 ? Type::kInt32 : Type::kInt64;
  return Type::kReal;
}

std::vector<hsize_t> extents(const std::vector<long>& shape) {
  return {shape.begin(), shape.end()};
}

Handle simple_space(const std::vector<long>& shape) {
  if (shape.empty()) return own<H5Sclose>(H5Screate(H5S_SCALAR));
  const std::vector<hsize_t> size = extents(shape);
  return own<H5Sclose>(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
}

std::size_t entries(const std::vector<long>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                         [](std::size_t product, long n) { return product * static_cast<std::size_t>(n); });
}

/// More texts than this in one attribute, 16 bytes each, do not fit into an object header of the earliest
/// format.
constexpr std::size_t kManyTexts = 2000;

/// While it lives, objects are made in the format of HDF5 1.8, whose attributes have no limit.
class LargeAttributes {
 public:
  LargeAttributes(hid_t file, bool wanted) : file_(wanted ? file : -1) {
    if (file_ >= 0) H5Fset_libver_bounds(file_, H5F_LIBVER_V18, H5F_LIBVER_V18);
  }
  ~LargeAttributes() {
    if (file_ >= 0) H5Fset_libver_bounds(file_, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
  }
  LargeAttributes(const LargeAttributes&) = delete;
  LargeAttributes& operator=(const LargeAttributes&) = delete;

 private:
  hid_t file_;
};

/// Properties of every new dataset: no time stamps, so that equal runs make equal files; missing parent
/// groups are made.
Handle dataset_properties() {
  Handle properties = own<H5Pclose>(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties.id(), false);
  return properties;
}

Handle link_properties() {
  Handle properties = own<H5Pclose>(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(properties.id(), 1);
  return properties;
}

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

std::size_t size_of(Type type) {
  switch (type) {
    case Type::kReal:
    case Type::kInt64:
      return 8;
    case Type::kInt32:
      return 4;
    case Type::kText:
      break;
  }
  return 0;
}

const char* to_string(Type type) {
  switch (type) {
    case Type::kReal:
      return "float64";
    case Type::kInt32:
      return "int32";
    case Type::kInt64:
      return "int64";
    case Type::kText:
      break;
  }
  return "text";
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
  }
  return *this;
}

void Handle::reset() {
  if (id_ >= 0) close_(std::exchange(id_, -1));
}

// ---- File: opening and closing ----

void File::fail(const std::string& what) const {
  const std::string system = ordered_ && is_open() ? ordered_driver_error(handle_.id()) : "";
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
  if (H5Fflush(handle_.id(), H5F_SCOPE_GLOBAL) < 0) fail("cannot be written");
}

void File::sync() {
  flush();
  if (!ordered_driver_sync(handle_.id())) fail("cannot be brought to the disk");
}

void File::close() {
  flush();
  handle_.reset();
}

void File::discard() noexcept {
  if (is_open() && ordered_) ordered_driver_discard(handle_.id());
  handle_.reset();
}

// ---- File: writing ----

void File::create_group(const std::string& path) {
  const Handle links = link_properties();
  const Handle creation = own<H5Pclose>(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(creation.id(), false);
  const Handle group =
      own<H5Gclose>(H5Gcreate2(handle_.id(), path.c_str(), links.id(), creation.id(), H5P_DEFAULT));
  if (group.id() < 0) fail("cannot create the group " + path);
}

void File::write_text(const std::string& path, const std::string& text) {
  const Handle type = text_type(std::max<std::size_t>(text.size(), 1));
  const Handle space = simple_space({}), links = link_properties(), creation = dataset_properties();
  const Handle dataset = own<H5Dclose>(
      H5Dcreate2(handle_.id(), path.c_str(), type.id(), space.id(), links.id(), creation.id(), H5P_DEFAULT));
  const std::string bytes = text.empty() ? std::string(1, '\0') : text;
  if (dataset.id() < 0 ||
      H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) {
    fail("cannot write " + path);
  }
  set_attribute(path, "units", "");
}

void File::write_texts(const std::string& path, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::vector<char> bytes(texts.size() * length, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * length));

  const Handle type = text_type(length);
  const Handle space = simple_space({static_cast<long>(texts.size())}), links = link_properties(),
               creation = dataset_properties();
  const Handle dataset = own<H5Dclose>(
      H5Dcreate2(handle_.id(), path.c_str(), type.id(), space.id(), links.id(), creation.id(), H5P_DEFAULT));
  if (dataset.id() < 0 || (!texts.empty() && H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                                      bytes.data()) < 0)) {
    fail("cannot write " + path);
  }
  set_attribute(path, "units", "");
}

void File::create_array(const std::string& path, Type type, const std::vector<long>& shape,
                        const void* values, const std::vector<std::string>& units) {
  const LargeAttributes large(handle_.id(), units.size() > kManyTexts);
  const Handle space = simple_space(shape), links = link_properties(), creation = dataset_properties();
  H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY);  // its place in the file never changes
  const Handle dataset = own<H5Dclose>(H5Dcreate2(handle_.id(), path.c_str(), file_type(type), space.id(),
                                                  links.id(), creation.id(), H5P_DEFAULT));
  if (dataset.id() < 0 || (entries(shape) > 0 && H5Dwrite(dataset.id(), memory_type(type), H5S_ALL, H5S_ALL,
                                                          H5P_DEFAULT, values) < 0)) {
    fail("cannot write " + path);
  }
  if (units.size() == 1) {
    set_attribute(path, "units", units.front());
  } else {
    set_attribute(path, "units", units);
  }
}

void File::write_array(const std::string& path, const std::vector<long>& shape,
                       std::span<const double> values, const std::vector<std::string>& units) {
  CSIM_REQUIRE(values.size() == entries(shape), path, values.size());
  create_array(path, Type::kReal, shape, values.data(), units);
}

void File::write_array(const std::string& path, const std::vector<long>& shape,
                       std::span<const std::int32_t> values, const std::vector<std::string>& units) {
  CSIM_REQUIRE(values.size() == entries(shape), path, values.size());
  create_array(path, Type::kInt32, shape, values.data(), units);
}

void File::write_array(const std::string& path, const std::vector<long>& shape,
                       std::span<const std::int64_t> values, const std::vector<std::string>& units) {
  CSIM_REQUIRE(values.size() == entries(shape), path, values.size());
  create_array(path, Type::kInt64, shape, values.data(), units);
}

void File::overwrite(const std::string& path, Type type, std::size_t count, const void* values) {
  const Handle dataset = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT));
  const Handle space = own<H5Sclose>(H5Dget_space(dataset.id()));
  CSIM_REQUIRE(H5Sget_simple_extent_npoints(space.id()) == static_cast<hssize_t>(count), path, count);
  if (count > 0 && H5Dwrite(dataset.id(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail("cannot write " + path);
}

void File::overwrite_array(const std::string& path, std::span<const double> values) {
  overwrite(path, Type::kReal, values.size(), values.data());
}

void File::overwrite_array(const std::string& path, std::span<const std::int64_t> values) {
  overwrite(path, Type::kInt64, values.size(), values.data());
}

// ---- Growing datasets ----

GrowingDataset File::create_growing(const std::string& path, Type type, const std::vector<long>& row_shape,
                                    long chunk_rows, const std::vector<std::string>& units) {
  // An axis without entries must be allowed to grow too: a chunk has at least one entry, and none may be
  // larger than its dataset may become.
  std::vector<hsize_t> size = {0}, limit = {H5S_UNLIMITED}, chunk = {static_cast<hsize_t>(chunk_rows)};
  for (const long n : row_shape) {
    size.push_back(static_cast<hsize_t>(n));
    limit.push_back(n == 0 ? H5S_UNLIMITED : static_cast<hsize_t>(n));
    chunk.push_back(static_cast<hsize_t>(std::max(n, 1L)));
  }
  const int rank = static_cast<int>(size.size());
  const LargeAttributes large(handle_.id(), units.size() > kManyTexts);
  const Handle space = own<H5Sclose>(H5Screate_simple(rank, size.data(), limit.data()));
  const Handle links = link_properties(), creation = dataset_properties();
  H5Pset_chunk(creation.id(), rank, chunk.data());
  H5Pset_shuffle(creation.id());
  H5Pset_deflate(creation.id(), 1);
  const Handle dataset = own<H5Dclose>(H5Dcreate2(handle_.id(), path.c_str(), file_type(type), space.id(),
                                                  links.id(), creation.id(), H5P_DEFAULT));
  if (dataset.id() < 0) fail("cannot create " + path);
  if (units.size() == 1) {
    set_attribute(path, "units", units.front());
  } else {
    set_attribute(path, "units", units);
  }
  return open_growing(path);
}

GrowingDataset File::open_growing(const std::string& path) const {
  // Chunks pass by the cache: they are written whole.
  const Handle access = own<H5Pclose>(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.id(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
  GrowingDataset dataset;
  dataset.handle_ = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), access.id()));
  if (dataset.handle_.id() < 0) fail("cannot open " + path);
  const Handle space = own<H5Sclose>(H5Dget_space(dataset.handle_.id()));
  const Handle type = own<H5Tclose>(H5Dget_type(dataset.handle_.id()));
  const Handle creation = own<H5Pclose>(H5Dget_create_plist(dataset.handle_.id()));
  std::vector<hsize_t> size(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id()))),
      chunk(size.size());
  H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
  if (H5Pget_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()) < 0)
    fail(path + " has no chunks");
  dataset.path_ = path;
  dataset.file_path_ = path_;
  dataset.file_ = handle_.id();
  dataset.type_ = type_of(type.id());
  dataset.chunk_rows_ = static_cast<long>(chunk[0]);
  dataset.shape_.assign(size.begin(), size.end());
  dataset.row_bytes_ =
      std::accumulate(size.begin() + 1, size.end(), H5Tget_size(type.id()), std::multiplies<>());
  return dataset;
}

void GrowingDataset::set_rows(long rows) {
  shape_[0] = static_cast<std::uint64_t>(rows);
  const std::vector<hsize_t> size(shape_.begin(), shape_.end());
  if (H5Dset_extent(handle_.id(), size.data()) < 0)
    throw IoError(*file_path_ + ": cannot extend " + path_ + ": " + hdf5_reason());
}

void GrowingDataset::write_chunk(long first_row, std::span<const std::uint8_t> bytes,
                                 std::uint32_t filter_mask) {
  std::vector<hsize_t> offset(shape_.size(), 0);
  offset[0] = static_cast<hsize_t>(first_row);
  if (H5Dwrite_chunk(handle_.id(), H5P_DEFAULT, filter_mask, offset.data(), bytes.size(), bytes.data()) < 0) {
    const std::string system = ordered_driver_error(file_);
    throw IoError(*file_path_ + ": cannot write " + path_ + ": " + (system.empty() ? hdf5_reason() : system));
  }
}

StoredChunk GrowingDataset::read_chunk(long first_row) const {
  std::vector<hsize_t> offset(shape_.size(), 0);
  offset[0] = static_cast<hsize_t>(first_row);
  StoredChunk chunk;
  hsize_t size = 0;
  bool ok = H5Dget_chunk_storage_size(handle_.id(), offset.data(), &size) >= 0 && size > 0;
  if (ok) {
    chunk.bytes.resize(size);
    ok = H5Dread_chunk(handle_.id(), H5P_DEFAULT, offset.data(), &chunk.filter_mask, chunk.bytes.data()) >= 0;
  }
  if (!ok) throw IoError(*file_path_ + ": cannot read a chunk of " + path_ + ": " + hdf5_reason());
  return chunk;
}

// ---- Attributes ----

namespace {

/// Writes an attribute of the given type and space, in place of one of the same name.
bool put_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type, hid_t space,
                   const void* value) {
  const Handle target = own<H5Oclose>(H5Oopen(file, object.c_str(), H5P_DEFAULT));
  if (target.id() < 0) return false;
  const htri_t present = H5Aexists(target.id(), name.c_str());
  if (present > 0) {
    // An equal shape is written over the old value; another one replaces the attribute.
    Handle old = own<H5Aclose>(H5Aopen(target.id(), name.c_str(), H5P_DEFAULT));
    const Handle old_space = own<H5Sclose>(H5Aget_space(old.id())),
                 old_type = own<H5Tclose>(H5Aget_type(old.id()));
    if (H5Sextent_equal(old_space.id(), space) > 0 && H5Tequal(old_type.id(), type) > 0)
      return H5Awrite(old.id(), type, value) >= 0;
    old.reset();
    if (H5Adelete(target.id(), name.c_str()) < 0) return false;
  }
  const Handle attribute =
      own<H5Aclose>(H5Acreate2(target.id(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
  return attribute.id() >= 0 && H5Awrite(attribute.id(), type, value) >= 0;
}

}  // namespace

void File::set_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Handle type = text_type(H5T_VARIABLE), space = simple_space({});
  const char* value = text.c_str();
  if (!put_attribute(handle_.id(), object, name, type.id(), space.id(), &value))
    fail("cannot write the attribute " + name + " of " + object);
}

void File::set_attribute(const std::string& object, const std::string& name,
                         const std::vector<std::string>& texts) {
  const Handle type = text_type(H5T_VARIABLE), space = simple_space({static_cast<long>(texts.size())});
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  if (values.empty()) values.push_back("");  // HDF5 wants a buffer, even for no entries
  if (!put_attribute(handle_.id(), object, name, type.id(), space.id(), values.data())) {
    fail("cannot write the attribute " + name + " of " + object);
  }
}

void File::set_attribute(const std::string& object, const std::string& name, std::int64_t number) {
  const Handle space = simple_space({});
  if (!put_attribute(handle_.id(), object, name, H5T_NATIVE_INT64, space.id(), &number)) {
    fail("cannot write the attribute " + name + " of " + object);
  }
}

bool File::has_attribute(const std::string& object, const std::string& name) const {
  return exists(object) && H5Aexists_by_name(handle_.id(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> File::attribute_names(const std::string& object) const {
  const Handle target = own<H5Oclose>(H5Oopen(handle_.id(), object.c_str(), H5P_DEFAULT));
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hsize_t index = 0;
  if (target.id() < 0 || H5Aiterate2(target.id(), H5_INDEX_NAME, H5_ITER_INC, &index, collect, &names) < 0) {
    fail("cannot list the attributes of " + object);
  }
  return names;
}

std::vector<std::string> File::text_attribute(const std::string& object, const std::string& name) const {
  const Handle attribute =
      own<H5Aclose>(H5Aopen_by_name(handle_.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  const Handle space = own<H5Sclose>(H5Aget_space(attribute.id())), type = text_type(H5T_VARIABLE);
  const Handle stored = own<H5Tclose>(H5Aget_type(attribute.id()));
  if (attribute.id() < 0 || H5Tis_variable_str(stored.id()) <= 0)
    fail("cannot read the attribute " + name + " of " + object);
  std::vector<char*> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())), nullptr);
  if (values.empty()) return {};
  if (H5Aread(attribute.id(), type.id(), values.data()) < 0)
    fail("cannot read the attribute " + name + " of " + object);
  std::vector<std::string> texts;
  for (const char* value : values) texts.emplace_back(value == nullptr ? "" : value);
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, values.data());
  return texts;
}

std::int64_t File::integer_attribute(const std::string& object, const std::string& name) const {
  const Handle attribute =
      own<H5Aclose>(H5Aopen_by_name(handle_.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  std::int64_t number = 0;
  if (attribute.id() < 0 || H5Aread(attribute.id(), H5T_NATIVE_INT64, &number) < 0) {
    fail("cannot read the attribute " + name + " of " + object);
  }
  return number;
}

// ---- File: reading ----

bool File::exists(const std::string& path) const {
  if (path == "/") return true;
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (H5Lexists(handle_.id(), path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

ObjectInfo File::info(const std::string& path) const {
  ObjectInfo info;
  info.path = path;
  const Handle object = own<H5Oclose>(H5Oopen(handle_.id(), path.c_str(), H5P_DEFAULT));
  if (object.id() < 0) fail("cannot open " + path);
  info.is_group = H5Iget_type(object.id()) == H5I_GROUP;
  if (info.is_group) return info;
  const Handle space = own<H5Sclose>(H5Dget_space(object.id())),
               type = own<H5Tclose>(H5Dget_type(object.id()));
  info.type = type_of(type.id());
  std::vector<hsize_t> size(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 0))),
      limit(size.size());
  H5Sget_simple_extent_dims(space.id(), size.data(), limit.data());
  info.shape.assign(size.begin(), size.end());
  info.growing = !limit.empty() && limit[0] == H5S_UNLIMITED;
  return info;
}

std::vector<ObjectInfo> File::objects() const {
  std::vector<std::string> paths;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(std::string("/").append(name));
    return 0;
  };
  if (H5Lvisit(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, collect, &paths) < 0)
    fail("cannot list the contents");
  std::sort(paths.begin(), paths.end());
  std::vector<ObjectInfo> objects;
  for (const std::string& path : paths) objects.push_back(info(path));
  return objects;
}

namespace {

/// Rows [first, first + count) in the given memory type.
bool read_block(hid_t dataset, hid_t type, long first, long count, void* out) {
  const Handle space = own<H5Sclose>(H5Dget_space(dataset));
  std::vector<hsize_t> size(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 0)));
  if (size.empty()) return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
  H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
  if (static_cast<hsize_t>(first + count) > size[0]) return false;
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = static_cast<hsize_t>(first);
  size[0] = static_cast<hsize_t>(count);
  if (std::find(size.begin(), size.end(), hsize_t{0}) != size.end()) return true;
  const Handle memory = own<H5Sclose>(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
  return H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) >= 0 &&
         H5Dread(dataset, type, memory.id(), space.id(), H5P_DEFAULT, out) >= 0;
}

std::size_t block_entries(const std::vector<long>& shape, long count) {
  return shape.empty() ? 1 : static_cast<std::size_t>(count) * entries({shape.begin() + 1, shape.end()});
}

}  // namespace

std::vector<double> File::read_real(const std::string& path, long first, long count) const {
  std::vector<double> values(block_entries(info(path).shape, count));
  const Handle dataset = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT));
  if (!read_block(dataset.id(), H5T_NATIVE_DOUBLE, first, count, values.data())) fail("cannot read " + path);
  return values;
}

std::vector<std::int64_t> File::read_integer(const std::string& path, long first, long count) const {
  std::vector<std::int64_t> values(block_entries(info(path).shape, count));
  const Handle dataset = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT));
  if (!read_block(dataset.id(), H5T_NATIVE_INT64, first, count, values.data())) fail("cannot read " + path);
  return values;
}

void File::read_rows(const std::string& path, long first, long count, void* out) const {
  const Handle dataset = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT));
  const Handle type = own<H5Tclose>(H5Dget_type(dataset.id()));
  if (!read_block(dataset.id(), memory_type(type_of(type.id())), first, count, out))
    fail("cannot read " + path);
}

std::string File::read_text(const std::string& path) const {
  const std::vector<std::string> texts = read_texts(path);
  CSIM_REQUIRE(texts.size() == 1, path, texts.size());
  return texts.front();
}

std::vector<std::string> File::read_texts(const std::string& path) const {
  const Handle dataset = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT));
  const Handle type = own<H5Tclose>(H5Dget_type(dataset.id())),
               space = own<H5Sclose>(H5Dget_space(dataset.id()));
  if (dataset.id() < 0 || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0)
    fail("cannot read " + path);
  const std::size_t length = H5Tget_size(type.id());
  std::vector<char> bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())) * length);
  if (!bytes.empty() && H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    fail("cannot read " + path);
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < bytes.size(); begin += length) {
    texts.emplace_back(bytes.data() + begin, strnlen(bytes.data() + begin, length));
  }
  return texts;
}

std::string File::library_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace csim::hdf5
