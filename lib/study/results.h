// The numbers of a study: the measures of its complete cases, and the errors against references.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "record/warning.h"
#include "study/case_status.h"
#include "study/case_usage.h"

namespace csim {

struct CaseNumbers {
  CaseStatus status;
  std::vector<double> measures;    // NaN while the case is not complete
  std::optional<CaseUsage> usage;  // not of a case that ran elsewhere
  Warnings warnings;               // of its result; none while the case is not complete
  std::set<int> unmeasured;        // measures that its record lacks: its result was not kept
};

struct CaseRecord;

class StudyResults {
 public:
  /// Reads all results. References must outlive this.
  StudyResults(const Study& study, const Cases& cases, const StudyFolder& folder);

  [[nodiscard]] const std::vector<CaseNumbers>& cases() const { return numbers_; }
  [[nodiscard]] bool is_complete(int index) const {
    return numbers_[static_cast<std::size_t>(index)].status.state == CaseState::kComplete;
  }
  /// Whether the case is complete and what the measure rests on was measured.
  [[nodiscard]] bool has_value(int index, int measure) const;
  [[nodiscard]] double value(int index, int measure) const {
    return numbers_[static_cast<std::size_t>(index)].measures[static_cast<std::size_t>(measure)];
  }
  /// Error of a case in a measure: |f - f_reference|, or the difference of the curves. `reference_case`: the
  /// case of ReferenceKind::kCase and kFinest. NaN for what is not there. Not for kRichardson.
  [[nodiscard]] double error(int index, int measure, const Reference& reference, int reference_case);

 private:
  void read_case(int index);
  void take_numbers(int index, const CaseRecord& record);
  void measure_differences();
  void evaluate_expressions();
  /// The expression `measure` of numbers that `value_of` gives for its operands.
  template <typename ValueOf>
  [[nodiscard]] double evaluate(const Measure& measure, const ValueOf& value_of) const;
  [[nodiscard]] const Curve& curve(int index, int measure);
  [[nodiscard]] const Curve& file_curve(const std::string& file, int measure);
  [[nodiscard]] double file_value(const std::string& file, int measure);

  const Study& study_;
  const Cases& cases_;
  const StudyFolder& folder_;
  std::vector<CaseNumbers> numbers_;
  std::map<std::pair<int, int>, Curve> curves_;               // of measures that are differences
  std::map<std::pair<std::string, int>, Curve> file_curves_;  // likewise, of reference files
  std::map<std::pair<std::string, int>, double> file_values_;
};

}  // namespace csim
