// What a reader should know before he believes a fit.
#pragma once

#include <string>
#include <vector>

#include "study/fit.h"

namespace csim {

/// Root mean square distance of the rows of a curve from their mean, of quaternions from the mean rotation
/// (rad): what the best constant leaves of it. 0 without rows.
[[nodiscard]] double variation(const Curve& curve);

/// The doubts about a fit that is done, a sentence each: keys at a bound or that the data do not determine;
/// one start alone, or starts that ended elsewhere; measured curves from which the best keys are no nearer
/// than a constant, or whose rows are nearer to each other than those of the results.
[[nodiscard]] std::vector<std::string> find_doubts(const Study& study, const Cases& cases,
                                                   const FitResult& fit);

}  // namespace csim
