#include "support/source_folder.h"

namespace csim::test {

const std::string& source_folder() {
  static const std::string folder = CSIM_SOURCE_DIR;
  return folder;
}

}  // namespace csim::test
