// A study's numbers as tables for other programs.
#pragma once

#include "study/results.h"

namespace csim {

/// Writes DIR/study.h5 (docs/studies.md: a row a case; links to the results under /cases) and
/// DIR/study.csv, each beside its place and renamed. Throws IoError.
void write_tables(const Study& study, const Cases& cases, const StudyResults& results,
                  const StudyFolder& folder);

/// The columns of study.csv.
[[nodiscard]] std::string study_csv(const Study& study, const Cases& cases, const StudyResults& results);

}  // namespace csim
