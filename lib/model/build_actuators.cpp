#include "model/actuator.h"
#include "model/build_stages.h"

namespace csim {

void build_actuators(const Scene& scene, Model* model) {
  // The body that each joint places.
  std::vector<int> child(scene.joints.size(), -1);
  for (std::size_t b = 0; b < model->bodies.size(); ++b) {
    const int j = model->bodies[b].joint.scene_joint;
    if (j >= 0) child[j] = static_cast<int>(b);
  }
  model->drive_stiffness.setZero(model->nv);
  model->drive_damping.setZero(model->nv);
  for (const ActuatorSpec& spec : scene.actuators) {
    const Joint& joint = model->bodies[child[spec.joint]].joint;
    Actuator actuator;
    actuator.name = spec.name;
    actuator.joint = spec.joint;
    actuator.q = joint.q_begin;
    actuator.v = joint.v_begin;
    actuator.type = spec.type;
    actuator.stiffness = spec.stiffness;
    actuator.damping = spec.damping;
    if (spec.effort_limit) actuator.effort_limit = *spec.effort_limit;
    actuator.feed_forward_velocity = spec.feed_forward_velocity;
    actuator.command = make_command(spec.command);
    if (is_limited_drive(actuator)) {
      model->limited_drives.push_back(
          {static_cast<int>(model->actuators.size()), model->bodies[child[spec.joint]].tree});
    } else {
      model->drive_stiffness[actuator.v] += actuator.stiffness;
      model->drive_damping[actuator.v] += actuator.damping;
    }
    model->actuators.push_back(std::move(actuator));
  }
}

}  // namespace csim
