// What a scene asks of every step of the discrete scheme.
#pragma once

#include "scene/scene.h"
#include "solver/method/newton.h"

namespace csim {

struct StepOptions {
  /// `workers`, which must outlive this, share out the loops of a step; null: none.
  StepOptions(const Scene& scene, Workers* workers);

  double step;  // s, of a whole one where they are constant
  NewtonOptions newton;
  bool accepts_inexact;      // on_nonconvergence: accept
  double margin;             // m, offered below this in any case
  bool margin_auto;          // and what can close in the step
  bool mean_velocity_terms;  // integrator.velocity_terms: mean
  bool repeats_friction;     // contact.model: coulomb
  double friction_tolerance;
  int max_repetitions;
  bool guards_gain;  // guards.energy_gain is not none
};

}  // namespace csim
