// How far a case has come, by the files it has left.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "record/open_hdf5.h"
#include "study/study_folder.h"

namespace csim {

enum class CaseState { kComplete, kFailed, kInterrupted, kRunning, kMissing, kDamaged };

[[nodiscard]] const char* to_string(CaseState state);  // "complete", "failed", ..

struct CaseStatus {
  CaseState state = CaseState::kMissing;
  double seconds = 0.0;  // wall time of its steps; NaN without a result
  std::string message;   // why it is not complete
  int exit_code = -1;    // of a failed one
};

/// Opens what is there: complete means a whole result of this very case (by /scene/resolved) with a row at
/// the end, or its record (case_record.h); a .part that nobody locks is interrupted; what cannot be read or
/// is of another scene is damaged. Trial::kNone is for a case whose process has just ended well.
[[nodiscard]] CaseStatus look_at_case(const Case& one, const StudyFolder& folder,
                                      Trial trial = Trial::kFirst);

/// The ids whose files, of any kind, the folder holds: all other cases are missing, and need no look.
[[nodiscard]] std::unordered_set<std::string> ids_with_files(const StudyFolder& folder);

[[nodiscard]] std::vector<CaseStatus> look_at_cases(const Cases& cases, const StudyFolder& folder);

/// "3,7-9" of ascending indices.
[[nodiscard]] std::string format_ranges(const std::vector<int>& indices);

/// Its inverse: ascending, each once; nothing when the text is no such list.
[[nodiscard]] std::optional<std::vector<int>> parse_ranges(const std::string& text);

}  // namespace csim
