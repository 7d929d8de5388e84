#include "record/same_layout.h"

#include <algorithm>
#include <map>

#include "core/version.h"

namespace csim {
namespace {

std::map<std::string, hdf5::ObjectInfo> datasets(const hdf5::File& file) {
  std::map<std::string, hdf5::ObjectInfo> found;
  for (const hdf5::ObjectInfo& object : file.objects())
    if (!object.is_group) found.emplace(object.path, object);
  return found;
}

/// "[., 3]" of a dataset that grows, "[2, 3]" of another.
std::string shape_text(const hdf5::ObjectInfo& dataset) {
  std::string text;
  for (std::size_t axis = 0; axis < dataset.shape.size(); ++axis) {
    text += axis > 0 ? ", " : "";
    text += axis == 0 && dataset.growing ? "." : std::to_string(dataset.shape[axis]);
  }
  return "[" + text + "]";
}

std::string units_text(const hdf5::File& file, const std::string& path) {
  std::string text;
  if (!file.has_attribute(path, "units")) return text;
  for (const std::string& unit : file.text_attribute(path, "units"))
    text += (text.empty() ? "" : ", ") + unit;
  return text;
}

std::string differs(const std::string& path, const std::string& what, const std::string& found,
                    const std::string& expected) {
  if (found == expected) return "";
  return path + " has the " + what + " " + found + ", expected " + expected;
}

}  // namespace

std::string layout_difference(const hdf5::File& earlier, const hdf5::File& fresh) {
  const auto found = datasets(earlier), expected = datasets(fresh);
  for (const auto& [path, dataset] : found)
    if (!expected.contains(path)) return path + " is not known to it";
  for (const auto& [path, dataset] : expected) {
    const auto other = found.find(path);
    if (other == found.end()) return path + " is missing";
    std::string what =
        differs(path, "type", hdf5::to_string(other->second.type), hdf5::to_string(dataset.type));
    if (what.empty()) what = differs(path, "shape", shape_text(other->second), shape_text(dataset));
    if (what.empty()) what = differs(path, "units", units_text(earlier, path), units_text(fresh, path));
    if (!what.empty()) return what;
  }
  return "";
}

InvalidResultError another_version(const std::string& name, const Provenance& by, const std::string& what) {
  return InvalidResultError(name + ": was written by another version of csim (" + by.version + ", revision " +
                            by.revision + "; this is " + version().version + ", revision " +
                            revision_text(version()) + "): " + what +
                            ". A run is resumed by the version that began it; or start it anew with --force. "
                            "info, diff, view and export read the file as it is");
}

}  // namespace csim
