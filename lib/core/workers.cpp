#include "core/workers.h"

#include <signal.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/require.h"

namespace csim {
namespace {

/// How often one that waits looks before it sleeps, for some tenths of a millisecond: what is done alone
/// between the loops of a step of a thousand bodies takes about as long, and waking a thread ten to twenty
/// microseconds. None where threads share processors.
constexpr int kLooks = 20'000;

constexpr int kNone = std::numeric_limits<int>::max();

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

template <typename Condition>
void look_for(int looks, const Condition& condition) {
  for (int k = 0; k < looks && !condition(); ++k) relax();
}

}  // namespace

struct Workers::Implementation {
  /// The next task of a worker's part, in a cache line of its own.
  struct alignas(64) Next {
    std::atomic<int> task{0};
  };

  explicit Implementation(int the_size) : size(the_size), next(size) {}

  void work(int worker);
  void wait_for_work(int worker);
  void end();

  const int size;
  std::mutex mutex;
  std::condition_variable is_offered, are_done;
  Job job;
  std::vector<Next> next;
  std::atomic<unsigned> offer{0};                       // counts the jobs that others may join
  std::atomic<int> num_helping{0};                      // workers but the caller; changed with the mutex
  std::atomic<int> failed{kNone};                       // the first task that did; likewise
  std::exception_ptr error;                             // of that task, with the mutex
  bool is_busy = false, is_open = false, ends = false;  // with the mutex
  int patience = 0;
  std::vector<std::thread> threads;
};

void Workers::Implementation::work(int worker) {
  for (int k = 0; k < size; ++k) {
    const int owner = (worker + k) % size;
    const int last = share(job.count, size, owner).end;
    for (int task; (task = next[owner].task.fetch_add(1, std::memory_order_relaxed)) < last;) {
      if (task > failed.load(std::memory_order_relaxed)) break;
      try {
        job.call(job.context, task, worker);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (task > failed) continue;
        failed = task;
        error = std::current_exception();
      }
    }
  }
}

void Workers::Implementation::wait_for_work(int worker) {
  for (unsigned seen = 0;;) {
    look_for(patience, [&] { return offer.load(std::memory_order_relaxed) != seen; });
    std::unique_lock lock(mutex);
    is_offered.wait(lock, [&] { return offer != seen; });
    seen = offer;
    if (ends) return;
    if (!is_open) continue;  // the others have done it
    ++num_helping;
    lock.unlock();
    work(worker);
    lock.lock();
    --num_helping;
    lock.unlock();
    are_done.notify_one();
  }
}

void Workers::Implementation::end() {
  {
    const std::lock_guard lock(mutex);
    ends = true;
    ++offer;
  }
  is_offered.notify_all();
  for (std::thread& thread : threads) thread.join();
}

Workers::Workers(int size) {
  CSIM_REQUIRE(size >= 1, size);
  implementation_ = std::make_unique<Implementation>(size);
  Implementation& w = *implementation_;
  w.patience = size <= static_cast<int>(std::thread::hardware_concurrency()) ? kLooks : 0;
  // Signals go to the thread that calls, as they do without others.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto restore = [&] { pthread_sigmask(SIG_SETMASK, &before, nullptr); };
  try {
    w.threads.reserve(size - 1);
    for (int worker = 1; worker < size; ++worker)
      w.threads.emplace_back([&w, worker] { w.wait_for_work(worker); });
  } catch (const std::exception& error) {  // of the system, or of memory
    restore();
    const std::size_t started = 1 + w.threads.size();
    w.end();
    throw TooManyThreadsError("the system starts no more than " + std::to_string(started) +
                              (started == 1 ? " thread (" : " threads (") + error.what() + ")");
  }
  restore();
}

Workers::~Workers() {
  implementation_->end();
}

int Workers::size() const {
  return implementation_->size;
}

void Workers::run_job(const Job& job) {
  Implementation& w = *implementation_;
  const bool is_shared = job.count > 1 && w.size > 1;
  {
    const std::lock_guard lock(w.mutex);
    CSIM_REQUIRE(!w.is_busy);
    w.is_busy = true;
    w.is_open = is_shared;
    w.job = job;
    w.failed = kNone;
    for (int k = 0; k < w.size; ++k) w.next[k].task = share(job.count, w.size, k).begin;
    if (is_shared) ++w.offer;
  }
  if (is_shared) w.is_offered.notify_all();
  w.work(0);
  look_for(w.patience, [&] { return w.num_helping.load(std::memory_order_relaxed) == 0; });
  std::unique_lock lock(w.mutex);
  w.is_open = false;
  w.are_done.wait(lock, [&] { return w.num_helping == 0; });
  w.is_busy = false;
  if (w.error != nullptr) std::rethrow_exception(std::exchange(w.error, nullptr));
}

}  // namespace csim
