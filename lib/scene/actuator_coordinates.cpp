#include "scene/actuator_coordinates.h"

namespace csim {

void append_coordinates(const ActuatorSpec& actuator, std::vector<std::string>* names) {
  if (actuator.type != ActuatorType::kCartesian) return names->push_back(actuator.name);
  for (const char* coordinate : kCartesianCoordinates) names->push_back(actuator.name + "." + coordinate);
}

std::vector<std::string> actuator_coordinates(const Scene& scene) {
  std::vector<std::string> names;
  for (const ActuatorSpec& actuator : scene.actuators) append_coordinates(actuator, &names);
  return names;
}

}  // namespace csim
