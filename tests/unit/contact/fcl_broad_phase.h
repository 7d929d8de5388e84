// FCL's dynamic AABB tree over boxes: the twin of our broad phase in tests and benchmarks.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "geometry/bounds.h"

namespace csim::testing {

class FclBroadPhase {
 public:
  FclBroadPhase();
  ~FclBroadPhase();

  /// Pairs (i < j) of overlapping boxes, sorted; the boxes of one object keep their number from call to call.
  const std::vector<std::pair<int, int>>& find(const std::vector<Aabb>& boxes);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace csim::testing
