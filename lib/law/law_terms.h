// What the scalar functions of the contact laws return.
#pragma once

namespace csim {

/// A normal law at the normal velocity v: potential C, impulse n = -C' (N s) and m = C'' = -n' >= 0 (kg).
struct NormalTerms {
  double cost, impulse, stiffness;
};

/// An isotropic law at (v_n, s^2 = |v_t|^2), with n the unit normal and P = I - n n^T:
///   gamma = normal n + tangential v_t
///   G     = nn n n^T + nt (n v_t^T + v_t n^T) + tt v_t v_t^T + perp P
struct LawTerms {
  double cost;
  double normal, tangential;
  double nn, nt, tt, perp;
};

}  // namespace csim
