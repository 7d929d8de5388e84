#include "support/source_folder.h"

namespace csim::test {

const std::string& source_folder() {
  static const std::string folder = CSIM_SOURCE_DIR;
  return folder;
}

const std::string& python_interpreter() {
  static const std::string file = CSIM_PYTHON;
  return file;
}

}  // namespace csim::test
