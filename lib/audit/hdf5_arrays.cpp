#include <algorithm>

#include "audit/layout.h"
#include "core/nearest_name.h"
#include "record/errors.h"
#include "record/open_hdf5.h"

namespace csim::audit {
namespace {

/// The group of a path of the layout: "/contact"; "/" of one in the root.
std::string group_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A dataset beside those of the layout is a slip in the name of one of them; other groups are free.
void check_name(const std::string& file, const std::string& path) {
  std::vector<std::string> beside;
  for (const Dataset& known : layout())
    if (group_of(known.path) == group_of(path)) beside.emplace_back(known.path);
  if (beside.empty()) return;
  throw InvalidResultError(file + ": " + path + ": is no dataset of " + kFormat + did_you_mean(path, beside));
}

Array read_array(const hdf5::File& file, const hdf5::ObjectInfo& info) {
  Array array{.shape = info.shape};
  array.is_text = info.type == hdf5::Type::kText;
  if (array.is_text) {
    array.texts = file.read_texts(info.path);
  } else {
    array.values = file.read_real(info.path, 0, info.shape.empty() ? 1 : info.shape[0]);
  }
  return array;
}

}  // namespace

Arrays read_hdf5_arrays(const std::string& path) {
  const hdf5::File file = open_hdf5(path);
  const std::string format = format_of(file);
  if (format != kFormat)
    throw InvalidResultError(path + ": its attribute csim_schema is " +
                             (format.empty() ? "missing" : "'" + format + "'") + ", expected '" + kFormat +
                             "' or 'csim-result/1'");
  Arrays all{.file = path};
  if (file.has_attribute("/", "program")) {
    const std::vector<std::string> texts = file.text_attribute("/", "program");
    if (!texts.empty()) all.program = texts.front();
  }
  for (const hdf5::ObjectInfo& info : file.objects()) {
    if (info.is_group) continue;
    if (find_dataset(info.path) == nullptr)
      check_name(path, info.path);
    else
      all.arrays[info.path] = read_array(file, info);
  }
  return all;
}

}  // namespace csim::audit
