// A scene between its frames.
#pragma once

#include "view/view_scene.h"

namespace csim {

/// The index of the frame that stands nearest to a time.
[[nodiscard]] std::size_t nearest_frame(const ViewScene& scene, double time);

/// Poses at a time between those of the frames beside it (rotations on the shortest way), contacts and
/// patches of the nearer one; before the first frame and after the last one those. As the page plays.
[[nodiscard]] ViewFrame frame_at(const ViewScene& scene, double time);

/// The path of a body's centre of mass, m, world: its places in the frames before `time`, then that at
/// `time`.
[[nodiscard]] std::vector<Vector3> path_until(const ViewScene& scene, int body, double time);

}  // namespace csim
