#include "run/guards.h"

#include <iomanip>
#include <sstream>
#include <tuple>

#include "core/number_format.h"
#include "core/seconds_text.h"
#include "step/account/energy_gain.h"

namespace csim {
namespace {

std::string short_number(double value) {
  std::ostringstream text;
  text << std::setprecision(3) << value;
  return text.str();
}

std::string geometries(const Model& model, int a, int b) {
  return "'" + model.geometries[static_cast<std::size_t>(a)].name + "' and '" +
         model.geometries[static_cast<std::size_t>(b)].name + "'";
}

/// The pair of geometries with the most contacts. Those of a pair stand together.
std::string most_contacts(const Model& model, const ContactSet& contacts) {
  int most = 0, a = -1, b = -1, count = 0;
  for (int k = 0; k < contacts.size(); ++k) {
    const ContactPair pair = contacts.pair(k);
    const bool same = k > 0 && contacts.pair(k - 1).geometry_a == pair.geometry_a &&
                      contacts.pair(k - 1).geometry_b == pair.geometry_b;
    count = same ? count + 1 : 1;
    if (count > most) std::tie(most, a, b) = std::tuple(count, pair.geometry_a, pair.geometry_b);
  }
  return a < 0 ? "" : "; most of them, " + std::to_string(most) + ", of " + geometries(model, a, b);
}

}  // namespace

std::string broken_guard(const GuardSpec& guards, const Model& model, const StepOutcome& outcome,
                         const ContactSet& contacts) {
  const auto when = [&] {
    return "step " + std::to_string(outcome.state.step) +
           ", which ends at t = " + time_text(outcome.state.time) + ", is not taken: guards.";
  };
  const Overlap& deepest = outcome.deepest;
  if (deepest.depth > guards.penetration)
    return when() + "penetration: " + geometries(model, deepest.geometry_a, deepest.geometry_b) +
           " overlap by " + short_number(deepest.depth) + " m, allowed are " +
           format_number(guards.penetration) + " m";
  const long num_contacts = outcome.statistics.num_contacts;
  if (static_cast<double>(num_contacts) > guards.contacts)
    return when() + "contacts: " + std::to_string(num_contacts) + " contacts, allowed are " +
           format_number(guards.contacts) + most_contacts(model, contacts);
  const EnergyGain& gain = outcome.gain;
  if (gain.fraction > guards.energy_gain)
    return when() + "energy_gain: energy from nothing, " + short_number(gain.amount) + " J, is " +
           short_number(gain.fraction) + " of the energy throughput, allowed is " +
           short_number(guards.energy_gain) + "; most of it from " + gain_subjects(model, gain);
  return "";
}

}  // namespace csim
