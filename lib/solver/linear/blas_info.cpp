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

// What one library calls the things we ask for. Absent names are null.
struct Names {
  const char* library;
  const char* set_num_threads;
  const char* get_num_threads;
  const char* config;
  const char* core_type;
};
constexpr Names kOpenBlas{"OpenBLAS", "openblas_set_num_threads", "openblas_get_num_threads",
                          "openblas_get_config", "openblas_get_corename"};
constexpr Names kMkl{"MKL", "MKL_Set_Num_Threads", "MKL_Get_Max_Threads", nullptr, nullptr};
constexpr Names kBlis{"BLIS", "bli_thread_set_num_threads", "bli_thread_get_num_threads", nullptr, nullptr};

std::string call_for_text(const char* name) {
  if (name == nullptr) return {};
  auto* const function = find_function<const char*()>(name);
  const char* const text = function != nullptr ? function() : nullptr;
  return text != nullptr ? text : std::string();
}

// BLIS counts threads in its own integer type (64 bits), the others in int.
int num_threads(const Names& names) {
  if (names.library == kBlis.library) return static_cast<int>(find_function<long()>(names.get_num_threads)());
  return find_function<int()>(names.get_num_threads)();
}

const Names* loaded_library() {
  for (const Names* names : {&kOpenBlas, &kMkl, &kBlis})
    if (find_function<void()>(names->set_num_threads) != nullptr &&
        find_function<void()>(names->get_num_threads) != nullptr)
      return names;
  return nullptr;
}

}  // namespace

BlasInfo blas_info() {
  void* const dgemm = dlsym(RTLD_DEFAULT, "dgemm_");
  if (dgemm == nullptr) return {"none", "none", "none", "none", 0};
  BlasInfo info{"unknown", "unknown", "", "", 1};
  if (Dl_info location; dladdr(dgemm, &location) != 0 && location.dli_fname != nullptr)
    info.file = location.dli_fname;
  if (const Names* names = loaded_library()) {
    info.name = names->library;
    info.config = call_for_text(names->config);
    info.core_type = call_for_text(names->core_type);
    info.num_threads = num_threads(*names);
  }
  return info;
}

std::string describe_blas() {
  const BlasInfo info = blas_info();
  if (info.num_threads == 0) return "none";
  std::string text =
      info.name + ", " + std::to_string(info.num_threads) + (info.num_threads == 1 ? " thread" : " threads");
  for (const std::string& part : {info.core_type, info.config, info.file}) {
    if (!part.empty()) text += ", " + part;
  }
  return text;
}

void use_one_blas_thread() {
  const Names* names = loaded_library();
  if (names == nullptr) return;
  if (names->library == kBlis.library)
    find_function<void(long)>(names->set_num_threads)(1);
  else
    find_function<void(int)>(names->set_num_threads)(1);
}

}  // namespace csim
