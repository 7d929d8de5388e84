// A run that starts from a row of another run's result (`initial` of the scene).
#pragma once

#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "model/model.h"
#include "scene/scene.h"

namespace csim {

/// Sets positions and velocities of what has its name in the result: joints of the scene from /joint, bodies
/// without one, which are free, from the pose and velocity of the body (whatever moves it there). What is
/// missing there keeps its own. A note says which that are. Constraints that are broken there are so here if
/// they are of the same type and can break; a note says which are not. Problems: a file that is no result, a
/// time without a row, a joint of another type, nothing of the same name.
void set_initial_state(const Scene& scene, const Model& model, State* state, Problems* problems,
                       std::vector<std::string>* notes);

}  // namespace csim
