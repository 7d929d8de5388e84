// What joins or pushes bodies beside joints and contacts: constraints between bodies, forces on them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/rigid_transform.h"
#include "record/reader.h"

namespace csim {

/// A constraint between two bodies, from a place on one to a place on the other.
struct ViewLink {
  std::string name, type;        // distance, ball, weld
  int body_a = -1, body_b = -1;  // rows of /bodies; -1: the world
  Vector3 point_a, point_b;      // m, body frames
  int constraint = -1;           // row of /constraint
};

/// A force that acts on a body.
struct ViewForce {
  Vector3 point;  // m, world
  Vector3 force;  // N, world
  int body = 0;   // row of /bodies
};

/// Those of /constraint between bodies; none of a file that is older than their places.
[[nodiscard]] std::vector<ViewLink> read_links(const ResultFile& result);

/// Of a row of the file: of each of `links` whether it is broken; empty where none may break.
[[nodiscard]] std::vector<char> read_broken(const ResultFile& result, long row,
                                            const std::vector<ViewLink>& links);

/// Of a row of the file, given the poses of its bodies: those of /force that are not zero; none of a file
/// that is older than their places.
[[nodiscard]] std::vector<ViewForce> read_forces(const ResultFile& result, long row,
                                                 const std::vector<RigidTransform>& X_WB);

/// The two ends of a link, m, world.
[[nodiscard]] std::pair<Vector3, Vector3> ends_of(const ViewLink& link,
                                                  const std::vector<RigidTransform>& X_WB);

}  // namespace csim
