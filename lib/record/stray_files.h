// Files that a run killed while it made its output leaves behind.
#pragma once

#include <string>

namespace csim {

/// Name under which this process makes the file that then takes the name `part_path`.
[[nodiscard]] std::string fresh_name(const std::string& part_path);

/// Removes what processes that are dead began under fresh_name(part_path): killed between the first byte and
/// the new name, they hold no rows. A process is dead when this machine has none of its number and nobody
/// holds an OutputLock on the file, which tells of those on other machines and in other containers; what is
/// left of a number that is in use again stays, and so does what goes without a lock. Each file removed is
/// said in the log.
void remove_strays(const std::string& part_path);

}  // namespace csim
