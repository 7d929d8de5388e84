#include "core/workers.h"

#include <signal.h>

#include <utility>

#include "core/require.h"

namespace csim {
namespace {

/// How often one that waits looks before it sleeps, some 50 microseconds: the loops of a step follow each
/// other at once, and to wake a thread takes as long. None where threads share processors.
constexpr int kLooks = 1000;

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

Workers::Workers(int size) {
  CSIM_REQUIRE(size >= 1, size);
  patience_ = size <= static_cast<int>(std::thread::hardware_concurrency()) ? kLooks : 0;
  // Signals go to the thread that calls, as they do without others.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto restore = [&] { pthread_sigmask(SIG_SETMASK, &before, nullptr); };
  try {
    threads_.reserve(size - 1);
    for (int worker = 1; worker < size; ++worker)
      threads_.emplace_back([this, worker] { wait_for_work(worker); });
  } catch (...) {  // the system has no more
    restore();
    end();
    throw;
  }
  restore();
}

Workers::~Workers() {
  end();
}

void Workers::end() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    ++offer_;
  }
  is_offered_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::wait_for_work(int worker) {
  for (unsigned seen = 0;;) {
    look_for(patience_, [&] { return offer_.load(std::memory_order_relaxed) != seen; });
    std::unique_lock lock(mutex_);
    is_offered_.wait(lock, [&] { return offer_ != seen; });
    seen = offer_;
    if (ends_) return;
    if (!is_open_) continue;  // the others have done it
    ++num_helping_;
    lock.unlock();
    take_tasks(worker);
    lock.lock();
    --num_helping_;
    lock.unlock();
    are_done_.notify_one();
  }
}

void Workers::take_tasks(int worker) {
  while (!has_failed_.load(std::memory_order_relaxed)) {
    const int task = next_.fetch_add(1, std::memory_order_relaxed);
    if (task >= job_.count) return;
    try {
      job_.call(job_.context, task, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (error_ == nullptr || task < failed_task_) {
        error_ = std::current_exception();
        failed_task_ = task;
      }
      has_failed_ = true;
    }
  }
}

void Workers::run_job(const Job& job) {
  const bool is_shared = job.count > 1 && !threads_.empty();
  {
    const std::lock_guard lock(mutex_);
    CSIM_REQUIRE(!is_busy_);
    is_busy_ = true;
    is_open_ = is_shared;
    job_ = job;
    next_ = 0;
    has_failed_ = false;
    if (is_shared) ++offer_;
  }
  if (is_shared) is_offered_.notify_all();
  take_tasks(0);
  look_for(patience_, [&] { return num_helping_.load(std::memory_order_relaxed) == 0; });
  std::unique_lock lock(mutex_);
  is_open_ = false;
  are_done_.wait(lock, [&] { return num_helping_ == 0; });
  is_busy_ = false;
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace csim
