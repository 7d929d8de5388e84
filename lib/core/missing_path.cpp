#include "core/missing_path.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "core/nearest_name.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

fs::file_type type_of(const fs::path& path) {
  std::error_code error;
  return fs::status(path, error).type();  // none: it cannot be told
}

/// Names of what is in a folder ("": the current one); none of one that cannot be read.
std::vector<std::string> names_in(const fs::path& folder, fs::file_type type) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (type_of(entry->path()) == type) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// What stands before the names in a folder.
std::string prefix(const fs::path& folder) {
  return folder.empty() ? "" : (folder / "").string();
}

}  // namespace

std::string missing_folder(const fs::path& path, const fs::path& base) {
  fs::path there;
  for (const fs::path& name : path.parent_path()) {
    const fs::path next = there / name;
    switch (type_of(base / next)) {
      case fs::file_type::directory:
        there = next;
        continue;
      case fs::file_type::not_found:
        return "no such folder '" + next.string() + "'" +
               did_you_mean(name.string(), names_in(base / there, fs::file_type::directory), prefix(there));
      case fs::file_type::none:
        return "";
      default:
        return "'" + next.string() + "' is a file, expected a folder";
    }
  }
  return "";
}

std::string missing_file_hint(const fs::path& path, const fs::path& base) {
  if (const std::string missing = missing_folder(path, base); !missing.empty()) return ": " + missing;
  const fs::path folder = path.parent_path();
  return did_you_mean(path.filename().string(), names_in(base / folder, fs::file_type::regular),
                      prefix(folder));
}

}  // namespace csim
