// Quasistatic pushes that a friction pyramid does not take straight.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace csim {

/// The angle (rad) between a direction and the nearest mirror line of a friction pyramid of n rays at angles
/// 2 pi k/n, n even: the lines at multiples of pi/n, along the rays and midway between them. `angle` is that
/// of the direction in the axes of the pyramid, rad. At most pi/(2 n).
[[nodiscard]] double angle_to_mirror_line(double angle, int num_rays);

/// Whether rounding alone keeps a direction from a mirror line: a cube pushed along a ray turns by half a
/// radian in 70 mm where the push is 1e-11 rad beside it, and not at all where it is 1e-12.
[[nodiscard]] bool is_symmetric_push(double angle, int num_rays);

/// A sentence for each passive body of a quasistatic scene with friction pyramids that a commanded body
/// pushes straight, but not along a mirror line of the pyramids that the pushed body stands on. Commanded are
/// bodies with position drives on all their joints, and single bodies on a cartesian drive of the world. A
/// push is straight where the body as commanded, which neither turns nor bends its way, first overlaps the
/// other where that stands at `state`, and goes on by half the other's radius or to its command's end. No
/// sentence where a sequence tells the commands, two bodies push two ways, or the other cannot go aside.
[[nodiscard]] std::vector<std::string> describe_skew_pushes(const Scene& scene, const Model& model,
                                                            const State& state);

}  // namespace csim
