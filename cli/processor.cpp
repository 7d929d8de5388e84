// A program that was compiled for a newer processor says so, where it would end by an illegal instruction.
#include <unistd.h>

#include <cstring>

namespace {

/// Runs before all other code of the program, whose constructors may hold the instructions that are missing:
/// no library, no output stream.
[[gnu::constructor(101)]] void ask_processor() {
#if defined(__x86_64__) && defined(__AVX2__)
  __builtin_cpu_init();
#if defined(__AVX512F__)
  const bool fits = __builtin_cpu_supports("avx512f");
  const char* const text =
      "csim: error: this program was compiled for processors with AVX-512; build it here, or with cmake "
      "--preset portable\n";
#else
  const bool fits =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const char* const text =
      "csim: error: this program needs a processor with AVX2, FMA and BMI2 (x86-64-v3: Haswell, Zen and "
      "later)\n";
#endif
  if (fits) return;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
  ::_exit(2);
#endif
}

}  // namespace
