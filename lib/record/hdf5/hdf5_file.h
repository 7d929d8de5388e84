// HDF5 files as the recorder and the readers need them: RAII over the C API, strings in UTF-8, errors as
// exceptions that carry HDF5's and the system's reason. The sources hdf5_* and ordered_driver are all that
// knows HDF5.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "record/errors.h"

namespace csim::hdf5 {

/// Element types of the format.
enum class Type { kReal, kInt32, kInt64, kText };

[[nodiscard]] std::size_t size_of(Type type);    // bytes; kText: 0
[[nodiscard]] const char* to_string(Type type);  // "float64", "int32", "int64", "text"

/// The element type of numbers in memory.
template <typename T>
inline constexpr Type kTypeOf = std::is_floating_point_v<T> ? Type::kReal
                                : sizeof(T) == 4            ? Type::kInt32
                                                            : Type::kInt64;

/// An owned HDF5 identifier.
class Handle {
 public:
  using Close = int (*)(std::int64_t);
  Handle() = default;
  Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept { *this = std::move(other); }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }
  [[nodiscard]] std::int64_t id() const { return id_; }
  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, -1));
  }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// A chunk as it lies in the file.
struct StoredChunk {
  std::vector<std::uint8_t> bytes;
  std::uint32_t filter_mask = 0;  // a set bit: that filter was left out
};

/// A dataset that grows along its first axis, in chunks of whole rows.
class GrowingDataset {
 public:
  /// Number of rows; the chunks hold the data.
  void set_rows(long rows);

  /// Writes the chunk that begins at `first_row` (a multiple of chunk_rows): encoded with all filters, or
  /// plain with none. A plain chunk written again keeps its place in the file, so that rows can be added
  /// behind those that are there already.
  void write_chunk(long first_row, std::span<const std::uint8_t> bytes, std::uint32_t filter_mask);

  /// The chunk that begins at `first_row` as it is stored; no bytes where none is: its rows are zeros.
  [[nodiscard]] StoredChunk read_chunk(long first_row) const;

  static constexpr std::uint32_t kPlain = 3;  // filter mask: neither shuffle nor deflate

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] std::size_t element_bytes() const { return element_bytes_; }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }  // 0: rows without entries
  [[nodiscard]] long chunk_rows() const { return chunk_rows_; }

 private:
  friend class File;
  Handle handle_;
  std::string path_;
  std::shared_ptr<const std::string> file_path_;
  std::int64_t file_ = -1;
  Type type_ = Type::kReal;
  std::size_t element_bytes_ = 0, row_bytes_ = 0;
  long chunk_rows_ = 1;
  std::vector<std::uint64_t> shape_;
};

/// One object of a file.
struct ObjectInfo {
  std::string path;  // absolute
  bool is_group = false;
  Type type = Type::kReal;
  std::vector<long> shape;  // empty: scalar
  bool growing = false;     // its first axis has no limit
};

class File {
 public:
  /// Creates or replaces the file; writes reach it only through flush() and close() (ordered_driver.h).
  static File create(const std::string& path);
  static File open_write(const std::string& path);
  /// Without locks: a file may be read while it is written.
  static File open_read(const std::string& path);

  [[nodiscard]] static bool is_hdf5(const std::string& path);

  /// Brings all to the file; it is valid at any moment meanwhile.
  void flush();
  /// flush() and fsync.
  void sync();
  void close();
  /// Closes the file as the last flush left it. Never fails.
  void discard() noexcept;
  [[nodiscard]] bool is_open() const { return handle_.id() >= 0; }
  [[nodiscard]] const std::string& path() const { return *path_; }
  /// The name that errors give from now on: of a file that was renamed while it is open.
  void set_name(const std::string& path) { *path_ = path; }

  // Writing. `units`: one entry for all columns, or one per column.
  void create_group(const std::string& path);
  /// A link to an object of another file; a relative `file` is looked for beside this one.
  void link_external(const std::string& path, const std::string& file, const std::string& object);
  void write_text(const std::string& path, const std::string& text);                 // scalar
  void write_texts(const std::string& path, const std::vector<std::string>& texts);  // [n]
  template <typename T>  // double, std::int32_t or std::int64_t
  void write_array(const std::string& path, const std::vector<long>& shape, const std::vector<T>& values,
                   const std::vector<std::string>& units) {
    create_array(path, kTypeOf<T>, shape, values.data(), values.size(), units);
  }
  /// Replaces the values of an array written before, at its place in the file.
  template <typename T>
  void overwrite_array(const std::string& path, const std::vector<T>& values) {
    overwrite(path, kTypeOf<T>, values.size(), values.data());
  }
  /// `text_length`: bytes of each text of a dataset of texts, padded with zeros.
  GrowingDataset create_growing(const std::string& path, Type type, const std::vector<long>& row_shape,
                                long chunk_rows, const std::vector<std::string>& units,
                                std::size_t text_length = 0);
  GrowingDataset open_growing(const std::string& path) const;

  // Attributes; an existing one is replaced. `object`: path of a group or dataset.
  void set_attribute(const std::string& object, const std::string& name, const std::string& text);
  void set_attribute(const std::string& object, const std::string& name,
                     const std::vector<std::string>& texts);
  void set_attribute(const std::string& object, const std::string& name, std::int64_t number);
  [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
  [[nodiscard]] std::vector<std::string> attribute_names(const std::string& object) const;  // sorted
  [[nodiscard]] std::vector<std::string> text_attribute(
      const std::string& object, const std::string& name) const;  // a scalar: one entry
  [[nodiscard]] std::int64_t integer_attribute(const std::string& object, const std::string& name) const;

  // Reading.
  [[nodiscard]] bool exists(const std::string& path) const;
  [[nodiscard]] ObjectInfo info(const std::string& path) const;
  /// Every group and dataset below the root, sorted by path.
  [[nodiscard]] std::vector<ObjectInfo> objects() const;
  /// Rows [first, first + count) of a numeric dataset of any element type, row-major; all of a scalar for (0,
  /// 1).
  [[nodiscard]] std::vector<double> read_real(const std::string& path, long first, long count) const;
  [[nodiscard]] std::vector<std::int64_t> read_integer(const std::string& path, long first, long count) const;
  /// The rows as they are, in the dataset's own element type.
  void read_rows(const std::string& path, long first, long count, void* out) const;
  [[nodiscard]] std::string read_text(const std::string& path) const;                // scalar
  [[nodiscard]] std::vector<std::string> read_texts(const std::string& path) const;  // [n]

  /// "1.10.8", of the library that is loaded.
  [[nodiscard]] static std::string library_version();

 private:
  File(std::string path, Handle handle, bool ordered)
      : path_(std::make_shared<std::string>(std::move(path))),
        handle_(std::move(handle)),
        ordered_(ordered) {}
  void write_strings(const std::string& path, const std::vector<long>& shape,
                     const std::vector<std::string>& texts);
  void create_array(const std::string& path, Type type, const std::vector<long>& shape, const void* values,
                    std::size_t count, const std::vector<std::string>& units);
  void overwrite(const std::string& path, Type type, std::size_t count, const void* values);
  [[noreturn]] void fail(const std::string& what) const;

  std::shared_ptr<std::string> path_;  // shared with the growing datasets
  Handle handle_;
  bool ordered_ = false;
};

}  // namespace csim::hdf5
