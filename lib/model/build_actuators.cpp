#include "model/actuator.h"
#include "model/build_stages.h"

namespace csim {

void build_actuators(const Scene& scene, Model* model) {
  model->drive_stiffness.setZero(model->nv);
  model->drive_damping.setZero(model->nv);
  for (const ActuatorSpec& spec : scene.actuators) {
    const Body& body = model->bodies[scene.joints[spec.joint].child];
    Actuator actuator;
    actuator.name = spec.name;
    actuator.joint = spec.joint;
    actuator.tree = body.tree;
    actuator.q = body.joint.q_begin;
    actuator.v = body.joint.v_begin;
    actuator.type = spec.type;
    actuator.stiffness = spec.stiffness;
    actuator.damping = spec.damping;
    if (spec.effort_limit) actuator.effort_limit = *spec.effort_limit;
    actuator.feed_forward_velocity = spec.feed_forward_velocity;
    actuator.command = make_command(spec.command);
    if (!is_limited_drive(actuator)) {
      model->drive_stiffness[actuator.v] += actuator.stiffness;
      model->drive_damping[actuator.v] += actuator.damping;
    }
    model->actuators.push_back(std::move(actuator));
  }
}

}  // namespace csim
