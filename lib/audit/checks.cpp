#include <array>
#include <cmath>
#include <limits>

#include "audit/check.h"

namespace csim::audit {
namespace {

constexpr Basis kNone{}, kSteps{.steps = true}, kMomentum{.momentum = true};
constexpr Basis kWorks{.contacts = true, .steps = true},
    kBalance{.momentum = true, .contacts = true, .steps = true};

constexpr std::array<Check, 16> kChecks = {{
    {"linear_momentum", "N s", "momentum changes by the impulses and gravity", kMomentum,
     "needs a free body, and contacts of every step or pairs", &judge_linear_momentum},
    {"angular_momentum", "N m s", "angular momentum changes by the moments of the impulses", kBalance,
     "needs a free body", &judge_angular_momentum},
    {"reaction", "N s", "impulses on the two bodies are opposite", kNone, "needs /contact/impulse_on_a",
     &judge_reaction},
    {"pushing", "N s", "contacts push", kNone, "needs contacts with normals", &judge_pushing},
    {"gap", "m", "contacts that push are closed", kNone, "needs contacts that push, with /contact/gap",
     &judge_gap},
    {"impact", "m/s", "rigid contacts rebound by Newton's law", kSteps, "needs /contact/restitution",
     &judge_impact},
    {"cone", "N s", "friction stays within mu times the normal impulse", kNone,
     "needs contacts with normals and /contact/friction", &judge_cone},
    {"friction_power", "m/s", "friction does not push along the slip", kSteps, "needs contacts with friction",
     &judge_friction_power},
    {"friction_direction", "rad", "friction of what slides is opposite to the slip", kSteps,
     "needs contacts that slide", &judge_friction_direction},
    {"friction_work", "J", "friction gives no energy", kWorks, "needs contacts with normals",
     &judge_friction_work},
    {"normal_work", "J", "a contact gives back no more than it took", kWorks, "needs contacts with normals",
     &judge_normal_work},
    {"energy", "J", "energy changes by the works alone", kBalance, "needs a free body", &judge_energy},
    {"stated_energy", "J", "energies of the file are those of its bodies", kNone,
     "needs /energy/kinetic or /energy/potential", &judge_stated_energy},
    {"quaternion", "1", "quaternions have the length 1", kNone, "needs a body", &judge_quaternion},
    {"position", "m", "positions move with the velocities", kSteps, "needs a free body", &judge_position},
    {"rotation", "rad", "bodies turn with the angular velocities", kSteps, "needs a free body",
     &judge_rotation},
}};

}  // namespace

std::span<const Check> checks() {
  return kChecks;
}

void Findings::add(double new_value, double new_allowed, std::size_t new_row, int new_a, int new_b) {
  ++judged;
  const bool known = std::isfinite(new_value) && !std::isnan(new_allowed);
  const bool fails = !known || std::abs(new_value) > new_allowed;
  if (fails && failures++ == 0) first_failure = new_row;
  const double ratio = !known             ? std::numeric_limits<double>::infinity()
                       : new_value == 0.0 ? 0.0
                                          : std::abs(new_value) / new_allowed;
  if (!(ratio > ratio_)) return;
  ratio_ = ratio;
  value = new_value, allowed = new_allowed;
  row = new_row, a = new_a, b = new_b;
}

}  // namespace csim::audit
