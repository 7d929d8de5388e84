// What a run says of its events when it has ended; /event holds more.
#pragma once

#include <string>

#include "model/model.h"
#include "scene/scene.h"
#include "step/event.h"

namespace csim {

/// Logs a sentence a kind of event of a run of so many steps that has come to `state`: how many, the first,
/// what it means, what helps.
void log_events(const Model& model, const Scene& scene, const State& state, const EventTotals& events,
                long num_steps);

/// The sentence on fast spins, "" for none; log_events leaves it out, as a failure's message may hold it: a
/// spin that grows beyond all bounds makes a run fail in a matrix or velocity that does not name it.
[[nodiscard]] std::string describe_fast_spins(const Model& model, const Scene& scene,
                                              const EventTotals& events);

}  // namespace csim
