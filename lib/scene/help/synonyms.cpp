#include "scene/help/synonyms.h"

#include <algorithm>
#include <cctype>

#include "core/nearest_name.h"

namespace csim {

const std::vector<Synonym>& synonym_table() {
  static const std::vector<Synonym> table{
      // time and output
      {"dt", "step"},
      {"dt", "period"},
      {"timestep", "step"},
      {"time_step", "step"},
      {"duration", "end"},
      {"end_time", "end"},
      {"interval", "period"},
      // the scene
      {"gravitation", "gravity"},
      {"g", "gravity"},
      {"-9.81", "[0, 0, -9.81]"},
      {"9.81", "[0, 0, -9.81]"},
      {"links", "bodies"},
      {"objects", "bodies"},
      {"motors", "actuators"},
      // poses and velocities
      {"origin", "pose"},
      {"transform", "pose"},
      {"origin", "xyz"},
      {"position", "xyz"},
      {"pos", "xyz"},
      {"translation", "xyz"},
      {"rotation", "quaternion_wxyz"},
      {"rotation", "rpy"},
      {"rotation", "rpy_deg"},
      {"orientation", "quaternion_wxyz"},
      {"orientation", "rpy"},
      {"orientation", "rpy_deg"},
      {"quat", "quaternion_wxyz"},
      {"euler", "rpy"},
      {"euler", "rpy_deg"},
      {"angle", "angle_deg"},
      {"linear_velocity", "linear"},
      {"angular_velocity", "angular"},
      {"omega", "angular"},
      {"x", "[1, 0, 0]"},
      {"y", "[0, 1, 0]"},
      {"z", "[0, 0, 1]"},
      // bodies
      {"weight", "mass"},
      {"center_of_mass", "com"},
      {"centre_of_mass", "com"},
      {"static", "fixed"},
      {"anchored", "fixed"},
      {"geometries", "geometry"},
      {"shapes", "geometry"},
      {"collision", "geometry"},
      // geometries
      {"type", "shape"},
      {"height", "length"},
      {"diameter", "radius"},
      {"dimensions", "size"},
      {"extents", "size"},
      {"half_extents", "size"},
      {"radii", "semi_axes"},
      {"half_axes", "semi_axes"},
      {"mesh", "file"},
      {"uri", "file"},
      {"vertices", "points"},
      {"mesh_size", "resolution"},
      {"plane", "half_space"},
      {"ground", "half_space"},
      {"ball", "sphere"},
      {"cube", "box"},
      {"cuboid", "box"},
      {"rod", "cylinder"},
      {"hull", "convex"},
      {"soft", "compliant"},
      {"hydroelastic", "compliant"},
      {"hard", "rigid"},
      // materials
      {"mu", "friction"},
      {"friction_coefficient", "friction"},
      {"k", "stiffness"},
      {"spring_constant", "stiffness"},
      {"damping", "hunt_crossley_dissipation"},
      {"damping", "relaxation_time"},
      {"restitution", "hunt_crossley_dissipation"},
      {"youngs_modulus", "hydroelastic_modulus"},
      {"elasticity", "hydroelastic_modulus"},
      // joints
      {"hinge", "revolute"},
      {"continuous", "revolute"},
      {"slide", "prismatic"},
      {"slider", "prismatic"},
      {"linear", "prismatic"},
      {"freejoint", "free"},
      {"floating", "free"},
      {"fixed", "weld"},
      {"spherical", "ball"},
      {"cardan", "universal"},
      // actuators
      {"kp", "stiffness"},
      {"kd", "damping"},
      {"kv", "damping"},
      {"dissipation", "damping"},
      {"force_limit", "effort_limit"},
      {"torque_limit", "effort_limit"},
      {"target", "command"},
      {"setpoint", "command"},
      {"torque", "effort"},
      {"force", "effort"},
      {"motor", "effort"},
      {"speed", "velocity"},
      {"servo", "position"},
      {"spline", "cubic"},
      {"hold", "step"},
      // contact and solver
      {"law", "model"},
      {"ignore", "exclude"},
      {"tol", "tolerance"},
      {"iterations", "max_iterations"},
      {"cholmod", "supernodal"},
      {"adaptive", "continuous"},
      {"runge_kutta", "continuous"},
      // words for yes and no
      {"yes", "true"},
      {"on", "true"},
      {"1", "true"},
      {"no", "false"},
      {"off", "false"},
      {"0", "false"},
      {"none", "false"},
      {"false", "none"},
      {"no", "none"},
      {"off", "none"},
      {"never", "none"},
      {"all", "full"},
      {"true", "full"},
  };
  return table;
}

std::vector<std::string> synonyms(std::string_view word, const std::vector<std::string>& candidates) {
  std::string wanted(word);
  for (char& c : wanted) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<std::string> names;
  for (const Synonym& synonym : synonym_table()) {
    if (synonym.word != wanted) continue;
    const auto found = std::find(candidates.begin(), candidates.end(), synonym.name);
    if (found != candidates.end()) names.push_back(*found);
  }
  return names;
}

std::string did_you_mean_value(std::string_view word, const std::vector<std::string>& candidates) {
  const bool misspelt = !nearest_name(word, candidates).empty();
  const std::vector<std::string> names = misspelt ? std::vector<std::string>{} : synonyms(word, candidates);
  return names.empty() ? did_you_mean(word, candidates) : did_you_mean_one_of(names);
}

std::vector<std::string> synonymous_keys(std::string_view word, const Section& section,
                                         const std::vector<std::string>& known) {
  std::vector<std::string> names = synonyms(word, known);
  for (const Field& field : section.fields) {
    const bool below = field.type == FieldType::kSection && field.supported;
    if (!names.empty() || !below || std::find(known.begin(), known.end(), field.key) == known.end()) continue;
    std::vector<std::string> keys;
    for (const Field& key : field.section->fields) {
      if (key.supported) keys.push_back(key.key);
    }
    names = synonyms(word, keys);
    for (std::string& name : names) name = field.key + "." + name;
  }
  return names;
}

std::string did_you_mean_one_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : " or '") + name + "'";
  return text.empty() ? "" : " (did you mean " + text + "?)";
}

}  // namespace csim
