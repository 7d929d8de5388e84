// Lemke's method for linear complementarity problems: w = M z + q, w >= 0, z >= 0, w^T z = 0.
#pragma once

#include <vector>

#include "core/types.h"

namespace csim {

enum class LemkeStatus { kSolved, kRay, kPivotLimit };

struct LemkeResult {
  LemkeStatus status = LemkeStatus::kPivotLimit;
  VectorX z, w;
  int pivots = 0;
};

/// Complementary pivoting with the covering vector `cover` > 0 and lexicographic ratio tests, which do not
/// cycle (Cottle, Pang & Stone 1992, The Linear Complementarity Problem, algorithm 4.4.5 and section 4.9).
/// For copositive M it ends with a solution or on a secondary ray. A dense tableau of n x (2 n + 2). At the
/// end z and w are solved anew from M and q with the basis found.
void solve_lemke(const MatrixX& M, const VectorX& q, const VectorX& cover, LemkeResult* result);

}  // namespace csim
