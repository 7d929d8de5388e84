// What a result file says about its run, in short.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/reader.h"
#include "record/report/deepest.h"

namespace csim {

/// Order statistics of the finite values of a column: nearest rank, percentiles 0, 50, 90, 99, 100.
struct Percentiles {
  long count = 0;  // finite values; the others are NaN when there are none
  double min, median, p90, p99, max;
};
[[nodiscard]] Percentiles percentiles(std::vector<double> values);

struct RunInfo {
  std::string path, scene_name;
  RunStatus status = RunStatus::kRunning;
  int exit_code = -1;
  std::string message;
  Provenance provenance;
  int num_earlier_runs = 0;  // that this one resumed
  long num_bodies = 0, num_geometries = 0, num_joints = 0, nq = 0, nv = 0;
  RowCounts rows;
  double end_time = 0.0;  // s, of the last step (of the last frame without steps)

  /// Of the columns of /stats/step that are summed up, by their names there.
  std::map<std::string, Percentiles> solver;
  std::vector<long> status_counts;  // by StepStatus

  /// The events of one kind, in the order of their first rows.
  struct EventLine {
    std::string kind;
    long count = 0;                    // rows: steps, of each subject
    double first_time = 0.0;           // s
    std::string subject_a, subject_b;  // of the first
    double value = 0.0;                // sum of counts, largest of measures
  };
  bool has_events = false;  // the file has the group
  std::vector<EventLine> events;
  /// Rows of /warning, then kinds of events that a run warns of and that have no row yet: of a run that goes
  /// on, was killed, or is of an older version.
  Warnings warnings;

  /// Bodies asleep, where integrator.sleep_speed is given.
  bool has_sleep = false;
  long asleep_at_end = 0, most_asleep = 0;

  /// Pairs of bodies by their time in contact, the longest first, ten at most.
  struct PairLine {
    std::string body_a, body_b;
    double contact_time = 0.0, peak_normal_force = 0.0;  // s, N
  };
  std::vector<PairLine> longest_contacts;

  DeepestPoint deepest;
  LargestPressure pressure;

  // Artefacts of the contact law: largest over all steps.
  double gliding_distance = 0.0, stiction_tolerance = 0.0;  // m, m/s
  double gliding_time = 0.0, stiction_time = 0.0;           // s, when
  double momentum_disagreement = 0.0;                       // max |residual - momentum_residual|

  // Energy.
  bool has_frames = false;
  double energy_start = 0.0, energy_end = 0.0, dissipated = 0.0, work = 0.0,
         largest_balance_error = 0.0;                        // J, the one of largest magnitude; > 0: gained
  double turned_over = 0.0;                                  // J, of the last row
  std::vector<std::pair<std::string, double>> energy_parts;  // columns of /energy of their names, last row

  // Wall time of all steps, s, of them those of each stage.
  double total_seconds = 0.0;
  struct Stage {
    std::string name;
    double seconds = 0.0;
  };
  std::vector<Stage> stages;
};

[[nodiscard]] RunInfo collect_info(const ResultFile& result);

/// RunInfo::warnings alone.
[[nodiscard]] Warnings collect_warnings(const ResultFile& result);

/// For a person: the verdict (how it ended, warnings, penetration, energy), then what ran. With `all` the
/// tables of the solver, events, artefacts, energy and wall time as well.
[[nodiscard]] std::string info_text(const RunInfo& info, bool all);

/// One JSON object.
[[nodiscard]] std::string info_json(const RunInfo& info);

}  // namespace csim
