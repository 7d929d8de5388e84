// The commands of csim; each stands with its options in a file of its own. No physics here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "run/run.h"

namespace csim::cli {

struct SceneOptions {
  std::string scene;
  std::vector<std::string> overrides;  // KEY=VALUE of --set, in order
};

/// The scene and its --set, the first options of a command.
[[nodiscard]] std::vector<Option> scene_options(SceneOptions* options);

/// load_scene with the problems printed to stderr.
[[nodiscard]] std::optional<LoadedScene> load_scene_or_complain(const SceneOptions& options);

/// Runs a scene to its end and writes the result file, which keeps the command line.
[[nodiscard]] Command run_command(int argc, char** argv);

/// Prints every problem of every scene; nothing is run.
[[nodiscard]] Command validate_command();

/// Prints the complete scene with every default.
[[nodiscard]] Command resolve_command();

/// Prints what follows from a scene: stiffness and time scales of its pairs, sizes, advice.
[[nodiscard]] Command explain_command();

/// Prints the JSON Schema of the scene format, or its reference page.
[[nodiscard]] Command schema_command();

/// Summarises a result file.
[[nodiscard]] Command info_command();

/// Makes the step again that failed, alone; kSimulationFailed when it fails again.
[[nodiscard]] Command replay_command();

/// Judges a trajectory by the laws of mechanics; kGateFailed when one does not hold.
[[nodiscard]] Command audit_command();

/// Compares two result files.
[[nodiscard]] Command diff_command();

/// Prints a row a result file, with keys of its scene and numbers of its datasets.
[[nodiscard]] Command table_command();

/// Makes, checks, summarises and exports meshes with their pressure fields.
[[nodiscard]] Command mesh_command();

/// Writes a page, or a still picture, that shows a result.
[[nodiscard]] Command view_command();

/// Writes a result in forms that other programs read.
[[nodiscard]] Command export_command();

/// Solves a problem of rigid contacts with friction of a file of FCLIB or Siconos; kSimulationFailed where no
/// method converges.
[[nodiscard]] Command solve_command();

/// Many runs of a scene, judged.
[[nodiscard]] Command study_command();

/// Prints the rows of the reference that a word names. `commands`: those of the program, for what is
/// misspelt; their own help is printed before this command is asked.
[[nodiscard]] Command help_command(const std::vector<std::string>& commands);

/// `csim --version`: version, revision, libraries and the licence line.
[[nodiscard]] Command version_command();

}  // namespace csim::cli
