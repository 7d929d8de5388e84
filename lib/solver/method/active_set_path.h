// The path that Newton's method would take if it saw every contact open and close on its way.
//
// With the friction linearised, and Hunt & Crossley's law by its tangent at v (where it does not press, at
// its beginning), g is piecewise linear in v: it bends where a contact opens or closes. The Newton path v(t)
// has g(v(t)) = (1 - t) g(v), t from 0 to 1, and bends with it; Newton's direction is its first piece
// continued, and a line search along that stops at the first stiff contact that closes. The cost of the
// linearised problem falls all along the path, and its end is the minimum (path search: D. Ralph, Global
// convergence of damped Newton's method for nonsmooth equations via the path search, Math. Oper. Res. 19,
// 1994). A contact that changes alters H by D J_n^T J_n, of rank one, and the next piece follows from the
// factor at hand by Sherman and Morrison's formula.
#pragma once

#include <array>
#include <vector>

#include "problem/convex_problem.h"
#include "solver/linear/linear_solver.h"

namespace csim {

/// Most bends of a path; its last piece is continued to t = 1. Clutter of 40 bodies, forty-eight heaps, mean
/// iterations in the first second and from 1 to 3 s: 0: 9.1 and 4.9, 2: 8.1 and 4.3, 4: 7.8 and 4.1, 6: 7.6
/// and 4.1.
inline constexpr int kMaxBends = 4;

/// Work space by row or contact of the whole problem.
struct ActiveSetPath {
  ConeColumns normals;
  std::array<VectorX, kMaxBends> answer;                   // H^-1 J_n^T of each bend, H as it was there
  std::array<std::vector<double>, kMaxBends> answer_rate;  // J_n of it
  VectorX direction;                                       // dv/dt
  std::vector<double> rate;                                // m/s, dv_n/dt
  std::vector<double> moved;                               // m/s, v_n since the start of the path
  std::vector<double> threshold;                           // m/s, `moved` at which the contact changes
  std::vector<double> side;                                // 1: open, -1: presses, 0: never changes
  std::vector<double> stiffness;                           // kg, of the linearised law where it presses

  /// Makes room for the problem, and gives none back.
  void resize(const ConvexProblem& problem);
};

/// Replaces Newton's direction `dv` = -H^-1 g by the way along the path, a direction of descent too. `v_c`
/// belongs to v, `dv_n` [contacts] to dv, `factor` to H at v. Returns the number of bends: 0 leaves dv as it
/// is, to rounding. The law has `fill_normals`, and its G does not couple normals and tangents (Lagged).
[[nodiscard]] int follow_active_set(const ConvexProblem& problem, const Island& island,
                                    const ContactVelocities& v_c, const std::vector<double>& dv_n,
                                    LinearSolver* factor, ActiveSetPath* path, VectorX* dv);

}  // namespace csim
