// What two results differ in, for a person and for a machine.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/json_writer.h"
#include "record/report/diff.h"

namespace csim {
namespace {

std::string number_text(double value, const char* format = "%.17g") {
  char text[40];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

bool is_nan_in_one(const DiffEntry& entry) {
  return std::isnan(entry.a) || std::isnan(entry.b);
}

std::string entry_text(const DiffEntry& entry) {
  std::string text = entry.path;
  if (!entry.index.empty()) text += shape_text(entry.index);
  if (!entry.label.empty()) text += " (" + entry.label + ")";
  if (entry.time) text += " at t = " + number_text(*entry.time, "%.9g") + " s";
  const std::string unit = entry.unit.empty() || entry.unit == "1" ? "" : " " + entry.unit;
  text += ": " + number_text(entry.a) + " against " + number_text(entry.b) + unit;
  if (is_nan_in_one(entry)) return text;
  return text + ", relative difference " + number_text(entry.relative, "%.3g");
}

void write_entry(JsonWriter* json, const char* key, const std::optional<DiffEntry>& entry) {
  json->key(key);
  if (!entry) {
    json->null();
    return;
  }
  json->begin_object().member("path", entry->path).key("index").begin_array();
  for (const long i : entry->index) json->value(std::int64_t{i});
  json->end_array().member("label", entry->label).key("time");
  if (entry->time) {
    json->value(*entry->time);
  } else {
    json->null();
  }
  json->member("a", entry->a)
      .member("b", entry->b)
      .member("relative", entry->relative)
      .member("unit", entry->unit)
      .end_object();
}

}  // namespace

std::string diff_text(const DiffReport& report, const std::string& name_a, const std::string& name_b,
                      const DiffOptions& options) {
  const std::string tolerance =
      "rtol " + number_text(options.rtol, "%g") + ", atol " + number_text(options.atol, "%g");
  if (report.equal)
    return "equal: " + name_a + " and " + name_b + ", " + std::to_string(report.num_compared) +
           " numbers within " + tolerance + "\n";
  std::string text = "different: " + name_a + " and " + name_b + " (" + tolerance + ")\n";
  for (const std::string& mismatch : report.mismatches) text += "  " + mismatch + "\n";
  const bool numbers_differ = report.first && !is_nan_in_one(*report.first);
  if (numbers_differ) {
    text += "  first: " + entry_text(*report.first) + "\n";
    text += "  worst: " + entry_text(*report.worst) + "\n";
  }
  if (report.first_nan)
    text += std::string(numbers_differ ? "  NaN in one file alone, first: "
                                       : "  first: NaN in one file alone: ") +
            entry_text(*report.first_nan) + "\n";
  std::size_t width = 0;
  for (const auto& quantity : report.quantities) width = std::max(width, quantity.path.size());
  if (!report.quantities.empty()) {
    char line[256];
    const auto add = [&](const char* format, auto... columns) {
      std::snprintf(line, sizeof(line), format, static_cast<int>(width), columns...);
      text += line;
    };
    const bool any_nan = report.first_nan.has_value();
    add("  %-*s %12s %12s %14s %14s%s\n", "quantity", "different", "of", "max |a - b|", "max relative",
        any_nan ? "     NaN in one" : "");
    for (const auto& q : report.quantities) {
      const std::string nan = any_nan ? number_text(static_cast<double>(q.count_nan), "%15.0f") : "";
      if (q.count > q.count_nan) {
        add("  %-*s %12ld %12ld %14.3g %14.3g%s\n", q.path.c_str(), q.count, q.total, q.largest_absolute,
            q.largest_relative, nan.c_str());
      } else {
        add("  %-*s %12ld %12ld %14s %14s%s\n", q.path.c_str(), q.count, q.total, "-", "-", nan.c_str());
      }
    }
  }
  return text;
}

std::string diff_json(const DiffReport& report, const std::string& name_a, const std::string& name_b,
                      const DiffOptions& options) {
  JsonWriter json;
  json.begin_object()
      .member("a", name_a)
      .member("b", name_b)
      .member("rtol", options.rtol)
      .member("atol", options.atol);
  json.member("equal", report.equal).member("compared", std::int64_t{report.num_compared});
  write_entry(&json, "first", report.first);
  write_entry(&json, "worst", report.worst);
  write_entry(&json, "first_nan", report.first_nan);
  json.key("quantities").begin_array();
  for (const auto& q : report.quantities) {
    json.begin_object()
        .member("path", q.path)
        .member("different", std::int64_t{q.count})
        .member("nan_in_one", std::int64_t{q.count_nan})
        .member("of", std::int64_t{q.total});
    json.member("largest_absolute", q.largest_absolute)
        .member("largest_relative", q.largest_relative)
        .end_object();
  }
  json.end_array().key("mismatches").begin_array();
  for (const std::string& mismatch : report.mismatches) json.value(mismatch);
  json.end_array().end_object();
  return json.text();
}

}  // namespace csim
