// All normal laws, in the order of NormalLaw.
#pragma once

#include <array>

#include "law/normal_barriers.h"
#include "law/normal_hertz.h"
#include "law/normal_hunt_crossley.h"
#include "law/normal_linear.h"

namespace csim {

/// A value of every law: NormalLaws::map([]<class Normal>() { return Normal::kFacts; }).
template <class... Normal>
struct NormalLawList {
  template <class Function>
  static constexpr auto map(Function function) {
    return std::array{function.template operator()<Normal>()...};
  }
};

using NormalLaws = NormalLawList<LinearNormal, HuntCrossleyNormal, HertzNormal, BarrierNormal<LogBarrier>,
                                 BarrierNormal<IpcBarrier>>;

}  // namespace csim
