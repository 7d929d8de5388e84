// Problems of the user's input, collected (never thrown one by one) and printed like a compiler's.
#pragma once

#include <string>
#include <vector>

namespace csim {

/// One problem at a key of the scene. `path` is the key path as contract spells it:
/// `bodies.ball.geometry.shell.radius`, `materials.steel.friction`; list elements by name where they have
/// one, else by index.
struct Problem {
  std::string path;
  std::string message;  // what was found, what is expected
};

using Problems = std::vector<Problem>;

}  // namespace csim
