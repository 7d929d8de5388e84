#include "study/results.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "study/case_record.h"
#include "study/measure_text.h"

namespace csim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

StudyResults::StudyResults(const Study& study, const Cases& cases, const StudyFolder& folder)
    : study_(study), cases_(cases), folder_(folder), numbers_(cases.cases.size()) {
  const std::unordered_set<std::string> ids = ids_with_files(folder);
  for (std::size_t c = 0; c < numbers_.size(); ++c) {
    numbers_[c].measures.assign(study.measures.size(), kNone);
    numbers_[c].status.seconds = kNone;
    if (ids.count(cases.cases[c].id) > 0) read_case(static_cast<int>(c));
  }
  measure_differences();
  evaluate_expressions();
}

template <typename ValueOf>
double StudyResults::evaluate(const Measure& measure, const ValueOf& value_of) const {
  std::vector<double> values;
  for (const int operand : measure.operands) values.push_back(value_of(operand));
  return evaluate_expression(*measure.expression, values);
}

void StudyResults::evaluate_expressions() {
  for (const int m : study_.expressions) {
    const Measure& measure = study_.measures[static_cast<std::size_t>(m)];
    for (std::size_t c = 0; c < numbers_.size(); ++c) {
      const int index = static_cast<int>(c);
      if (is_complete(index))
        numbers_[c].measures[static_cast<std::size_t>(m)] =
            evaluate(measure, [&](int operand) { return value(index, operand); });
    }
  }
}

void StudyResults::read_case(int index) {
  const Case& one = cases_.cases[static_cast<std::size_t>(index)];
  CaseNumbers& numbers = numbers_[static_cast<std::size_t>(index)];
  numbers.usage = read_usage(folder_.usage(one));
  numbers.status = look_at_case(one, folder_);
  if (numbers.status.state != CaseState::kComplete) return;
  try {
    const std::optional<CaseRecord> kept = read_record(one, folder_);
    take_numbers(index, kept ? *kept : measure_result(study_, folder_.result(one)));
  } catch (const std::exception& error) {
    numbers.measures.assign(study_.measures.size(), kNone);
    numbers.status.state = CaseState::kDamaged;
    numbers.status.message = error.what();
  }
}

void StudyResults::take_numbers(int index, const CaseRecord& record) {
  CaseNumbers& numbers = numbers_[static_cast<std::size_t>(index)];
  numbers.warnings = record.warnings;
  for (std::size_t m = 0; m < study_.measures.size(); ++m) {
    if (study_.measures[m].expression) continue;
    const std::string key = measure_text(study_.measures[m].spec);
    if (const auto value = record.values.find(key); value != record.values.end()) {
      numbers.measures[m] = value->second;
    } else if (const auto curve = record.curves.find(key); curve != record.curves.end()) {
      curves_[{index, static_cast<int>(m)}] = curve->second;
    } else {
      numbers.unmeasured.insert(static_cast<int>(m));
    }
  }
}

bool StudyResults::has_value(int index, int measure) const {
  const std::vector<int> sources = study_.sources_of(measure);
  const std::set<int>& unmeasured = numbers_[static_cast<std::size_t>(index)].unmeasured;
  return is_complete(index) && std::none_of(sources.begin(), sources.end(),
                                            [&](int source) { return unmeasured.count(source) > 0; });
}

void StudyResults::measure_differences() {
  for (std::size_t m = 0; m < study_.measures.size(); ++m) {
    if (study_.measures[m].spec.reduce != Reduction::kDifference) continue;
    for (std::size_t c = 0; c < numbers_.size(); ++c)
      numbers_[c].measures[m] =
          error(static_cast<int>(c), static_cast<int>(m), study_.reference, cases_.references[c]);
  }
}

const Curve& StudyResults::curve(int index, int measure) {
  return curves_[{index, measure}];
}

const Curve& StudyResults::file_curve(const std::string& file, int measure) {
  const auto [place, is_new] = file_curves_.try_emplace({file, measure});
  if (is_new)
    place->second = read_curve(study_.measures[static_cast<std::size_t>(measure)].spec, ResultFile(file));
  return place->second;
}

double StudyResults::file_value(const std::string& file, int measure) {
  const Measure& what = study_.measures[static_cast<std::size_t>(measure)];
  if (what.expression) return evaluate(what, [&](int operand) { return file_value(file, operand); });
  const auto [place, is_new] = file_values_.try_emplace({file, measure}, kNone);
  if (is_new) place->second = evaluate_measure(what.spec, ResultFile(file));
  return place->second;
}

double StudyResults::error(int index, int measure, const Reference& reference, int reference_case) {
  if (!has_value(index, measure)) return kNone;
  const Measure& what = study_.measures[static_cast<std::size_t>(measure)];
  const bool is_curve = what.spec.reduce == Reduction::kDifference;
  switch (reference.kind) {
    case ReferenceKind::kCase:
    case ReferenceKind::kFinest:
      if (reference_case < 0 || !has_value(reference_case, measure)) return kNone;
      return is_curve ? curve_difference(curve(index, measure), curve(reference_case, measure))
                      : std::abs(value(index, measure) - value(reference_case, measure));
    case ReferenceKind::kFile:
      return is_curve ? curve_difference(curve(index, measure), file_curve(reference.file, measure))
                      : std::abs(value(index, measure) - file_value(reference.file, measure));
    case ReferenceKind::kValues: {
      const auto found = reference.values.find(what.name);
      return found == reference.values.end() || is_curve ? kNone
                                                         : std::abs(value(index, measure) - found->second);
    }
    case ReferenceKind::kNone:
    case ReferenceKind::kRichardson:
      break;
  }
  return kNone;
}

}  // namespace csim
