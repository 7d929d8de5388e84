#include "record/stray_files.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/log.h"
#include "record/errors.h"
#include "record/hdf5/output_lock.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

/// The process that makes a file of that name; nothing when it is none of fresh_name(part_name).
std::optional<pid_t> maker(const std::string& name, const std::string& part_name) {
  if (!name.starts_with(part_name + ".")) return std::nullopt;
  const char* const begin = name.data() + part_name.size() + 1;
  const char* const end = name.data() + name.size();
  pid_t process = 0;
  const auto [rest, error] = std::from_chars(begin, end, process);
  return error == std::errc() && rest == end && process > 0 ? std::optional(process) : std::nullopt;
}

std::string fresh_name(const std::string& part_path, pid_t process) {
  return part_path + "." + std::to_string(process);
}

bool is_dead(pid_t process) {
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::string fresh_name(const std::string& part_path) {
  return fresh_name(part_path, ::getpid());
}

void remove_strays(const std::string& part_path) {
  const fs::path part(part_path);
  const fs::path folder = part.has_parent_path() ? part.parent_path() : fs::path(".");
  std::vector<pid_t> dead;
  std::error_code error;  // an unreadable folder is reported when the output is created
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code none;
    const auto process = maker(entry->path().filename().string(), part.filename().string());
    if (process && is_dead(*process) && fs::is_regular_file(entry->symlink_status(none)))
      dead.push_back(*process);
  }
  std::sort(dead.begin(), dead.end());
  for (const pid_t process : dead) {
    const std::string stray = fresh_name(part_path, process);
    try {
      const OutputLock lock(stray);  // a process on another machine may have the id of a dead one here
      if (lock.held() && fs::remove(stray, error))
        log_info("removed " + stray + ", which a killed run had begun");
    } catch (const OutputBusyError&) {  // somebody makes it
    }
  }
}

}  // namespace csim
