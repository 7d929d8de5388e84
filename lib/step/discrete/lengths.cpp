#include "step/discrete/lengths.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

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

void HalvedLengths::begin(const State& state, double, double gained) {
  step_ = state.step;
  done_ = 0;
  size_ = kMostParts;
  is_divided_ = false;
  gained_ = gained;
}

double HalvedLengths::length() const {
  return h_ * size_ / kMostParts;
}

double HalvedLengths::end_time(double start) const {
  return done_ + size_ == kMostParts ? static_cast<double>(step_ + 1) * h_ : start + length();
}

/// As the tree of parts allows.
double HalvedLengths::next_length() const {
  const int done = done_ + size_;
  return done == kMostParts ? h_ : h_ * (done & -done) / kMostParts;
}

/// What the parts before leave of that of a whole step, or the part's own share. Without a share of its own
/// what is used up once would divide all that is left.
double HalvedLengths::gain_limit(int size, double allowed) const {
  const double share = std::min(kShareOfPart * size / kMostParts, 1.0);
  return std::max(allowed - gained_, share * allowed);
}

/// Once an attempt was refused for its end, or its turning, the step is not given up for one that is not
/// solved.
int HalvedLengths::least_size() const {
  return is_divided_ ? 1 : divides_unsolved_ ? kSmallestUnsolved : kMostParts;
}

bool HalvedLengths::shorten(const Refusal& refusal) {
  is_divided_ = is_divided_ || !rule_of(refusal.kind).is_failure || refusal.kind == RefusalKind::kTurning;
  if (size_ <= least_size()) return false;
  size_ /= 2;
  // Lengths that would hold too much even so are left out.
  const int order = rule_of(refusal.kind).order;
  if (order == 0) return true;
  const double ratio = std::ldexp(1.0, order);
  for (double gained = refusal.amount / ratio; gained > gain_limit(size_, refusal.allowed) && size_ > 1;
       gained /= ratio)
    size_ /= 2;
  return true;
}

std::string HalvedLengths::describe_end(const Refusal&) const {
  if (size_ == kMostParts) return "";
  return ", in a part of 1/" + std::to_string(kMostParts / size_) + " of the step";
}

/// The next part is as long as the tree allows, unless it would hold too much even if overlaps grew with the
/// first order of its length.
bool HalvedLengths::accept(double gained, double allowed) {
  gained_ += gained;
  done_ += size_;
  const auto foreseen = [&](int size) {
    const double ratio = static_cast<double>(size) / size_;
    return ratio * ratio * gained;
  };
  int next = done_ & -done_;
  while (next > size_ && foreseen(next) > gain_limit(next, allowed)) next /= 2;
  size_ = next;
  return done_ < kMostParts;
}

ErrorLengths::ErrorLengths(const Scene& scene)
    : first_step_(scene.time.step),
      max_step_(scene.integrator.max_step.value_or(std::numeric_limits<double>::infinity())),
      row_period_(scene.output.period) {}

double ErrorLengths::smallest_part() const {
  return std::min({first_step_, max_step_, row_period_}) * kSmallestPart;
}

void ErrorLengths::fit() {
  const StepLength fitted = fit_step(time_, wanted_, t_limit_);
  h_ = fitted.h;
  t_end_ = fitted.t_end;
}

void ErrorLengths::begin(const State& state, double t_limit, double) {
  time_ = state.time;
  t_limit_ = t_limit;
  wanted_ = std::min(state.next_step > 0.0 ? state.next_step : first_step_, max_step_);
  largest_factor_ = kLargestFactor;
  fit();
  asked_ = h_;
}

void ErrorLengths::set_error(double error) {
  const double factor = std::min(growth(error), largest_factor_);
  next_ = std::min(csim::next_length(h_, wanted_, factor), max_step_);
}

double ErrorLengths::next_length() const {
  return t_end_ < t_limit_ ? fit_step(t_end_, next_, t_limit_).h : next_;
}

bool ErrorLengths::shorten(const Refusal& refusal) {
  if (rule_of(refusal.kind).is_failure && is_smallest()) return false;
  const bool is_error = refusal.kind == RefusalKind::kError;
  largest_factor_ = 1.0;
  wanted_ = h_ * (is_error ? std::min(growth(refusal.amount), kSafety) : kLargestCut);
  if (wanted_ < smallest_step(time_)) return false;
  fit();
  return true;
}

std::string ErrorLengths::describe_end(const Refusal& refusal) const {
  std::ostringstream text;
  text << "; the step fell below " << std::setprecision(3)
       << (rule_of(refusal.kind).is_failure ? smallest_part() : kSmallestStep) << " s";
  return text.str();
}

bool ErrorLengths::accept(double, double) {
  return false;
}

std::unique_ptr<Lengths> make_lengths(const Scene& scene) {
  if (scene.integrator.type == IntegratorType::kErrorControlled) return std::make_unique<ErrorLengths>(scene);
  // TAMSI's equations need have no solution that its steps lead to: shorter steps have.
  const bool is_tamsi = scene.contact.model == ContactModel::kTamsi;
  const OnNonconvergence unsolved = scene.solver.on_nonconvergence;
  return std::make_unique<HalvedLengths>(
      scene.time.step,
      unsolved == OnNonconvergence::kShorterStep || (is_tamsi && unsolved == OnNonconvergence::kFail));
}

}  // namespace csim
