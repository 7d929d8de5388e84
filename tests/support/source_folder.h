// Where the project's sources lie: the scenes and schemas that tests read.
#pragma once

#include <string>

namespace csim::test {

/// The top folder, without a slash at its end.
[[nodiscard]] const std::string& source_folder();

}  // namespace csim::test
