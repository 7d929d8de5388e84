// The parameters of the analytic suite: every contact law with every linear solver of the build.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/linear/linear_solver.h"
#include "support/simulation.h"

namespace csim::testing_support {

struct LawAndSolver {
  std::string name;                    // for the test's name
  std::vector<std::string> overrides;  // of the scene
  [[nodiscard]] bool is(const std::string& model) const { return name.rfind(model, 0) == 0; }
};

inline std::vector<LawAndSolver> laws_and_solvers() {
  const std::vector<std::pair<std::string, std::vector<std::string>>> laws{
      {"lagged", {"contact.model=lagged", "contact.regularise_stiction=false"}},
      {"lagged_regularised", {"contact.model=lagged"}},
      {"lagged_linear", {"contact.model=lagged", "contact.normal=linear"}},
      {"similar", {"contact.model=similar", "contact.regularise_stiction=false"}},
      {"similar_regularised", {"contact.model=similar"}},
      {"sap", {"contact.model=sap"}},
  };
  std::vector<std::string> solvers{"dense", "block"};
  if (has_supernodal()) solvers.push_back("supernodal");
  std::vector<LawAndSolver> all;
  for (const auto& [name, overrides] : laws) {
    for (const std::string& solver : solvers) {
      all.push_back({name + "_" + solver, overrides});
      all.back().overrides.push_back("solver.linear_solver=" + solver);
    }
  }
  all.push_back({"tamsi", {"contact.model=tamsi"}});  // its own dense LU
  return all;
}

inline std::string parameter_name(const testing::TestParamInfo<LawAndSolver>& info) {
  return info.param.name;
}

/// A test over them.
class LawAndSolverTest : public testing::TestWithParam<LawAndSolver> {
 protected:
  /// The scene with the parameter's overrides and more.
  [[nodiscard]] Simulation simulate(const std::string& text,
                                    const std::vector<std::string>& more = {}) const {
    std::vector<std::string> overrides = GetParam().overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    return Simulation(text, overrides);
  }
  [[nodiscard]] bool is(const std::string& model) const { return GetParam().is(model); }
};

}  // namespace csim::testing_support
