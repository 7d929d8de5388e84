// What a summary of a run tells of its steps: names in the file, in JSON and in the text.
#pragma once

#include <array>

namespace csim {

/// Names of StepStatus.
inline constexpr std::array<const char*, 10> kStatusNames = {
    "converged",    "cost_floor",     "round_off",  "no_contact", "not_converged",
    "shorter_step", "interior_point", "integrated", "relaxed",    "failed"};

/// The columns of steps whose percentiles are reported: their names in JSON, and in the text.
struct StepColumn {
  const char *name, *json, *text;
  bool is_rare = false;  // in the text only where it is not 0
  const char* group = "/stats/step/";
};
inline constexpr StepColumn kStepColumns[] = {
    {"length", "step_length", "step length, s"},
    {"iterations", "iterations", "iterations"},
    {"line_search_iterations", "line_search_iterations", "line-search iterations"},
    {"residual", "residual", "residual"},
    {"stationarity", "stationarity", "stationarity"},
    {"primal", "primal", "primal violation, m/s"},
    {"dual_sign", "dual_sign", "impulses that pull"},
    {"complementarity", "complementarity", "complementarity"},
    {"balance", "balance", "balance of forces"},
    {"condition", "condition", "condition"},
    {"num_contacts", "contacts", "contacts"},
    {"num_patches", "patches", "patches", true},
    {"num_faces", "faces", "faces of patches", true},
    {"num_islands", "islands", "islands"},
    {"factor_nonzeros", "factor_nonzeros", "factor non-zeros"},
    {"num_parts", "parts", "parts of some islands", true},
    {"num_rejected", "rejected", "rejected tries", true},
    {"num_rounds", "rounds", "impacts transmitted", true},
    {"friction_lag", "friction_lag", "lag of friction", true, "/artefact/"}};

}  // namespace csim
