#include "record/hdf5/hdf5_detail.h"

#include <numeric>

namespace csim::hdf5 {

namespace {

herr_t keep_first_description(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

void silence_hdf5() {
  static const herr_t once = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static_cast<void>(once);
}

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first_description, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason;
}

hid_t memory_type(Type type) {
  return type == Type::kReal    ? H5T_NATIVE_DOUBLE
         : type == Type::kInt32 ? H5T_NATIVE_INT32
         : type == Type::kInt64 ? H5T_NATIVE_INT64
                                : H5T_C_S1;
}

hid_t file_type(Type type) {
  return type == Type::kReal    ? H5T_IEEE_F64LE
         : type == Type::kInt32 ? H5T_STD_I32LE
         : type == Type::kInt64 ? H5T_STD_I64LE
                                : H5T_C_S1;
}

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

Handle simple_space(const std::vector<long>& shape) {
  if (shape.empty()) return own<H5Sclose>(H5Screate(H5S_SCALAR));
  const std::vector<hsize_t> size(shape.begin(), shape.end());
  return own<H5Sclose>(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
}

std::size_t entries(const std::vector<long>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                         [](std::size_t product, long n) { return product * static_cast<std::size_t>(n); });
}

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

std::size_t size_of(Type type) {
  constexpr std::size_t kSizes[] = {8, 4, 8, 0};
  return kSizes[static_cast<int>(type)];
}

const char* to_string(Type type) {
  constexpr const char* kNames[] = {"float64", "int32", "int64", "text"};
  return kNames[static_cast<int>(type)];
}

std::string File::library_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace csim::hdf5
