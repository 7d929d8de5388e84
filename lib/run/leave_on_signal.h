// Signals while a run is loaded, which may take minutes and asks for none (run/signals.h).
#pragma once

namespace csim {

/// From now on a signal ends the process with `exit_code` when a second has passed and nobody has acted on
/// it, and stderr says `what` then: for work that asks for no signals and has written nothing yet. Until
/// `wait_on_signal`.
void leave_on_signal(int exit_code, const char* what);

/// A signal waits again for whoever asks for it.
void wait_on_signal();

}  // namespace csim
