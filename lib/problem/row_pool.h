// Scalar rows: the pool of constraints that act on one number v = sum_k c_k v_k of the generalised
// velocities. Joint limits, dry friction, drives with a largest effort and constraints are all the same law
// (law/row_law.h), a linear force within bounds:
//
//   f = clamp(-k g - c (v - v_d), f_lower, f_upper),   g = g0 + h v
//
// made implicit (Castro et al. 2022, SAP, Sec. II; convex for any k, c >= 0):
//
//   R = 1/(h (h k + c)),   v_hat = (c v_d - k g0)/(h k + c),   y = (v_hat - v)/R
//   gamma = clamp(y, h f_lower, h f_upper),   cost = gamma (v_hat - v - R gamma/2),   G = 1/R strictly inside
//
// The cost is continuous, and so is its first derivative, -gamma. Near-rigid bound: R is at least beta^2
// w/(4 pi^2) with w = c^T B^-1 c, so that a row is never stiffer than the step resolves; B has the diagonal
// of A, and the 3 x 3 blocks of angular velocities, which are vectors: their axes are those of the world, and
// no law may depend on these. Springs that it softens relax within the step, v_hat = -g0/(2 h), but at 1 m/s
// (rad/s) at most where they are violated.
//
// A constraint between two bodies (distance, ball, weld) is a row for each of its directions. Rows along the
// axes of one vector share one w, the mean of theirs: with it they are one law, the same in any axes.
#pragma once

#include <vector>

#include "law/contact_law.h"
#include "law/row_law.h"

namespace csim {

/// Rows [begin, end) of the columns.
struct RowRange {
  int begin = 0, end = 0;
};

/// Structure of arrays over the rows of a problem.
struct RowColumns {
  std::vector<RowLaw> law;
  std::vector<int> term_begin;  // [rows + 1]
  std::vector<RowTerm> terms;   // trees and velocities of the problem
  // [terms], of one of the three coordinates of an angular velocity (free bodies, ball joints) the first of
  // these, in the problem; -1: of others.
  std::vector<int> turning;
  std::vector<int> source;  // index among the offers (RowOffers)

  // Filled by set_rows.
  std::vector<double> v_hat;             // m/s or rad/s
  std::vector<double> R;                 // 1/kg or 1/(kg m^2)
  std::vector<double> lower, upper;      // N s or N m s
  std::vector<double> delassus;          // w, 1/kg
  std::vector<double> spring_stiffness;  // of the energy that the row stores, 0 where it is near-rigid

  [[nodiscard]] int size() const { return static_cast<int>(law.size()); }
  void resize(std::size_t n);
};

/// c^T v of row i.
[[nodiscard]] double row_velocity(const RowColumns& rows, int i, const VectorX& v);

/// v_hat, R and the bounds of the rows of one group for the step h (s); w: the mean of c^T B^-1 c.
void set_rows(double h, double w, RowRange group, RowColumns* rows);

/// sum of the costs (J); fills gamma (N s or N m s).
double evaluate_rows(const RowColumns& rows, RowRange range, const std::vector<double>& v,
                     std::vector<double>* gamma);

/// G = -d gamma/d v >= 0.
void row_hessian(const RowColumns& rows, RowRange range, const std::vector<double>& v,
                 std::vector<double>* G);

/// The sum of the costs and its derivatives at v + alpha dv.
LineValue evaluate_row_line(const RowColumns& rows, RowRange range, const std::vector<double>& v,
                            const std::vector<double>& dv, double alpha);

/// sum w gamma^2 (J): of the impulses one by one, as those of rows that oppose each other cancel in J^T
/// gamma.
[[nodiscard]] double row_impulse_norm2(const RowColumns& rows, RowRange range,
                                       const std::vector<double>& gamma);

/// gamma of row i.
[[nodiscard]] double row_impulse(const RowColumns& rows, int i, double v);

/// J, of the row's spring where its deviation is g.
[[nodiscard]] double row_energy(const RowColumns& rows, int i, double g);

/// A row at the acceleration level, without a step.
struct ContinuousRow {
  double force = 0.0;       // N or N m
  double energy = 0.0;      // J, of its spring
  double dissipated = 0.0;  // W: -f v less what the spring takes up
};

/// The law at the deviation g0 and the velocity v. Springs stiffer than k = (2 pi/period)^2/w are
/// this one with critical damping; `period` in s. Dry friction: -f_upper v/sqrt(v^2 + v_s^2).
[[nodiscard]] ContinuousRow evaluate_continuous_row(const RowLaw& law, double v, double w, double period,
                                                    double v_s);

}  // namespace csim
