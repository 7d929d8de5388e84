// One function a subcommand: options in, exit code out. No physics here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "export/frame_range.h"
#include "mesh/load_tet_mesh.h"
#include "record/report/diff.h"
#include "run/exit_code.h"
#include "run/run.h"
#include "study/batch_files.h"
#include "view/still.h"
#include "view/view_scene.h"

namespace csim::cli {

struct SceneOptions {
  std::string scene;
  std::vector<std::string> overrides;  // KEY=VALUE of --set, in order
};

struct RunOptions {
  SceneOptions scene;
  RunSettings settings;
  std::optional<double> end;  // s
  std::string resume;         // yes, auto or relax; "": no
  bool json = false, quiet = false, verbose = false;
  std::string progress = "auto";  // or always, never
  std::string log_file;
};

struct ExplainOptions {
  SceneOptions scene;
  bool json = false;
};

struct ReplayOptions {
  std::string file;
  std::vector<std::string> overrides;  // KEY=VALUE of --set, in order
  bool json = false;
};

struct ValidateOptions {
  std::vector<std::string> scenes;
  bool json = false;
};

struct SchemaOptions {
  std::string which = "scene";
  bool markdown = false;
};

struct InfoOptions {
  std::string file;
  bool json = false;
};

struct DiffCommand {
  std::string a, b;
  DiffOptions options;
  bool json = false;
};

struct TableOptions {
  std::vector<std::string> files;
  std::string columns =
      "file,status,contact.model,time.step,energy/balance_error,stats/step/iterations@mean,seconds";
  std::string format = "csv";  // or markdown, json
  std::string reference;       // of measures of `difference`; "": none
};

/// A shape as the command line gives it. What a shape does not take stays empty.
struct MeshMakeOptions {
  std::string shape;
  std::optional<double> radius, length;  // m
  std::vector<double> size, semi_axes;   // m
  std::string file;                      // of a convex hull
  std::vector<double> scale;             // one number or three
  std::optional<double> resolution;      // m; default 0.02
  double modulus = 1e7;                  // Pa
  double margin = 0.0;                   // m
  std::optional<std::string> strategy;   // single (default) or dense
  bool rigid = false;                    // the surface alone
  std::string output;                    // empty: only the summary
  bool force = false;
  bool json = false;
};

struct MeshFileOptions {
  std::string file;
  std::vector<double> scale;  // one number or three
  bool json = false;
  bool strict = false;  // check: warnings count as errors
  // Of export.
  std::string output;
  bool force = false;
  CompliantFileOptions load;  // its scale follows from `scale`
};

struct ViewOptions {
  std::string file;
  std::string page;  // empty: named after the result, in the current folder, unless a still is asked for
  bool wants_still = false;
  std::string still;  // empty, where a still is wanted: `page` names it, else the result does
  ViewSelection selection;
  StillOptions picture;
  ViewCamera camera;
  std::vector<double> look_at;  // m: three numbers, or none
  bool large = false;
  bool force = false;
};

struct ExportOptions {
  std::string file;
  std::string paraview, csv;  // folders; empty: not wanted, but one of them is
  FrameRange frames;
  bool force = false;
};

/// Of the commands of `csim study`; each uses some.
struct StudyOptions {
  std::string study;   // file; of `new` the scene
  std::string output;  // folder; empty: the study's name, here
  bool json = false, force = false, quiet = false;

  // run
  int jobs = 0;       // 0: as many as there are processors
  std::string cases;  // indices such as "3,7-9", or auto; empty: all
  int chunk = 1;      // cases a task
  bool retry_failed = false;
  std::string progress = "auto";      // or always, never
  std::string inconclusive = "fail";  // or pass; of report too

  bool todo = false;  // status
  SlurmOptions slurm;
  std::string junit, markdown;    // report: files
  std::vector<std::string> over;  // new: keys
};

/// load_scene with the problems printed to stderr.
[[nodiscard]] std::optional<LoadedScene> load_scene_or_complain(const SceneOptions& options);

/// Runs a scene to its end and writes the result file.
int run(const RunOptions& options);

/// Prints every problem of every scene; nothing is run.
int validate(const ValidateOptions& options);

/// Prints what follows from a scene: stiffness and time scales of its pairs, sizes, advice.
int explain(const ExplainOptions& options);

/// Makes the step again that failed, alone; kSimulationFailed when it fails again.
int replay(const ReplayOptions& options);

/// Prints the complete scene with every default.
int resolve(const SceneOptions& options);

/// Prints the JSON Schema of the scene format, or its reference page.
int schema(const SchemaOptions& options);

/// Summarises a result file.
int info(const InfoOptions& options);

/// Compares two result files.
int diff(const DiffCommand& command);

/// Prints a row a result file, with keys of its scene and numbers of its datasets.
int table(const TableOptions& options);

/// Meshes a shape, summarises the mesh and writes it.
int mesh_make(const MeshMakeOptions& options);

/// Summarises a mesh file; kGateFailed when the mesh cannot be used.
int mesh_check(const MeshFileOptions& options);

/// Summarises a mesh file.
int mesh_info(const MeshFileOptions& options);

/// Writes a mesh file's tets with their pressure, or its surface, for other programs.
int mesh_export(const MeshFileOptions& options);

/// Writes a page, or a still picture, that shows a result.
int view(const ViewOptions& options);

/// Writes a result in forms that other programs read.
int export_result(const ExportOptions& options);

/// Prints every case of a study; nothing is run.
int study_list(const StudyOptions& options);

/// Runs what is missing, then collects and reports; or single cases.
int study_run(const StudyOptions& options);

/// Prints how far each case has come.
int study_status(const StudyOptions& options);

/// Writes study.h5 and study.csv.
int study_collect(const StudyOptions& options);

/// Judges, and writes the report.
int study_report(const StudyOptions& options);

/// Prints a script for Slurm; a line a case for other schedulers; a study to begin with.
int study_slurm(const StudyOptions& options);
int study_commands(const StudyOptions& options);
int study_new(const StudyOptions& options);

/// Prints version, revision, libraries and the licence line.
int version(bool json);

}  // namespace csim::cli
