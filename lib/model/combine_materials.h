// Combination of two materials in a contact.
#pragma once

#include "model/pair_table.h"
#include "scene/scene.h"

namespace csim {

/// Two materials in contact, a and b:
///   k = k_a k_b/(k_a + k_b),  d = k_b/(k_a + k_b) d_a + k_a/(k_a + k_b) d_b,  tau = tau_a + tau_b,  mu = 2
///   mu_a mu_b/(mu_a + mu_b)
/// (0 when both are), Hertz k^(-2/3) = k_a^(-2/3) + k_b^(-2/3), weight_a = k_a/(k_a + k_b). A rigid side: the
/// other's k and d, and all the weight; both rigid: k infinite, the mean d, half the weight. Both stiffnesses
/// zero: k = d = 0, half the weight. `collide` and the reaches are left at their defaults.
[[nodiscard]] PairRule combine_materials(const MaterialSpec& a, const MaterialSpec& b);

/// Hunt & Crossley dissipation of a patch, s/m: E_b/(E_a + E_b) d_a + E_a/(E_a + E_b) d_b of two compliant
/// sides, that of the compliant side when the other is rigid.
[[nodiscard]] double patch_dissipation(const MaterialSpec& a, bool compliant_a, const MaterialSpec& b,
                                       bool compliant_b);

}  // namespace csim
