#include "patch/find_contact_surface.h"

namespace csim {

std::string why_no_contact_surface(const PatchGeometry& a, const PatchGeometry& b) {
  const auto is_half_space = [](const PatchGeometry& g) {
    return std::holds_alternative<CompliantHalfSpace>(g) || std::holds_alternative<HalfSpace>(g);
  };
  const auto is_compliant = [](const PatchGeometry& g) {
    return std::holds_alternative<CompliantHalfSpace>(g) ||
           std::holds_alternative<std::shared_ptr<const PreparedField>>(g);
  };
  if (is_half_space(a) && is_half_space(b)) return "two half spaces have no bounded contact surface";
  if (!is_compliant(a) && !is_compliant(b)) return "both are rigid, and one has to be compliant";
  return "";
}

}  // namespace csim
