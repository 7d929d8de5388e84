// What joins or pushes bodies beside joints and contacts: constraints between bodies, forces on them.
#pragma once

#include <string>
#include <vector>

#include "core/rigid_transform.h"
#include "record/reader.h"
#include "view/read_joints.h"

namespace csim {

struct ViewPlace {
  int body = -1;  // row of /bodies; -1: the world
  Vector3 point;  // m, body frame
};

/// A constraint, as a line from place to place: of one between bodies its two ends, of one of joints their
/// frames, in its order.
struct ViewLink {
  std::string name, type;
  std::vector<ViewPlace> places;  // two at least
  int constraint = -1;            // row of /constraint
};

/// A force that acts on a body.
struct ViewForce {
  Vector3 point;  // m, world
  Vector3 force;  // N, world
  int body = 0;   // row of /bodies
};

/// Those of /constraint with two places at least, given the file's joints; none of a file that is older than
/// what it needs.
[[nodiscard]] std::vector<ViewLink> read_links(const ResultFile& result,
                                               const std::vector<ViewJoint>& joints);

/// Of a row of the file: of each of `links` whether it is broken; empty where none may break.
[[nodiscard]] std::vector<char> read_broken(const ResultFile& result, long row,
                                            const std::vector<ViewLink>& links);

/// Of a row of the file, given the poses of its bodies: those of /force that are not zero; none of a file
/// that is older than their places.
[[nodiscard]] std::vector<ViewForce> read_forces(const ResultFile& result, long row,
                                                 const std::vector<RigidTransform>& X_WB);

/// The places of a link, m, world.
[[nodiscard]] std::vector<Vector3> path_of(const ViewLink& link, const std::vector<RigidTransform>& X_WB);

}  // namespace csim
