// Angles that were likely given in degrees where radians are meant.
#pragma once

#include "scene/read/scene_reading.h"

namespace csim {

/// What an angle may mean.
enum class Turns {
  kOne,   // a direction: nobody needs more than a turn
  kMany,  // a way, such as that of a wheel: only a multiple of 15 looks like degrees
};

/// Warns of the first number under `key` that is beyond a turn and looks like degrees, with its place; dots
/// lead into mappings ("command.values").
/// `first_angle`: index in a list of numbers from which on they are angles; `remedy`: another key to
/// write, if there is one.
void warn_of_degrees(const SectionReader& reader, const std::string& key, Turns turns, size_t first_angle = 0,
                     const char* remedy = "");

/// The same for the key `phase` of any section.
template <class T>
void warn_of_phase(const SectionReader& reader, SceneReading*, T*) {
  warn_of_degrees(reader, "phase", Turns::kOne);
}

}  // namespace csim
