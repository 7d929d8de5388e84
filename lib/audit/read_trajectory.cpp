#include "audit/read_trajectory.h"

#include <filesystem>

#include "record/open_hdf5.h"

namespace csim::audit {

Trajectory read_trajectory(const std::string& path) {
  if (std::filesystem::is_directory(path)) return make_trajectory(read_csv_arrays(path));
  return reading(path, [&] {
    if (format_of(open_hdf5(path)) == "csim-result/1")
      return read_result(path, [](const ResultFile& result) { return trajectory_of(result); });
    return make_trajectory(read_hdf5_arrays(path));
  });
}

}  // namespace csim::audit
