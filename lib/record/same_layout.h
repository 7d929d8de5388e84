// Whether a run can go on with a file: what it holds must be what this program writes of the scene.
#pragma once

#include <string>

#include "record/errors.h"
#include "record/hdf5/hdf5_file.h"
#include "record/provenance.h"

namespace csim {

/// The first dataset of an earlier file that is not one of the file begun anew for the same scene, or the
/// other way round, or has another element type, shape of a row or unit; "" when there is none. /provenance
/// and the values do not count.
[[nodiscard]] std::string layout_difference(const hdf5::File& earlier, const hdf5::File& fresh);

/// What to say of a file `name`, written as `by` says, that differs in `what`.
[[nodiscard]] InvalidResultError another_version(const std::string& name, const Provenance& by,
                                                 const std::string& what);

}  // namespace csim
