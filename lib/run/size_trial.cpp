#include "run/size_trial.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "record/errors.h"
#include "record/recorder.h"
#include "record/tables.h"
#include "run/exit_code.h"
#include "run/run.h"
#include "run/run_loop.h"
#include "scene/integrator_kinds.h"
#include "solver/linear/blas_info.h"
#include "step/make_stepper.h"

namespace csim {
namespace {

/// A folder for as long as it is needed.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    if (mkdtemp(path_.data()) == nullptr) throw IoError(path_ + ": " + std::strerror(errno));
  }
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = std::filesystem::temp_directory_path() / "csim_explain_XXXXXX";
};

struct Beginning {
  double bytes = 0.0, seconds = 0.0;
  std::string message;  // of a run that did not get to its end
};

/// The result of a run to `end`.
Beginning run_to(const LoadedScene& loaded, double end) {
  Scene scene = loaded.read.scene;
  scene.time.end = end;
  State state = loaded.state;
  const auto stepper = make_stepper(loaded.model, scene, 1);
  stepper->start(&state);
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/" + scene.name + ".h5";
  Recorder recorder(file, scene, loaded.model, scene_text(loaded),
                    collect_provenance({"csim", "run", loaded.file}, {}, 1, describe_blas()), {scene.output});
  const RunReport report =
      run_simulation(scene, loaded.model, stepper.get(), &state, &recorder, ProgressStyle::kNone);
  recorder.finish(report.status, exit_code_of(report.status), report.message, state, stepper->memory());
  return {static_cast<double>(std::filesystem::file_size(file)), report.wall_seconds,
          report.status == RunStatus::kComplete ? "" : report.message};
}

}  // namespace

SizeTrial try_rows(const LoadedScene& loaded, long rows, long all_rows) {
  const Scene& scene = loaded.read.scene;
  const double period = integrator_kind(scene).has_constant_step
                            ? std::max(scene.output.period, scene.time.step)
                            : scene.output.period;
  // The first chunk is not compressed, and chunks that are not whole say less.
  const long chunks = std::max(2L, (rows + kRowsPerFlush - 1) / kRowsPerFlush);
  const long half = std::min(chunks / 2 * kRowsPerFlush, all_rows);
  SizeTrial trial;
  trial.rows = std::min(chunks * kRowsPerFlush, all_rows);
  const auto run_rows = [&](long count) {
    return run_to(loaded, std::min(scene.time.end, static_cast<double>(count - 1) * period));
  };
  try {
    const Beginning whole = run_rows(trial.rows);
    trial.seconds = whole.seconds;
    trial.message = whole.message;
    if (!whole.message.empty()) return trial;
    trial.file_bytes = whole.bytes;
    trial.run_seconds = whole.seconds;
    if (trial.rows == all_rows) return trial;
    const Beginning begin = run_rows(half);
    trial.message = begin.message;
    if (!begin.message.empty()) {
      trial.file_bytes = trial.run_seconds = std::numeric_limits<double>::quiet_NaN();
      return trial;
    }
    const auto left = static_cast<double>(all_rows - trial.rows),
               more = static_cast<double>(trial.rows - half);
    trial.file_bytes += left / more * (whole.bytes - begin.bytes);
    // Of short runs the difference of times is noise.
    const double later = (whole.seconds - begin.seconds) / more;
    trial.run_seconds += left * (later > 0.0 ? later : whole.seconds / static_cast<double>(trial.rows));
  } catch (const std::runtime_error& error) {  // IoError, or of the standard library
    trial.message = error.what();
  }
  return trial;
}

double bytes_of_first_row(const LoadedScene& loaded) {
  try {
    return run_to(loaded, 0.0).bytes;
  } catch (const std::runtime_error&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace csim
