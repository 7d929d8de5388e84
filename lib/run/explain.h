// What follows from a scene before it runs.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "run/creep_scales.h"
#include "run/joint_list.h"
#include "run/load_scene.h"
#include "run/pair_scales.h"
#include "run/size_trial.h"
#include "run/spring_scales.h"
#include "step/step_outcome.h"

namespace csim {

struct SceneExplanation {
  std::string name;
  int num_bodies = 0, num_moving = 0, num_joints = 0, num_geometries = 0, num_positions = 0,
      num_velocities = 0;
  double step = 0.0, end = 0.0;     // s
  long num_steps = -1;              // -1: of any length
  long num_frames = 0;              // rows of the result
  double stiction_tolerance = 0.0;  // m/s, of the scene
  /// m/s, at which contacts stick that carry what those of the first step do, or the whole weight of the
  /// pair's lighter body: the largest of these effective tolerances; 0: nothing creeps, as in quasistatic
  /// steps.
  double creep = 0.0;

  struct Side {
    std::string material, example;  // one of its geometries
    std::string names;              // whose geometries they are: "ball", "spatula/blade", "box_0 and 9 more"
  };
  /// How the bodies of a pair are found: the lightest of those that touch at the start, that are near then,
  /// or that could ever meet.
  enum class Choice { kTouching, kNear, kLightest };
  struct Pair {
    Side a, b;
    PairScale scale;
    std::string body, other;  // those of the scale
    Choice choice = Choice::kLightest;
    double largest_rebound = 0.0;  // m/s, 1/d of Hunt & Crossley: no impact leaves faster; infinite for d = 0
    double delassus = 0.0;         // w, 1/kg, largest of its contacts at the start
    bool is_estimated = false;     // it has none: of those nearby (near_contacts), or estimated_delassus
    CreepScale creep{};            // of one contact point
  };
  std::vector<Pair> pairs;
  std::vector<SpringScale> springs;
  std::vector<JointRow> joints;

  /// The first step, tried.
  bool step_ok = false;
  std::string step_message;           // of a failure
  StepStatistics first_step;          // of the try
  int start_contacts = 0;             // of the initial state, points and faces
  std::vector<std::string> overlaps;  // deep ones at the start, as sentences

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  // Of the result. What compression leaves is not known before: fixed_bytes is the least.
  double fixed_bytes = kUnknown;  // with the initial state alone: names, groups, meshes
  double frame_bytes = 0.0;  // a row of the trajectory, with contacts as after the first step, not compressed
  double step_bytes = 0.0;   // a row of statistics, with its iterations, not compressed
  double file_bytes = kUnknown;  // whole run, all rows as the first, in whole chunks, not compressed; NaN for
                                 // steps of any length
  double memory_bytes = 0.0;     // largest of the process by now: the scene and its first step

  std::optional<SizeTrial> trial;

  std::vector<std::string> notes, advice;
};

/// Queries the contacts of the initial state and takes one step, after which the state is; a result of the
/// initial state is made in the folder for temporary files and removed. With `trial_rows` so many rows are
/// run into one before (size_trial.h).
[[nodiscard]] SceneExplanation explain(LoadedScene* loaded, long trial_rows = 0);

[[nodiscard]] std::string explanation_text(const SceneExplanation& explanation);
[[nodiscard]] std::string explanation_json(const SceneExplanation& explanation);

}  // namespace csim
