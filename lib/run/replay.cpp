#include "run/replay.h"

#include <algorithm>

#include "core/counted.h"
#include "core/json_writer.h"
#include "core/number_format.h"
#include "model/breaking.h"
#include "model/sequence.h"
#include "record/checkpoint.h"
#include "record/errors.h"
#include "record/same_layout.h"
#include "run/recorded_scene.h"
#include "run/run_schedule.h"
#include "step/make_stepper.h"

namespace csim {
namespace {

constexpr std::size_t kShown = 12;  // iterations at each end of a long list

Checkpoint checkpoint_of(const ResultFile& result) {
  if (const std::string what = other_layout(result.file()); !what.empty())
    throw another_version(result.path(), result.provenance(), what);
  std::optional<Checkpoint> checkpoint = read_checkpoint(result.file());
  if (!checkpoint) throw InvalidResultError(result.path() + ": has no checkpoint to start from");
  return std::move(*checkpoint);
}

}  // namespace

std::optional<Replay> replay_step(const ResultFile& result, const std::vector<std::string>& overrides,
                                  Diagnostics* diagnostics) {
  std::vector<std::string> all{"output.iterations=true"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  auto loaded = build_recorded_scene(result, all, diagnostics);
  if (!loaded) return std::nullopt;
  const Checkpoint checkpoint = checkpoint_of(result);
  const State& state = checkpoint.state;
  if (state.q.size() != loaded->model.nq || state.v.size() != loaded->model.nv ||
      !fits(loaded->model, state.sequence) || !fits(loaded->model, state.broken))
    throw InvalidResultError(result.path() + ": holds a state of another model");
  const auto stepper = make_stepper(loaded->model, loaded->read.scene, 1);
  stepper->set_memory(checkpoint.memory);
  RunSchedule schedule(loaded->read.scene);
  schedule.skip_to(state);
  // As the run does: of two steps the second where the end cuts the first short.
  const double phase = next_phase_time(loaded->model, state.sequence, state.time);
  const double limit = std::min(schedule.step_limit(), phase);
  const double endless = std::min(schedule.endless_step_limit(), phase);
  const StepOutcome* outcome = &stepper->attempt(state, endless);
  const bool is_cut = endless > limit && !(outcome->ok && outcome->state.time <= limit);
  if (is_cut && result.status() == RunStatus::kFailed) outcome = &stepper->attempt(state, limit);
  return Replay{result.status(), result.message(), state.step, state.time, *outcome};
}

std::string replay_text(const Replay& replay) {
  const StepStatistics& s = replay.outcome.statistics;
  std::string text =
      std::string("run: ") + to_string(replay.status) +
      (replay.message.empty() || replay.message == to_string(replay.status) ? "" : ": " + replay.message) +
      format_text("\nstep %ld, from t = %.10g s: ", replay.step + 1, replay.time);
  const bool alike = replay.outcome.message == replay.message;
  text += replay.outcome.ok ? "converged\n" : "fails" + (alike ? "" : ": " + replay.outcome.message) + "\n";
  text += counted(s.num_contacts, "contact") + ", " + counted(s.num_constraints, "equation") + " in " +
          counted(s.num_islands, "island") + ", " + counted(s.iterations, "iteration") +
          format_text(", residual %.3g, condition %.3g\n", s.residual, s.condition);
  const std::size_t count = s.iteration_cost.size();
  if (count > 0) text += " iteration            cost (J)   |gradient| (sqrt(J))   step length\n";
  for (std::size_t i = 0; i < count; ++i) {
    if (i == kShown && count > 2 * kShown) {
      text += format_text("       ... %zu more\n", count - 2 * kShown);
      i = count - kShown;
    }
    text += format_text("%10zu  %18.10g  %21.6g  %12.6g\n", i + 1, s.iteration_cost[i],
                        s.iteration_gradient_norm[i], s.iteration_step_length[i]);
  }
  return text;
}

std::string replay_json(const Replay& replay) {
  const StepStatistics& s = replay.outcome.statistics;
  JsonWriter json;
  json.begin_object().member("run_status", to_string(replay.status), "run_message", replay.message, "step",
                             std::int64_t{replay.step + 1}, "time", replay.time, "ok", replay.outcome.ok,
                             "message", replay.outcome.message);
  json.member("contacts", std::int64_t{s.num_contacts}, "equations", std::int64_t{s.num_constraints},
              "islands", s.num_islands, "iterations", s.iterations, "residual", s.residual, "condition",
              s.condition);
  json.object("iteration", "cost", s.iteration_cost, "gradient_norm", s.iteration_gradient_norm,
              "step_length", s.iteration_step_length);
  return json.end_object().text();
}

}  // namespace csim
