// The numbers of a study: the measures of its complete cases, and the errors against references.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "record/warning.h"
#include "study/case_status.h"
#include "study/case_usage.h"
#include "study/measured_curve.h"

namespace csim {

struct CaseNumbers {
  CaseStatus status;
  std::vector<double> measures;    // NaN while the case is not complete
  std::optional<CaseUsage> usage;  // not of a case that ran elsewhere
  Warnings warnings;               // of its result; none while the case is not complete
  std::set<int> unmeasured;        // measures that its record lacks: its result was not kept
};

struct CaseRecord;

/// Curves and numbers of result files and measurements that are references, read once.
struct ReferenceNumbers {
  MeasuredReader reader;
  std::map<std::pair<std::string, int>, Curve> curves;   // by file and measure
  std::map<std::pair<std::string, int>, double> values;  // likewise
};

class StudyResults {
 public:
  /// Reads all results. References must outlive this.
  StudyResults(const Study& study, const Cases& cases, const StudyFolder& folder);
  /// The same with numbers of references that other cases of the study use too.
  StudyResults(const Study& study, const Cases& cases, const StudyFolder& folder,
               std::shared_ptr<ReferenceNumbers> references);

  [[nodiscard]] const std::vector<CaseNumbers>& cases() const { return numbers_; }
  [[nodiscard]] bool is_complete(int index) const {
    return numbers_[static_cast<std::size_t>(index)].status.state == CaseState::kComplete;
  }
  /// Whether the case is complete and what the measure rests on was measured.
  [[nodiscard]] bool has_value(int index, int measure) const;
  /// Where has_value does not hold: "case 3 is interrupted".
  [[nodiscard]] std::string why_missing(int index) const;
  [[nodiscard]] double value(int index, int measure) const {
    return numbers_[static_cast<std::size_t>(index)].measures[static_cast<std::size_t>(measure)];
  }
  /// Whether the reference says something of the measure.
  [[nodiscard]] bool has_reference(int index, int measure, const Reference& reference) const;
  /// What parts a case from the reference in a measure: f - f_reference, of curves curve_residuals.
  /// `reference_case`: the case of ReferenceKind::kCase and kFinest. One NaN for what is not there. Not for
  /// kRichardson.
  [[nodiscard]] std::vector<double> residuals(int index, int measure, const Reference& reference,
                                              int reference_case);
  /// Error of a case in a measure, the norm of its residuals: |f - f_reference|, or the difference of the
  /// curves.
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
  [[nodiscard]] std::vector<double> curve_errors(int index, int measure, const Reference& reference,
                                                 int reference_case);
  /// Of a result or a measurement.
  [[nodiscard]] const Curve& reference_curve(const Reference& reference, int measure);
  [[nodiscard]] double reference_value(const Reference& reference, int measure, int reference_case);

  const Study& study_;
  const Cases& cases_;
  const StudyFolder& folder_;
  std::vector<CaseNumbers> numbers_;
  std::map<std::pair<int, int>, Curve> curves_;  // of measures that are differences
  std::shared_ptr<ReferenceNumbers> references_;
};

}  // namespace csim
