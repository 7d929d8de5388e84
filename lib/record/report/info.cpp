#include "record/report/info.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include "core/json_writer.h"
#include "step/event.h"

namespace csim {
namespace {

constexpr std::array<const char*, 8> kStatusNames = {"converged",      "cost_floor",    "rounding_floor",
                                                     "no_contact",     "not_converged", "shorter_step",
                                                     "interior_point", "integrated"};
constexpr std::array<const char*, 6> kStages = {"geometry", "assembly",    "factor",
                                                "solve",    "line_search", "record"};

/// A balance error beyond this part of the energy that was dissipated, worked or gone otherwise is remarked.
constexpr double kNotedImbalance = 0.05;

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

RunInfo::Passed passed(const std::vector<double>& counts, const std::vector<double>& time) {
  RunInfo::Passed passed{0, 0, std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0.0) continue;
    if (passed.steps++ == 0) passed.first = time[i];
    passed.total += static_cast<long>(counts[i]);
  }
  return passed;
}

void collect_steps(const ResultFile& result, RunInfo* info) {
  const auto column = [&](const char* name) {
    const std::string path = std::string("/stats/step/") + name;
    return result.has(path) ? result.real(path) : std::vector<double>();  // of a file older than the column
  };
  const std::vector<double> residual = column("residual");
  info->iterations = percentiles(column("iterations"));
  info->line_search_iterations = percentiles(column("line_search_iterations"));
  info->residual = percentiles(residual);
  info->condition = percentiles(column("condition"));
  info->contacts = percentiles(column("num_contacts"));
  info->patches = percentiles(column("num_patches"));
  info->faces = percentiles(column("num_faces"));
  info->islands = percentiles(column("num_islands"));
  info->factor_nonzeros = percentiles(column("factor_nonzeros"));
  info->rejected = percentiles(column("num_rejected"));
  info->rounds = percentiles(column("num_rounds"));
  info->status_counts.assign(kStatusNames.size(), 0);
  for (const double status : column("status")) {
    if (status >= 0 && status < static_cast<double>(kStatusNames.size()))
      ++info->status_counts[static_cast<std::size_t>(status)];
  }
  info->total_seconds = sum(column("seconds_total"));
  for (const char* stage : kStages)
    info->stages.push_back({stage, sum(column((std::string("seconds_") + stage).c_str()))});

  const std::vector<double> glide = result.real("/artefact/gliding_distance"),
                            stiction = result.real("/artefact/stiction_tolerance"),
                            momentum = result.real("/artefact/momentum_residual");
  const std::vector<double> time = column("time");
  info->counts_rounds = result.has("/stats/step/num_rounds") && result.has("/stats/step/num_unforeseen");
  info->passed_on = passed(column("num_rounds"), time);
  info->unforeseen = passed(column("num_unforeseen"), time);
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
  if (result.rows().steps == 0) info->end_time = result.real("/trajectory/time").back();
}

/// Text with printf's formats.
class Text {
 public:
  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::va_list again;
    va_copy(again, arguments);
    const int size = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    std::vector<char> buffer(static_cast<std::size_t>(size) + 1);
    std::vsnprintf(buffer.data(), buffer.size(), format, again);
    va_end(again);
    text_.append(buffer.data(), static_cast<std::size_t>(size));
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// "a with b", "a" or "".
std::string subjects(const RunInfo::EventLine& line) {
  return line.subject_a + (line.subject_b.empty() ? "" : " with " + line.subject_b);
}

void add_events_text(const RunInfo& info, Text* text) {
  if (!info.has_events) return;
  if (info.events.empty()) {
    text->add("\nevents: none\n");
    return;
  }
  text->add("\nevents                         steps    first at  sum or largest   subjects of the first\n");
  for (const RunInfo::EventLine& line : info.events) {
    text->add("  %-24s %9ld %9.6g s %15.6g   %s\n", line.kind.c_str(), line.count, line.first_time,
              line.value, subjects(line).c_str());
  }
}

void add_events(const RunInfo& info, JsonWriter* json) {
  json->key("events").begin_object();
  for (const RunInfo::EventLine& line : info.events) {
    json->key(line.kind).begin_object().member("count", std::int64_t{line.count});
    json->member("first_time", line.first_time).member("subject_a", line.subject_a);
    json->member("subject_b", line.subject_b).member("value", line.value).end_object();
  }
  json->end_object();
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

void add_percentiles(Text* text, const char* name, const Percentiles& p) {
  if (p.count == 0) {
    text->add("  %-24s %10s\n", name, "-");
    return;
  }
  text->add("  %-24s %10.4g %10.4g %10.4g %10.4g %10.4g\n", name, p.min, p.median, p.p90, p.p99, p.max);
}

void add_percentiles(JsonWriter* json, const char* name, const Percentiles& p) {
  json->key(name)
      .begin_object()
      .member("min", p.min)
      .member("median", p.median)
      .member("p90", p.p90)
      .member("p99", p.p99);
  json->member("max", p.max).end_object();
}

std::string ending(const RunInfo& info) {
  if (info.status == RunStatus::kRunning) return "running, or killed without an end";
  std::string text = std::string(to_string(info.status)) + ", exit code " + std::to_string(info.exit_code);
  return info.message.empty() ? text : text + ": " + info.message;
}

const char* plural(long count) {
  return count == 1 ? "" : "s";
}

/// Hits that a body passes on to a third one within a step: the step is solved again, with contacts added.
void add_rounds_text(const RunInfo& info, Text* text) {
  const RunInfo::Passed &rounds = info.passed_on, &left = info.unforeseen;
  if (rounds.steps == 0) {
    text->add("  %-24s in no step (contact.margin: auto looks for them)\n", "hits passed on");
  } else {
    text->add(
        "  %-24s in %ld step%s of %ld, solved again %ld time%s with contacts added, at most %.0f in a step\n",
        "hits passed on", rounds.steps, plural(rounds.steps), info.rows.steps, rounds.total,
        plural(rounds.total), info.rounds.max);
  }
  if (left.steps == 0) return;
  text->add(
      "  %-24s %ld contact point%s in %ld step%s, the first at t = %.6g s: bodies overlapped and were pushed "
      "out a step later\n",
      "hits not foreseen", left.total, plural(left.total), left.steps, plural(left.steps), left.first);
}

void add_solver_text(const RunInfo& info, Text* text) {
  text->add("\nsolver over %ld steps    %10s %10s %10s %10s %10s\n", info.rows.steps, "min", "median", "90 %",
            "99 %", "max");
  add_percentiles(text, "iterations", info.iterations);
  add_percentiles(text, "line-search iterations", info.line_search_iterations);
  add_percentiles(text, "residual", info.residual);
  add_percentiles(text, "condition", info.condition);
  add_percentiles(text, "contacts", info.contacts);
  if (info.faces.max > 0.0) {
    add_percentiles(text, "patches", info.patches);
    add_percentiles(text, "faces of patches", info.faces);
  }
  add_percentiles(text, "islands", info.islands);
  add_percentiles(text, "factor non-zeros", info.factor_nonzeros);
  const bool integrated = info.status_counts[static_cast<std::size_t>(StepStatus::kIntegrated)] > 0;
  if (integrated) add_percentiles(text, "rejected tries", info.rejected);
  text->add("  %-24s", "ends");
  for (std::size_t i = 0; i < info.status_counts.size(); ++i) {
    if (info.status_counts[i] > 0) text->add(" %s %ld", kStatusNames[i], info.status_counts[i]);
  }
  text->add("\n");
  if (info.counts_rounds && !integrated) add_rounds_text(info, text);
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
  return info;
}

std::string info_text(const RunInfo& info) {
  const Provenance& origin = info.provenance;
  Text text;
  text.add("%s\n", info.path.c_str());
  text.add("  %-24s %s\n", "scene", info.scene_name.c_str());
  text.add("  %-24s %s\n", "ended", ending(info).c_str());
  text.add("  %-24s %.9g s, %ld steps, %ld frames, %ld contact rows\n", "simulated", info.end_time,
           info.rows.steps, info.rows.frames, info.rows.contacts);
  text.add("  %-24s %ld bodies, %ld geometries, %ld joints, nq = %ld, nv = %ld\n", "model", info.num_bodies,
           info.num_geometries, info.num_joints, info.nq, info.nv);
  text.add("  %-24s %s\n", "command", joined(origin.argv, " ").c_str());
  text.add("  %-24s csim %s, revision %s\n", "program", origin.version.c_str(), origin.revision.c_str());
  text.add("  %-24s %s, %s, %d thread%s\n", "machine", origin.host.c_str(), origin.cpu.c_str(),
           origin.threads, origin.threads == 1 ? "" : "s");
  text.add("  %-24s %s to %s%s\n", "wall clock", origin.start.c_str(),
           origin.end.empty() ? "?" : origin.end.c_str(),
           info.num_earlier_runs == 0 ? ""
           : info.num_earlier_runs == 1
               ? ", resumed once"
               : (", resumed " + std::to_string(info.num_earlier_runs) + " times").c_str());
  add_solver_text(info, &text);

  add_events_text(info, &text);
  text.add("\nartefacts (largest of all steps)\n");
  const auto add_largest = [&text](const char* name, double value, const char* unit, double when) {
    if (value == 0.0)
      text.add("  %-24s %10.3g %s\n", name, value, unit);
    else
      text.add("  %-24s %10.3g %s at t = %.6g s\n", name, value, unit, when);
  };
  add_largest("gliding distance", info.gliding_distance, "m", info.gliding_time);
  add_largest("stiction tolerance", info.stiction_tolerance, "m/s", info.stiction_time);
  text.add("  %-24s %10.3g (solver's residual against that of the stored forces)\n", "momentum disagreement",
           info.momentum_disagreement);

  if (info.has_frames) {
    text.add("\nenergy\n");
    text.add("  %-24s %10.6g J to %.6g J\n", "total", info.energy_start, info.energy_end);
    text.add("  %-24s %10.6g J\n", "dissipated", info.dissipated);
    text.add("  %-24s %10.6g J\n", "work done on bodies", info.work);
    const double error = info.largest_balance_error;
    const char* const sense = error > 0.0 ? " gained" : error < 0.0 ? " lost" : "";
    const double turned_over = std::max(
        {std::abs(info.energy_end - info.energy_start), std::abs(info.dissipated), std::abs(info.work)});
    text.add("  %-24s %10.3g J%s%s\n", "largest balance error", std::abs(error), sense,
             std::abs(error) > kNotedImbalance * turned_over
                 ? ", beyond 5 % of the energy turned over: smaller steps lessen it"
                 : "");
  }

  text.add("\nwall time of %ld steps\n", info.rows.steps);
  double others = info.total_seconds;
  const double percent = info.total_seconds > 0.0 ? 100.0 / info.total_seconds : 0.0;
  for (const RunInfo::Stage& stage : info.stages) {
    others -= stage.seconds;
    text.add("  %-24s %10.4g s %6.1f %%\n", stage.name.c_str(), stage.seconds, percent * stage.seconds);
  }
  text.add("  %-24s %10.4g s %6.1f %%\n", "other", others, percent * others);
  text.add("  %-24s %10.4g s", "total", info.total_seconds);
  if (info.total_seconds > 0.0) {
    text.add(", %.4g steps/s, real-time factor %.4g",
             static_cast<double>(info.rows.steps) / info.total_seconds, info.end_time / info.total_seconds);
  }
  text.add("\n");
  return text.take();
}

std::string info_json(const RunInfo& info) {
  const Provenance& origin = info.provenance;
  JsonWriter json;
  json.begin_object()
      .member("file", info.path)
      .member("scene", info.scene_name)
      .member("status", to_string(info.status));
  json.member("exit_code", info.exit_code).member("message", info.message).member("end_time", info.end_time);
  json.key("rows")
      .begin_object()
      .member("frames", std::int64_t{info.rows.frames})
      .member("steps", std::int64_t{info.rows.steps});
  json.member("contacts", std::int64_t{info.rows.contacts})
      .member("iterations", std::int64_t{info.rows.iterations});
  json.member("patches", std::int64_t{info.rows.patches})
      .member("faces", std::int64_t{info.rows.faces})
      .member("events", std::int64_t{info.rows.events})
      .end_object();
  json.key("model")
      .begin_object()
      .member("bodies", std::int64_t{info.num_bodies})
      .member("geometries", std::int64_t{info.num_geometries});
  json.member("joints", std::int64_t{info.num_joints})
      .member("nq", std::int64_t{info.nq})
      .member("nv", std::int64_t{info.nv})
      .end_object();

  json.key("provenance")
      .begin_object()
      .member("version", origin.version)
      .member("revision", origin.revision)
      .member("compiler", origin.compiler);
  json.member("blas", origin.blas)
      .member("host", origin.host)
      .member("cpu", origin.cpu)
      .member("threads", origin.threads);
  json.member("start", origin.start).member("end", origin.end).member("earlier_runs", info.num_earlier_runs);
  json.key("libraries").begin_array();
  for (const std::string& library : origin.libraries) json.value(library);
  json.end_array().key("argv").begin_array();
  for (const std::string& argument : origin.argv) json.value(argument);
  json.end_array().key("inputs").begin_array();
  for (const InputFile& input : origin.inputs)
    json.begin_object().member("path", input.path).member("sha256", input.sha256).end_object();
  json.end_array().end_object();

  json.key("solver").begin_object();
  add_percentiles(&json, "iterations", info.iterations);
  add_percentiles(&json, "line_search_iterations", info.line_search_iterations);
  add_percentiles(&json, "residual", info.residual);
  add_percentiles(&json, "condition", info.condition);
  add_percentiles(&json, "contacts", info.contacts);
  add_percentiles(&json, "patches", info.patches);
  add_percentiles(&json, "faces", info.faces);
  add_percentiles(&json, "islands", info.islands);
  add_percentiles(&json, "factor_nonzeros", info.factor_nonzeros);
  add_percentiles(&json, "rejected", info.rejected);
  add_percentiles(&json, "rounds", info.rounds);
  for (const auto& [name, passed] :
       {std::pair{"hits_passed_on", info.passed_on}, {"hits_not_foreseen", info.unforeseen}}) {
    json.key(name).begin_object().member("steps", std::int64_t{passed.steps});
    json.member("total", std::int64_t{passed.total}).member("first_time", passed.first).end_object();
  }
  json.key("status").begin_object();
  for (std::size_t i = 0; i < info.status_counts.size(); ++i)
    json.member(kStatusNames[i], std::int64_t{info.status_counts[i]});
  json.end_object().end_object();

  add_events(info, &json);
  json.key("artefact")
      .begin_object()
      .member("gliding_distance", info.gliding_distance)
      .member("gliding_time", info.gliding_time);
  json.member("stiction_tolerance", info.stiction_tolerance)
      .member("stiction_time", info.stiction_time)
      .member("momentum_disagreement", info.momentum_disagreement)
      .end_object();
  json.key("energy")
      .begin_object()
      .member("total_start", info.energy_start)
      .member("total_end", info.energy_end);
  json.member("dissipated", info.dissipated)
      .member("work", info.work)
      .member("largest_balance_error", info.largest_balance_error)
      .end_object();
  json.key("seconds").begin_object().member("total", info.total_seconds);
  for (const RunInfo::Stage& stage : info.stages) json.member(stage.name, stage.seconds);
  json.end_object();
  const bool timed = info.total_seconds > 0.0;
  const double none = std::numeric_limits<double>::quiet_NaN();
  json.member("steps_per_second", timed ? static_cast<double>(info.rows.steps) / info.total_seconds : none);
  json.member("real_time_factor", timed ? info.end_time / info.total_seconds : none);
  json.end_object();
  return json.text();
}

}  // namespace csim
