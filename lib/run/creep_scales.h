// How fast contacts creep that stick: friction is regularised, and the speed at which it is depends on the
// load.
#pragma once

#include <algorithm>
#include <vector>

#include "contact/contact_set.h"
#include "model/model.h"

namespace csim {

/// The effective stiction tolerance of a contact by its normal force (Castro et al. 2023, Irrotational
/// Contact Fields, eqs 42, 44): max(v_s, mu sigma w gamma_n), gamma_n = h f_n, w the Delassus weight of the
/// contact. A contact that holds with the part q of its bound creeps at q/sqrt(1 - q^2) of it (lagged,
/// coulomb, similar, continuous), q of it (sap), 1 - sqrt(1 - q) of it (tamsi).
struct CreepScale {
  double floor = 0.0;     // m/s, v_s: whatever the load; 0: sap
  double per_load = 0.0;  // m/s per N of one contact, mu sigma w h; 0: laws and integrators without sigma

  [[nodiscard]] double tolerance(double normal_force) const {
    return std::max(floor, per_load * normal_force);
  }
};

/// Of a contact with this friction and Delassus weight (1/kg) under the scene's law and step.
[[nodiscard]] CreepScale creep_scale(const Scene& scene, double friction, double delassus);

/// Delassus weight w (1/kg) of a contact between free bodies of this reduced mass (kg) of which no place is
/// known: sqrt(7)/m, of a solid sphere [Drake's ICF solver, 2025]. The law itself takes that of the place.
[[nodiscard]] double estimated_delassus(double reduced_mass);

/// The contacts that the model would have where all bodies are nearer by the radius of the smallest that
/// moves: those that a body meets next are among them, such as what a gripper is about to hold.
[[nodiscard]] ContactSet near_contacts(const Model& model, const State& state);

/// w (1/kg) of these contacts as the law has it in a step h (s) from the state, in their order; NaN where
/// neither body moves.
[[nodiscard]] std::vector<double> delassus_weights(const Scene& scene, const Model& model, const State& state,
                                                   double h, const ContactSet& contacts);

}  // namespace csim
