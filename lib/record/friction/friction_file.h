// Problems of friction in files: FCLIB's HDF5 format, and the text of Siconos' numerics.
#pragma once

#include <optional>
#include <string>

#include "solver/friction/friction_problem.h"

namespace csim {

struct FrictionFile {
  std::string format;  // "fclib_local", "fclib_global_rolling", .., "siconos_local", "siconos_global"
  std::string title;   // "" where the file gives none
  std::optional<GlobalFrictionProblem> global;  // with the bodies' velocities
  FrictionProblem problem;  // of the contacts alone; of a global one what reduce_to_contacts makes
};

/// Reads the problem of a file, whichever format it has. Throws InvalidResultError, which names the file and
/// its dataset or line with what was found and expected: a file that is missing, empty or of neither format;
/// a matrix or vector that is missing, of a wrong size, with an index out of range or a number that is not
/// finite; mu < 0; bilateral constraints, which are not supported. Throws ReadError for a
/// damaged file.
[[nodiscard]] FrictionFile read_friction_file(const std::string& path);

/// The same of one format.
[[nodiscard]] FrictionFile read_fclib_file(const std::string& path);
[[nodiscard]] FrictionFile read_siconos_text(const std::string& path);

/// Reduces a global problem; a local one stays. Throws InvalidResultError where M is singular.
void reduce_to_contacts(const std::string& path, FrictionFile* file);

/// Of FCLIB's group, "/fclib_local": throws InvalidResultError, which names the dataset, unless the sizes of
/// the parts fit each other, mu >= 0 and all numbers are finite. (read_siconos_text says the same of lines.)
void check_friction_problem(const FrictionProblem& problem, const std::string& path,
                            const std::string& group);
void check_friction_problem(const GlobalFrictionProblem& problem, const std::string& path,
                            const std::string& group);

/// What a file says of its problem.
struct FrictionInfo {
  std::string title, description;
};

/// Writes a problem in FCLIB's format, complete or not at all. Throws OutputExistsError where the place is
/// taken and not `force`, IoError.
void write_fclib_file(const std::string& path, const GlobalFrictionProblem& problem, const FrictionInfo& info,
                      bool force);
void write_fclib_file(const std::string& path, const FrictionProblem& problem, const FrictionInfo& info,
                      bool force);

}  // namespace csim
