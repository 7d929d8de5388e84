// How long the parts of a step of the discrete scheme are: halves of a constant step, or as long as the error
// allows.
#pragma once

#include <memory>
#include <string>

#include "step/discrete/step_constants.h"
#include "step/step_outcome.h"

namespace csim {

/// A rule of lengths. A step is made of parts one after the other; each is tried with a length, and after a
/// refusal with a shorter one.
class Lengths {
 public:
  virtual ~Lengths() = default;

  /// Whether the error of a part is estimated: it is tried in one and in two halves, which are kept.
  [[nodiscard]] virtual bool estimates_error() const = 0;

  /// Begins a step from `state`, which ends at t_limit (s) at the latest, and in which `gained` (J) is held
  /// for nothing by what takes no part.
  virtual void begin(const State& state, double t_limit, double gained) = 0;

  /// s, of the part to try; its end, when it begins at `start`; and of the first try of the step, whose
  /// overlaps measure what may be gained.
  [[nodiscard]] virtual double length() const = 0;
  [[nodiscard]] virtual double end_time(double start) const = 0;
  [[nodiscard]] virtual double whole_length() const = 0;

  /// Whether the part to try is all of the step, and whether it ends with it.
  [[nodiscard]] virtual bool is_whole() const = 0;
  [[nodiscard]] virtual bool is_last() const = 0;

  /// Whether the part is so short that it is taken whatever it leads into.
  [[nodiscard]] virtual bool is_smallest() const = 0;

  /// J, what the part may hold for nothing at its end, of what is allowed to a whole step.
  [[nodiscard]] virtual double gain_limit(double allowed) const = 0;

  /// The error of the part, of what is allowed.
  virtual void set_error(double) {}

  /// s, of the part or step that follows if this one is taken.
  [[nodiscard]] virtual double next_length() const = 0;

  /// After a refused try: whether a shorter one is next; else the step fails.
  [[nodiscard]] virtual bool shorten(const Refusal& refusal) = 0;

  /// "; the step fell below ..": how short the last try was, when that refusal is the end. "" for a whole
  /// step.
  [[nodiscard]] virtual std::string describe_end(const Refusal& refusal) const = 0;

  /// After a part that is taken, with what it holds for nothing at its end: whether another follows.
  [[nodiscard]] virtual bool accept(double gained, double allowed) = 0;

  /// State::next_step after the step; 0 for constant lengths.
  [[nodiscard]] virtual double wanted_next() const { return 0.0; }
};

/// Parts of a step of constant length: the whole, halves where it is refused, quarters where a half is, and
/// so on: a binary tree of parts, walked in time.
class HalvedLengths final : public Lengths {
 public:
  /// `h`: s, of a whole step; `divides_unsolved`: on_nonconvergence: shorter_step.
  HalvedLengths(double h, bool divides_unsolved) : h_(h), divides_unsolved_(divides_unsolved) {}

  [[nodiscard]] bool estimates_error() const override { return false; }
  void begin(const State& state, double t_limit, double gained) override;
  [[nodiscard]] double length() const override;
  [[nodiscard]] double end_time(double start) const override;
  [[nodiscard]] double whole_length() const override { return h_; }
  [[nodiscard]] bool is_whole() const override { return size_ == kMostParts; }
  [[nodiscard]] bool is_last() const override { return done_ + size_ == kMostParts; }
  [[nodiscard]] bool is_smallest() const override { return size_ <= 1; }
  [[nodiscard]] double gain_limit(double allowed) const override { return gain_limit(size_, allowed); }
  [[nodiscard]] double next_length() const override;
  [[nodiscard]] bool shorten(const Refusal& refusal) override;
  [[nodiscard]] std::string describe_end(const Refusal& refusal) const override;
  [[nodiscard]] bool accept(double gained, double allowed) override;

 private:
  [[nodiscard]] double gain_limit(int size, double allowed) const;
  [[nodiscard]] int least_size() const;

  double h_;
  bool divides_unsolved_;
  long step_ = 0;            // number of the step
  int done_ = 0, size_ = 0;  // in units of the smallest part
  bool is_divided_ = false;  // for what it leads into
  double gained_ = 0.0;      // J, of the parts taken, and of what takes no part
};

/// Lengths that the error of a step asks for. It is of second order in the length h:
///
///   next length = 0.9 h (accuracy/error)^(1/2), between h/10 and 5 h, no growth below 1.2 h; <= max_step
///
/// The first tried is time.step; before the limit the rest is taken in one or two equal parts. After any
/// other refusal a tenth is tried next, down to 1/1024 of time.step. Still shorter tries would hide a solver
/// that cannot converge: in them hardly anything moves, and the run creeps on.
class ErrorLengths final : public Lengths {
 public:
  explicit ErrorLengths(const Scene& scene);

  [[nodiscard]] bool estimates_error() const override { return true; }
  void begin(const State& state, double t_limit, double gained) override;
  [[nodiscard]] double length() const override { return h_; }
  [[nodiscard]] double end_time(double) const override { return t_end_; }
  [[nodiscard]] double whole_length() const override { return asked_; }
  [[nodiscard]] bool is_whole() const override { return true; }
  [[nodiscard]] bool is_last() const override { return true; }
  [[nodiscard]] bool is_smallest() const override { return h_ <= smallest_part(); }
  [[nodiscard]] double gain_limit(double allowed) const override { return allowed; }
  void set_error(double error) override;
  [[nodiscard]] double next_length() const override;
  [[nodiscard]] bool shorten(const Refusal& refusal) override;
  [[nodiscard]] std::string describe_end(const Refusal& refusal) const override;
  [[nodiscard]] bool accept(double gained, double allowed) override;
  [[nodiscard]] double wanted_next() const override { return next_; }

 private:
  void fit();
  /// s. Of the scene's step, or what bounds all steps below it, and not of the last ones: where the solver
  /// fails in step after step, these get shorter and shorter.
  [[nodiscard]] double smallest_part() const;

  double first_step_, max_step_, row_period_;  // s
  double time_ = 0.0, t_limit_ = 0.0;          // s
  double wanted_ = 0.0, h_ = 0.0, t_end_ = 0.0, asked_ = 0.0;
  double next_ = 0.0, largest_factor_ = 0.0;
};

[[nodiscard]] std::unique_ptr<Lengths> make_lengths(const Scene& scene);

}  // namespace csim
