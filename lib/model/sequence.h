// Sequences: what actuators are told phase by phase, each until its condition holds.
#pragma once

#include "model/model.h"

namespace csim {

/// The state at time 0: the first phase is in force.
[[nodiscard]] SequenceState begin_sequence(const Model& model);

/// Whether the state may be one of this model: its phase, and its actuators.
[[nodiscard]] bool fits(const Model& model, const SequenceState& sequence);

/// What an actuator (index in Model::actuators) is told at time t (s): by the phase in force where that names
/// it; else the value that it was left with by a phase before; else its own command.
[[nodiscard]] CommandSample command_at(const Model& model, const SequenceState& sequence,
                                       std::size_t actuator, double t);

/// Ends the phase in force at time t (s): the next one begins, and actuators that it does not name hold their
/// value. The last one stays in force, and is over.
void end_phase(const Model& model, double t, SequenceState* sequence);

/// Whether a time of `length` (s) that began at `begin` is over at t. One within 1e-9 s before the end counts
/// as the end, so that times n h with round-off count as theirs.
[[nodiscard]] bool has_passed(double length, double begin, double t);

/// The first time after t (s) at which the clock changes the phase in force: its `until: time`, the end of
/// its ramps, its time-out. Infinity where there is none.
[[nodiscard]] double next_phase_time(const Model& model, const SequenceState& sequence, double t);

/// Whether the phase in force ends at time t (s), `value` being what its condition looks at (not
/// read where that is a time or the end of ramps).
[[nodiscard]] bool is_phase_over(const Phase& phase, double begin, double t, double value);

}  // namespace csim
