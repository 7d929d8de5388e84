// Threads that share out loops: each task once, errors of the first task, no allocation, whatever their
// number.
#include "core/workers.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/require.h"
#include "support/allocation_count.h"

namespace csim {
namespace {

constexpr std::array kSizes{1, 2, 3, 8};

TEST(Workers, DoEachTaskOnce) {
  for (const int size : kSizes) {
    Workers workers(size);
    EXPECT_EQ(workers.size(), size);
    for (const int count : {0, 1, 2, 7, 1000}) {
      std::vector<int> done(count, 0);
      workers.run(count, [&](int task, int) { ++done[task]; });
      EXPECT_EQ(done, std::vector<int>(count, 1)) << size << " workers";
    }
  }
}

// What belongs to a worker is used by one task at a time (the sanitizer of threads would tell), and each sum
// reaches the caller.
TEST(Workers, HaveNumbersOfTheirOwn) {
  for (const int size : kSizes) {
    Workers workers(size);
    std::vector<long> sums(size, 0);
    workers.run(10'000, [&](int task, int worker) { sums.at(worker) += task; });
    long sum = 0;
    for (const long one : sums) sum += one;
    EXPECT_EQ(sum, 49'995'000) << size;
  }
}

// Two tasks that wait for each other are done by two threads.
TEST(Workers, WorkSideBySide) {
  Workers workers(2);
  std::atomic<int> arrived{0};
  std::array<std::thread::id, 2> ids;
  workers.run(2, [&](int task, int) {
    ids[task] = std::this_thread::get_id();
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_NE(ids[0], ids[1]);
}

// Jobs that follow each other at once, and after a pause: who comes late to one must not meet the next.
TEST(Workers, DoOneJobAfterTheOther) {
  for (const int size : kSizes) {
    Workers workers(size);
    long total = 0, expected = 0;
    for (int job = 0; job < 3000; ++job) {
      const int count = job % 5;
      std::array<int, 5> done{};
      workers.run(count, [&](int task, int) { done[task] = job + task; });
      for (int task = 0; task < count; ++task) {
        total += done[task];
        expected += job + task;
      }
      if (job % 1000 == 999) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(total, expected) << size;
  }
}

// Of tasks that fail the first one is told, though a later one fails before it; then they work on.
TEST(Workers, TellTheFirstErrorByOrder) {
  for (const int size : kSizes) {
    Workers workers(size);
    for (int again = 0; again < 20; ++again) {
      std::vector<char> done(100, 0);
      try {
        workers.run(100, [&](int task, int) {
          if (task == 5) std::this_thread::sleep_for(std::chrono::microseconds(200));
          if (task == 5 || task == 6 || task == 90) throw std::runtime_error("task " + std::to_string(task));
          done[task] = 1;
        });
        ADD_FAILURE() << "nothing thrown, " << size;
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "task 5") << size;
      }
      EXPECT_EQ(std::vector<char>(done.begin(), done.begin() + 5), std::vector<char>(5, 1)) << size;
      if (size == 1) {
        EXPECT_EQ(done[7], 0);
      }
      int sum = 0;
      workers.run(1, [&](int, int) { sum = 3; });
      EXPECT_EQ(sum, 3);
    }
  }
}

TEST(Workers, RefuseJobsWithinTasks) {
  for (const int size : kSizes) {
    Workers workers(size);
    for (const int count : {1, 10}) {
      EXPECT_THROW(workers.run(count, [&](int, int) { workers.run(1, [](int, int) {}); }), InternalError)
          << size;
    }
    int done = 0;
    workers.run(1, [&](int, int) { ++done; });
    EXPECT_EQ(done, 1) << size;
  }
  EXPECT_THROW(Workers(0), InternalError);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which reserve more
TEST(Workers, SayHowManyThreadsTheSystemStarts) {
  const auto start_too_many = [] {
    constexpr rlim_t kRoom = 1L << 30;  // bytes: of threads that take megabytes each
    const rlimit limit{kRoom, kRoom};
    setrlimit(RLIMIT_AS, &limit);
    try {
      const Workers workers(1000);
    } catch (const TooManyThreadsError& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(3);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(start_too_many(), testing::ExitedWithCode(3),
              "^the system starts no more than [0-9]+ threads?");
}
#endif

// Other workers may do the tasks of one.
TEST(Workers, MayBeNested) {
  Workers outer(2), inner(2);
  int sum = 0;
  outer.run(1, [&](int, int) {
    std::array<int, 4> parts{};
    inner.run(4, [&](int task, int) { parts[task] = task; });
    for (const int part : parts) sum += part;
  });
  EXPECT_EQ(sum, 6);
}

TEST(Workers, ShareOutLoops) {
  constexpr double kCost = 0.1;  // us
  for (const int size : kSizes) {
    Workers workers(size);
    for (const int count : {0, 1, 99, 100, 250, 100'000}) {
      const int shares = num_shares(&workers, count, kCost);
      EXPECT_GE(shares, 1);
      EXPECT_LE(shares, size == 1 ? 1 : 8 * size);
      int end = 0;
      for (int k = 0; k < shares; ++k) {
        const Share part = share(count, shares, k);
        EXPECT_EQ(part.begin, end);
        end = part.end;
        if (shares > 1) {
          EXPECT_GE(part.end - part.begin, 100);
        }
      }
      EXPECT_EQ(end, count);
      std::vector<int> done(count, 0);
      for_shares(&workers, count, kCost, [&](int begin, int last) {
        for (int i = begin; i < last; ++i) ++done[i];
      });
      EXPECT_EQ(done, std::vector<int>(count, 1));
    }
  }
  EXPECT_EQ(num_shares(nullptr, 1'000'000, 1), 1);
  int sum = 0;
  for_shares(nullptr, 10, 1, [&](int begin, int end) { sum += end - begin; });
  EXPECT_EQ(sum, 10);
}

#ifdef CSIM_COUNTS_ALLOCATIONS
TEST(Workers, DoNotAllocate) {
  using test::num_allocations;
  for (const int size : kSizes) {
    Workers workers(size);
    std::vector<int> done(100, 0);
    const auto job = [&] { workers.run(100, [&](int task, int) { ++done[task]; }); };
    job();
    const long before = num_allocations();
    for (int k = 0; k < 1000; ++k) job();
    EXPECT_GT(before, 0);  // the counter counts
    EXPECT_EQ(num_allocations(), before) << size;
    EXPECT_EQ(done, std::vector<int>(100, 1001));
  }
}
#endif

}  // namespace
}  // namespace csim
