// The numbers of a case: what its measures take from its result. With `keep: measures` they stand in
// cases/ID.json, in place of the result.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "record/warning.h"
#include "study/study_folder.h"

namespace csim {

struct CaseRecord {
  double seconds = 0.0;                  // wall time of the steps
  Warnings warnings;                     // of the result
  std::map<std::string, double> values;  // by measure_text
  std::map<std::string, Curve> curves;   // of the measures that are differences: of any reference
};

/// Takes the measures of the study from a complete result, which look_at_case has opened. Throws ReadError,
/// InvalidResultError.
[[nodiscard]] CaseRecord measure_result(const Study& study, const std::string& file);

/// The record of a case; nothing where there is none, or none of this case that can be read.
[[nodiscard]] std::optional<CaseRecord> read_record(const Case& one, const StudyFolder& folder);

/// Puts the record of a case that look_at_case found complete in the place of its result. Throws ReadError,
/// InvalidResultError, IoError; then the result stays.
void replace_by_record(const Study& study, const Case& one, const StudyFolder& folder);

}  // namespace csim
