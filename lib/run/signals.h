// SIGTERM, SIGINT and SIGUSR1 ask a run to end after the present step, with a checkpoint. SIGXFSZ is ignored:
// the write reports it.
#pragma once

namespace csim {

/// Installs the handlers. A second signal of the same kind ends the process at once (the default action).
void install_signal_handlers();

/// The number of the signal received, 0 for none.
[[nodiscard]] int received_signal();

}  // namespace csim
