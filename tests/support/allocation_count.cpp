#include <atomic>
#include <cstdlib>

#include "support/allocation_count.h"

namespace {
std::atomic<long> num_calls{0};

#ifdef CSIM_COUNTS_ALLOCATIONS
void count() {
  num_calls.fetch_add(1, std::memory_order_relaxed);
}
#endif
}  // namespace

#ifdef CSIM_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) {
  count();
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
}
#endif

namespace csim::test {

long num_allocations() {
  return num_calls;
}

}  // namespace csim::test
