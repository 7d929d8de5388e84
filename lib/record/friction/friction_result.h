// The solution of a problem of friction as a file, as text and as JSON.
#pragma once

#include "record/friction/friction_file.h"
#include "solver/friction/solve_friction.h"

namespace csim {

struct FrictionResult {
  std::string path;  // of the problem
  FrictionFile file;
  FrictionSolution solution;
  VectorX motion;                // [nv] of a global problem
  double motion_residual = 0.0;  // likewise (friction_residual.h)
  double seconds = 0.0;          // of the solution, without reading
};

/// Solves the problem that was read from `path`. Throws InvalidResultError, which names the file, for a
/// singular M, and for gauss_seidel with rolling friction.
[[nodiscard]] FrictionResult solve_friction_file(const std::string& path, FrictionFile file,
                                                 const FrictionOptions& options);

/// A few lines.
[[nodiscard]] std::string friction_text(const FrictionResult& result);
[[nodiscard]] std::string friction_json(const FrictionResult& result);

/// HDF5, complete or not at all: /reaction and /velocity [contacts, rows a contact], of a global problem
/// /motion [nv], /residual/{natural_map,scaled,motion}, /history/{method,residual} of the iterates that were
/// judged; attributes at the root: problem, method, converged, message. Throws OutputExistsError where the
/// place is taken and not `force`, IoError.
void write_friction_result(const std::string& path, const FrictionResult& result, bool force);

}  // namespace csim
