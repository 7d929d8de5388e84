// The kinds of integrator and what the rest of the program asks of them. A new kind is a row here and a
// stepper in step/.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "scene/scene.h"

namespace csim {

struct IntegratorKind {
  const char* name;          // in the scene
  bool has_constant_step;    // time is the number of steps times time.step
  bool solves_contact;       // a step is a convex problem of contact.model, which `solver` solves
  bool needs_accelerations;  // evaluates forces at an instant: prescribed velocities must not jump
  bool reads_materials;      // contacts are as stiff as their materials
  bool has_certificate;      // every step has the residuals of its optimality conditions
};

/// In the order of IntegratorType.
inline constexpr std::array<IntegratorKind, 4> kIntegratorKinds{{
    {"discrete", true, true, false, true, false},
    {"error_controlled", false, true, false, true, false},
    {"continuous", false, false, true, true, false},
    {"quasistatic", true, false, false, false, true},
}};

[[nodiscard]] constexpr const IntegratorKind& integrator_kind(IntegratorType type) {
  return kIntegratorKinds[static_cast<std::size_t>(type)];
}
[[nodiscard]] inline const IntegratorKind& integrator_kind(const Scene& scene) {
  return integrator_kind(scene.integrator.type);
}

/// The names as a row of the scene's format lists them.
[[nodiscard]] inline std::string integrator_names() {
  std::string names;
  for (const IntegratorKind& kind : kIntegratorKinds)
    names += (names.empty() ? "" : " ") + std::string(kind.name);
  return names;
}

}  // namespace csim
