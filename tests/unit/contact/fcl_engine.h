// FCL's engine for tests; a build without FCL skips them.
#pragma once

#include <gtest/gtest.h>

#include "contact/engine/load_fcl.h"

namespace csim::test {

class WithFcl : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = load_fcl(); !missing.empty()) GTEST_SKIP() << missing;
    engine_ = make_fcl_engine();
  }

  std::unique_ptr<QueryEngine> engine_;
};

}  // namespace csim::test
