// Steps of the discrete scheme, of constant length or as long as their error allows.
#pragma once

#include "step/discrete/discrete_step.h"
#include "step/discrete/part_levels.h"
#include "step/fill_frame.h"
#include "step/stepper.h"

namespace csim {

/// A step is one part or several, each a DiscreteStep of a length that its rule (Lengths) asks for. With
/// constant lengths it is the whole step, or halves of it for the islands that are refused, and quarters for
/// those of them for which a half is (part_levels.h); with error control the islands that want parts take
/// them. The others keep the longer part and go their way; where one of these is met on it, its island joins,
/// and the shorter parts begin anew. Islands that sleep (sleep.h) take no part;
/// where one of them is met it wakes, and the step begins anew. With error control a part is one step and two
/// of half its length, which differ by its error (Kurtz & Castro 2025, CENIC, arXiv 2511.08771): for each
/// island the largest difference of a position (m; rad), at most scene.integrator.accuracy; the halves are
/// kept. Refusals are events; what follows them: after_refusal.cpp.
class DiscreteStepper final : public Stepper {
 public:
  DiscreteStepper(const Model& model, const Scene& scene, int threads);

  void start(State* state) override;
  [[nodiscard]] const StepOutcome& attempt(const State& state, double t_limit) override;
  void fill_frame(const State& state, bool with_contacts, Frame* frame) override;
  void fill_motion(const State& state, Frame* frame) override;
  void fill_constraint_forces(const State& state, Frame* frame) override;
  [[nodiscard]] const ContactSet& contacts() const override { return step_.contacts(); }

 private:
  // Tries (discrete_stepper.cpp).
  void make_step(const State& state, double t_limit);
  void begin_step(const State& state, double t_limit);
  [[nodiscard]] bool find_part(const State& state, double t_limit);
  void note_refused_try(const Refusal& refusal);
  [[nodiscard]] bool take_part(const State& state);
  void finish_step();
  [[nodiscard]] Refusal try_once();
  [[nodiscard]] Refusal try_part();
  [[nodiscard]] Refusal try_halves();
  [[nodiscard]] Refusal judge(const StepOutcome& part) const;
  [[nodiscard]] Refusal judge_error(const StepOutcome& halves);
  [[nodiscard]] Refusal look_ahead(double h, const Participants& who, const VectorX& gained,
                                   StepOutcome* part);
  void add(StepOutcome* part);
  void keep_whole_takers(const State& state);
  void take_rest();
  void take_woken();
  void take_refusals();
  void fail(const Refusal& refusal);

  // What follows a refusal (after_refusal.cpp).
  [[nodiscard]] bool plan_next_try(const State& state, double t_limit, const Refusal& refusal);
  [[nodiscard]] bool wake_refused(const State& state);
  void find_refused_in_part();
  void join(int level);
  [[nodiscard]] bool postpone(const Refusal& refusal);
  [[nodiscard]] bool divide(const Refusal& refusal);
  void add_level(const HalvedPart& part);
  void keep_others(int level);
  [[nodiscard]] bool shorten_or_join(const State& state, const Refusal& refusal);
  void find_refused(const Refusal& refusal);
  void begin_anew(const State& state);

  // Who takes the part to try.
  [[nodiscard]] bool controls_error() const { return by_error_ != nullptr; }
  [[nodiscard]] bool is_in_parts() const;
  [[nodiscard]] const SolverMemory& memory_before() const;
  [[nodiscard]] const Participants& participants() const;
  [[nodiscard]] const Participants& triers();
  void take_out_postponed(const Participants& all, Participants* rest) const;
  void foresee(const TreeSet& trees);
  [[nodiscard]] int levels_after() const;
  void choose_participants();

  const Model& model_;
  double accuracy_;
  double first_length_;  // s
  std::unique_ptr<Lengths> lengths_;
  ErrorLengths* by_error_;    // the same, with error control; else null
  HalvedLengths* by_halves_;  // the same, with constant lengths; else null
  double unresolved_energy_;  // J, of the accuracy or of rounding
  std::optional<SleepRule> sleep_rule_;
  DiscreteStep step_;
  StepOutcome whole_;                 // with error control: of the step in one, to compare
  Participants awake_{{}, true};      // that take the step; no trees: all
  int num_asleep_ = 0;                // bodies, of states with
  std::uint64_t counted_number_ = 0;  // this rest_number
  std::vector<int> longest_;          // [trees], of a constant step: the longest part that is worth a try, in
                                      // units of the smallest
  TreeSet postponed_;                 // trees for which the part to try is longer; no trees: none
  Participants triers_{{}, false};    // the others that take it, where there are such trees
  Participants lookers_{{}, false};   // likewise, that take the part after it
  std::vector<PartLevel> levels_;     // of parts of a constant step; the first
  int num_levels_ = 0;                // are in use
  Participants divided_{{}, false, false};  // with error control: that take it in parts; no trees: all
  Participants whole_takers_{{}, false};    // likewise: the others, where there are some
  StepOutcome kept_;                        // likewise: what the whole makes of the others
  VectorX path_;                            // [nv], velocities with which they go their way
  std::vector<int> coupled_, groups_;       // forests over the trees: that stay together, in the try at hand
  TreeSet refused_;                         // in the try at hand
  std::vector<std::pair<int, int>> refused_pairs_;  // likewise, of bodies
  VectorX errors_;                                  // [trees], likewise
  std::vector<Event> refusals_;                     // of all tries of the step
  int part_number_ = 0;                             // of the part to try, from 1
  std::array<StepOutcome, 2> parts_;                // of the try at hand: one, or two halves
  int num_parts_ = 0;                               // of them attempted
  const StepOutcome* last_ = &whole_;               // of all: the attempt that decided the try
  PairList pair_work_, resting_pairs_;
  FrameFiller filler_;
};

}  // namespace csim
