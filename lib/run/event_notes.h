// What a run says of its events when it has ended; /event holds more.
#pragma once

#include <string>

#include "model/model.h"
#include "record/warning.h"
#include "scene/scene.h"
#include "step/event.h"

namespace csim {

/// Rows of /warning: a sentence a kind of event, of a run of so many steps that has come to `state`, that
/// asks for attention: how many, the first, what it means, what helps.
[[nodiscard]] Warnings event_warnings(const Model& model, const Scene& scene, const State& state,
                                      const EventTotals& events, long num_steps);

/// Logs a sentence on each of the others, which say how the result was found, and on constraints that broke.
void note_events(const Model& model, const EventTotals& events);

/// The sentence on fast spins, "" for none; a failure's message holds it too: a spin that grows beyond all
/// bounds makes a run fail in a matrix or velocity that does not name it.
[[nodiscard]] std::string describe_fast_spins(const Model& model, const Scene& scene,
                                              const EventTotals& events);

}  // namespace csim
