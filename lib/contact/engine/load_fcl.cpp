#include "contact/engine/load_fcl.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "core/require.h"

namespace csim {
namespace {

#ifdef CSIM_MODULES
struct FclModule {
  QueryEngine* (*make)() = nullptr;
  std::string missing;  // why it cannot be used, "" if it can

  FclModule() {
    // In the folder of modules, from the program's own, in the tree of the build as where it is installed.
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path file = program.parent_path() / CSIM_MODULES "/csim_fcl.so";
    if (void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
      make = reinterpret_cast<QueryEngine* (*)()>(dlsym(library, "csim_make_fcl_engine"));
    if (make == nullptr) missing = dlerror();
  }
};

const FclModule& fcl_module() {
  static const FclModule module;
  return module;
}
#endif

}  // namespace

std::string load_fcl() {
#ifdef CSIM_MODULES
  return fcl_module().missing;
#else
  return "this build leaves FCL out (CSIM_WITH_FCL=OFF)";
#endif
}

std::unique_ptr<QueryEngine> make_fcl_engine() {
  const std::string missing = load_fcl();
  CSIM_REQUIRE(missing.empty(), missing);
#ifdef CSIM_MODULES
  return std::unique_ptr<QueryEngine>(fcl_module().make());
#else
  return nullptr;
#endif
}

}  // namespace csim
