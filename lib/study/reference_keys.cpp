#include "study/reference_keys.h"

#include <algorithm>
#include <filesystem>

#include "core/nearest_name.h"

namespace csim {
namespace {

constexpr const char* kPrefix = "reference.";
constexpr const char* kWhere = "reference.where.";
const std::vector<std::string> kKeys{"reference.csv", "reference.h5", "reference.file", "reference.group",
                                     "reference.where.COLUMN"};

}  // namespace

bool is_reference_key(const std::string& key) {
  return key.starts_with(kPrefix);
}

bool is_reference_file_key(const std::string& key) {
  return key == kKeys[0] || key == kKeys[1] || key == kKeys[2];
}

std::string fault_of_reference_key(const std::string& key) {
  const bool known =
      std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end() || (key.starts_with(kWhere) && key != kWhere);
  if (!is_reference_key(key) || known) return "";
  std::string list;
  for (const std::string& one : kKeys) list += (list.empty() ? "" : ", ") + one;
  return "of a case's reference, expected one of " + list + did_you_mean(key, kKeys);
}

Assignment reference_values(const Assignment& values) {
  Assignment found;
  std::copy_if(values.begin(), values.end(), std::back_inserter(found),
               [](const KeyValue& one) { return is_reference_key(one.key); });
  return found;
}

Reference reference_of_case(const Study& study, const Reference& reference, const Assignment& values) {
  Reference own = reference;
  if (reference.path != study.reference.path) return own;
  for (const KeyValue& one : reference_values(values)) {
    if (one.key == "reference.file") own.file = file_beside(study, one.value.text);
    if (one.key == "reference.csv" || one.key == "reference.h5") {
      own.measured.file = file_beside(study, one.value.text);
      own.measured.name = name_beside(study, one.value.text);
      own.measured.is_hdf5 = one.key == "reference.h5";
    }
    if (one.key == "reference.group") own.measured.group = one.value.text;
    if (one.key.starts_with(kWhere)) {
      KeyValue condition = one;
      condition.key = one.key.substr(std::string(kWhere).size());
      own.measured.where = with_changes(own.measured.where, {condition});
    }
  }
  return own;
}

std::string name_beside(const Study& study, const std::string& name) {
  return (std::filesystem::path(study.file).parent_path() / name).lexically_normal().string();
}

std::string file_beside(const Study& study, const std::string& name) {
  return std::filesystem::absolute(name_beside(study, name)).lexically_normal().string();
}

}  // namespace csim
