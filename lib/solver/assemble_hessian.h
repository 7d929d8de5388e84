// H = A + J^T G J of an island, cluster by cluster.
#pragma once

#include "problem/convex_problem.h"
#include "solver/block_matrix.h"

namespace csim {

/// Gives H the island's pattern; nothing happens when it already has it.
void set_hessian_pattern(const ConvexProblem& problem, const Island& island, BlockSymmetricMatrix* H);

/// Fills H, which has the island's pattern. The contacts of a cluster are summed into one 6 x 6 matrix about
/// its reference point, sum Phi^T G Phi with Phi = [-[r]x, I], which is then shifted to free bodies and
/// mapped by the Jacobians of articulated ones. `buffer` is work space.
void assemble_hessian(const ConvexProblem& problem, const Island& island, const ContactHessians& G,
                      BlockSymmetricMatrix* H, std::vector<double>* buffer);

}  // namespace csim
