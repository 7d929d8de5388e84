// Datasets that grow along their first axis.
#include <algorithm>
#include <functional>
#include <numeric>

#include "record/hdf5/hdf5_detail.h"
#include "record/hdf5/ordered_driver.h"

namespace csim::hdf5 {
namespace {

/// Chunks pass by the cache: they are written whole.
Handle no_cache() {
  Handle access = own<H5Pclose>(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.id(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
  return access;
}

}  // namespace

GrowingDataset File::create_growing(const std::string& path, Type type, const std::vector<long>& row_shape,
                                    long chunk_rows, const std::vector<std::string>& units,
                                    std::size_t text_length) {
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
  const Handle links = link_properties(), creation = dataset_properties(), access = no_cache();
  H5Pset_chunk(creation.id(), rank, chunk.data());
  H5Pset_shuffle(creation.id());
  H5Pset_deflate(creation.id(), 1);
  const Handle text = type == Type::kText ? text_type(text_length) : Handle();
  const Handle dataset =
      own<H5Dclose>(H5Dcreate2(handle_.id(), path.c_str(), type == Type::kText ? text.id() : file_type(type),
                               space.id(), links.id(), creation.id(), access.id()));
  if (dataset.id() < 0 || !put_units(dataset.id(), units)) fail("cannot create " + path);
  return open_growing(path);
}

GrowingDataset File::open_growing(const std::string& path) const {
  const Handle access = no_cache();
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
  dataset.element_bytes_ = H5Tget_size(type.id());
  dataset.row_bytes_ =
      std::accumulate(size.begin() + 1, size.end(), dataset.element_bytes_, std::multiplies<>());
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
  const bool written =
      H5Dwrite_chunk(handle_.id(), H5P_DEFAULT, filter_mask, offset.data(), bytes.size(), bytes.data()) >= 0;
  const std::string system = *ordered_driver_error(file_);
  if (!written || !system.empty())
    throw IoError(*file_path_ + ": cannot write " + path_ + ": " + (system.empty() ? hdf5_reason() : system));
}

StoredChunk GrowingDataset::read_chunk(long first_row) const {
  std::vector<hsize_t> offset(shape_.size(), 0);
  offset[0] = static_cast<hsize_t>(first_row);
  StoredChunk chunk;
  hsize_t size = 0;
  bool ok = H5Dget_chunk_storage_size(handle_.id(), offset.data(), &size) >= 0;
  if (!ok) {
    // It fails for a chunk that is not stored, too; the function that knows these walks over all chunks,
    // which for each of them would be quadratic.
    H5Eclear2(H5E_DEFAULT);
    haddr_t address = HADDR_UNDEF;
    ok = H5Dget_chunk_info_by_coord(handle_.id(), offset.data(), &chunk.filter_mask, &address, &size) >= 0;
  }
  if (ok && size > 0) {
    chunk.bytes.resize(size);
    ok = H5Dread_chunk(handle_.id(), H5P_DEFAULT, offset.data(), &chunk.filter_mask, chunk.bytes.data()) >= 0;
  }
  if (!ok) throw IoError(*file_path_ + ": cannot read a chunk of " + path_ + ": " + hdf5_reason());
  return chunk;
}

}  // namespace csim::hdf5
