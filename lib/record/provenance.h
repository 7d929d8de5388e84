// Where a result comes from: program, machine, command, inputs. Stored as the attributes of /provenance.
#pragma once

#include <string>
#include <vector>

namespace csim {

struct InputFile {
  std::string path;
  std::string sha256;  // of its bytes; "" when it could not be read
};

struct Provenance {
  std::string version;   // of csim
  std::string revision;  // git commit, "+dirty" appended when the tree had changes
  std::string compiler;
  std::vector<std::string> libraries;  // "name version"
  std::string blas;                    // the library really loaded, its configuration and threads
  std::string host;
  std::string cpu;
  int threads = 1;
  std::vector<std::string> argv;
  std::vector<InputFile> inputs;
  std::string start;  // UTC, 2026-01-31T12:00:00Z
  std::string end;    // "" while running
};

/// Fills everything but `end`: version, compiler and libraries of this build, host and processor of this
/// machine, hashes of the inputs (files), start = now. `blas` comes from the caller, who knows the linear
/// algebra.
[[nodiscard]] Provenance collect_provenance(const std::vector<std::string>& argv,
                                            const std::vector<std::string>& input_files, int threads,
                                            const std::string& blas);

/// Now, UTC, in the form 2026-01-31T12:00:00Z.
[[nodiscard]] std::string utc_now();

}  // namespace csim
