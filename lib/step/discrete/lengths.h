// How long the parts of a step of the discrete scheme are: halves of a constant step, or as long as the error
// of each island allows.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "core/tree_set.h"
#include "step/discrete/step_constants.h"
#include "step/step_outcome.h"

namespace csim {

/// A rule of lengths. A step is made of parts one after the other; each is tried with a length, and after a
/// refusal with a shorter one.
class Lengths {
 public:
  virtual ~Lengths() = default;

  /// Begins a step from `state`, which ends at t_limit (s) at the latest.
  virtual void begin(const State& state, double t_limit) = 0;

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

  /// What an island may hold for nothing at the end of the part, of what is allowed to a whole step, that has
  /// gained `gained` of it in the parts before.
  [[nodiscard]] virtual double gain_limit(double gained) const = 0;

  /// s, of the part or step that follows if this one is taken.
  [[nodiscard]] virtual double next_length() const = 0;

  /// After a try that was refused for these trees: whether a shorter one is next; else the step fails.
  [[nodiscard]] virtual bool shorten(const Refusal& refusal, const TreeSet& trees) = 0;

  /// "; the step fell below ..": how short the last try was, when that refusal is the end. "" for a whole
  /// step.
  [[nodiscard]] virtual std::string describe_end(const Refusal& refusal) const = 0;

  /// After a part that is taken: whether another follows.
  [[nodiscard]] virtual bool accept() = 0;
};

/// A part of a step of constant length, in units of the smallest.
struct HalvedPart {
  int begin = 0, size = kMostParts;
  [[nodiscard]] int end() const { return begin + size; }
};

/// Parts of a step of constant length: the whole, halves where it is refused, quarters where a half is, and
/// so on: a binary tree of parts, walked in time.
class HalvedLengths final : public Lengths {
 public:
  /// `h`: s, of a whole step; `divides_unsolved`: on_nonconvergence: shorter_step.
  HalvedLengths(double h, bool divides_unsolved) : h_(h), divides_unsolved_(divides_unsolved) {}

  void begin(const State& state, double t_limit) override;
  [[nodiscard]] double length() const override;
  [[nodiscard]] double end_time(double start) const override;
  [[nodiscard]] double whole_length() const override { return h_; }
  [[nodiscard]] bool is_whole() const override { return part_.size == kMostParts; }
  [[nodiscard]] bool is_last() const override { return part_.end() == kMostParts; }
  [[nodiscard]] bool is_smallest() const override { return part_.size <= 1; }
  [[nodiscard]] double gain_limit(double gained) const override { return gain_limit(gained, part_.size); }
  [[nodiscard]] double next_length() const override;
  [[nodiscard]] bool shorten(const Refusal& refusal, const TreeSet& trees) override;
  [[nodiscard]] std::string describe_end(const Refusal& refusal) const override;
  [[nodiscard]] bool accept() override;

  /// The part to try, and another one.
  [[nodiscard]] const HalvedPart& part() const { return part_; }
  void go_back(const HalvedPart& part) { part_ = part; }
  /// The part to try becomes no longer than this.
  void fit(int size) { part_.size = std::min(part_.size, size); }

  /// The longest part that is worth a try for an island at which the part at hand is refused, or which has
  /// taken it, with this gain at its end; in units of the smallest.
  [[nodiscard]] int longest_after_refusal(const IslandGain& gain) const;
  [[nodiscard]] int longest_after(const IslandGain& gain) const;

 private:
  [[nodiscard]] double gain_limit(double gained, int size) const;
  [[nodiscard]] int least_size() const;

  double h_;
  bool divides_unsolved_;
  long step_ = 0;  // number of the step
  HalvedPart part_;
  bool is_divided_ = false;  // the step, for what it leads one of its islands into
};

/// Lengths that the errors of islands ask for. An error is of second order in the length h:
///
///   next length = 0.9 h (accuracy/error)^(1/2), between h/10 and 5 h, no growth below 1.2 h; <= max_step
///
/// Each tree has a length that it wants, the same as all of its island; the first is time.step. A step is as
/// long as the shortest of those wanted that are at least half of the longest, and the trees that want less
/// than half of it take it in parts of their own, after the others, each as long as the shortest that one of
/// them wants. Before the limit the rest is taken in one or two equal steps, before the end of a step in one
/// or two equal parts. After any other refusal a tenth is tried next, down to 1/1024 of time.step. Still
/// shorter tries would hide a solver that cannot converge: in them hardly anything moves, and the run creeps
/// on.
class ErrorLengths final : public Lengths {
 public:
  ErrorLengths(const Scene& scene, std::size_t num_trees);

  void begin(const State& state, double t_limit) override;
  [[nodiscard]] double length() const override { return h_; }
  [[nodiscard]] double end_time(double) const override { return t_end_; }
  [[nodiscard]] double whole_length() const override { return asked_; }
  [[nodiscard]] bool is_whole() const override { return divided_.empty(); }
  [[nodiscard]] bool is_last() const override { return is_whole() || (is_in_parts_ && t_end_ == t_step_); }
  [[nodiscard]] bool is_smallest() const override { return h_ <= smallest_part(); }
  [[nodiscard]] double gain_limit(double gained) const override { return 1.0 - gained; }
  [[nodiscard]] double next_length() const override;
  [[nodiscard]] bool shorten(const Refusal& refusal, const TreeSet& trees) override;
  [[nodiscard]] std::string describe_end(const Refusal& refusal) const override;
  [[nodiscard]] bool accept() override;

  /// Trees that take the step in parts; empty: none. Whether the part to try is one of theirs, and no step of
  /// the others.
  [[nodiscard]] const TreeSet& divided() const { return divided_; }
  [[nodiscard]] bool is_in_parts() const { return is_in_parts_; }

  /// The errors of the trees [trees] that took the part, of what is allowed; `groups`: the roots of their
  /// islands.
  void set_errors(const VectorX& errors, std::vector<int>* groups);

  /// These trees come together: they want what the least of them wanted at the start of the step, where it
  /// begins anew.
  void join(const TreeSet& trees);

  /// State::tree_steps after the step.
  [[nodiscard]] const VectorX& wanted() const { return wanted_; }

 private:
  void plan();
  void fit_part();
  [[nodiscard]] bool takes_part(std::size_t tree) const;
  [[nodiscard]] double shortest(const VectorX& lengths) const;
  /// s. Of the scene's step, or what bounds all steps below it, and not of the last ones: where the solver
  /// fails in step after step, these get shorter and shorter.
  [[nodiscard]] double smallest_part() const;

  double first_step_, max_step_, row_period_;       // s
  double start_ = 0.0, t_step_ = 0.0, time_ = 0.0;  // s: the step, and the start of its part to try
  double t_limit_ = 0.0;                            // s
  double h_ = 0.0, t_end_ = 0.0, asked_ = 0.0;      // s
  bool is_in_parts_ = false;
  TreeSet divided_;
  VectorX wanted_, next_, at_start_;  // [trees], s: of the part to try, after it, at the start of the step
  VectorX errors_, least_;            // [trees], of islands; work space
  TreeSet refused_;                   // at the part to try: they want no more after it
};

[[nodiscard]] std::unique_ptr<Lengths> make_lengths(const Scene& scene, std::size_t num_trees);

}  // namespace csim
