// A made-up run: a model of a few bodies and rows whose every number follows from the row's index, so that
// what a file holds can be told.
#pragma once

#include <string>

#include "model/model.h"
#include "record/recorder.h"
#include "scene/scene.h"
#include "step/step_result.h"

namespace csim::test {

struct SyntheticRun {
  Scene scene;
  Model model;
  SceneText text;
  Provenance provenance;
  RecorderOptions options;

  /// Ground, `num_balls` free bodies, and with `with_joints` an arm: a revolute link, a ball-jointed one; a
  /// convex polytope and a mesh.
  explicit SyntheticRun(int num_balls = 2, bool with_joints = true);

  /// index % 5 * 3 contacts and index % 3 patches, the p-th with p + 1 triangles; row 0 has none
  [[nodiscard]] Frame frame(long index) const;
  [[nodiscard]] StepStatistics step(long index) const;  // index % 4 iterations
  [[nodiscard]] State state(long step) const;
  [[nodiscard]] SolverMemory memory(long step) const;

  /// A fast spin in every fifth step, a passage in every seventh, an inexact one in every eleventh.
  [[nodiscard]] static std::vector<Event> events(long step);
  [[nodiscard]] static long events_before(long steps);

  /// One pair in every step, a second one in every other.
  [[nodiscard]] static PairList pairs(long step);
  [[nodiscard]] static long pairs_before(long frames);

  /// Number of contacts, iterations of the rows 0 … count - 1.
  [[nodiscard]] static long contacts_before(long frames);
  [[nodiscard]] static long patches_before(long frames);
  [[nodiscard]] static long faces_before(long frames);
  [[nodiscard]] static long iterations_before(long steps);

  static constexpr int kStepsPerFrame = 3;

  /// Steps first + 1 … last with their frames, as a runner records them (the initial frame with `first` = 0).
  void record(Recorder* recorder, long first, long last) const;

  /// One step with its frame, if it has one.
  void record_step(Recorder* recorder, long n) const;

  std::unique_ptr<Recorder> create(const std::string& path) const;
};

/// A new empty folder, with a slash at its end; it goes when the process ends.
[[nodiscard]] std::string fresh_folder(const std::string& name);

/// Output (stderr included) of a Python program, which may use h5py, on a file.
[[nodiscard]] std::string run_python(const std::string& program, const std::string& argument);

}  // namespace csim::test
