#include "core/rigid_transform.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(RigidTransform, TheShortestRotationOfZ) {
  for (const Vector3& direction : {Vector3(0, 0, 1), Vector3(0, 0, -1), Vector3(1, 0, 0),
                                   Vector3(-0.3, 0.2, 0.7), Vector3(0.1, -4.0, -3.0), Vector3(1e-4, 0, -1)}) {
    const Vector3 z = direction.normalized();
    const Quaternion turn = rotation_of_z_to(z);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-12);
    EXPECT_LT((turn * Vector3::UnitZ() - z).norm(), 1e-12) << z.transpose();
    EXPECT_NEAR(turn.angularDistance(Quaternion::Identity()), std::acos(z.z()), 1e-6) << z.transpose();
  }
}

}  // namespace
}  // namespace csim
