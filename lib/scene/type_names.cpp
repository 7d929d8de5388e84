#include "scene/type_names.h"

#include "core/require.h"

namespace csim {

const char* type_name(JointType type) {
  switch (type) {
    case JointType::kFree:
      return "free";
    case JointType::kWeld:
      return "weld";
    case JointType::kRevolute:
      return "revolute";
    case JointType::kPrismatic:
      return "prismatic";
    case JointType::kPlanar:
      return "planar";
    case JointType::kBall:
      return "ball";
    case JointType::kUniversal:
      return "universal";
    case JointType::kScrew:
      return "screw";
  }
  CSIM_REQUIRE(false);
  return "";
}

const char* type_name(ConstraintType type) {
  switch (type) {
    case ConstraintType::kCoupler:
      return "coupler";
    case ConstraintType::kTendon:
      return "tendon";
    case ConstraintType::kDistance:
      return "distance";
    case ConstraintType::kBall:
      return "ball";
    case ConstraintType::kWeld:
      return "weld";
  }
  CSIM_REQUIRE(false);
  return "";
}

}  // namespace csim
