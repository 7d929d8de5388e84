// The commands of `csim study`: options in, exit code out.
#pragma once

#include <string>
#include <vector>

#include "study/batch_files.h"

namespace csim::cli {

/// Each command uses some.
struct StudyOptions {
  std::string study;             // file; of `new` the scene
  std::string output;            // folder; empty: the study's name, here
  std::vector<std::string> set;  // KEY=VALUE, for every case
  bool json = false, force = false, quiet = false;

  // run
  int jobs = 0;       // 0: as many as there are processors
  std::string cases;  // indices such as "3,7-9", or auto; empty: all
  int chunk = 1;      // cases a task
  bool retry_failed = false;
  std::string timeout;                // of a case; empty: none
  std::string progress = "auto";      // or always, never
  std::string inconclusive = "fail";  // or pass; of report too

  bool todo = false;  // status
  SlurmOptions slurm;
  bool collect = false;           // slurm: the job that reports, in place of the array
  std::string junit, markdown;    // report: files
  std::vector<std::string> over;  // new: keys
};

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

}  // namespace csim::cli
