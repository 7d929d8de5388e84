// Which csim this is: version, source revision, compiler, libraries.
#pragma once

#include <string>
#include <vector>

namespace csim {

struct Version {
  std::string version;                 // of csim, such as "0.1.0"
  std::string revision;                // git commit of the sources; "unknown" outside a repository
  bool dirty = false;                  // the sources differed from that commit
  std::string compiler;                // name, version, build type and flags
  std::vector<std::string> libraries;  // "name version", as found when the build was configured
};

/// Of the running program.
[[nodiscard]] const Version& version();

/// The revision with "+dirty" behind it where the sources had changes.
[[nodiscard]] std::string revision_text(const Version& version);

}  // namespace csim
