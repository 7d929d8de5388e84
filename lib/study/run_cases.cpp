#include "study/run_cases.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "core/log.h"
#include "core/seconds_text.h"
#include "run/exit_code.h"
#include "run/signals.h"
#include "study/case_process.h"
#include "study/case_record.h"
#include "study/case_status.h"
#include "study/case_usage.h"

namespace csim {
namespace {

constexpr auto kLook = std::chrono::milliseconds(2);            // at the own processes
constexpr auto kLookAtOthers = std::chrono::milliseconds(200);  // at cases that others run

// A told process ends within a step and the write of a checkpoint; one that does not is killed, and goes on
// from its last checkpoint.
constexpr double kGraceSeconds = 60.0;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double kLineSeconds = 2.0;  // between two lines of progress, at least

/// One line about all cases: rewritten on a terminal, else a new one per tenth and at the end.
class StudyProgress {
 public:
  StudyProgress(ProgressStyle style, std::size_t total)
      : style_(style), total_(total), start_(Clock::now()) {}

  void update(std::size_t done, std::size_t running, int failed) {
    if (style_ == ProgressStyle::kNone || total_ == 0) return;
    const double elapsed = seconds_since(start_);
    const auto print = [&](const char* begin, const char* end) {
      std::fprintf(stderr, "%scsim: %zu of %zu cases, %zu running, %d failed, %s%s", begin, done, total_,
                   running, failed, seconds_text(elapsed).c_str(), end);
    };
    if (style_ == ProgressStyle::kBar) {
      print("\r", "      ");
      std::fflush(stderr);
      open_ = true;
    } else if (done * 10 / total_ >= next_tenth_ && (elapsed >= next_line_ || done == total_)) {
      print("", "\n");
      next_tenth_ = done * 10 / total_ + 1;
      next_line_ = elapsed + kLineSeconds;
    }
  }

  ~StudyProgress() {
    if (open_) std::fputc('\n', stderr);
  }

 private:
  ProgressStyle style_;
  std::size_t total_;
  std::size_t next_tenth_ = 1;
  double next_line_ = kLineSeconds;  // s since the start
  bool open_ = false;
  Clock::time_point start_;
};

class Runner {
 public:
  Runner(const Study& study, const Cases& cases, const StudyFolder& folder, const std::vector<int>& which,
         const RunCasesOptions& options)
      : study_(study),
        cases_(cases),
        folder_(folder),
        options_(options),
        pending_(which.begin(), which.end()),
        progress_(options.progress, which.size()),
        total_(which.size()) {}

  RunCasesReport run() {
    while (true) {
      if (received_signal() != 0) tell_processes();
      if (!report_.interrupted) start_more();
      if (options_.timeout > 0.0) end_late_processes();
      reap();
      if (!report_.interrupted)
        progress_.update(total_ - pending_.size() - running_.size() - others_.size(), running_.size(),
                         report_.num_failed);
      if (!running_.empty()) {
        std::this_thread::sleep_for(kLook);
      } else if (report_.interrupted) {
        break;
      } else if (pending_.empty()) {
        if (others_.empty()) break;
        std::this_thread::sleep_for(kLookAtOthers);
        look_at_others();
      }
    }
    return report_;
  }

 private:
  struct Process {
    int index = 0;
    CaseStart start = CaseStart::kAnew;
    Clock::time_point begin = Clock::now();
    bool is_late = false, is_killed = false;
  };

  const Case& at(int index) const { return cases_.cases[static_cast<std::size_t>(index)]; }

  void start_more() {
    while (received_signal() == 0 && !pending_.empty() &&
           running_.size() < static_cast<std::size_t>(options_.jobs)) {
      const int index = pending_.front();
      pending_.pop_front();
      take(index);
    }
  }

  /// Whether a process of ours runs this scene: of another case, with another reference.
  [[nodiscard]] bool is_run_by_us(int index) const {
    return std::any_of(running_.begin(), running_.end(),
                       [&](const auto& one) { return at(one.second.index).id == at(index).id; });
  }

  /// Starts a case if it needs it.
  void take(int index) {
    if (is_run_by_us(index)) {
      others_.push_back(index);
      return;
    }
    const CaseStatus status = look_at_case(at(index), folder_);
    switch (status.state) {
      case CaseState::kComplete:
        finish(index);
        return;
      case CaseState::kRunning:
        others_.push_back(index);
        return;
      case CaseState::kFailed: {
        const bool by_itself = status.exit_code == kSimulationFailed;
        const bool again = tried_.count(at(index).id) == 0 && (!by_itself || options_.retry_failed);
        if (again) {
          start(index, CaseStart::kReplace);
        } else {
          ++report_.num_failed;
        }
        return;
      }
      case CaseState::kInterrupted:
        start(index, CaseStart::kResume);
        return;
      case CaseState::kMissing:
        start(index, CaseStart::kAnew);
        return;
      case CaseState::kDamaged:
        start(index, CaseStart::kReplace);
        return;
    }
  }

  /// What is kept of a complete case.
  void finish(int index) {
    if (study_.keeps_results || !std::filesystem::exists(folder_.result(at(index)))) return;
    try {
      replace_by_record(study_, at(index), folder_);
    } catch (const std::exception& error) {
      if (read_record(at(index), folder_)) return;  // another process was faster
      ++report_.num_failed;
      log_error("case " + std::to_string(index) + " cannot be measured: " + error.what());
    }
  }

  void start(int index, CaseStart how) {
    if (!tried_.insert(at(index).id).second) {
      ++report_.num_failed;
      return;
    }
    running_[start_case(study_, at(index), folder_, options_.program, how)] = {index, how};
  }

  void end_late_processes() {
    for (auto& [id, process] : running_) {
      const double late = seconds_since(process.begin) - options_.timeout;
      if (late > 0.0 && !process.is_late) {
        process.is_late = true;
        ::kill(id, SIGTERM);
      } else if (late > kGraceSeconds && !process.is_killed) {
        process.is_killed = true;
        ::kill(id, SIGKILL);
      }
    }
  }

  void reap() {
    for (CaseEnd end = reap_case(); end.process != 0; end = reap_case()) {
      const auto found = running_.find(end.process);
      if (found == running_.end()) continue;
      const Process process = found->second;
      running_.erase(found);
      conclude(process, end);
    }
  }

  void conclude(const Process& process, const CaseEnd& end) {
    const Case& one = at(process.index);
    const CaseStatus status =
        look_at_case(one, folder_, end.exit_code == kDone ? Trial::kNone : Trial::kFirst);
    if (end.exit_code == kInvalidInput && status.state == CaseState::kRunning) {
      others_.push_back(process.index);  // it was faster
      tried_.erase(one.id);
      return;
    }
    if (end.exit_code == kInvalidInput && status.state == CaseState::kComplete) return finish(process.index);
    if (end.exit_code == kInvalidInput && process.start == CaseStart::kResume) {
      // The checkpoint is of no use, of another version of csim for one.
      log_warning("case " + std::to_string(one.index) + " cannot go on from its checkpoint, and begins anew");
      running_[start_case(study_, one, folder_, options_.program, CaseStart::kReplace)] = {
          process.index, CaseStart::kReplace};
      return;
    }
    keep_usage(one, process, end);
    if (status.state == CaseState::kComplete) return finish(process.index);
    if (end.exit_code == kInterrupted && !process.is_late) {
      report_.interrupted = true;
      return;
    }
    ++report_.num_failed;
    const std::string what = "case " + std::to_string(one.index) + " (" + describe(one.values) + ")";
    if (process.is_late) {
      log_error(what + " was stopped after " + seconds_text(options_.timeout) +
                " of wall time; the next run goes on with it");
    } else {
      log_error(what + " failed: " +
                (status.message.empty() ? "exit code " + std::to_string(end.exit_code) : status.message));
    }
  }

  void keep_usage(const Case& one, const Process& process, const CaseEnd& end) const {
    CaseUsage usage{end.exit_code, end.cpu_seconds, end.peak_memory,
                    process.is_late ? options_.timeout : 0.0};
    const auto earlier = read_usage(folder_.usage(one));
    if (earlier && process.start == CaseStart::kResume) {
      usage.cpu_seconds += earlier->cpu_seconds;
      usage.peak_memory = std::max(usage.peak_memory, earlier->peak_memory);
    }
    write_usage(folder_.usage(one), usage);
  }

  void tell_processes() {
    if (told_) return;
    told_ = report_.interrupted = true;
    for (const auto& [process, what] : running_) ::kill(process, SIGTERM);
  }

  void look_at_others() {
    std::vector<int> left;
    for (const int index : others_) {
      const bool runs = look_at_case(at(index), folder_).state == CaseState::kRunning;
      if (runs) {
        left.push_back(index);
      } else {
        pending_.push_back(index);
      }
    }
    others_ = std::move(left);
  }

  const Study& study_;
  const Cases& cases_;
  const StudyFolder& folder_;
  const RunCasesOptions& options_;
  std::deque<int> pending_;
  std::map<pid_t, Process> running_;
  std::vector<int> others_;      // run by others
  std::set<std::string> tried_;  // scenes, by id
  bool told_ = false;
  StudyProgress progress_;
  std::size_t total_;
  RunCasesReport report_;
};

}  // namespace

RunCasesReport run_cases(const Study& study, const Cases& cases, const StudyFolder& folder,
                         const std::vector<int>& which, const RunCasesOptions& options) {
  return Runner(study, cases, folder, which, options).run();
}

std::string this_program() {
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "csim";
}

int num_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

}  // namespace csim
