// Faces that push bodies which the step has already parted.
#pragma once

#include "problem/contact_forces.h"

namespace csim {

/// A face whose pressure hardly changes along its normal (a side wall of a box on a plane) presses with a
/// constant force within a step, however far the bodies part in it. Beyond the depth D of the patch, the
/// largest of pressure * softness, nothing of the other body is left to press: an impact that is deep for the
/// step would end with a launch. Faces that still press at h v_n > D get the stiffness fe0/D, with which
/// their force has fallen to nothing there; the law's constants of their islands are set anew, and these are
/// marked in *changed [islands]: they have to be solved again. Whether there were some. `forces` are those of
/// the solution; a problem without patches is left as it is.
[[nodiscard]] bool release_faces(const ContactSet& contacts, const ContactForces& forces,
                                 ConvexProblem* problem, std::vector<char>* changed);

}  // namespace csim
