// A signal that comes while the program starts waits for its command, which may end in order on it.
#include "run/signals.h"

namespace {

void hold(int /*argc*/, char** /*argv*/, char** /*environment*/) {
  csim::hold_signals();
}

/// Called before the constructors of all libraries, the first place that a program has for code of its own.
[[gnu::section(".preinit_array"), gnu::used]] void (*const kHold)(int, char**, char**) = hold;

}  // namespace
