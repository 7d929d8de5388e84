#include "run/signals.h"

#include <signal.h>
#include <unistd.h>

#include <initializer_list>

#include "run/leave_on_signal.h"

namespace csim {
namespace {

volatile sig_atomic_t g_signal = 0;

/// Of leave_on_signal(); 0: a signal waits.
volatile sig_atomic_t g_exit_code = 0;
const char* volatile g_what = "";

constexpr unsigned kPatience = 1;  // s

void remember_signal(int number) {
  g_signal = number;
  if (g_exit_code != 0) alarm(kPatience);
}

/// Calls nothing that a signal handler must not call.
void leave(int /*number*/) {
  if (g_exit_code == 0) return;
  const char* const text = g_what;
  size_t length = 0;
  while (text[length] != 0) ++length;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, length);
  _exit(g_exit_code);
}

/// `how`: SIG_BLOCK or SIG_UNBLOCK.
void mask_signals(int how) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&set, number);
  pthread_sigmask(how, &set, nullptr);
}

}  // namespace

void hold_signals() {
  mask_signals(SIG_BLOCK);
}

void release_signals() {
  mask_signals(SIG_UNBLOCK);
}

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = remember_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // interrupted writes
  // Schedulers send theirs to a job and to its step, twice to the same process: it has to end in order.
  for (const int number : {SIGTERM, SIGUSR1}) sigaction(number, &action, nullptr);
  // A person's second Ctrl-C meets the default action, so that a hanging step can still be ended.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  release_signals();
}

void leave_on_signal(int exit_code, const char* what) {
  g_what = what;
  g_exit_code = exit_code;
  struct sigaction action = {};
  action.sa_handler = leave;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  if (g_signal != 0) alarm(kPatience);
}

void wait_on_signal() {
  g_exit_code = 0;
  alarm(0);
}

void turn_write_signals_into_errors() {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  for (const int number : {SIGXFSZ, SIGPIPE}) sigaction(number, &ignore, nullptr);
}

void end_by_signal(int number) {
  signal(number, SIG_DFL);
  raise(number);
  _exit(128 + number);  // where it is blocked
}

int received_signal() {
  return g_signal;
}

}  // namespace csim
