// Text that starts a study elsewhere: a Slurm script, commands, a study to begin with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "study/case_status.h"
#include "study/study_folder.h"

namespace csim {

struct SlurmOptions {
  int chunk = 1;         // cases a task
  int concurrent = 0;    // tasks at a time; 0: any number
  std::string walltime;  // "": the cluster's default
  std::string partition, account, qos, memory;
  std::string timeout;  // of a case, as --timeout of `run`
};

/// An array job, a task for every `chunk` cases. A task that runs out of time is told two minutes before its
/// end, writes checkpoints, ends with 75 and is queued again.
[[nodiscard]] std::string slurm_script(const Study& study, const Cases& cases, const StudyFolder& folder,
                                       const std::string& program, const SlurmOptions& options);

/// A job that collects and reports when the array has ended.
[[nodiscard]] std::string slurm_report_script(const Study& study, const StudyFolder& folder,
                                              const std::string& program, const SlurmOptions& options);

/// Wall time of a task of `chunk` cases, each half as long again as the longest complete case, and ten
/// minutes: "HH:MM:00". Nothing while no case is complete.
[[nodiscard]] std::optional<std::string> slurm_walltime(const std::vector<CaseStatus>& cases, int chunk);

/// A line a case: the command that runs it.
[[nodiscard]] std::string case_commands(const Study& study, const Cases& cases, const StudyFolder& folder,
                                        const std::string& program);

/// A study of a scene to begin with: five rungs 2h, h, h/2, h/4, h/8 of each key around the scene's own
/// value. Problems of the scene or the keys go to *diagnostics; then there is no text.
[[nodiscard]] std::optional<std::string> new_study(const std::string& scene,
                                                   const std::vector<std::string>& keys,
                                                   Diagnostics* diagnostics);

}  // namespace csim
