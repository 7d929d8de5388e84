// Counts the heap allocations of a test program: linking allocation_count.cpp replaces malloc and its like,
// where operator new and Eigen end. Sanitizers bring their own malloc: there nothing is counted.
#pragma once

#include <cstdlib>  // __GLIBC__

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#define CSIM_COUNTS_ALLOCATIONS
#endif

namespace csim::test {

/// Calls of malloc, calloc, realloc and aligned_alloc since the program started, of all threads; else 0.
long num_allocations();

}  // namespace csim::test
