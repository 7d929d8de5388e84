#include "audit/audit.h"

#include <algorithm>

#include "core/counted.h"
#include "core/json_writer.h"
#include "core/number_format.h"

namespace csim::audit {
namespace {

/// What of a check's basis the file does not have; "": it has all.
std::string missing_basis(const Trajectory& trajectory, const Basis& basis) {
  if (basis.momentum && !trajectory.no_momentum.empty()) return trajectory.no_momentum;
  if (basis.contacts && !trajectory.no_contacts.empty()) return trajectory.no_contacts;
  if (!basis.steps || trajectory.every_step()) return "";
  return trajectory.no_momentum.empty() ? "rows are several steps apart" : trajectory.no_momentum;
}

const char* word_of(const Verdict& verdict) {
  return !verdict.why_not.empty() ? "not judged" : verdict.holds() ? "holds" : "fails";
}

std::vector<std::string> bodies_of(const Trajectory& trajectory, const Findings& findings) {
  std::vector<std::string> names;
  for (const int body : {findings.a, findings.b})
    if (body != Findings::kNone) names.push_back(trajectory.name_of(body));
  return names;
}

std::string line_of(const Trajectory& trajectory, const Verdict& verdict) {
  const Findings& found = verdict.findings;
  std::string text = format_text("%-19s%-12s", verdict.check->name, word_of(verdict));
  if (!verdict.why_not.empty()) return text + verdict.why_not + "\n";
  text += format_text("%9.3g %-7s %9.2g  ", found.value, verdict.check->unit, found.allowed);
  std::string names;
  for (const std::string& name : bodies_of(trajectory, found)) names += (names.empty() ? "" : ", ") + name;
  text += format_text("%-10.6g %-22s", trajectory.time[found.row], names.c_str());
  if (!verdict.holds())
    text += format_text("  %ld of %ld, first at %.6g s", found.failures, found.judged,
                        trajectory.time[found.first_failure]);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

bool Report::holds() const {
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](const Verdict& verdict) { return verdict.holds(); });
}

Report audit(const Trajectory& trajectory, const Tolerances& tolerances) {
  Report report{.tolerances = tolerances};
  for (const Check& check : checks()) {
    Verdict& verdict = report.verdicts.emplace_back();
    verdict.check = &check;
    verdict.why_not = missing_basis(trajectory, check.basis);
    if (!verdict.why_not.empty()) continue;
    check.judge(trajectory, tolerances, &verdict.findings);
    if (verdict.findings.judged == 0) verdict.why_not = check.needs;
  }
  return report;
}

std::string report_text(const Trajectory& trajectory, const Report& report) {
  std::size_t contacts = 0;
  for (const auto& row : trajectory.contacts) contacts += row.size();
  std::string text = trajectory.path + ": " + trajectory.format;
  if (!trajectory.program.empty()) text += " by " + trajectory.program;
  text += ", " + counted(trajectory.bodies.size(), "body", "bodies") + ", " +
          counted(trajectory.rows(), "row") + ", " + counted(contacts, "contact") + "\n\n";
  text += "check              verdict         worst           allowed  at (s)     bodies\n";
  std::string failed;
  for (const Verdict& verdict : report.verdicts) {
    text += line_of(trajectory, verdict);
    if (!verdict.holds()) failed += std::string("not so: ") + verdict.check->about + "\n";
  }
  text += "\n" + failed;
  if (failed.empty()) text += "all checks that could be judged hold\n";
  return text + format_text("tolerances: --rtol %g, --energy-rtol %g\n", report.tolerances.relative,
                            report.tolerances.energy);
}

std::string report_json(const Trajectory& trajectory, const Report& report) {
  JsonWriter json;
  json.begin_object().member("file", trajectory.path, "format", trajectory.format, "program",
                             trajectory.program);
  json.member("bodies", static_cast<std::int64_t>(trajectory.bodies.size()), "rows",
              static_cast<std::int64_t>(trajectory.rows()));
  json.member("rtol", report.tolerances.relative, "energy_rtol", report.tolerances.energy, "holds",
              report.holds());
  json.key("checks").begin_array();
  for (const Verdict& verdict : report.verdicts) {
    const Findings& found = verdict.findings;
    json.begin_object().member("name", verdict.check->name, "about", verdict.check->about, "verdict",
                               word_of(verdict));
    if (!verdict.why_not.empty()) {
      json.member("why", verdict.why_not).end_object();
      continue;
    }
    json.member("worst", found.value, "allowed", found.allowed, "unit", verdict.check->unit);
    json.member("time", trajectory.time[found.row], "row", static_cast<std::int64_t>(found.row));
    json.member("bodies", bodies_of(trajectory, found));
    json.member("judged", static_cast<std::int64_t>(found.judged), "failures",
                static_cast<std::int64_t>(found.failures));
    json.key("first_failure");
    if (found.failures > 0)
      json.value(trajectory.time[found.first_failure]);
    else
      json.null();
    json.end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace csim::audit
