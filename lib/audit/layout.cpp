#include "audit/layout.h"

#include <algorithm>
#include <array>

namespace csim::audit {
namespace {

using enum Axes;
using enum Element;
using enum Need;

constexpr std::array<Dataset, 33> kLayout = {{
    {"/gravity", kNone, 3},
    {"/step", kNone, 0},
    {"/body/name", kBodies, 0, kText, kAlways},
    {"/body/mass", kBodies, 0, kReal, kAlways},
    {"/body/inertia", kBodies, 6, kReal, kAlways},
    {"/body/com", kBodies, 3},
    {"/body/motion", kBodies, 0, kText},
    {"/time", kRows, 0, kReal, kAlways},
    {"/trajectory/position", kRowsBodies, 3, kReal, kAlways},
    {"/trajectory/quaternion", kRowsBodies, 4, kReal, kAlways},
    {"/trajectory/velocity", kRowsBodies, 3, kReal, kAlways},
    {"/trajectory/angular_velocity", kRowsBodies, 3, kReal, kAlways},
    {"/trajectory/applied_impulse", kRowsBodies, 3},
    {"/trajectory/applied_angular_impulse", kRowsBodies, 3},
    {"/energy/kinetic", kRows, 0},
    {"/energy/potential", kRows, 0},
    {"/contact/row_offset", kContactOffsets, 0, kIndex, kWithGroup},
    {"/contact/body_a", kContacts, 0, kIndex, kWithGroup},
    {"/contact/body_b", kContacts, 0, kIndex, kWithGroup},
    {"/contact/point", kContacts, 3, kReal, kWithGroup},
    {"/contact/normal", kContacts, 3, kReal, kWithGroup, true},
    {"/contact/impulse", kContacts, 3, kReal, kWithGroup},
    {"/contact/moment", kContacts, 3},
    {"/contact/impulse_on_a", kContacts, 3, kReal, kNever, true},
    {"/contact/surface_velocity", kContacts, 3},
    {"/contact/gap", kContacts, 0, kReal, kNever, true},
    {"/contact/gap_end", kContacts, 0, kReal, kNever, true},
    {"/contact/friction", kContacts, 0, kReal, kNever, true},
    {"/contact/restitution", kContacts, 0, kReal, kNever, true},
    {"/pair/row_offset", kPairOffsets, 0, kIndex, kWithGroup},
    {"/pair/body_a", kPairs, 0, kIndex, kWithGroup},
    {"/pair/body_b", kPairs, 0, kIndex, kWithGroup},
    {"/pair/impulse", kPairs, 3, kReal, kWithGroup},
}};

}  // namespace

std::span<const Dataset> layout() {
  return kLayout;
}

const Dataset* find_dataset(const std::string& path) {
  const auto found =
      std::find_if(kLayout.begin(), kLayout.end(), [&](const Dataset& d) { return path == d.path; });
  return found == kLayout.end() ? nullptr : &*found;
}

}  // namespace csim::audit
