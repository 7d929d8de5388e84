// Geometries of a result file as surfaces in their bodies.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/rigid_transform.h"
#include "record/reader.h"
#include "view/surface.h"

namespace csim {

/// A geometry that has a surface.
struct ViewPart {
  std::string name;  // body/geometry
  int body = 0;
  int surface = 0;  // index into ViewParts::surfaces
  RigidTransform X_BG;
  Vector3 scale = Vector3::Ones();
  int geometry = 0;                   // row of /geometries
  std::optional<Vector4> color = {};  // red, green, blue, opacity, 0 to 1, where the scene gives one
};

/// A half space, solid below z = 0 of its frame.
struct ViewPlane {
  std::string name;
  int body = 0;
  RigidTransform X_BG;
  int geometry = 0;                   // row of /geometries
  std::optional<Vector4> color = {};  // as of a part
};

struct ViewParts {
  std::vector<Surface> surfaces;
  std::vector<ViewPart> parts;
  std::vector<ViewPlane> planes;
};

/// The geometries in their order; round shapes have `segments` around their axes. Without `hidden` those are
/// left out that lie within a box of their own body.
[[nodiscard]] ViewParts read_parts(const ResultFile& result, int segments, bool hidden);

/// Row `row` of a dataset of bodies in `group`: a row of /bodies, from `first` (-1: the world) on. Throws
/// ReadError for another number.
[[nodiscard]] int body_at(const ResultFile& result, const std::string& group,
                          const std::vector<std::int64_t>& bodies, std::size_t row, std::int64_t first,
                          std::size_t num_bodies);

/// Row `row` of a dataset of three columns.
[[nodiscard]] Vector3 vector_at(std::span<const double> values, std::size_t row);

/// The pose in row `row` of datasets of positions and quaternions (w,x,y,z).
[[nodiscard]] RigidTransform pose_at(std::span<const double> positions, std::span<const double> quaternions,
                                     std::size_t row);

}  // namespace csim
