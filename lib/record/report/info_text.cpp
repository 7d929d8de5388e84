#include <algorithm>
#include <cmath>

#include "core/counted.h"
#include "core/number_format.h"
#include "core/seconds_text.h"
#include "record/report/info.h"
#include "record/report/info_columns.h"
#include "step/event.h"

namespace csim {
namespace {

/// A balance error, or a loss, beyond this part of the energy throughput is reported.
constexpr double kNotedImbalance = 0.01;

/// A line of the text: what, and what is said of it.
void add_line(std::string* text, const char* name, const std::string& what) {
  *text += format_text("  %-24s ", name) + what + "\n";
}

/// "a with b", "a" or "".
std::string subjects(const RunInfo::EventLine& line) {
  return line.subject_a + (line.subject_b.empty() ? "" : " with " + line.subject_b);
}

void add_events_text(const RunInfo& info, std::string* text) {
  if (!info.has_events) return;
  *text +=
      info.events.empty()
          ? "\nevents: none\n"
          : "\nevents                         steps    first at  sum or largest   subjects of the first\n";
  for (const RunInfo::EventLine& line : info.events) {
    add_line(text, line.kind.c_str(),
             format_text("%9ld %9.6g s %15.6g   ", line.count, line.first_time, line.value) + subjects(line));
  }
}

void add_solver_text(const RunInfo& info, std::string* text) {
  *text += "\nsolver over " + counted(info.rows.steps, "step") +
           format_text("    %10s %10s %10s %10s %10s\n", "min", "median", "90 %", "99 %", "max");
  for (const StepColumn& told : kStepColumns) {
    const auto found = info.solver.find(told.name);
    if (found == info.solver.end()) continue;
    const Percentiles& p = found->second;
    if (told.is_rare && !(p.max > 0.0)) continue;
    add_line(text, told.text,
             p.count == 0
                 ? format_text("%10s", "-")
                 : format_text("%10.4g %10.4g %10.4g %10.4g %10.4g", p.min, p.median, p.p90, p.p99, p.max));
  }
  std::string ends;
  for (std::size_t i = 0; i < info.status_counts.size(); ++i) {
    if (info.status_counts[i] > 0)
      ends += format_text("%s%s %ld", ends.empty() ? "" : " ", kStatusNames[i], info.status_counts[i]);
  }
  add_line(text, "ends", ends);
}

void add_artefacts_text(const RunInfo& info, std::string* text) {
  *text += "\nartefacts (largest of all steps)\n";
  const auto add_largest = [text](const char* name, double value, const char* unit, double when) {
    add_line(
        text, name,
        format_text("%10.3g %s", value, unit) + (value == 0.0 ? "" : format_text(" at t = %.6g s", when)));
  };
  add_largest("gliding distance", info.gliding_distance, "m", info.gliding_time);
  add_largest("stiction tolerance", info.stiction_tolerance, "m/s", info.stiction_time);
  add_line(text, "momentum disagreement",
           format_text("%10.3g (solver's residual against that of the stored forces)",
                       info.momentum_disagreement));
}

void add_pairs_text(const RunInfo& info, std::string* text) {
  if (info.longest_contacts.empty()) return;
  *text += "\nlongest contacts             in contact   largest force\n";
  for (const RunInfo::PairLine& pair : info.longest_contacts)
    add_line(text, (pair.body_a + " with " + pair.body_b).c_str(),
             format_text("%10.4g s %12.4g N", pair.contact_time, pair.peak_normal_force));
}

void add_energy_text(const RunInfo& info, std::string* text) {
  if (!info.has_frames) return;
  *text += "\nenergy\n";
  add_line(text, "total", format_text("%10.6g J to %.6g J", info.energy_start, info.energy_end));
  add_line(text, "dissipated", format_text("%10.6g J", info.dissipated));
  add_line(text, "work done on bodies", format_text("%10.6g J", info.work));
  add_line(text, "throughput", format_text("%10.6g J", info.turned_over));
  for (const auto& [part, value] : info.energy_parts)
    if (value != 0.0) add_line(text, part.c_str(), format_text("%10.6g J", value));
}

void add_wall_time_text(const RunInfo& info, std::string* text) {
  *text += "\nwall time of " + counted(info.rows.steps, "step") + "\n";
  double others = info.total_seconds;
  const double percent = info.total_seconds > 0.0 ? 100.0 / info.total_seconds : 0.0;
  const auto add_time = [&](const char* name, double seconds) {
    add_line(text, name, format_text("%12s %6.1f %%", seconds_text(seconds).c_str(), percent * seconds));
  };
  for (const RunInfo::Stage& stage : info.stages) {
    others -= stage.seconds;
    add_time(stage.name.c_str(), stage.seconds);
  }
  add_time("other", others);
  add_line(text, "total", format_text("%12s", seconds_text(info.total_seconds).c_str()));
}

/// "complete, no warnings", "failed, exit code 3: why, 2 kinds of warnings".
std::string ending(const RunInfo& info, std::size_t warnings) {
  std::string text = info.status == RunStatus::kRunning ? "running, or killed without an end"
                                                        : std::string(to_string(info.status));
  if (info.status != RunStatus::kRunning && info.status != RunStatus::kComplete)
    text += ", exit code " + std::to_string(info.exit_code);
  if (info.status != RunStatus::kComplete && !info.message.empty()) return text + ": " + info.message;
  if (!info.has_events) return text + "; an older file, which keeps no warnings";
  return text + (warnings == 0   ? ", no warnings"
                 : warnings == 1 ? ", with a warning"
                                 : ", with " + std::to_string(warnings) + " warnings");
}

/// "1.2e-06 J lost, 3e-05 % of the energy throughput (4 J)".
std::string energy_error(const RunInfo& info) {
  // Of the energies whose difference it is.
  constexpr double kRoundOff = 1e-12;
  const double error = info.largest_balance_error, size = std::abs(error);
  if (!info.has_frames) return "no frame was recorded";
  const double energies =
      std::max({std::abs(info.energy_start), std::abs(info.energy_end), info.turned_over});
  if (size > 0.0 && size <= kRoundOff * energies) return format_text("%.3g J, round-off", size);
  std::string text = format_text("%.3g J", size) + (error > 0.0 ? " gained" : error < 0.0 ? " lost" : "");
  if (info.turned_over > 0.0)
    text += format_text(", %.3g %% of the energy throughput (%.3g J)", 100.0 * size / info.turned_over,
                        info.turned_over);
  return size > kNotedImbalance * info.turned_over && size > 0.0 ? text + "; a smaller step reduces it"
                                                                 : text;
}

/// What the scheme takes of contacts beside their damping, and what it gives: each where it is not little.
void add_numerical_dissipation(const RunInfo& info, std::string* text) {
  const auto part = [&](const char* name) {
    const auto found = std::find_if(info.energy_parts.begin(), info.energy_parts.end(),
                                    [&](const auto& known) { return known.first == name; });
    return found == info.energy_parts.end() ? 0.0 : found->second;
  };
  const double noted = kNotedImbalance * info.turned_over;
  if (const double loss = part("step_loss"); loss > noted)
    add_line(text, "numerical dissipation",
             format_text("%.3g J, %.3g %% of the energy throughput, by the implicit springs of contacts; a "
                         "smaller step reduces it",
                         loss, 100.0 * loss / info.turned_over));
  if (const double gain = part("step_gain"); gain > noted)
    add_line(
        text, "numerical gain",
        format_text("%.3g J, %.3g %% of the energy throughput, in overlaps that steps found; a smaller step "
                    "reduces it",
                    gain, 100.0 * gain / info.turned_over));
}

std::string place(double time, const std::string& a, const std::string& b) {
  return format_text(" at t = %.6g s, ", time) + a + " and " + b;
}

std::string penetration(const RunInfo& info) {
  const DeepestPoint& deepest = info.deepest;
  if (!deepest.recorded) return "not recorded (output.contacts: false)";
  const std::string frames = " (points of " + counted(info.rows.frames, "recorded frame") + ")";
  if (deepest.depth == 0.0) return "none" + frames;
  return format_text("%.3g m", deepest.depth) + place(deepest.time, deepest.geometry_a, deepest.geometry_b) +
         frames;
}

/// How the run ended, and how far its result can be trusted.
void add_verdict(const RunInfo& info, std::string* text) {
  *text += info.path + ": " + ending(info, info.warnings.size()) + "\n";
  add_line(text, "simulated",
           format_text("%.9g s, ", info.end_time) + counted(info.rows.steps, "step") + ", " +
               counted(info.rows.frames, "frame") + ", " + counted(info.rows.contacts, "contact row"));
  for (const Warning& warning : info.warnings) add_line(text, "warning", warning.text);
  for (const RunInfo::EventLine& line : info.events)
    if (line.kind == to_string(EventKind::kBrokenConstraint))
      add_line(
          text, "broken constraints",
          format_text("%ld, first %s at t = %.6g s", line.count, line.subject_a.c_str(), line.first_time));
  add_line(text, "deepest penetration", penetration(info));
  if (const LargestPressure& most = info.pressure; most.recorded)
    add_line(text, "largest patch pressure",
             format_text("%.3g Pa", most.pressure) + place(most.time, most.geometry_a, most.geometry_b));
  if (info.has_sleep)
    add_line(text, "asleep",
             counted(info.asleep_at_end, "body", "bodies") + " at the end, " +
                 std::to_string(info.most_asleep) + " at most");
  add_line(text, "energy error", energy_error(info));
  add_numerical_dissipation(info, text);
  std::string speed;
  if (info.total_seconds > 0.0)
    speed = format_text(", %.0f steps/s, real-time factor %.3g",
                        static_cast<double>(info.rows.steps) / info.total_seconds,
                        info.end_time / info.total_seconds);
  add_line(text, "wall time of the steps", seconds_text(info.total_seconds) + speed);
}

void add_origin(const RunInfo& info, std::string* text) {
  const Provenance& origin = info.provenance;
  add_line(text, "scene", info.scene_name);
  add_line(text, "model",
           counted(info.num_bodies, "body", "bodies") + ", " +
               counted(info.num_geometries, "geometry", "geometries") + ", " +
               counted(info.num_joints, "joint") + format_text(", nq = %ld, nv = %ld", info.nq, info.nv));
  std::string command;
  for (const std::string& word : origin.argv) command += (command.empty() ? "" : " ") + word;
  add_line(text, "command", command);
  add_line(text, "program", "csim " + origin.version + ", revision " + origin.revision);
  add_line(text, "machine", origin.host + ", " + origin.cpu + ", " + counted(origin.threads, "thread"));
  add_line(text, "wall clock",
           origin.start + " to " + (origin.end.empty() ? "?" : origin.end) +
               (info.num_earlier_runs == 0   ? ""
                : info.num_earlier_runs == 1 ? ", resumed once"
                                             : format_text(", resumed %d times", info.num_earlier_runs)));
}

}  // namespace

std::string info_text(const RunInfo& info, bool all) {
  std::string text;
  add_verdict(info, &text);
  text += "\n";
  add_origin(info, &text);
  if (!all) return text;
  add_solver_text(info, &text);
  add_events_text(info, &text);
  add_pairs_text(info, &text);
  add_artefacts_text(info, &text);
  add_energy_text(info, &text);
  add_wall_time_text(info, &text);
  return text;
}

}  // namespace csim
