// FCL's engine of contact queries. It is a module of its own (csim_fcl.so), loaded when it is first asked
// for: runs that do not ask for it neither link nor load FCL.
#pragma once

#include <memory>
#include <string>

#include "contact/engine/query_engine.h"

namespace csim {

/// Loads the module at the first call; why it cannot be used, "" if it can.
[[nodiscard]] std::string load_fcl();

/// Needs load_fcl() to have succeeded.
[[nodiscard]] std::unique_ptr<QueryEngine> make_fcl_engine();

}  // namespace csim
