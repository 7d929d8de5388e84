#include "study/case_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "record/errors.h"
#include "run/signals.h"
#include "study/shell_words.h"

namespace csim {
namespace {

constexpr const char* kCheckpointSeconds = "60";  // of wall time

std::vector<std::string> command(const Study& study, const Case& one, const StudyFolder& folder,
                                 const std::string& program, CaseStart start) {
  std::vector<std::string> words{program, "run", study.scene};
  for (const std::string& override_text : overrides_of(study, one.values)) {
    words.push_back("--set");
    words.push_back(override_text);
  }
  const std::string output = std::filesystem::absolute(folder.result(one)).lexically_normal().string();
  words.insert(words.end(), {"--output", output, "--threads", "1", "--progress", "never",
                             "--checkpoint-every", kCheckpointSeconds});
  if (start == CaseStart::kResume) words.emplace_back("--resume");
  if (start == CaseStart::kReplace) words.emplace_back("--force");
  return words;
}

/// In the new process: never returns.
[[noreturn]] void become(char** words, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(75);  // it died before the line above
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::execv(words[0], words);
  const char* reason = std::strerror(errno);
  static_cast<void>(!::write(STDERR_FILENO, reason, std::strlen(reason)));
  ::_exit(1);
}

}  // namespace

pid_t start_case(const Study& study, const Case& one, const StudyFolder& folder, const std::string& program,
                 CaseStart start) {
  std::vector<std::string> words = command(study, one, folder, program, start);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string log_file = folder.log(one), headline = "$ " + shell_command(words) + "\n";
  const int begin = start == CaseStart::kResume ? O_APPEND : O_TRUNC;
  const int log = ::open(log_file.c_str(), O_WRONLY | O_CREAT | begin | O_CLOEXEC, 0666);
  if (log < 0 || ::write(log, headline.data(), headline.size()) < 0)
    throw IoError(log_file + ": cannot be written: " + std::strerror(errno));
  const pid_t parent = ::getpid();
  // Between fork and exec the process has the study's handlers, which would keep a signal from the program
  // that it becomes; held, it waits for that program's.
  hold_signals();
  const pid_t child = ::fork();
  if (child == 0) become(pointers.data(), log, parent);
  const int reason = errno;
  release_signals();
  ::close(log);
  if (child < 0) throw IoError(std::string("no process can be started: ") + std::strerror(reason));
  return child;
}

CaseEnd reap_case() {
  int status = 0;
  rusage used{};
  const pid_t process = ::wait4(-1, &status, WNOHANG, &used);
  if (process <= 0) return {};
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {process, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          seconds(used.ru_utime) + seconds(used.ru_stime), 1024.0 * static_cast<double>(used.ru_maxrss)};
}

}  // namespace csim
