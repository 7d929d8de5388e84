// Types of joints and constraints as the scene spells them.
#pragma once

#include "scene/scene.h"

namespace csim {

[[nodiscard]] const char* type_name(JointType type);
[[nodiscard]] const char* type_name(ConstraintType type);

}  // namespace csim
