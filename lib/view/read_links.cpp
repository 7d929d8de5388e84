#include "view/read_links.h"

#include "view/read_parts.h"

namespace csim {
namespace {

Vector3 place(int body, const Vector3& point, const std::vector<RigidTransform>& X_WB) {
  return body < 0 ? point : X_WB[static_cast<std::size_t>(body)] * point;
}

}  // namespace

std::vector<ViewLink> read_links(const ResultFile& result) {
  std::vector<ViewLink> links;
  if (!result.has("/constraint/type")) return links;
  const auto names = result.texts("/constraint/name"), types = result.texts("/constraint/type");
  const std::size_t num_bodies = result.texts("/bodies/name").size();
  const auto body_a = result.integer("/constraint/body_a"), body_b = result.integer("/constraint/body_b");
  const auto point_a = result.real("/constraint/point_a"), point_b = result.real("/constraint/point_b");
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (types.at(k) == "coupler" || types.at(k) == "tendon") continue;
    links.push_back({names[k], types[k], body_at(result, "/constraint", body_a, k, -1, num_bodies),
                     body_at(result, "/constraint", body_b, k, -1, num_bodies), vector_at(point_a, k),
                     vector_at(point_b, k), static_cast<int>(k)});
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

std::pair<Vector3, Vector3> ends_of(const ViewLink& link, const std::vector<RigidTransform>& X_WB) {
  return {place(link.body_a, link.point_a, X_WB), place(link.body_b, link.point_b, X_WB)};
}

}  // namespace csim
