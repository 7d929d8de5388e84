// The program: its commands, and what became of its output.
#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "core/log.h"
#include "run/signals.h"

namespace {

using namespace csim::cli;
using csim::kDone;

constexpr const char* kExamples =
    "  csim run scenes/clutter/scene.yaml -o clutter.h5     simulate and write results\n"
    "  csim run scene.yaml --set contact.model=sap          change one key\n"
    "  csim validate scene.yaml                             check a scene without running it\n"
    "  csim info clutter.h5                                 how it ended, warnings, penetration, energy\n"
    "  csim view clutter.h5                                 clutter.html: look at it in a browser\n"
    "  csim export clutter.h5 --csv tables                  tables/: motion, contacts and the rest as CSV\n"
    "  csim help run                                        options and examples of a command\n"
    "  csim help contact.model                              what a key of a scene or a study means";
constexpr const char* kExitCodes =
    "0 done, 1 internal error, 2 usage or invalid input, 3 the simulation failed, 4 output cannot be "
    "written,\n"
    "5 a gate failed (study, diff, audit, mesh check), 75 interrupted with a checkpoint written (--resume "
    "goes on "
    "from it).";

Command program(int argc, char** argv) {
  Command csim = version_command();
  csim.name = "csim";
  csim.description = "csim: batch simulation of contact mechanics in robotics";
  csim.examples = kExamples;
  csim.exit_codes = kExitCodes;
  csim.commands = {run_command(argc, argv), validate_command(), resolve_command(), explain_command(),
                   schema_command(),        info_command(),     replay_command(),  diff_command(),
                   audit_command(),         table_command(),    mesh_command(),    view_command(),
                   export_command(),        solve_command(),    study_command()};
  std::vector<std::string> names{"completion", "man"};
  for (const Command& command : csim.commands) names.push_back(command.name);
  csim.commands.push_back(help_command(names));
  return csim;
}

/// Whether who read stdout closed it, as `csim info a.h5 | head` does on purpose.
bool reader_left() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/// What did not reach stdout or the log file turns success into kOutputFailed.
int check_streams(int exit_code) {
  std::string failure = csim::log_failure();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) failure = "standard output cannot be written";
  if (failure.empty()) return exit_code;
  if (!reader_left()) std::fprintf(stderr, "csim: error: %s\n", failure.c_str());
  return exit_code == kDone ? csim::kOutputFailed : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  csim::turn_write_signals_into_errors();
  return check_streams(run_command_line(program(argc, argv), argc, argv));
}
