// Attributes of groups and datasets.
#include "record/hdf5/hdf5_detail.h"

namespace csim::hdf5 {

namespace {

Handle open_object(hid_t file, const std::string& path) {
  return own<H5Oclose>(H5Oopen(file, path.c_str(), H5P_DEFAULT));
}

/// Writes an attribute of the given type and space, in place of one of the same name.
bool put(hid_t object, const std::string& name, hid_t type, hid_t space, const void* value) {
  const htri_t present = H5Aexists(object, name.c_str());
  if (present > 0) {
    // An equal shape is written over the old value; another one replaces the attribute.
    Handle old = own<H5Aclose>(H5Aopen(object, name.c_str(), H5P_DEFAULT));
    const Handle old_space = own<H5Sclose>(H5Aget_space(old.id())),
                 old_type = own<H5Tclose>(H5Aget_type(old.id()));
    if (H5Sextent_equal(old_space.id(), space) > 0 && H5Tequal(old_type.id(), type) > 0)
      return H5Awrite(old.id(), type, value) >= 0;
    old.reset();
    if (H5Adelete(object, name.c_str()) < 0) return false;
  }
  const Handle attribute =
      own<H5Aclose>(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
  return attribute.id() >= 0 && H5Awrite(attribute.id(), type, value) >= 0;
}

}  // namespace

bool put_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type(H5T_VARIABLE), space = simple_space({});
  const char* value = text.c_str();
  return put(object, name, type.id(), space.id(), &value);
}

bool put_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type = text_type(H5T_VARIABLE), space = simple_space({static_cast<long>(texts.size())});
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  if (values.empty()) values.push_back("");  // HDF5 wants a buffer, even for no entries
  return put(object, name, type.id(), space.id(), values.data());
}

bool put_units(hid_t dataset, const std::vector<std::string>& units) {
  return units.size() == 1 ? put_attribute(dataset, "units", units.front())
                           : put_attribute(dataset, "units", units);
}

void File::set_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Handle target = open_object(handle_.id(), object);
  if (target.id() < 0 || !put_attribute(target.id(), name, text))
    fail("cannot write the attribute " + name + " of " + object);
}

void File::set_attribute(const std::string& object, const std::string& name,
                         const std::vector<std::string>& texts) {
  const Handle target = open_object(handle_.id(), object);
  if (target.id() < 0 || !put_attribute(target.id(), name, texts))
    fail("cannot write the attribute " + name + " of " + object);
}

void File::set_attribute(const std::string& object, const std::string& name, std::int64_t number) {
  const Handle target = open_object(handle_.id(), object), space = simple_space({});
  if (target.id() < 0 || !put(target.id(), name, H5T_NATIVE_INT64, space.id(), &number))
    fail("cannot write the attribute " + name + " of " + object);
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

}  // namespace csim::hdf5
