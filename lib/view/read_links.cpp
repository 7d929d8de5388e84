#include "view/read_links.h"

#include "view/read_parts.h"

namespace csim {
namespace {

Vector3 place(int body, const Vector3& point, const std::vector<RigidTransform>& X_WB) {
  return body < 0 ? point : X_WB[static_cast<std::size_t>(body)] * point;
}

}  // namespace

std::vector<ViewLink> read_links(const ResultFile& result, const std::vector<ViewJoint>& joints) {
  std::vector<ViewLink> links;
  if (!result.has("/constraint/type")) return links;
  const auto names = result.texts("/constraint/name"), types = result.texts("/constraint/type");
  const std::size_t num_bodies = result.texts("/bodies/name").size();
  const auto body_a = result.integer("/constraint/body_a"), body_b = result.integer("/constraint/body_b");
  const auto point_a = result.real("/constraint/point_a"), point_b = result.real("/constraint/point_b");
  std::vector<std::int64_t> joint, offset(names.size() + 1, 0);
  if (result.has("/constraint/joint")) {
    joint = result.index("/constraint/joint", joints.size());
    offset = result.offsets("/constraint/joint_offset", names.size(), static_cast<long>(joint.size()));
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    ViewLink link{names[k], types.at(k), {}, static_cast<int>(k)};
    const bool is_of_joints = link.type == "coupler" || link.type == "tendon";
    for (std::int64_t i = offset[k]; is_of_joints && i < offset[k + 1]; ++i) {
      const ViewJoint& one = joints[static_cast<std::size_t>(joint[static_cast<std::size_t>(i)])];
      link.places.push_back({one.parent, one.X_PJ.p});
    }
    if (!is_of_joints)
      link.places = {{body_at(result, "/constraint", body_a, k, -1, num_bodies), vector_at(point_a, k)},
                     {body_at(result, "/constraint", body_b, k, -1, num_bodies), vector_at(point_b, k)}};
    if (link.places.size() > 1) links.push_back(std::move(link));
  }
  return links;
}

std::vector<char> read_broken(const ResultFile& result, long row, const std::vector<ViewLink>& links) {
  std::vector<char> is_broken;
  if (!result.has("/constraint/broken")) return is_broken;
  const auto broken = result.integer("/constraint/broken", row, 1);
  for (const ViewLink& link : links)
    is_broken.push_back(broken.at(static_cast<std::size_t>(link.constraint)) != 0);
  return is_broken;
}

std::vector<ViewForce> read_forces(const ResultFile& result, long row,
                                   const std::vector<RigidTransform>& X_WB) {
  std::vector<ViewForce> forces;
  if (!result.has("/force/body")) return forces;
  const auto body = result.index("/force/body", X_WB.size());
  const auto point = result.real("/force/point"), applied = result.real("/force/applied", row, 1);
  for (std::size_t k = 0; k < body.size(); ++k) {
    const Vector3 force = vector_at(applied, 2 * k);  // before the torque
    if (force.isZero(0.0)) continue;
    const int b = static_cast<int>(body[k]);
    forces.push_back({place(b, vector_at(point, k), X_WB), force, b});
  }
  return forces;
}

std::vector<Vector3> path_of(const ViewLink& link, const std::vector<RigidTransform>& X_WB) {
  std::vector<Vector3> path;
  for (const auto& [body, point] : link.places) path.push_back(place(body, point, X_WB));
  return path;
}

}  // namespace csim
