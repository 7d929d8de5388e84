// Cures for what inspect_tet_mesh() finds, done when a user asks for them.
#pragma once

#include "mesh/tet_mesh.h"

namespace csim {

/// Turns the tets of negative volume; returns how many. Flat ones stay.
int turn_inverted_tets(TetMesh* mesh);

struct SplitCounts {
  std::size_t edges = 0, triangles = 0, tets = 0;
};

/// Gives every problem simplex (find_problem_simplices) a vertex inside, in this order: interior edges
/// between boundary vertices at their middle (which cuts all tets around in two), then interior triangles of
/// boundary vertices at their centroid (two tets become six), then tets of boundary vertices at their
/// centroid (one becomes four). The shape and the other tets stay, no problem simplex is left.
SplitCounts split_problem_simplices(TetMesh* mesh);

}  // namespace csim
