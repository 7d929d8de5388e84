#include "scene/help/synonyms.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "core/nearest_name.h"

namespace csim {

const std::vector<Synonym>& synonym_table() {
  // A name of the format, and the words that stand for it.
  static constexpr std::pair<const char*, const char*> kRows[] = {
      {"step", "dt timestep time_step hold"},
      {"csim", "version"},
      {"time", "simulation option"},
      {"period", "dt interval"},
      {"end", "duration end_time stop stop_time"},
      {"gravity", "gravitation g"},
      {"[0, 0, -9.81]", "-9.81 9.81"},
      {"bodies", "links objects worldbody"},
      {"models", "directives robots"},
      {"constraints", "equality"},
      {"parent", "body1"},
      {"child", "body2"},
      {"a", "body1"},
      {"b", "body2"},
      {"actuators", "motors"},
      {"pose", "origin transform anchor"},
      {"point_a", "anchor"},
      {"xyz", "origin position pos translation"},
      {"quaternion_wxyz", "rotation orientation quat"},
      {"rpy", "rotation orientation euler"},
      {"rpy_deg", "rotation orientation euler"},
      {"angle_deg", "angle"},
      {"linear", "linear_velocity"},
      {"angular", "angular_velocity omega"},
      {"[1, 0, 0]", "x"},
      {"[0, 1, 0]", "y"},
      {"[0, 0, 1]", "z"},
      {"mass", "weight"},
      {"com", "center_of_mass centre_of_mass"},
      {"fixed", "static anchored"},
      {"color", "rgba"},
      {"geometry", "geometries shapes collision"},
      {"shape", "type"},
      {"length", "height"},
      {"size", "dimensions extents"},
      {"semi_axes", "radii half_axes"},
      {"file", "mesh uri filename path urdf"},
      {"points", "vertices"},
      {"resolution", "mesh_size"},
      {"half_space", "plane ground floor"},
      {"sphere", "ball"},
      {"box", "cube cuboid"},
      {"cylinder", "rod"},
      {"convex", "hull"},
      {"compliant", "soft hydroelastic"},
      {"rigid", "hard"},
      {"friction", "mu friction_coefficient"},
      {"stiffness", "k spring_constant kp p"},
      {"hunt_crossley_dissipation", "damping restitution"},
      {"relaxation_time", "damping"},
      {"hydroelastic_modulus", "youngs_modulus young_modulus elasticity"},
      {"revolute", "hinge continuous"},
      {"prismatic", "slide slider linear"},
      {"free", "freejoint floating"},
      {"world", "fixed"},
      {"weld", "fixed"},
      {"ball", "spherical connect"},
      {"universal", "cardan"},
      {"damping", "kd kv d dissipation"},
      {"effort_limit", "force_limit torque_limit forcerange"},
      {"command", "target setpoint value ctrl"},
      {"effort", "torque force motor"},
      {"velocity", "speed"},
      {"position", "servo pd"},
      {"cubic", "spline"},
      {"amplitude", "amp"},
      {"frequency", "freq"},
      {"coupler", "gear mimic"},
      {"body", "local"},
      {"model", "law"},
      {"exclude", "ignore"},
      {"limits", "range bounds lower upper lower_limit upper_limit"},
      {"distance", "rope cable string rod"},
      {"tolerance", "tol"},
      {"max_iterations", "iterations"},
      {"supernodal", "cholmod"},
      {"continuous", "adaptive runge_kutta rk4 rk45"},
      {"true", "yes on 1"},
      {"false", "no off 0 none"},
      {"none", "false no off never"},
      {"full", "all true"}};
  static const std::vector<Synonym> table = [] {
    std::vector<Synonym> all;
    for (const auto& [name, words] : kRows) {
      std::istringstream stream(words);
      for (std::string word; stream >> word;) all.push_back({word, name});
    }
    return all;
  }();
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
  const std::vector<std::string> names = synonyms(word, candidates);
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
