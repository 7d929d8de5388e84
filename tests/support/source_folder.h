// What the build knows of its machine: where the scenes and schemas lie that tests read, and Python.
#pragma once

#include <string>

namespace csim::test {

/// The top folder, without a slash at its end.
[[nodiscard]] const std::string& source_folder();

/// The Python that has the packages of the tests (h5py, numpy).
[[nodiscard]] const std::string& python_interpreter();

}  // namespace csim::test
