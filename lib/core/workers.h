// Threads that share out the loops of a run.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace csim {

/// The thread that calls, worker 0, and others that wait for work as long as this lives. Who does which task
/// is chance: a task writes what is its own alone, and takes nothing from tasks before it.
class Workers {
 public:
  /// `size` workers, the caller included; >= 1.
  explicit Workers(int size);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] int size() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls f(task, worker) for the tasks 0 .. count - 1, worker < size(), and returns when all are done.
  /// Tasks begin in their order; what the first of them throws is thrown here, and those after it may not be
  /// begun. Does not allocate. From one thread at a time, never from a task (InternalError).
  template <typename F>
  void run(int count, const F& f) {
    const auto call = [](const void* context, int task, int worker) {
      (*static_cast<const F*>(context))(task, worker);
    };
    run_job({call, &f, count});
  }

 private:
  struct Job {
    void (*call)(const void* context, int task, int worker) = nullptr;
    const void* context = nullptr;
    int count = 0;
  };

  void end();
  void run_job(const Job& job);
  void take_tasks(int worker);
  void wait_for_work(int worker);

  std::mutex mutex_;
  std::condition_variable is_offered_, are_done_;
  Job job_;
  std::atomic<int> next_{0};         // task
  std::atomic<unsigned> offer_{0};   // counts the jobs that others may join
  std::atomic<int> num_helping_{0};  // workers but the caller; changed under the mutex
  std::atomic<bool> has_failed_{false};
  bool is_busy_ = false, is_open_ = false, ends_ = false;  // with the mutex
  int failed_task_ = 0;                                    // likewise
  std::exception_ptr error_;                               // likewise: of the first task that failed
  int patience_ = 0;
  std::vector<std::thread> threads_;
};

/// [begin, end) of a loop.
struct Share {
  int begin, end;
};

/// Into how many shares a loop of `count` is divided, none smaller than `least`: several a worker, for they
/// are not equally long. null: one.
[[nodiscard]] inline int num_shares(const Workers* workers, int count, int least) {
  constexpr int kSharesOfWorker = 8;
  if (workers == nullptr || workers->size() == 1) return 1;
  return std::clamp(count / least, 1, kSharesOfWorker * workers->size());
}

[[nodiscard]] inline Share share(int count, int num_shares, int k) {
  const auto bound = [&](long i) { return static_cast<int>(i * count / num_shares); };
  return {bound(k), bound(k + 1)};
}

/// Calls f(begin, end) for shares of [0, count) that are no smaller than `least`.
template <typename F>
void for_shares(Workers* workers, int count, int least, const F& f) {
  const int shares = num_shares(workers, count, least);
  if (shares == 1) return f(0, count);
  workers->run(shares, [&](int k, int) {
    const Share part = share(count, shares, k);
    f(part.begin, part.end);
  });
}

}  // namespace csim
