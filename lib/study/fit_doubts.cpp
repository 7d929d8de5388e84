#include "study/fit_doubts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/counted.h"
#include "core/number_format.h"
#include "study/reference_keys.h"

namespace csim {
namespace {

// A key whose 95 % interval is wider than its bounds: the data say no more of it than these do.
constexpr double kWidestHalf = 0.5;

// Spacings that differ by round-off are the same.
constexpr double kSameSpacing = 1e-6;

/// The mean of the rows, of quaternions that of their signs nearest to the first.
std::vector<double> mean_of(const Curve& curve) {
  const auto width = static_cast<std::size_t>(curve.width);
  std::vector<double> mean(width, 0.0);
  for (std::size_t row = 0; row < curve.time.size(); ++row) {
    const auto begin = curve.values.begin() + static_cast<long>(row * width);
    const double cosine = std::inner_product(begin, begin + curve.width, curve.values.begin(), 0.0);
    const double sign = curve.is_quaternion && cosine < 0.0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < width; ++i) mean[i] += sign * begin[static_cast<long>(i)];
  }
  const double length = std::sqrt(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0));
  const double scale = curve.is_quaternion ? length : static_cast<double>(curve.time.size());
  for (double& one : mean) one /= scale > 0.0 ? scale : 1.0;
  return mean;
}

/// The distance of neighbouring times of which half are not nearer, s; 0 with one.
double median_spacing(const std::vector<double>& time) {
  std::vector<double> spacings;
  for (std::size_t i = 1; i < time.size(); ++i) spacings.push_back(time[i] - time[i - 1]);
  if (spacings.empty()) return 0.0;
  const auto middle = spacings.begin() + static_cast<long>(spacings.size() / 2);
  std::nth_element(spacings.begin(), middle, spacings.end());
  return *middle;
}

class Doubts {
 public:
  Doubts(const Study& study, const Cases& cases, const FitResult& fit)
      : study_(study),
        cases_(cases),
        fit_(fit),
        analysis_(study.analyses[static_cast<std::size_t>(fit.analysis)]) {}

  std::vector<std::string> find() {
    if (fit_.best < 0) return {"no candidate was good"};
    look_at_keys();
    look_at_starts();
    if (study_.reference.kind == ReferenceKind::kMeasured) look_at_measurements();
    return std::move(doubts_);
  }

 private:
  void look_at_keys() {
    std::string entangled;
    for (std::size_t k = 0; k < fit_.keys.size(); ++k) {
      const FittedKey& found = fit_.keys[k];
      const std::string& key = analysis_.fit.keys[k].key;
      if (found.at_low || found.at_high)
        doubts_.push_back(key + " is at its " + (found.at_low ? "lower" : "upper") +
                          " bound: the best value may lie beyond");
      if (found.effect == KeyEffect::kNone)
        doubts_.push_back(
            key + " is not determined by the data: no difference changes with it near the best value");
      if (found.effect == KeyEffect::kWithOthers) entangled += (entangled.empty() ? "" : ", ") + key;
      if (found.half_width > kWidestHalf)
        doubts_.push_back(key + " is not determined by the data: its 95 % interval is " +
                          format_text("%.3g", 2.0 * found.half_width) + " times as wide as its bounds");
    }
    if (!entangled.empty())
      doubts_.push_back(entangled +
                        " are not determined one by one: changed together they leave all differences as they "
                        "are; fix one of them");
  }

  void look_at_starts() {
    if (fit_.ends.size() == 1)
      doubts_.emplace_back("the search began at one place (starts: 1): other minima were not looked for");
    for (std::size_t e = 0; e < fit_.ends.size(); ++e) {
      const FitEnd& end = fit_.ends[e];
      const std::string start = "start " + std::to_string(e + 1);
      if (!end.agrees)
        doubts_.push_back(start + " ended elsewhere, at " + describe(changes_of(analysis_.fit, end.values)) +
                          " with objective " + format_text("%.6g", end.objective));
      if (!end.converged)
        doubts_.push_back(start + " has not converged within " + std::to_string(analysis_.fit.evaluations) +
                          " candidates");
    }
  }

  void look_at_measurements() {
    bool is_first = true;  // whose times are those of the others too
    for (std::size_t i = 0; i < analysis_.measures.size(); ++i) {
      const Measure& measure = study_.measures[static_cast<std::size_t>(analysis_.measures[i])];
      if (measure.expression || measure.spec.reduce != Reduction::kDifference) continue;
      look_at_curves(i, is_first);
      is_first = false;
    }
    if (num_coarse_ > 0) doubts_.push_back(coarse_ + " (" + counted(num_coarse_, "training case") + ")");
  }

  /// The curves of one measure of the fit, in all training cases.
  void look_at_curves(std::size_t i, bool compares_spacing) {
    const auto m = static_cast<std::size_t>(analysis_.measures[i]);
    const Measure& measure = study_.measures[m];
    double errors = 0.0, variations = 0.0;
    int count = 0;
    for (const FittedCase& one : fit_.cases) {
      if (one.is_test) continue;
      const Case& of_study = cases_.cases[static_cast<std::size_t>(one.index)];
      const Measured measured = reference_of_case(study_, study_.reference, of_study.values).measured;
      const Curve curve = reader_.read(measured, measure, cases_.shapes[m]);
      errors += one.errors[i] * one.errors[i];
      variations += std::pow(variation(curve), 2);
      ++count;
      if (compares_spacing) compare_spacing(measured, curve, of_study);
    }
    const double error = std::sqrt(errors / count), signal = std::sqrt(variations / count);
    if (!(error >= signal) || signal == 0.0) return;
    const std::string unit = cases_.units[m];
    doubts_.push_back(measure.name + ": the best keys differ from the measured curves by " +
                      format_text("%.3g ", error) + unit + ", which vary by " + format_text("%.3g ", signal) +
                      unit +
                      " about their mean: a constant would fit as well. Either these curves are little but "
                      "noise, or units, "
                      "axes or time 0 differ");
  }

  /// Notes a result whose rows are farther apart than the measured ones.
  void compare_spacing(const Measured& measured, const Curve& curve, const Case& one) {
    const double spacing = median_spacing(curve.time), of_result = median_spacing(frame_times(one.times));
    if (spacing == 0.0 || of_result <= spacing * (1.0 + kSameSpacing)) return;
    if (num_coarse_++ > 0) return;
    coarse_ = "output.period is " + format_text("%.3g", of_result) + " s, the rows of " + measured.name +
              " are " + format_text("%.3g", spacing) +
              " s apart: they are compared with values interpolated between rows of the result; a shorter "
              "output.period compares what was computed";
  }

  const Study& study_;
  const Cases& cases_;
  const FitResult& fit_;
  const Analysis& analysis_;
  MeasuredReader reader_;
  std::vector<std::string> doubts_;
  std::string coarse_;  // of the first case
  int num_coarse_ = 0;
};

}  // namespace

double variation(const Curve& curve) {
  if (curve.time.empty()) return 0.0;
  const std::vector<double> mean = mean_of(curve);
  Curve constant = curve;
  for (std::size_t i = 0; i < constant.values.size(); ++i) constant.values[i] = mean[i % mean.size()];
  return curve_difference(curve, constant);
}

std::vector<std::string> find_doubts(const Study& study, const Cases& cases, const FitResult& fit) {
  return Doubts(study, cases, fit).find();
}

}  // namespace csim
