// What a file holds: its objects and their values.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "core/require.h"
#include "record/hdf5/hdf5_detail.h"

namespace csim::hdf5 {

bool File::exists(const std::string& path) const {
  if (path == "/") return true;
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (H5Lexists(handle_.id(), path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

namespace {

/// Whether a dataset's shape can be what it was made with: of what is stored, chunks hold whole rows between
/// them, other storage all entries. A damaged length would have room made for it before anything is read.
bool fits_storage(hid_t dataset, hid_t type, hid_t space, const std::vector<hsize_t>& size,
                  const std::vector<hsize_t>& limit) {
  const Handle creation = own<H5Pclose>(H5Dget_create_plist(dataset));
  hsize_t stored = 0;
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED) {
    const std::size_t count = std::accumulate(size.begin(), size.end(), std::size_t{1}, std::multiplies<>());
    stored = H5Dget_storage_size(dataset);
    // A text of any length is stored as its length (4 bytes) and its place in a heap (8 and 4).
    const std::size_t bytes = H5Tis_variable_str(type) > 0 ? 16 : H5Tget_size(type);
    return stored == 0 || stored == count * bytes;
  }
  std::vector<hsize_t> chunk(size.size());
  if (H5Pget_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()) !=
      static_cast<int>(size.size()))
    return false;
  // One a row here; datasets that others have added may have more.
  hsize_t of_a_row = 1;
  for (std::size_t axis = 1; axis < size.size(); ++axis) {
    const hsize_t extent = std::max<hsize_t>(size[axis], 1);
    if (chunk[axis] == 0 || (chunk[axis] > extent && limit[axis] != H5S_UNLIMITED)) return false;
    of_a_row *= (extent - 1) / chunk[axis] + 1;
  }
  if (of_a_row == 1) return true;
  return H5Dget_num_chunks(dataset, space, &stored) >= 0 && (stored == 0 || stored >= of_a_row);
}

}  // namespace

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
  if (!fits_storage(object.id(), type.id(), space.id(), size, limit))
    fail("is damaged: the shape of " + path + " is not that of its storage");
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
  const Type element = type_of(type.id());
  const hid_t memory = element == Type::kText ? type.id() : memory_type(element);
  if (!read_block(dataset.id(), memory, first, count, out)) fail("cannot read " + path);
}

std::string File::read_text(const std::string& path) const {
  const std::vector<std::string> texts = read_texts(path);
  if (texts.size() != 1) fail("is damaged: " + path + " is not one text");
  return texts.front();
}

namespace {

/// Texts of one length each, padded with zeros, as csim writes them.
bool read_fixed_texts(hid_t dataset, hid_t type, std::vector<std::string>* texts) {
  const std::size_t length = H5Tget_size(type);
  std::vector<char> bytes(texts->size() * length);
  if (!bytes.empty() && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) return false;
  for (std::size_t i = 0; i < texts->size(); ++i) {
    const char* begin = bytes.data() + i * length;
    (*texts)[i].assign(begin, strnlen(begin, length));
  }
  return true;
}

/// Texts of any length, as other programs write them.
bool read_variable_texts(hid_t dataset, hid_t type, hid_t space, std::vector<std::string>* texts) {
  std::vector<char*> values(texts->size(), nullptr);
  if (values.empty()) return true;
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return false;
  for (std::size_t i = 0; i < values.size(); ++i) (*texts)[i] = values[i] == nullptr ? "" : values[i];
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data());
  return true;
}

}  // namespace

std::vector<std::string> File::read_texts(const std::string& path) const {
  const Handle dataset = own<H5Dclose>(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT));
  const Handle type = own<H5Tclose>(H5Dget_type(dataset.id())),
               space = own<H5Sclose>(H5Dget_space(dataset.id()));
  if (dataset.id() < 0 || H5Tget_class(type.id()) != H5T_STRING) fail("cannot read " + path);
  if (H5Tget_size(type.id()) == 0) fail("is damaged: the texts of " + path + " have no length");
  std::vector<std::string> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
  const bool ok = H5Tis_variable_str(type.id()) > 0
                      ? read_variable_texts(dataset.id(), type.id(), space.id(), &texts)
                      : read_fixed_texts(dataset.id(), type.id(), &texts);
  if (!ok) fail("cannot read " + path);
  return texts;
}

}  // namespace csim::hdf5
