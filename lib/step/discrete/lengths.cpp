#include "step/discrete/lengths.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

#include "problem/components.h"
#include "scene/integrator_kinds.h"
#include "step/step_length.h"

namespace csim {
namespace {

/// `error` is relative to the accuracy.
double growth(double error) {
  const double factor = step_factor(std::sqrt(error), kLargestCut);
  return factor > 1.0 && factor < kLeastGrowth ? 1.0 : factor;
}

}  // namespace

void HalvedLengths::begin(const State& state, double) {
  step_ = state.step;
  part_ = {};
  is_divided_ = false;
}

double HalvedLengths::length() const {
  return h_ * part_.size / kMostParts;
}

double HalvedLengths::end_time(double start) const {
  return is_last() ? static_cast<double>(step_ + 1) * h_ : start + length();
}

/// As the tree of parts allows.
double HalvedLengths::next_length() const {
  const int done = part_.end();
  return done == kMostParts ? h_ : h_ * (done & -done) / kMostParts;
}

/// What the parts before leave of that of a whole step, or the part's own share. Without a share of its own
/// what is used up once would divide all that is left.
double HalvedLengths::gain_limit(double gained, int size) const {
  const double share = std::min(kShareOfPart * size / kMostParts, 1.0);
  return std::max(1.0 - gained, share);
}

/// Once an attempt was refused for its end, or its turning, the step is not given up for one that is not
/// solved.
int HalvedLengths::least_size() const {
  return is_divided_ ? 1 : divides_unsolved_ ? kSmallestUnsolved : kMostParts;
}

bool HalvedLengths::shorten(const Refusal& refusal, const TreeSet&) {
  is_divided_ = is_divided_ || !rule_of(refusal.kind).is_failure || refusal.kind == RefusalKind::kTurning;
  if (part_.size <= least_size()) return false;
  part_.size /= 2;
  return true;
}

/// A half, or less where that would hold too much even so.
int HalvedLengths::longest_after_refusal(const IslandGain& gain) const {
  int size = std::max(part_.size / 2, 1);
  const double ratio = std::ldexp(1.0, rule_of(RefusalKind::kOverlapGain).order);
  for (double gained = gain.part() / ratio; gained > gain_limit(gain.gained, size) && size > 1;
       gained /= ratio)
    size /= 2;
  return size;
}

/// Any that would not hold too much even if overlaps grew with the first order of its length.
int HalvedLengths::longest_after(const IslandGain& gain) const {
  const double before = gain.gained + gain.part();
  int size = kMostParts;
  for (; size > part_.size; size /= 2) {
    const double ratio = static_cast<double>(size) / part_.size;
    if (!(ratio * ratio * gain.part() > gain_limit(before, size))) break;
  }
  return size;
}

std::string HalvedLengths::describe_end(const Refusal&) const {
  if (is_whole()) return "";
  return ", in a part of 1/" + std::to_string(kMostParts / part_.size) + " of the step";
}

/// The next part is as long as the tree allows.
bool HalvedLengths::accept() {
  const int done = part_.end();
  part_ = {done, done & -done};
  return done < kMostParts;
}

ErrorLengths::ErrorLengths(const Scene& scene, std::size_t num_trees)
    : first_step_(scene.time.step),
      max_step_(scene.integrator.max_step.value_or(std::numeric_limits<double>::infinity())),
      row_period_(scene.output.period) {
  const auto size = static_cast<Eigen::Index>(num_trees);
  for (VectorX* lengths : {&wanted_, &next_, &at_start_, &errors_, &least_}) lengths->setZero(size);
  refused_.assign(num_trees, 0);
  divided_.reserve(num_trees);
}

double ErrorLengths::smallest_part() const {
  return std::min({first_step_, max_step_, row_period_}) * kSmallestPart;
}

bool ErrorLengths::takes_part(std::size_t tree) const {
  return divided_.empty() || (divided_[tree] != 0) == is_in_parts_;
}

/// Of those that take the part.
double ErrorLengths::shortest(const VectorX& lengths) const {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index t = 0; t < lengths.size(); ++t)
    if (takes_part(static_cast<std::size_t>(t))) least = std::min(least, lengths[t]);
  return std::isfinite(least) ? least : std::min(first_step_, max_step_);
}

void ErrorLengths::begin(const State& state, double t_limit) {
  start_ = state.time;
  t_limit_ = t_limit;
  if (state.tree_steps.size() == wanted_.size())
    wanted_ = state.tree_steps;
  else
    wanted_.setConstant(first_step_);
  wanted_ = wanted_.cwiseMin(max_step_);
  std::fill(refused_.begin(), refused_.end(), 0);
  plan();
  asked_ = h_;
}

/// The step from its start, by what is wanted.
void ErrorLengths::plan() {
  at_start_ = wanted_;
  time_ = start_;
  is_in_parts_ = false;
  divided_.clear();
  const double longest = wanted_.size() > 0 ? wanted_.maxCoeff() : shortest(wanted_);
  const double least = kLeastOfLongest * fit_step(start_, longest, t_limit_).h;
  if (wanted_.size() > 0 && wanted_.minCoeff() < least) {
    divided_.resize(refused_.size());
    for (std::size_t t = 0; t < divided_.size(); ++t)
      divided_[t] = wanted_[static_cast<Eigen::Index>(t)] < least;
  }
  const StepLength fitted = fit_step(start_, shortest(wanted_), t_limit_);
  h_ = fitted.h;
  t_end_ = t_step_ = fitted.t_end;
}

/// The next part of those that take the step in parts.
void ErrorLengths::fit_part() {
  const StepLength fitted = fit_step(time_, shortest(wanted_), t_step_);
  h_ = fitted.h;
  t_end_ = fitted.t_end;
}

void ErrorLengths::set_errors(const VectorX& errors, std::vector<int>* groups) {
  const Eigen::Index num_trees = wanted_.size();
  const auto root = [&](Eigen::Index t) { return find_root(groups, static_cast<int>(t)); };
  least_.setZero();
  for (Eigen::Index t = 0; t < num_trees; ++t) least_[root(t)] = std::max(least_[root(t)], errors[t]);
  for (Eigen::Index t = 0; t < num_trees; ++t) errors_[t] = least_[root(t)];
  least_.setConstant(max_step_);
  for (Eigen::Index t = 0; t < num_trees; ++t) {
    if (!takes_part(static_cast<std::size_t>(t))) continue;
    const double largest = refused_[static_cast<std::size_t>(t)] != 0 ? 1.0 : kLargestFactor;
    const double next = csim::next_length(h_, wanted_[t], std::min(growth(errors_[t]), largest));
    least_[root(t)] = std::min(least_[root(t)], next);
  }
  for (Eigen::Index t = 0; t < num_trees; ++t) next_[t] = least_[root(t)];
}

double ErrorLengths::next_length() const {
  if (!is_whole() && !is_in_parts_) return h_;
  const double next = shortest(next_), limit = is_last() ? t_limit_ : t_step_;
  return t_end_ < limit ? fit_step(t_end_, next, limit).h : next;
}

bool ErrorLengths::shorten(const Refusal& refusal, const TreeSet& trees) {
  if (rule_of(refusal.kind).is_failure && is_smallest()) return false;
  const bool is_error = refusal.kind == RefusalKind::kError;
  for (std::size_t t = 0; t < refused_.size(); ++t) {
    const auto i = static_cast<Eigen::Index>(t);
    if (!takes_part(t) || (is_error ? errors_[i] <= 1.0 : !contains(trees, static_cast<int>(t)))) continue;
    refused_[t] = 1;
    wanted_[i] = h_ * (is_error ? std::min(growth(errors_[i]), kSafety) : kLargestCut);
  }
  if (shortest(wanted_) < smallest_step(time_)) return false;
  is_in_parts_ ? fit_part() : plan();
  return true;
}

void ErrorLengths::join(const TreeSet& trees) {
  wanted_ = at_start_;
  double least = std::numeric_limits<double>::infinity();
  const auto for_each = [&](auto&& visit) {
    for (std::size_t t = 0; t < trees.size(); ++t)
      if (trees[t] != 0) visit(wanted_[static_cast<Eigen::Index>(t)]);
  };
  for_each([&](double wanted) { least = std::min(least, wanted); });
  for_each([&](double& wanted) { wanted = least; });
  std::fill(refused_.begin(), refused_.end(), 0);
  plan();
  asked_ = h_;
}

std::string ErrorLengths::describe_end(const Refusal& refusal) const {
  std::ostringstream text;
  text << "; the step fell below " << std::setprecision(3)
       << (rule_of(refusal.kind).is_failure ? smallest_part() : kSmallestStep) << " s";
  return text.str();
}

bool ErrorLengths::accept() {
  for (std::size_t t = 0; t < refused_.size(); ++t) {
    if (!takes_part(t)) continue;
    wanted_[static_cast<Eigen::Index>(t)] = next_[static_cast<Eigen::Index>(t)];
    refused_[t] = 0;
  }
  if (is_last()) return false;
  time_ = is_in_parts_ ? t_end_ : start_;
  is_in_parts_ = true;
  fit_part();
  asked_ = h_;
  return true;
}

std::unique_ptr<Lengths> make_lengths(const Scene& scene, std::size_t num_trees) {
  if (scene.integrator.type == IntegratorType::kErrorControlled)
    return std::make_unique<ErrorLengths>(scene, num_trees);
  // TAMSI's equations need have no solution that its steps lead to: shorter steps have.
  const bool is_tamsi = scene.contact.model == ContactModel::kTamsi;
  const OnNonconvergence unsolved = scene.solver.on_nonconvergence;
  return std::make_unique<HalvedLengths>(
      scene.time.step,
      unsolved == OnNonconvergence::kShorterStep || (is_tamsi && unsolved == OnNonconvergence::kFail));
}

}  // namespace csim
