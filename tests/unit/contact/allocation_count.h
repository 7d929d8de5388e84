// Counts the heap allocations of the test program: linking allocation_count.cpp replaces the global operator
// new.
#pragma once

namespace csim::test {

/// Calls of operator new since the program started.
long num_allocations();

}  // namespace csim::test
