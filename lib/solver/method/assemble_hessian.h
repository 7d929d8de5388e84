// H = A + J^T G J of an island, cluster by cluster and row by row.
#pragma once

#include <vector>

#include "problem/pools.h"
#include "solver/linear/block_matrix.h"

namespace csim {

/// The places of an island's edges in a matrix that holds only some of them.
struct EdgePlaces {
  std::vector<int> place;  // [edges of the island], index among the edges of H; -1: not there

  [[nodiscard]] int operator[](int edge) const { return place[edge]; }
};

/// Work space of `assemble_hessian`.
struct HessianBuffer {
  /// Of an articulated body: the columns of J of the joints that move it; the others are zero.
  struct MovingColumns {
    std::vector<int> index;  // in the block of its tree
    std::vector<double> J;   // [6, index]
    std::vector<double> Jt;  // [index, 6], the same
  };
  MovingColumns a, b;
  std::vector<double> X, product;
};

/// Gives H the island's pattern; nothing happens when it already has it.
void set_hessian_pattern(const ConvexProblem& problem, const Island& island, BlockSymmetricMatrix* H);

/// Gives H the pattern of the edges of rows and of those whose contacts act (G is not zero) or are near to
/// it: those with phi0 + h v_n < h reach, v_n (m/s) by contact. Contacts in one pile are offered that do not
/// act; without their blocks the factor has far fewer entries. `places` receives where the island's edges
/// are.
void set_hessian_pattern(const ConvexProblem& problem, const Island& island, const ContactHessians& G,
                         const std::vector<double>& v_n, double reach, EdgePlaces* places,
                         BlockSymmetricMatrix* H);

/// Whether all edges with a contact that acts (G is not zero) have a place.
[[nodiscard]] bool pattern_holds(const ConvexProblem& problem, const Island& island, const ContactHessians& G,
                                 const EdgePlaces& places);

/// Fills H, which has the island's pattern, or that of `places` when it is not null. The contacts of a
/// cluster are summed into one 6 x 6 matrix about its reference point, sum Phi^T G Phi with Phi = [-[r]x, I],
/// which is then shifted to free bodies and mapped by the Jacobians of articulated ones. A row adds c_p c_q G
/// for each two of its terms. `buffer` is work space.
void assemble_hessian(const ConvexProblem& problem, const Island& island, const PoolHessians& G,
                      BlockSymmetricMatrix* H, HessianBuffer* buffer, const EdgePlaces* places = nullptr);

}  // namespace csim
