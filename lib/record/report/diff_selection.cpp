#include "record/report/diff_selection.h"

#include <algorithm>
#include <set>

#include "core/nearest_name.h"
#include "record/errors.h"
#include "record/tables.h"

namespace csim {
namespace {

/// "contact/" -> "/contact"; "/" -> "".
std::string absolute_name(std::string name) {
  while (name.ends_with('/')) name.pop_back();
  return name.empty() || name.starts_with('/') ? name : "/" + name;
}

/// Whether a dataset has the name, or lies in the group of that name.
bool is_named(const std::string& path, const std::string& name) {
  return path == name || path.starts_with(name + "/");
}

/// What never says whether two motions are the same.
bool is_comparable(const std::string& path) {
  const auto place = find_table(path);
  if (place && (place->is_offset || path.ends_with("/time"))) return false;
  return !path.starts_with("/checkpoint/") && !path.starts_with("/provenance") &&
         !path.starts_with("/scene/") && path != "/geometries/color";
}

bool is_statistic(const std::string& path) {
  return path.starts_with("/stats/") || path.starts_with("/artefact/");
}

/// Groups that hold nothing where they are switched off in the scene.
bool is_empty_group(const std::string& name, const std::set<std::string>& paths) {
  const std::string group = find_table(name + "/") ? name : name.substr(0, name.rfind('/'));
  return find_table(group + "/") && std::none_of(paths.begin(), paths.end(), [&](const std::string& path) {
           return is_named(path, group);
         });
}

void check_name(const std::string& name, const std::set<std::string>& paths) {
  const auto has_name = [&](const std::string& path) { return is_named(path, name); };
  if (std::any_of(paths.begin(), paths.end(), has_name) || is_empty_group(name, paths)) return;
  std::vector<std::string> known;  // datasets and their groups
  for (const std::string& path : paths) {
    known.push_back(path.substr(0, path.rfind('/')));
    known.push_back(path);
  }
  throw InvalidResultError("'" + name + "' names nothing that is compared in either file" +
                           did_you_mean(name, known));
}

}  // namespace

DiffSelection::DiffSelection(const ResultFile& a, const ResultFile& b, const DiffOptions& options)
    : options_(options) {
  std::set<std::string> paths;
  for (const ResultFile* file : {&a, &b}) {
    for (const hdf5::ObjectInfo& dataset : file->datasets())
      if (is_comparable(dataset.path)) paths.insert(dataset.path);
  }
  const auto take = [&](std::string* name) {
    *name = absolute_name(*name);
    check_name(*name, paths);
  };
  for (std::string& name : options_.only) take(&name);
  for (std::string& name : options_.ignore) take(&name);
  for (DiffOptions::Tolerance& tolerance : options_.tolerances) take(&tolerance.name);
}

bool DiffSelection::contains(const std::string& path) const {
  const auto named_by = [&](const std::string& name) { return is_named(path, name); };
  const auto is_path = [&](const std::string& name) { return path == name; };
  std::vector<std::string> named = options_.only;
  for (const DiffOptions::Tolerance& tolerance : options_.tolerances) named.push_back(tolerance.name);
  if (!is_comparable(path) || std::ranges::any_of(options_.ignore, named_by)) return false;
  if (!options_.only.empty() && std::ranges::none_of(options_.only, named_by)) return false;
  if (is_timing(path)) return std::ranges::any_of(named, is_path);
  return !is_statistic(path) || std::ranges::any_of(named, named_by);
}

DiffTolerance DiffSelection::tolerance(const std::string& path) const {
  DiffTolerance result{options_.atol, options_.rtol};
  std::size_t longest = 0;
  for (const DiffOptions::Tolerance& tolerance : options_.tolerances) {
    if (!is_named(path, tolerance.name) || tolerance.name.size() < longest) continue;
    longest = tolerance.name.size();
    result = {tolerance.atol, tolerance.rtol.value_or(options_.rtol)};
  }
  return result;
}

}  // namespace csim
