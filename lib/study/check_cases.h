// What measures, references and gates ask of the cases, before anything runs.
#pragma once

#include "core/diagnostics.h"
#include "study/cases.h"

namespace csim {

/// Problems: curves that are compared and have their rows at other times; a reference file that cannot be
/// read or lacks what is measured; gates that meet no case or ladder. What is known by its place, in a
/// measured file or the table that names it, goes to *diagnostics.
void check_cases(const Study& study, const Cases& cases, Problems* problems, Diagnostics* diagnostics);

}  // namespace csim
