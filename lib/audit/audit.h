// The audit of a trajectory: every check with its verdict, as a table for a person or as JSON.
#pragma once

#include <string>
#include <vector>

#include "audit/check.h"
#include "audit/trajectory.h"

namespace csim::audit {

struct Verdict {
  const Check* check = nullptr;
  Findings findings;
  std::string why_not;  // not judged, and why; "": judged

  [[nodiscard]] bool holds() const { return findings.failures == 0; }
};

struct Report {
  Tolerances tolerances;
  std::vector<Verdict> verdicts = {};  // one a check, in their order

  [[nodiscard]] bool holds() const;
};

/// Judges by every check.
[[nodiscard]] Report audit(const Trajectory& trajectory, const Tolerances& tolerances);

/// A line a check: verdict, worst value, what was allowed there, when, which bodies, how often.
[[nodiscard]] std::string report_text(const Trajectory& trajectory, const Report& report);

/// One JSON object.
[[nodiscard]] std::string report_json(const Trajectory& trajectory, const Report& report);

}  // namespace csim::audit
