#include "record/hdf5/ordered_driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

namespace csim::hdf5 {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr haddr_t kReserve = haddr_t{1} << 16;      // bytes; the end of a run adds less: a few texts
constexpr haddr_t kReserveStep = haddr_t{1} << 20;  // bytes taken at a time

// A write of a few hundred bytes costs as much as one of several pages: what lies near each other is written
// at once. A flush of the chain of shipped scenes has 8 chunks side by side, 8 nodes of chunk indices within
// 5 kB and 26 object headers within 11 kB.
constexpr std::size_t kMostRaw = std::size_t{1} << 16;  // bytes of raw data that wait for the next
constexpr haddr_t kImage = haddr_t{1} << 20;            // bytes; where headers are, as they are made first
constexpr haddr_t kLargestGap = 4096;                   // bytes

/// An open file. HDF5 sees the H5FD_t at its start.
struct OrderedFile {
  H5FD_t base{};
  int descriptor = -1;
  dev_t device = 0;
  ino_t inode = 0;
  haddr_t end_allocated = 0;      // HDF5's end of the address space
  haddr_t end_of_file = 0;        // bytes on disk
  haddr_t end_flushed = 0;        // end_allocated at the last flush: metadata on disk points nowhere beyond
  std::map<haddr_t, Bytes> held;  // metadata since the last flush; no two blocks overlap
  haddr_t raw_begin = 0;          // of `raw`
  Bytes raw;                      // raw data that is not written yet, of addresses one after the other
  Bytes image;                    // what is on disk of the first kImage bytes, zeros beyond its end
  bool has_image = false;         // of a file that is made here
  haddr_t end_reserved = 0;       // bytes that have a place on the disk
  bool reserves = false;          // keep kReserve bytes ahead of the data
  bool discard = false;           // nothing reaches the disk any more
  std::shared_ptr<std::string> error = std::make_shared<std::string>();

  ~OrderedFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

OrderedFile* ordered(H5FD_t* file) {
  return reinterpret_cast<OrderedFile*>(file);
}
const OrderedFile* ordered(const H5FD_t* file) {
  return reinterpret_cast<const OrderedFile*>(file);
}

/// Keeps the first error: later ones follow from it.
void fail(OrderedFile* file) {
  if (file->error->empty()) *file->error = std::strerror(errno);
}

/// A write failed: none after it reaches the disk, whose metadata would point at what is not there.
void give_up(OrderedFile* file) {
  fail(file);
  file->discard = true;
}

/// A file that is being written owns kReserve bytes of the disk beyond `end`: when the disk is full, they are
/// what the last words are written to. File systems that cannot reserve go without.
void reserve(OrderedFile* file, haddr_t end) {
  for (const haddr_t step : {kReserveStep, haddr_t{0}}) {
    if (!file->reserves || end + kReserve <= file->end_reserved) return;
    const haddr_t wanted = end + kReserve + step;
    int failed = 0;
    do {
      failed = ::fallocate(file->descriptor, 0, static_cast<off_t>(file->end_reserved),
                           static_cast<off_t>(wanted - file->end_reserved));
    } while (failed != 0 && errno == EINTR);
    if (failed == 0) {
      file->end_reserved = wanted;
      file->end_of_file = std::max(file->end_of_file, wanted);
    } else if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) {
      file->reserves = false;
    } else if (step == 0) {
      return give_up(file);
    }
  }
}

/// Takes what is about to be written into the image.
void note(OrderedFile* file, haddr_t address, const unsigned char* bytes, std::size_t size) {
  if (!file->has_image || address >= kImage) return;
  const std::size_t noted = std::min<std::size_t>(size, kImage - address);
  if (file->image.size() < address + noted) file->image.resize(address + noted);
  std::copy_n(bytes, noted, file->image.begin() + static_cast<std::ptrdiff_t>(address));
}

void write_now(OrderedFile* file, haddr_t address, const unsigned char* bytes, std::size_t size) {
  reserve(file, address + size);
  file->end_of_file = std::max<haddr_t>(file->end_of_file, address + size);
  while (size > 0 && !file->discard) {
    const ssize_t written = ::pwrite(file->descriptor, bytes, size, static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return give_up(file);
    bytes += written, address += static_cast<haddr_t>(written), size -= static_cast<std::size_t>(written);
  }
}

/// Calls visit(block address, block, first, last) for the held blocks that share the addresses [first, last)
/// with [begin, end).
template <typename Visit>
void for_each_overlap(OrderedFile* file, haddr_t begin, haddr_t end, Visit&& visit) {
  auto block = file->held.upper_bound(begin);
  if (block != file->held.begin()) --block;
  while (block != file->held.end() && block->first < end) {
    const auto next = std::next(block);
    const haddr_t first = std::max(begin, block->first);
    const haddr_t last = std::min<haddr_t>(end, block->first + block->second.size());
    if (first < last) visit(block, first, last);
    block = next;
  }
}

/// Holds a block back; what it overlaps of older blocks is replaced.
void hold(OrderedFile* file, haddr_t begin, const unsigned char* bytes, std::size_t size) {
  const haddr_t end = begin + size;
  bool inside = false;
  for_each_overlap(file, begin, end, [&](auto block, haddr_t first, haddr_t last) {
    const haddr_t block_end = block->first + block->second.size();
    if (block->first <= begin && end <= block_end) {
      std::copy(bytes, bytes + size,
                block->second.begin() + static_cast<std::ptrdiff_t>(begin - block->first));
      inside = true;
      return;
    }
    // Keep the parts on both sides as blocks of their own.
    Bytes old = std::move(block->second);
    const haddr_t old_begin = block->first;
    file->held.erase(block);
    if (last < block_end)
      file->held.emplace(last, Bytes(old.begin() + static_cast<std::ptrdiff_t>(last - old_begin), old.end()));
    if (old_begin < first)
      file->held.emplace(old_begin,
                         Bytes(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(first - old_begin)));
  });
  if (!inside) file->held.emplace(begin, Bytes(bytes, bytes + size));
}

/// What was not written is held: HDF5 may read it again.
void write_raw(OrderedFile* file) {
  if (file->raw.empty()) return;
  note(file, file->raw_begin, file->raw.data(), file->raw.size());
  write_now(file, file->raw_begin, file->raw.data(), file->raw.size());
  if (file->discard) hold(file, file->raw_begin, file->raw.data(), file->raw.size());
  file->raw.clear();
}

void add_raw(OrderedFile* file, haddr_t address, const unsigned char* bytes, std::size_t size) {
  if (address != file->raw_begin + file->raw.size() || file->raw.size() + size > kMostRaw) write_raw(file);
  if (file->raw.empty()) file->raw_begin = address;
  file->raw.insert(file->raw.end(), bytes, bytes + size);
}

/// Place of a block in the order of a flush, see the head of the header. Object headers of version 1 have no
/// signature: they are what is left.
int rank(const OrderedFile& file, haddr_t address, const Bytes& block) {
  const auto starts_with = [&](const char* signature) {
    return block.size() >= 6 && std::memcmp(block.data(), signature, 4) == 0;
  };
  if (address >= file.end_flushed) return 0;
  if (address == 0) return 1;
  if (starts_with("TREE")) return 2 + (255 - block[5]);  // byte 5: the node's level, 0 at the leaves
  if (starts_with("GCOL")) return 500;                   // texts of attributes
  return 1000;
}

void write_held(OrderedFile* file) {
  write_raw(file);
  if (file->discard) return;
  using Block = std::pair<const haddr_t, Bytes>;
  std::vector<std::pair<int, const Block*>> order;
  order.reserve(file->held.size());
  for (const auto& block : file->held) order.emplace_back(rank(*file, block.first, block.second), &block);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto end_of = [](const Block& block) { return block.first + block.second.size(); };
  for (auto first = order.begin(); first != order.end();) {
    const haddr_t begin = first->second->first;
    haddr_t end = end_of(*first->second);
    note(file, begin, first->second->second.data(), end - begin);
    auto next = first + 1;
    // Of one rank by their addresses, with what is on disk between them: where the system stops within such a
    // write, at the end of a page, the blocks before it are written and those behind it are not.
    for (; next != order.end() && next->first == first->first && file->has_image; ++next) {
      const Block& block = *next->second;
      if (block.first > end + kLargestGap || end_of(block) > kImage) break;
      note(file, block.first, block.second.data(), block.second.size());
      end = end_of(block);
    }
    const bool is_one = next == first + 1;
    write_now(file, begin, is_one ? first->second->second.data() : file->image.data() + begin, end - begin);
    first = next;
  }
  if (file->discard) return;  // what was not written stays held: HDF5 may read it again
  file->held.clear();
  file->end_flushed = file->end_allocated;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  auto file = std::make_unique<OrderedFile>();
  int mode = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_TRUNC) mode |= O_TRUNC;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  file->descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  struct stat status {};
  if (file->descriptor < 0 || ::fstat(file->descriptor, &status) != 0) return nullptr;
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->end_of_file = file->end_flushed = static_cast<haddr_t>(status.st_size);
  file->reserves = (flags & H5F_ACC_CREAT) != 0;  // a file opened again may use up what it has
  file->has_image = file->end_of_file == 0;
  return &file.release()->base;
}

herr_t flush_file(H5FD_t* base, hid_t, hbool_t) {
  write_held(ordered(base));
  return 0;
}

herr_t close_file(H5FD_t* base) {
  const std::unique_ptr<OrderedFile> file(ordered(base));
  write_held(file.get());
  const auto end = static_cast<off_t>(file->end_allocated);
  if (!file->discard && ::ftruncate(file->descriptor, end) != 0) give_up(file.get());  // what was reserved
  return 0;
}

int compare_files(const H5FD_t* base_a, const H5FD_t* base_b) {
  const OrderedFile *a = ordered(base_a), *b = ordered(base_b);
  if (a->device != b->device) return a->device < b->device ? -1 : 1;
  return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

/// No features: no accumulator and no aggregation, so that each write is one object.
herr_t query_features(const H5FD_t*, unsigned long* flags) {
  *flags = 0;
  return 0;
}

/// Space is taken at the end. Metadata lies at multiples of 8, and no block of at most a page crosses the end
/// of one: the system writes a page in one go, but a kill may stop a write between two pages. [Measured: 1 of
/// 152 killed runs had half an object header before.]
haddr_t allocate(H5FD_t* base, H5FD_mem_t type, hid_t, hsize_t size) {
  constexpr haddr_t kPage = 4096;
  OrderedFile* file = ordered(base);
  haddr_t address = file->end_allocated;
  if (type != H5FD_MEM_DRAW) {
    address = (address + 7) / 8 * 8;
    const haddr_t left_on_page = kPage - address % kPage;
    if (size > left_on_page && (size <= kPage || left_on_page < kPage)) address += left_on_page;
  }
  file->end_allocated = address + size;
  return address;
}

haddr_t get_end_allocated(const H5FD_t* base, H5FD_mem_t) {
  return ordered(base)->end_allocated;
}

herr_t set_end_allocated(H5FD_t* base, H5FD_mem_t, haddr_t address) {
  ordered(base)->end_allocated = address;
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* base, H5FD_mem_t) {
  return ordered(base)->end_of_file;
}

herr_t get_handle(H5FD_t* base, hid_t, void** handle) {
  *handle = ordered(base);
  return 0;
}

herr_t read_file(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  OrderedFile* file = ordered(base);
  auto* bytes = static_cast<unsigned char*>(buffer);
  write_raw(file);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got =
        ::pread(file->descriptor, bytes + done, size - done, static_cast<off_t>(address + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(file), -1;
    if (got == 0) {  // beyond the end: zeros, as HDF5 asks of drivers
      std::fill(bytes + done, bytes + size, 0);
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  for_each_overlap(file, address, address + size, [&](auto block, haddr_t first, haddr_t last) {
    std::copy_n(block->second.begin() + static_cast<std::ptrdiff_t>(first - block->first), last - first,
                bytes + (first - address));
  });
  return 0;
}

herr_t write_file(H5FD_t* base, H5FD_mem_t type, hid_t, haddr_t address, std::size_t size, const void* data) {
  OrderedFile* file = ordered(base);
  const auto* bytes = static_cast<const unsigned char*>(data);
  if (type == H5FD_MEM_DRAW) {
    add_raw(file, address, bytes, size);
  } else {
    hold(file, address, bytes, size);
  }
  return 0;
}

/// The file grows to the end of the address space before metadata says so; it shrinks at the close alone,
/// since it holds what metadata on disk names.
herr_t grow_file(H5FD_t* base, hid_t, hbool_t) {
  OrderedFile* file = ordered(base);
  write_raw(file);
  if (file->discard || file->end_allocated <= file->end_of_file) return 0;
  if (::ftruncate(file->descriptor, static_cast<off_t>(file->end_allocated)) != 0) give_up(file);
  file->end_of_file = file->end_allocated;
  return 0;
}

H5FD_class_t make_driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(511);  // the range for private drivers ends here
#endif
  driver.name = "csim_ordered";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare_files;
  driver.query = query_features;
  driver.alloc = allocate;
  driver.get_eoa = get_end_allocated;
  driver.set_eoa = set_end_allocated;
  driver.get_eof = get_end_of_file;
  driver.get_handle = get_handle;
  driver.read = read_file;
  driver.write = write_file;
  driver.flush = flush_file;
  driver.truncate = grow_file;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;  // raw data and metadata never take each other's freed space
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return driver;
}

OrderedFile* driver_of(hid_t file) {
  void* handle = nullptr;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 ? nullptr : static_cast<OrderedFile*>(handle);
}

}  // namespace

void set_ordered_driver(hid_t access_list) {
  static const H5FD_class_t driver = make_driver_class();
  static const hid_t id = H5FDregister(&driver);
  H5Pset_driver(access_list, id, nullptr);
}

std::shared_ptr<const std::string> ordered_driver_error(hid_t file) {
  const OrderedFile* ordered_file = driver_of(file);
  return ordered_file == nullptr ? std::make_shared<std::string>() : ordered_file->error;
}

void ordered_driver_discard(hid_t file) {
  if (OrderedFile* ordered_file = driver_of(file)) {
    ordered_file->discard = true;
    ordered_file->raw.clear();
  }
}

bool ordered_driver_sync(hid_t file) {
  OrderedFile* ordered_file = driver_of(file);
  if (ordered_file == nullptr) return false;
  if (::fsync(ordered_file->descriptor) == 0 || errno == EINVAL) return true;
  fail(ordered_file);
  return false;
}

}  // namespace csim::hdf5
