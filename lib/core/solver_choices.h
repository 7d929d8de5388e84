// What a scene chooses of the solver, in the order of the words in its format.
#pragma once

namespace csim {

enum class MethodKind { kAuto, kNewton, kInteriorPoint };
enum class LineSearchKind { kLoose, kExact, kArmijo };
enum class HessianKind { kPrimalDual, kNewton };
enum class LinearSolverKind { kAuto, kBlock, kSupernodal, kDense };
enum class ConditionKind { kNone, kEstimate, kExact };

}  // namespace csim
