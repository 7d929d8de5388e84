#include "record/report/info.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/counted.h"
#include "core/json_writer.h"
#include "core/number_format.h"
#include "record/report/info_columns.h"
#include "step/event.h"

namespace csim {
namespace {

constexpr std::array<const char*, 7> kStages = {"geometry",    "assembly",  "factor", "solve",
                                                "line_search", "gradients", "record"};

/// What `dissipated`, `work` and the balance are made of.
constexpr std::array<const char*, 13> kEnergyParts = {
    "dissipated_normal",   "normal_damping",    "normal_spring_loss", "normal_overlap_gain",
    "dissipated_friction", "dissipated_joints", "work_actuators",     "work_prescribed",
    "work_forces",         "scheme_gravity",    "scheme_mass_matrix", "scheme_springs",
    "joint_spring_loss"};

double sum(const std::vector<double>& values) {
  double total = 0.0;
  for (const double value : values) total += std::isfinite(value) ? value : 0.0;
  return total;
}

/// The finite value of largest magnitude, with its sign.
double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values)
    if (std::isfinite(value) && std::abs(value) > std::abs(result)) result = value;
  return result;
}

/// The value of the key `name:` at the first column of the resolved scene.
std::string scene_name(const std::string& resolved) {
  constexpr std::string_view kKey = "name: ";
  std::size_t begin = resolved.starts_with(kKey) ? 0 : resolved.find("\nname: ");
  if (begin == std::string::npos) return "";
  begin = resolved.find(kKey, begin) + kKey.size();
  return resolved.substr(begin, resolved.find('\n', begin) - begin);
}

void collect_steps(const ResultFile& result, RunInfo* info) {
  const auto column = [&](const std::string& name) { return result.real("/stats/step/" + name); };
  const std::vector<double> residual = column("residual");
  for (const StepColumn& told : kStepColumns) {
    // Some runs, and older files, have fewer.
    const std::string path = std::string(told.group) + told.name;
    if (result.has(path)) info->solver[told.name] = percentiles(result.real(path));
  }
  const std::vector<double> time = column("time");
  std::vector<double> length(time.size());
  std::adjacent_difference(time.begin(), time.end(), length.begin());
  const Percentiles lengths = percentiles(length);
  if (lengths.max > 1.001 * lengths.min) info->solver["length"] = lengths;  // steps of variable length
  info->status_counts.assign(kStatusNames.size(), 0);
  for (const double status : column("status")) {
    if (status >= 0 && status < static_cast<double>(kStatusNames.size()))
      ++info->status_counts[static_cast<std::size_t>(status)];
  }
  info->total_seconds = sum(column("seconds_total"));
  for (const char* stage : kStages)
    if (const std::string name = std::string("seconds_") + stage; result.has("/stats/step/" + name))
      info->stages.push_back({stage, sum(column(name))});

  const std::vector<double> glide = result.real("/artefact/gliding_distance"),
                            stiction = result.real("/artefact/stiction_tolerance"),
                            momentum = result.real("/artefact/momentum_residual");
  info->gliding_distance = largest(glide);
  info->stiction_tolerance = largest(stiction);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    if (std::abs(glide[i]) == info->gliding_distance && info->gliding_time == 0.0)
      info->gliding_time = time[i];
    if (std::abs(stiction[i]) == info->stiction_tolerance && info->stiction_time == 0.0)
      info->stiction_time = time[i];
    const double difference = std::abs(residual[i] - momentum[i]);
    if (difference > info->momentum_disagreement) info->momentum_disagreement = difference;
  }
  if (!time.empty()) info->end_time = time.back();
  info->has_sleep = result.has("/stats/step/num_asleep");
  if (!info->has_sleep) return;
  const std::vector<double> asleep = column("num_asleep");
  if (!asleep.empty()) info->asleep_at_end = static_cast<long>(asleep.back());
  info->most_asleep = static_cast<long>(largest(asleep));
}

/// "passage 3 times, first at t = 0.7 s: a with b": events, several of a step where several bodies have them.
std::string describe_events(const RunInfo::EventLine& line) {
  const std::string who = line.subject_a + (line.subject_b.empty() ? "" : " with " + line.subject_b);
  return line.kind + " " + counted(line.count, "time") +
         format_text(", first at t = %.6g s", line.first_time) + (who.empty() ? "" : ": " + who);
}

void add_warnings(const ResultFile& result, RunInfo* info) {
  if (result.has("/warning/time")) {
    const std::vector<double> times = result.real("/warning/time");
    const auto kinds = result.texts("/warning/kind"), texts = result.texts("/warning/text");
    for (std::size_t i = 0; i < times.size(); ++i)
      info->warnings.push_back({kinds.at(i), times[i], texts.at(i)});
  }
  for (const RunInfo::EventLine& line : info->events) {
    const std::optional<EventKind> kind = parse_event_kind(line.kind);
    // Friction that lags is a matter of how often it does, which the run judges at its end.
    if (kind && (!is_warning(*kind) || *kind == EventKind::kFrictionLag)) continue;
    const auto is_told = [&](const Warning& warning) { return warning.kind == line.kind; };
    if (std::none_of(info->warnings.begin(), info->warnings.end(), is_told))
      info->warnings.push_back({line.kind, line.first_time, describe_events(line)});
  }
}

void collect_events(const ResultFile& result, RunInfo* info) {
  info->has_events = result.has("/event/time");
  if (!info->has_events) return;
  const std::vector<double> time = result.real("/event/time"), value = result.real("/event/value");
  const auto kind = result.texts("/event/kind"), a = result.texts("/event/subject_a"),
             b = result.texts("/event/subject_b");
  for (std::size_t i = 0; i < time.size(); ++i) {
    auto line = std::find_if(info->events.begin(), info->events.end(),
                             [&](const RunInfo::EventLine& known) { return known.kind == kind.at(i); });
    if (line == info->events.end())
      line = info->events.insert(line, {kind.at(i), 0, time[i], a.at(i), b.at(i), 0.0});
    ++line->count;
    const std::optional<EventKind> known = parse_event_kind(line->kind);
    line->value = known && is_count(*known) ? line->value + value[i] : std::max(line->value, value[i]);
  }
  add_warnings(result, info);
}

void collect_energy(const ResultFile& result, RunInfo* info) {
  const std::vector<double> total = result.real("/energy/total");
  info->has_frames = !total.empty();
  if (total.empty()) return;
  info->energy_start = total.front();
  info->energy_end = total.back();
  info->dissipated = result.real("/energy/dissipated").back();
  info->work = result.real("/energy/work").back();
  info->largest_balance_error = largest(result.real("/energy/balance_error"));
  info->turned_over = std::max(
      {std::abs(info->energy_end - info->energy_start), std::abs(info->dissipated), std::abs(info->work)});
  if (!result.has("/energy/turned_over")) return;  // an older file
  info->turned_over = result.real("/energy/turned_over").back();
  for (const char* part : kEnergyParts)
    if (result.has(std::string("/energy/") + part))
      info->energy_parts.emplace_back(part, result.real(std::string("/energy/") + part).back());
  // What the steps took and gave along the normals, apart, from row to row.
  const std::vector<double> loss = result.real("/energy/normal_spring_loss"),
                            gain = result.real("/energy/normal_overlap_gain");
  double taken = 0.0, given = 0.0;
  for (std::size_t f = 1; f < loss.size(); ++f) {
    const double change = (loss[f] - loss[f - 1]) - (gain[f] - gain[f - 1]);
    (change > 0.0 ? taken : given) += std::abs(change);
  }
  info->energy_parts.emplace_back("step_loss", taken);
  info->energy_parts.emplace_back("step_gain", given);
  if (result.rows().steps == 0) info->end_time = result.real("/trajectory/time").back();
}

/// Sums of /pair over the rows.
void collect_pairs(const ResultFile& result, RunInfo* info) {
  constexpr std::size_t kListed = 10;
  if (!result.has("/pair/contact_time")) return;  // an older file
  const std::vector<std::string> bodies = result.texts("/bodies/name");
  const auto a = result.index("/pair/body_a", bodies.size()), b = result.index("/pair/body_b", bodies.size());
  const std::vector<double> time = result.real("/pair/contact_time"),
                            peak = result.real("/pair/peak_normal_force");
  std::map<std::pair<std::int64_t, std::int64_t>, RunInfo::PairLine> pairs;
  for (std::size_t i = 0; i < time.size(); ++i) {
    RunInfo::PairLine& line = pairs[{a[i], b[i]}];
    line.contact_time += time[i];
    line.peak_normal_force = std::max(line.peak_normal_force, peak[i]);
  }
  std::vector<RunInfo::PairLine>& longest = info->longest_contacts;
  for (auto& [pair, line] : pairs) {
    line.body_a = bodies[static_cast<std::size_t>(pair.first)];
    line.body_b = bodies[static_cast<std::size_t>(pair.second)];
    longest.push_back(line);
  }
  std::stable_sort(longest.begin(), longest.end(),
                   [](const auto& x, const auto& y) { return x.contact_time > y.contact_time; });
  longest.resize(std::min(longest.size(), kListed));
}

}  // namespace

Percentiles percentiles(std::vector<double> values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {0, kNone, kNone, kNone, kNone, kNone};
  std::sort(values.begin(), values.end());
  const auto rank =
      [&](double fraction) {  // nearest rank: the smallest value that `fraction` of all do not exceed
        const double n = static_cast<double>(values.size());
        return values[static_cast<std::size_t>(std::max(1.0, std::ceil(fraction * n)) - 1.0)];
      };
  return {static_cast<long>(values.size()), values.front(), rank(0.5), rank(0.9), rank(0.99), values.back()};
}

Warnings collect_warnings(const ResultFile& result) {
  RunInfo info;
  collect_events(result, &info);
  return info.warnings;
}

RunInfo collect_info(const ResultFile& result) {
  result.check_indices();
  RunInfo info;
  info.path = result.path();
  info.scene_name = scene_name(result.text("/scene/resolved"));
  info.status = result.status();
  info.exit_code = result.exit_code();
  info.message = result.message();
  info.provenance = result.provenance();
  while (result.file().exists("/provenance/run_" + std::to_string(info.num_earlier_runs)))
    ++info.num_earlier_runs;
  info.num_bodies = result.dataset("/bodies/name").shape.at(0);
  info.num_geometries = result.dataset("/geometries/name").shape.at(0);
  info.num_joints = result.dataset("/joints/name").shape.at(0);
  info.nq = result.dataset("/trajectory/q").shape.at(1);
  info.nv = result.dataset("/trajectory/v").shape.at(1);
  info.rows = result.rows();
  collect_steps(result, &info);
  collect_events(result, &info);
  collect_energy(result, &info);
  collect_pairs(result, &info);
  info.deepest = find_deepest_point(result);
  info.pressure = find_largest_pressure(result);
  return info;
}

std::string info_json(const RunInfo& info) {
  const Provenance& origin = info.provenance;
  const RowCounts& rows = info.rows;
  JsonWriter json;
  json.begin_object().member("file", info.path, "scene", info.scene_name, "status", to_string(info.status));
  json.member("exit_code", info.exit_code, "message", info.message, "end_time", info.end_time);
  json.object("rows", "frames", rows.frames, "steps", rows.steps, "contacts", rows.contacts, "iterations",
              rows.iterations, "patches", rows.patches, "faces", rows.faces, "events", rows.events, "pairs",
              rows.pairs);
  json.object("model", "bodies", info.num_bodies, "geometries", info.num_geometries, "joints",
              info.num_joints, "nq", info.nq, "nv", info.nv);

  json.key("asleep");
  if (info.has_sleep) {
    json.begin_object()
        .member("at_end", std::int64_t{info.asleep_at_end}, "most", std::int64_t{info.most_asleep})
        .end_object();
  } else {
    json.null();
  }

  json.key("provenance").begin_object();
  json.member("version", origin.version, "revision", origin.revision, "compiler", origin.compiler);
  json.member("blas", origin.blas, "host", origin.host, "cpu", origin.cpu, "threads", origin.threads);
  json.member("start", origin.start, "end", origin.end, "earlier_runs", info.num_earlier_runs);
  json.member("libraries", origin.libraries, "argv", origin.argv).key("inputs").begin_array();
  for (const InputFile& input : origin.inputs)
    json.begin_object().member("path", input.path, "sha256", input.sha256).end_object();
  json.end_array().end_object();

  json.key("solver").begin_object();
  for (const StepColumn& told : kStepColumns) {
    if (info.solver.count(told.name) == 0) continue;
    const Percentiles& p = info.solver.at(told.name);
    json.object(told.json, "min", p.min, "median", p.median, "p90", p.p90, "p99", p.p99, "max", p.max);
  }
  json.key("status").begin_object();
  for (std::size_t i = 0; i < info.status_counts.size(); ++i)
    json.member(kStatusNames[i], info.status_counts[i]);
  json.end_object().end_object();

  json.key("events").begin_object();
  for (const RunInfo::EventLine& line : info.events)
    json.object(line.kind, "count", line.count, "first_time", line.first_time, "subject_a", line.subject_a,
                "subject_b", line.subject_b, "value", line.value);
  json.end_object();
  json.member("warnings", static_cast<std::int64_t>(info.warnings.size())).key("warning_texts").begin_array();
  for (const Warning& warning : info.warnings)
    json.begin_object().member("kind", warning.kind, "time", warning.time, "text", warning.text).end_object();
  json.end_array();
  json.key("longest_contacts").begin_array();
  for (const RunInfo::PairLine& pair : info.longest_contacts)
    json.begin_object()
        .member("body_a", pair.body_a, "body_b", pair.body_b, "contact_time", pair.contact_time,
                "peak_normal_force", pair.peak_normal_force)
        .end_object();
  json.end_array();
  const DeepestPoint& deepest = info.deepest;
  json.object("penetration", "recorded", deepest.recorded, "depth",
              deepest.recorded ? deepest.depth : std::numeric_limits<double>::quiet_NaN(), "time",
              deepest.time, "geometry_a", deepest.geometry_a, "geometry_b", deepest.geometry_b);
  const LargestPressure& pressure = info.pressure;
  json.object("pressure", "recorded", pressure.recorded, "largest",
              pressure.recorded ? pressure.pressure : std::numeric_limits<double>::quiet_NaN(), "time",
              pressure.time, "geometry_a", pressure.geometry_a, "geometry_b", pressure.geometry_b);
  json.object("artefact", "gliding_distance", info.gliding_distance, "gliding_time", info.gliding_time,
              "stiction_tolerance", info.stiction_tolerance, "stiction_time", info.stiction_time,
              "momentum_disagreement", info.momentum_disagreement);
  json.key("energy").begin_object();
  json.member("total_start", info.energy_start, "total_end", info.energy_end, "dissipated", info.dissipated,
              "work", info.work, "turned_over", info.turned_over);
  for (const auto& [part, value] : info.energy_parts) json.member(part, value);
  json.member("largest_balance_error", info.largest_balance_error).end_object();
  json.key("seconds").begin_object().member("total", info.total_seconds);
  for (const RunInfo::Stage& stage : info.stages) json.member(stage.name, stage.seconds);
  json.end_object();
  const bool timed = info.total_seconds > 0.0;
  const double none = std::numeric_limits<double>::quiet_NaN();
  json.member("steps_per_second", timed ? static_cast<double>(rows.steps) / info.total_seconds : none);
  json.member("real_time_factor", timed ? info.end_time / info.total_seconds : none);
  json.end_object();
  return json.text();
}

}  // namespace csim
