// Which task of an array this process is.
#pragma once

#include <optional>
#include <string>

namespace csim {

/// The 0-based index of the task, from the first of SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX, SGE_TASK_ID,
/// LSB_JOBINDEX (both 1-based; SGE's `undefined` is not set) and PARALLEL_SEQ (1-based) that is set. Nothing,
/// with the reason in *fault, when none is or it is no such number.
[[nodiscard]] std::optional<int> array_index(std::string* fault);

}  // namespace csim
