// A signal ends an export between two frames, so that nothing half-written is left behind.
#pragma once

#include "run/signals.h"

namespace csim {

/// SIGTERM, SIGINT or SIGUSR1 came.
struct Interrupted {
  int signal;
};

/// Throws Interrupted when a signal came (run/signals.h).
inline void stop_when_asked() {
  if (received_signal() != 0) throw Interrupted{received_signal()};
}

}  // namespace csim
