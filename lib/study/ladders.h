// Which cases make a ladder of refinement.
#pragma once

#include <span>
#include <vector>

#include "core/diagnostics.h"
#include "study/cases.h"

namespace csim {

/// Cases of `vary` that differ in the analysis' refined key alone (and in what its entry of `vary` changes in
/// lockstep), by falling value. `references`: of each case its reference's, for ReferenceKind::kCase; a case
/// that is its own reference is no rung. ReferenceKind::kFinest takes the smallest as the reference of the
/// others. Problems: values that are no numbers > 0, or equal; ratios that differ where Richardson's
/// extrapolation needs one.
[[nodiscard]] std::vector<Ladder> build_ladders(const Study& study, int analysis,
                                                std::span<const Case> varied,
                                                const std::vector<int>& references, Problems* problems);

/// Whether the finest three of a ladder (or two) have one ratio of refinement, to 1e-6.
[[nodiscard]] bool has_constant_ratio(const std::vector<double>& h);

}  // namespace csim
