// What the sources of hdf5_file.h share: handles, types, spaces and errors of HDF5's C API.
#pragma once

#include <hdf5.h>

#include "record/hdf5/hdf5_file.h"

namespace csim::hdf5 {

using Closer = herr_t (*)(hid_t);
template <Closer close>
Handle own(hid_t id) {
  return Handle(id, [](std::int64_t value) { return static_cast<int>(close(static_cast<hid_t>(value))); });
}

/// HDF5 prints nothing by itself; what went wrong is taken from its stack.
void silence_hdf5();

/// The innermost entry of HDF5's error stack, which is emptied; "" when it is empty already.
[[nodiscard]] std::string hdf5_reason();

/// Of numbers, in memory and in the file (little endian).
[[nodiscard]] hid_t memory_type(Type type);
[[nodiscard]] hid_t file_type(Type type);
[[nodiscard]] Type type_of(hid_t type);

/// UTF-8 of a fixed length, padded with zeros (H5T_VARIABLE: of any length).
[[nodiscard]] Handle text_type(std::size_t length);

/// A scalar's for an empty shape.
[[nodiscard]] Handle simple_space(const std::vector<long>& shape);

/// Writes a text attribute of an open object, in place of one of the same name; false if that fails.
[[nodiscard]] bool put_attribute(hid_t object, const std::string& name, const std::string& text);
[[nodiscard]] bool put_attribute(hid_t object, const std::string& name,
                                 const std::vector<std::string>& texts);

/// The attribute of every dataset: one text, or one a column.
[[nodiscard]] bool put_units(hid_t dataset, const std::vector<std::string>& units);

/// Product of the extents.
[[nodiscard]] std::size_t entries(const std::vector<long>& shape);

/// Properties of every new dataset: no time stamps, so that equal runs make equal files; missing parent
/// groups are made.
[[nodiscard]] Handle dataset_properties();
[[nodiscard]] Handle link_properties();

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

}  // namespace csim::hdf5
