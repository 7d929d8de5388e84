// The contact law at the acceleration level: the force at a state, without a step.
//
//   f_n = f(x, -v_n),   f_t = -mu f_n v_t/sqrt(|v_t|^2 + v_s^2)
//
// with the normal laws as they are before they are made implicit: (fe)_+ (1 - d v_n)_+ of Hunt & Crossley,
// (fe - tau k v_n)_+ of the linear law, k_p x_+^{3/2} (1 - d v_n)_+ of Hertz's, -U'(phi) of the barriers; fe
// = -k phi of a point, A p of a point of a face (Masterjohn et al., Velocity Level Approximation of Pressure
// Field Contact Patches, section II). This is gamma/dt of Lagged as the step goes to zero (Castro et al.
// 2023, Irrotational Contact Fields; eps_s of eq. 44 falls to v_s). Similar and SAP have the same limit
// without dissipation; with it they do not while a contact slides, whatever the step: their damper reads v_n
// - mu |v_t| in place of v_n, so that SAP glides by mu tau |v_t|. SAP's friction becomes Coulomb's own law,
// without v_s, and TAMSI's is regularised in another way.
#pragma once

#include "law/contact_law.h"

namespace csim {

/// Sums over the contacts of a state.
struct ContactPower {
  double dissipated_normal = 0.0, dissipated_friction = 0.0;  // W, by damping and by friction; >= 0
  double bias_work = 0.0;   // W, done on the system by prescribed bodies and belts: -sum of f . b
  bool is_pressed = false;  // whether any contact has a normal force
};

/// Fills *force (N, world axes, on body b, sized by the caller) from the columns: phi0, elastic_force0, v_n0
/// and the pairs' parameters are those of the state, `v` its contact velocities.
ContactPower evaluate_continuous_law(const LawParameters& parameters, NormalLaw normal,
                                     const ContactColumns& contacts, const ContactVelocities& v,
                                     Vector3Columns* force);

}  // namespace csim
