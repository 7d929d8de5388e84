// A column of cone vectors, entry by entry, so that loops over contacts vectorise.
#pragma once

#include <type_traits>
#include <vector>

#include "solver/method/second_order_cone.h"

namespace csim {

struct ConeVectors {
  std::vector<double> n, x, y, z, e;

  /// Keeps what fits; allocates only to grow.
  void resize(std::size_t size) {
    for (auto* column : {&n, &x, &y, &z, &e}) column->resize(size);
  }
  template <ConeEntries Cone>
  [[nodiscard]] Cone at(std::size_t i) const {
    if constexpr (std::is_same_v<Cone, HalfLine>)
      return {n[i]};
    else
      return {n[i], x[i], y[i], z[i], e[i]};
  }
  void set(std::size_t i, const HalfLine& a) { n[i] = a.n; }
  void set(std::size_t i, const ConeVector& a) {
    n[i] = a.n;
    x[i] = a.x;
    y[i] = a.y;
    z[i] = a.z;
    e[i] = a.e;
  }
};

}  // namespace csim
