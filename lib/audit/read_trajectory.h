// From a file of any kind to a Trajectory.
#pragma once

#include <string>

#include "audit/layout.h"
#include "audit/trajectory.h"
#include "record/reader.h"

namespace csim::audit {

/// Reads a result of csim, an HDF5 file of the layout `csim-trajectory/1`, or a folder of its CSV files.
/// Throws InvalidResultError for one that is missing or does not keep to its format: the message names the
/// dataset, what was found and what is expected; ReadError for one that cannot be read.
[[nodiscard]] Trajectory read_trajectory(const std::string& path);

/// The same of arrays. All bodies' states are of one shape; see docs/audit.md.
[[nodiscard]] Trajectory make_trajectory(const Arrays& arrays);

/// The same of a result of csim, from what it stores alone: its scene gives the coefficients of friction,
/// which bodies have joints, belts and compensated gravity. Throws InvalidResultError also for a scene that
/// cannot be built again, because a file that it names is gone.
[[nodiscard]] Trajectory trajectory_of(const ResultFile& result);

}  // namespace csim::audit
