// From the velocities of a quasistatic step to the positions at its end, and how these change with both.
#pragma once

#include "model/model.h"

namespace csim {

/// What a step makes positions with.
struct QuasistaticAdvance {
  double h = 0.0;  // s
  QuasistaticRotation rotation = QuasistaticRotation::kLinear;
};

/// *q [nq] += h N(q) v, quaternions normalised: with kLinear a body turns by 2 atan(h |w|/2) about w, with
/// kExponential by h |w|. `work`: work space.
void advance_quasistatic(const Model& model, const QuasistaticAdvance& advance, const VectorX& v,
                         VectorX* work, VectorX* q);

/// *dq_end [nq]: the change of the positions at the end with changes dq [nq] of the start and dv [nv] of the
/// velocities, to first order. The four numbers of a quaternion change one by one: it is normalised first,
/// so that a change along itself changes nothing.
void differentiate_advance(const Model& model, const QuasistaticAdvance& advance, const VectorX& q,
                           const VectorX& v, const VectorX& dq, const VectorX& dv, VectorX* dq_end);

}  // namespace csim
