// SIGTERM, SIGINT and SIGUSR1 ask a run to end, with a checkpoint: after the present step or, within a step
// of the discrete scheme, after the present solve or contact query, with the state before the step.
#pragma once

namespace csim {

/// Has these signals wait, in this thread and in the programs that it starts: for a command that knows what
/// to do with them. One that waits reaches the program that a process becomes by exec.
void hold_signals();

/// Lets them in, and those that waited.
void release_signals();

/// Installs the handlers and lets signals in. A second SIGINT ends the process at once (the default action);
/// further SIGTERM and SIGUSR1 change nothing.
void install_signal_handlers();

/// Writing to a closed pipe or beyond a file-size limit is an error of the write from now on, like a full
/// disk, and no longer the end of the process.
void turn_write_signals_into_errors();

/// The number of the signal received, 0 for none.
[[nodiscard]] int received_signal();

/// Ends the process as the signal does by default, for whoever waits for it.
[[noreturn]] void end_by_signal(int number);

/// Thrown by stop_when_asked(): a signal came.
struct Interrupted {
  int signal;
};

/// Ends what is written between two frames, so that nothing half-written is left behind.
inline void stop_when_asked() {
  if (received_signal() != 0) throw Interrupted{received_signal()};
}

}  // namespace csim
