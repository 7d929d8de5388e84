// A study's numbers as tables for other programs.
#pragma once

#include "study/fit.h"
#include "study/results.h"

namespace csim {

/// Writes DIR/study.h5 (docs/studies.md: a row a case; links to the results under /cases; /fit/NAME) and
/// DIR/study.csv, each beside its place and renamed. Throws IoError.
void write_tables(const Study& study, const Cases& cases, const StudyResults& results,
                  const std::vector<FitResult>& fits, const StudyFolder& folder);

/// The unit of a key by its path as in --set: "s" of time.step, "m" of bodies.ball.pose.xyz.2; "1" for pure
/// numbers.
[[nodiscard]] std::string unit_of_key(const std::string& path);

/// The columns of study.csv.
[[nodiscard]] std::string study_csv(const Study& study, const Cases& cases, const StudyResults& results);

}  // namespace csim
