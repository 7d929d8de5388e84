// The pressure geometry of a shape: mesh and pressure field, rigid surface, or half space.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "model/build_stages.h"
#include "model/model.h"

namespace csim {

/// Meshes of pressure-field geometries, each made once and shared by the geometries of one shape, size,
/// material modulus and mesh options.
class PressureGeometryMaker {
 public:
  explicit PressureGeometryMaker(const Scene& scene) : scene_(scene) {}

  /// For a geometry whose shape is loaded: none for point geometries and those without contact. `path` is its
  /// key path. Wrong: a margin or a resolution that the shape does not take.
  PressureGeometry make(const GeometrySpec& spec, const Shape& shape, const std::string& path,
                        Problems* problems, std::vector<std::string>* notes);

 private:
  // Shape (its type, its lengths or the address of its shared surface), resolution, modulus, margin,
  // strategy, rigid or compliant.
  using Key = std::tuple<std::size_t, double, double, double, const void*, double, double, double, int, bool>;
  [[nodiscard]] static Key key_of(const Shape& shape, const GeometrySpec& spec, double modulus);

  const Scene& scene_;
  std::map<Key, PressureGeometry> made_;
};

}  // namespace csim
