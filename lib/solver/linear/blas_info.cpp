#include "solver/linear/blas_info.h"

#include <dlfcn.h>

namespace csim {
namespace {

// A function of the loaded libraries, null if none has it. No link dependency, so that it follows the host's
// choice of library.
template <typename Function>
Function* find_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

std::string describe_blas() {
  void* const dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
  if (dgemm == nullptr) return "none";
  std::string text = "unknown";
  if (auto* const num_threads = find_function<int()>("openblas_get_num_threads")) {
    text = "OpenBLAS, " + std::to_string(num_threads()) + (num_threads() == 1 ? " thread" : " threads");
    for (const char* name : {"openblas_get_corename", "openblas_get_config"})
      if (auto* const get_text = find_function<const char*()>(name)) text += std::string(", ") + get_text();
  }
  if (Dl_info location; dladdr(dgemm, &location) != 0 && location.dli_fname != nullptr)
    text += std::string(", ") + location.dli_fname;
  return text;
}

void use_one_blas_thread() {
  for (const char* name : {"openblas_set_num_threads", "MKL_Set_Num_Threads"})
    if (auto* const set_num_threads = find_function<void(int)>(name)) set_num_threads(1);
  if (auto* const set_num_threads = find_function<void(long)>("bli_thread_set_num_threads"))
    set_num_threads(1);
}

}  // namespace csim
