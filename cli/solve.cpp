#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "record/friction/friction_result.h"
#include "record/hdf5/hdf5_file.h"
#include "record/output_file.h"

namespace csim::cli {
namespace {

struct SolveOptions {
  std::string file, output, reduced;
  std::string method = "auto";
  double tolerance = FrictionOptions{}.tolerance;
  int max_iterations = 0;  // 0: those of the method
  bool force = false, json = false;
};

std::vector<std::string> method_names() {
  return {std::begin(kFrictionMethodNames), std::end(kFrictionMethodNames)};
}

FrictionOptions friction_options(const SolveOptions& options) {
  const auto names = method_names();
  FrictionOptions friction;
  friction.method =
      static_cast<FrictionMethod>(std::find(names.begin(), names.end(), options.method) - names.begin());
  friction.tolerance = options.tolerance;
  if (options.max_iterations > 0) friction.max_iterations = options.max_iterations;
  return friction;
}

/// Whether the two outputs are one file.
bool is_one_output(const SolveOptions& options) {
  const auto place = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  };
  return !options.output.empty() && !options.reduced.empty() &&
         place(options.output) == place(options.reduced);
}

/// Only the HDF5 library can be crashed by a damaged file.
FrictionFile read_problem(const std::string& path) {
  std::optional<CrashGuard> guard;
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) && hdf5::File::is_hdf5(path)) guard.emplace(path);
  return reading(path, [&] { return read_friction_file(path); });
}

int solve(const SolveOptions& options) {
  if (is_one_output(options)) {
    std::fprintf(stderr, "csim: error: -o and --reduced name the same file, %s; expected two\n",
                 options.reduced.c_str());
    return kInvalidInput;
  }
  try {
    if (!options.output.empty()) check_output(options.output, options.force, {options.file});
    if (!options.reduced.empty()) check_output(options.reduced, options.force, {options.file});
    const FrictionResult result =
        solve_friction_file(options.file, read_problem(options.file), friction_options(options));
    if (!options.output.empty()) write_friction_result(options.output, result, options.force);
    if (!options.reduced.empty())
      write_fclib_file(options.reduced, result.file.problem,
                       {result.file.title, "Reduced to its contacts: " + options.file}, options.force);
    std::fputs((options.json ? friction_json(result) : friction_text(result)).c_str(), stdout);
    return result.solution.converged ? kDone : kSimulationFailed;
  } catch (...) {
    return report_file_error("; --force overwrites it");
  }
}

}  // namespace

Command solve_command() {
  const auto o = std::make_shared<SolveOptions>();
  return {
      .name = "solve",
      .description =
          "solve a problem of rigid contacts with Coulomb friction; exit code 3 when no method converges",
      .options =
          {required(
               {"file", &o->file, "FCLIB's HDF5 format, local or global; or Siconos' text", "FILE.hdf5"}),
           {"-o,--output", &o->output, "impulses, velocities, residuals of all iterates (HDF5)", "OUT.h5"},
           {"--reduced", &o->reduced,
            "also write the problem in FCLIB's local form (W, q, mu): converts Siconos' text", "OUT.hdf5"},
           with_default({"--method", &o->method,
                         "the solver; auto: the interior point, and the others where it fails. gauss_seidel "
                         "does not solve rolling friction (five rows a contact)",
                         "", one_of(method_names())}),
           with_default({"--tolerance", &o->tolerance,
                         "largest residual of a solution; residuals are defined below", "",
                         number(kAboveZero)}),
           {"--max-iterations", &o->max_iterations,
            "most iterations of a method; default: 200, and 20000 sweeps of gauss_seidel", "N",
            whole_number(1, std::numeric_limits<int>::max())},
           {"--force", &o->force, "replace existing outputs"},
           {"--json", &o->json, "one JSON object"}},
      .examples =
          "  csim solve step.hdf5                                   residual, iterations, how many slip\n"
          "  csim solve step.hdf5 --method newton -o impulses.h5    one method; impulses, velocities",
      .notes =
          "Residuals, with u = W r + q and u~ = u + mu |u_T| e_N: natural map |r - P(r - u~)|/|q|, P the "
          "projection on the\n"
          "friction cones; scaled: the same with rho_c = rows/trace W_cc of each contact, |r - P(r - rho "
          "u~)|/rho/|q|. Both are\n"
          "computed from the file's matrices and the impulses alone.",
      .run = [o] { return solve(*o); }};
}

}  // namespace csim::cli
