// What two results differ in, for a person and for a machine.
#include <algorithm>
#include <cmath>

#include "core/counted.h"
#include "core/json_writer.h"
#include "core/number_format.h"
#include "record/report/diff.h"

namespace csim {
namespace {

bool is_nan_in_one(const DiffEntry& entry) {
  return std::isnan(entry.a) || std::isnan(entry.b);
}

/// " m/s"; nothing behind a pure number.
std::string unit_text(const DiffEntry& entry) {
  return entry.unit.empty() || entry.unit == "1" ? "" : " " + entry.unit;
}

std::string scale_text(const DiffEntry& entry) {
  return format_text("%.3g", entry.scale) + unit_text(entry);
}

std::string entry_text(const DiffEntry& entry) {
  std::string text = entry.path;
  if (!entry.index.empty()) text += shape_text(entry.index);
  if (!entry.label.empty()) text += " (" + entry.label + ")";
  if (entry.time) text += format_text(" at t = %.9g s", *entry.time);
  text += format_text(": %.17g against %.17g", entry.a, entry.b) + unit_text(entry);
  if (is_nan_in_one(entry)) return text;
  return text +
         format_text(", relative difference %.3g, %.3g of the scale ", entry.relative, entry.over_scale) +
         scale_text(entry);
}

void write_entry(JsonWriter* json, const char* key, const std::optional<DiffEntry>& entry) {
  json->key(key);
  if (!entry) {
    json->null();
    return;
  }
  json->begin_object().member("path", entry->path, "index", entry->index, "label", entry->label);
  json->member("time", entry->time, "a", entry->a, "b", entry->b, "relative", entry->relative);
  json->member("unit", entry->unit, "scale", entry->scale, "over_scale", entry->over_scale).end_object();
}

/// "rtol 0, atol 1e-9, /contact/phi within 1e-6, up to t = 0.5 s".
std::string tolerance_text(const DiffOptions& options) {
  std::string text = format_text("rtol %g, atol %g", options.rtol, options.atol);
  for (const DiffOptions::Tolerance& tolerance : options.tolerances) {
    text += format_text("; %s: atol %g, rtol %g", tolerance.name.c_str(), tolerance.atol,
                        tolerance.rtol.value_or(options.rtol));
  }
  return std::isfinite(options.until) ? text + format_text("; up to t = %.9g s", options.until) : text;
}

std::string notes_text(const DiffReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += "  note: " + note + "\n";
  return text;
}

}  // namespace

std::string diff_text(const DiffReport& report, const std::string& name_a, const std::string& name_b,
                      const DiffOptions& options) {
  const std::string tolerance = tolerance_text(options);
  if (report.equal)
    return "equal: " + name_a + " and " + name_b + ", " + counted(report.num_compared, "number") +
           " within " + tolerance + "\n" + notes_text(report);
  std::string text = "different: " + name_a + " and " + name_b + " (" + tolerance + ")\n";
  for (const std::string& mismatch : report.mismatches) text += "  " + mismatch + "\n";
  text += notes_text(report);
  const bool numbers_differ = report.first && !is_nan_in_one(*report.first);
  if (numbers_differ) {
    text += "  first: " + entry_text(*report.first) + "\n";
    text += "  worst: " + entry_text(*report.worst) + "\n";
  }
  if (report.first_nan)
    text += std::string(numbers_differ ? "  NaN in one file alone, first: "
                                       : "  first: NaN in one file alone: ") +
            entry_text(*report.first_nan) + "\n";
  std::size_t longest = 0;
  for (const auto& quantity : report.quantities) longest = std::max(longest, quantity.path.size());
  const int width = static_cast<int>(longest);
  const bool any_nan = report.first_nan.has_value();
  if (!report.quantities.empty())
    text += format_text("  %-*s %12s %12s %12s %14s %12s %12s%s\n", width, "quantity", "different", "of",
                        "|a - b|", "scale", "over scale", "max relative", any_nan ? "     NaN in one" : "");
  for (const auto& q : report.quantities) {
    text += format_text("  %-*s %12ld %12ld ", width, q.path.c_str(), q.count, q.total);
    text += q.worst ? format_text("%12.3g %14s %12.3g %12.3g", std::abs(q.worst->a - q.worst->b),
                                  scale_text(*q.worst).c_str(), q.worst->over_scale, q.largest_relative)
                    : format_text("%12s %14s %12s %12s", "-", "-", "-", "-");
    text += any_nan ? format_text("%15ld\n", q.count_nan) : "\n";
  }
  return text;
}

std::string diff_json(const DiffReport& report, const std::string& name_a, const std::string& name_b,
                      const DiffOptions& options) {
  JsonWriter json;
  json.begin_object().member("a", name_a, "b", name_b, "rtol", options.rtol, "atol", options.atol);
  json.key("tolerances").begin_array();
  for (const DiffOptions::Tolerance& tolerance : options.tolerances) {
    json.begin_object().member("path", tolerance.name, "atol", tolerance.atol);
    json.member("rtol", tolerance.rtol.value_or(options.rtol)).end_object();
  }
  json.end_array().member("only", options.only, "ignore", options.ignore, "until", options.until);
  json.member("equal", report.equal, "compared", report.num_compared);
  write_entry(&json, "first", report.first);
  write_entry(&json, "worst", report.worst);
  write_entry(&json, "first_nan", report.first_nan);
  json.key("quantities").begin_array();
  for (const auto& q : report.quantities) {
    json.begin_object().member("path", q.path, "different", q.count, "nan_in_one", q.count_nan);
    json.member("of", q.total, "largest_absolute", q.largest_absolute, "largest_relative",
                q.largest_relative);
    write_entry(&json, "worst", q.worst);
    json.end_object();
  }
  json.end_array().member("mismatches", report.mismatches, "notes", report.notes).end_object();
  return json.text();
}

}  // namespace csim
