#include "audit/audit.h"

#include <cstdio>
#include <memory>

#include "audit/read_trajectory.h"
#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {
namespace {

struct AuditCommand {
  std::string file;
  audit::Tolerances tolerances;
  bool json = false;
};

int audit_file(const AuditCommand& command) {
  const CrashGuard guard(command.file);
  try {
    const audit::Trajectory trajectory = audit::read_trajectory(command.file);
    const audit::Report report = audit::audit(trajectory, command.tolerances);
    const std::string text =
        command.json ? audit::report_json(trajectory, report) : audit::report_text(trajectory, report);
    std::fputs(text.c_str(), stdout);
    return report.holds() ? kDone : kGateFailed;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace

Command audit_command() {
  const auto o = std::make_shared<AuditCommand>();
  return {
      .name = "audit",
      .description =
          "judge a trajectory, of csim or of another program, by the laws of mechanics; exit code 5 "
          "when one does not hold",
      .options =
          {required({"file", &o->file,
                     "result of csim, HDF5 file of the layout csim-trajectory/1, or folder of its CSV files",
                     "FILE"}),
           with_default({"--rtol", &o->tolerances.relative,
                         "relative tolerance of the checks of single steps", "", number(kAboveZero)}),
           with_default({"--energy-rtol", &o->tolerances.energy,
                         "tolerance of the checks of energy over the run, relative to the energy throughput",
                         "", number(kAboveZero)}),
           {"--json", &o->json, "one JSON object"}},
      .examples =
          "  csim audit bounce.h5                  momentum, contacts, friction, energy of a run\n"
          "  csim audit bounce.h5 --rtol 1e-3      less strict step by step",
      .notes =
          "The checks and the layout: docs/audit.md. An audit computes from what the file stores, never by\n"
          "the solver. 'allowed' is the tolerance where the value is worst; it includes the error of\n"
          "first-order schemes.",
      .run = [o] { return audit_file(*o); }};
}

}  // namespace csim::cli
