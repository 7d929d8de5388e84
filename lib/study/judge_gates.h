// Gates: bounds of values, of statistics, of orders, of what fits found.
#pragma once

#include "study/judge.h"

namespace csim {

/// The verdict of a gate, given the ladders and fits that are judged already. Of several cases or ladders the
/// worst counts.
[[nodiscard]] GateResult judge_gate(const Study& study, const Cases& cases, const Gate& gate,
                                    const Judgement& judgement, const StudyResults& results);

}  // namespace csim
