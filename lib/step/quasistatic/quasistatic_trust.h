// Whether a quasistatic step stays where its model of cartesian drives holds.
//
// A step minimises a quadratic model of the energy V of a drive's springs. With the step dq its other terms
// have their least value, so that all energies together fall by at least q(dq) = 1/2 dq^T H dq, H of the
// drive's rows, where V is as modelled; they fall still where V at the end is above the model by no more than
// a part of q [Conn, Gould & Toint 2000, Trust-Region Methods, ch. 6]. Torques of unlike stiffnesses have no
// energy: theirs is the work along the step, by the mean of its ends. A drive that is further off, or turns
// a joint of its arm by more than kLargestTurn, gets a drag (problem/drive_turning.h).
#pragma once

#include "problem/drive_turning.h"
#include "problem/quasistatic_problem.h"
#include "solver/quasistatic/quasistatic_interior_point.h"
#include "step/event.h"

namespace csim {

class QuasistaticTrust {
 public:
  /// Both must outlive this.
  QuasistaticTrust(const Model& model, const DriveTurning& turning);

  /// A new step: without drags.
  void restart();

  /// Of a step that was solved with `drags`: whether it has to be made again, with others. `q_end`, `time`:
  /// at its end; `command` [actuators]. Each drive's drag doubles until its energy falls as modelled. Where
  /// no drag helps, other loads turn the arm, and the step is made with the first drag or none.
  [[nodiscard]] bool must_repeat(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                 const VectorX& command, const VectorX& q_end, double time);

  /// An event for each drive with a drag, or that no drag has helped.
  void add_events(std::vector<Event>* events) const;

  [[nodiscard]] const std::vector<double>& drags() const { return drags_; }  // [drives], QuasistaticStep

 private:
  [[nodiscard]] bool is_as_modelled(const CartesianDrive& drive, const QuasistaticProblem& problem,
                                    const QuasistaticSolution& solution, const VectorX& command) const;

  const Model& model_;
  const DriveTurning& turning_;
  Kinematics end_;
  VectorX v_;
  std::vector<double> drags_, turns_;  // turns_: rad, of the step without a drag
  std::vector<char> has_arm_, is_settled_;
};

}  // namespace csim
