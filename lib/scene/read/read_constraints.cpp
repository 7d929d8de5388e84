#include "scene/read/scene_reading.h"

namespace csim {

void finish_constraint(const SectionReader& reader, SceneReading* reading, ConstraintSpec* constraint) {
  enter_name(reader, "constraint", static_cast<int>(reading->constraints.size()), &reading->constraints);
  check_single_joint(reader, "joint_a", *reading, &constraint->joint_a);
  check_single_joint(reader, "joint_b", *reading, &constraint->joint_b);
  if (constraint->joint_a >= 0 && constraint->joint_a == constraint->joint_b)
    reader.report("joint_b",
                  "'" + reader.text("joint_b") + "', which is joint_a too, expected another joint");
}

}  // namespace csim
