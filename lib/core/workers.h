// Threads that share out the loops of a run.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace csim {

/// The system starts no more threads: its limit of them, or of memory, is reached. The message says how many
/// there are.
class TooManyThreadsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The thread that calls, worker 0, and others that wait for work as long as this lives. Who does which task
/// is chance: a task writes what is its own alone, and takes nothing from tasks before it.
class Workers {
 public:
  /// `size` workers, the caller included; >= 1. Throws TooManyThreadsError.
  explicit Workers(int size);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] int size() const;

  /// Calls f(task, worker) for the tasks 0 .. count - 1, worker < size(), and returns when all are done. Each
  /// worker begins with an equal part of them, in their order, the same in each job, whose data are near to
  /// it then; who has done with its own helps the others. Of tasks that throw the first by order is told: it
  /// is thrown here, and those after it may be left out. Does not allocate. From one thread at a time, never
  /// from a task (InternalError).
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
  struct Implementation;

  void run_job(const Job& job);

  std::unique_ptr<Implementation> implementation_;
};

/// [begin, end) of a loop.
struct Share {
  int begin, end;
};

/// Share k of [0, count) divided evenly.
[[nodiscard]] inline Share share(int count, int num_shares, int k) {
  const auto bound = [&](long i) { return static_cast<int>(i * count / num_shares); };
  return {bound(k), bound(k + 1)};
}

/// How long a share of a loop takes at least, us: about as long as it takes to wake a worker.
inline constexpr double kLeastShare = 10.0;

/// Into how many shares a loop of `count` is divided whose tasks take about `cost` (us) each: none of them
/// short of kLeastShare, several a worker, for they are not equally long. null: one.
[[nodiscard]] inline int num_shares(const Workers* workers, int count, double cost) {
  constexpr int kSharesOfWorker = 8;
  if (workers == nullptr || workers->size() == 1) return 1;
  const int least = std::max(1, static_cast<int>(std::lround(kLeastShare / cost)));
  return std::clamp(count / least, 1, kSharesOfWorker * workers->size());
}

/// Calls f(begin, end) for the shares of [0, count), as num_shares divides it.
template <typename F>
void for_shares(Workers* workers, int count, double cost, const F& f) {
  const int shares = num_shares(workers, count, cost);
  if (shares == 1) return f(0, count);
  workers->run(shares, [&](int k, int) {
    const Share part = share(count, shares, k);
    f(part.begin, part.end);
  });
}

}  // namespace csim
