// Scene -> Model and initial State.
#pragma once

#include "core/diagnostics.h"
#include "model/model.h"

namespace csim {

/// Builds the model and the initial state. Loads meshes, computes mass properties, orders the trees, combines
/// materials. Errors are appended to *problems with the key path of the scene (missing or bad mesh
/// files, open meshes asked for mass, non-positive inertia, joint loops, a moving half space, singular mass
/// matrix of a tree, unsupported pair of shapes, both rigid without a stiffness …); the outputs must not be
/// used then. Notes for the user (overlapping solids counted twice …) go to *notes.
void build_model(const Scene& scene, Model* model, State* state, Problems* problems,
                 std::vector<std::string>* notes);

}  // namespace csim
