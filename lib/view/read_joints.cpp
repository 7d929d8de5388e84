#include "view/read_joints.h"

#include "record/errors.h"
#include "view/read_parts.h"

namespace csim {
namespace {

/// A row of /bodies, from `first` on.
int body_at(const ResultFile& result, const std::vector<std::int64_t>& bodies, std::size_t row,
            std::int64_t first, std::size_t num_bodies) {
  const std::int64_t body = bodies.at(row);
  if (body < first || body >= static_cast<std::int64_t>(num_bodies))
    throw ReadError(result.path() + ": is damaged: /joints names body " + std::to_string(body));
  return static_cast<int>(body);
}

}  // namespace

std::vector<ViewJoint> read_joints(const ResultFile& result) {
  std::vector<ViewJoint> joints;
  if (!result.has("/joints/type")) return joints;
  const auto names = result.texts("/joints/name"), types = result.texts("/joints/type");
  const auto parent = result.integer("/joints/parent"), child = result.integer("/joints/child");
  const auto position = result.real("/joints/position"), quaternion = result.real("/joints/quaternion"),
             axis = result.real("/joints/axis");
  const std::size_t num_bodies = result.texts("/bodies/name").size();
  for (std::size_t j = 0; j < names.size(); ++j) {
    joints.push_back({names[j], types.at(j), body_at(result, parent, j, -1, num_bodies),
                      body_at(result, child, j, 0, num_bodies), pose_at(position, quaternion, j),
                      vector_at(axis, j)});
  }
  return joints;
}

}  // namespace csim
