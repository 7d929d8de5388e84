#include "study/results.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>

#include "study/case_record.h"
#include "study/measure_text.h"
#include "study/reference_keys.h"

namespace csim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

StudyResults::StudyResults(const Study& study, const Cases& cases, const StudyFolder& folder)
    : StudyResults(study, cases, folder, std::make_shared<ReferenceNumbers>()) {}

StudyResults::StudyResults(const Study& study, const Cases& cases, const StudyFolder& folder,
                           std::shared_ptr<ReferenceNumbers> references)
    : study_(study),
      cases_(cases),
      folder_(folder),
      numbers_(cases.cases.size()),
      references_(std::move(references)) {
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

std::string StudyResults::why_missing(int index) const {
  const std::string name = "case " + std::to_string(index);
  return is_complete(index)
             ? name + " was not measured so, and its result was not kept"
             : name + " is " + to_string(numbers_[static_cast<std::size_t>(index)].status.state);
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

const Curve& StudyResults::reference_curve(const Reference& reference, int measure) {
  const bool is_measured = reference.kind == ReferenceKind::kMeasured;
  const std::string name = is_measured ? describe(reference.measured) : reference.file;
  const auto [place, is_new] = references_->curves.try_emplace({name, measure});
  if (!is_new) return place->second;
  const Measure& what = study_.measures[static_cast<std::size_t>(measure)];
  place->second = is_measured ? references_->reader.read(reference.measured, what,
                                                         cases_.shapes[static_cast<std::size_t>(measure)])
                              : read_curve(what.spec, ResultFile(reference.file));
  return place->second;
}

double StudyResults::reference_value(const Reference& reference, int measure, int reference_case) {
  const Measure& what = study_.measures[static_cast<std::size_t>(measure)];
  switch (reference.kind) {
    case ReferenceKind::kCase:
    case ReferenceKind::kFinest:
      return reference_case < 0 || !has_value(reference_case, measure) ? kNone
                                                                       : value(reference_case, measure);
    case ReferenceKind::kFile: {
      if (what.expression)
        return evaluate(what,
                        [&](int operand) { return reference_value(reference, operand, reference_case); });
      const auto [place, is_new] = references_->values.try_emplace({reference.file, measure}, kNone);
      if (is_new) place->second = evaluate_measure(what.spec, ResultFile(reference.file));
      return place->second;
    }
    case ReferenceKind::kMeasured: {
      if (what.expression)
        return evaluate(what,
                        [&](int operand) { return reference_value(reference, operand, reference_case); });
      if (reference.measured.columns.count(what.name) == 0 || what.spec.reduce == Reduction::kDifference)
        return kNone;
      return reduce_curve(reference_curve(reference, measure), what.spec.reduce, what.spec.argument);
    }
    case ReferenceKind::kValues: {
      const auto found = reference.values.find(what.name);
      return found == reference.values.end() ? kNone : found->second;
    }
    case ReferenceKind::kNone:
    case ReferenceKind::kRichardson:
      break;
  }
  return kNone;
}

std::vector<double> StudyResults::curve_errors(int index, int measure, const Reference& reference,
                                               int reference_case) {
  const auto compare = [&](const Curve& a, const Curve& b) {
    const MeasureSpec& spec = study_.measures[static_cast<std::size_t>(measure)].spec;
    return curve_residuals(within_window(a, spec), within_window(b, spec));
  };
  switch (reference.kind) {
    case ReferenceKind::kCase:
    case ReferenceKind::kFinest:
      if (reference_case < 0 || !has_value(reference_case, measure)) return {kNone};
      return compare(curve(index, measure), curve(reference_case, measure));
    case ReferenceKind::kFile:
      return compare(curve(index, measure), reference_curve(reference, measure));
    case ReferenceKind::kMeasured: {
      const std::string& name = study_.measures[static_cast<std::size_t>(measure)].name;
      if (reference.measured.columns.count(name) == 0) return {kNone};
      const Curve& measured = reference_curve(reference, measure);
      return curve_residuals(curve_at(curve(index, measure), measured.time), measured);
    }
    default:
      return {kNone};
  }
}

bool StudyResults::has_reference(int index, int measure, const Reference& reference) const {
  const Reference own =
      reference_of_case(study_, reference, cases_.cases[static_cast<std::size_t>(index)].values);
  // What is made of differences to the reference has none itself.
  if (study_.measures[static_cast<std::size_t>(measure)].expression && study_.uses_difference(measure))
    return false;
  const auto names = [&](int m) { return study_.measures[static_cast<std::size_t>(m)].name; };
  const std::vector<int> sources = study_.sources_of(measure);
  switch (own.kind) {
    case ReferenceKind::kNone:
      return false;
    case ReferenceKind::kValues:
      return own.values.count(names(measure)) > 0;
    case ReferenceKind::kMeasured:
      return std::all_of(sources.begin(), sources.end(),
                         [&](int source) { return own.measured.columns.count(names(source)) > 0; });
    default:
      return true;
  }
}

std::vector<double> StudyResults::residuals(int index, int measure, const Reference& reference,
                                            int reference_case) {
  if (!has_value(index, measure)) return {kNone};
  const Reference own =
      reference_of_case(study_, reference, cases_.cases[static_cast<std::size_t>(index)].values);
  const Measure& what = study_.measures[static_cast<std::size_t>(measure)];
  if (what.spec.reduce == Reduction::kDifference && !what.expression)
    return curve_errors(index, measure, own, reference_case);
  return {value(index, measure) - reference_value(own, measure, reference_case)};
}

double StudyResults::error(int index, int measure, const Reference& reference, int reference_case) {
  const std::vector<double> all = residuals(index, measure, reference, reference_case);
  return std::sqrt(std::inner_product(all.begin(), all.end(), all.begin(), 0.0));
}

}  // namespace csim
