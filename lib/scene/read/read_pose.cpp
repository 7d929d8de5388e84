#include <cmath>
#include <limits>
#include <numbers>

#include "core/number_format.h"
#include "scene/help/angle_warnings.h"
#include "scene/read/scene_reading.h"

namespace csim {
namespace {

constexpr double kRoundedNorm =
    16.0 * std::numeric_limits<double>::epsilon();  // of norm^2 - 1, after a few roundings

Quaternion read_quaternion(const SectionReader& reader) {
  const std::vector<double> v = reader.numbers("quaternion_wxyz");
  const Quaternion q(v[0], v[1], v[2], v[3]);
  if (std::abs(q.norm() - 1.0) > kQuaternionSlack) {
    reader.report("quaternion_wxyz", "a quaternion of norm " + format_number(q.norm()) +
                                         ", expected 1 within " + format_number(kQuaternionSlack));
    return Quaternion::Identity();
  }
  return unit_quaternion(q);
}

Quaternion read_axis_angle(const SectionReader& reader) {
  if (!reader.given("axis"))
    reader.report_missing("axis", "missing beside angle_deg, expected a list of 3 numbers");
  if (!reader.given("angle_deg"))
    reader.report_missing("angle_deg", "missing beside axis, expected a number (degrees)");
  if (!reader.has("axis") || !reader.has("angle_deg")) return Quaternion::Identity();
  const Vector3 axis = reader.vector3("axis");
  if (axis.isZero(0.0)) {
    reader.report("axis", "an axis of length 0, expected a direction");
    return Quaternion::Identity();
  }
  const double half = 0.5 * reader.number("angle_deg") * (std::numbers::pi / 180.0);
  const Vector3 v = std::sin(half) * unit_vector(axis);
  return unit_quaternion(Quaternion(std::cos(half), v.x(), v.y(), v.z()));
}

}  // namespace

Quaternion unit_quaternion(const Quaternion& q) {
  if (std::abs(q.squaredNorm() - 1.0) <= kRoundedNorm) return q;
  return Quaternion(q.coeffs() / q.norm());
}

Vector3 unit_vector(const Vector3& v) {
  if (std::abs(v.squaredNorm() - 1.0) <= kRoundedNorm) return v;
  const Vector3 scaled = v / v.cwiseAbs().maxCoeff();  // no overflow, whatever the length
  return scaled / scaled.norm();
}

Quaternion quaternion_from_rpy(const Vector3& rpy) {
  const Vector3 half = 0.5 * rpy;
  const Quaternion x(std::cos(half.x()), std::sin(half.x()), 0.0, 0.0);
  const Quaternion y(std::cos(half.y()), 0.0, std::sin(half.y()), 0.0);
  const Quaternion z(std::cos(half.z()), 0.0, 0.0, std::sin(half.z()));
  return unit_quaternion(z * y * x);
}

void read_rotation(const SectionReader& reader, SceneReading*, Pose* pose) {
  std::string first;
  for (const char* key : {"quaternion_wxyz", "rpy", "rpy_deg", "axis", "angle_deg"}) {
    if (!reader.given(key)) continue;
    const std::string form = std::string(key) == "angle_deg" ? "axis" : key;
    if (!first.empty() && form != first) {
      reader.report(key,
                    "a second rotation beside " + first +
                        ", expected at most one of quaternion_wxyz, rpy, rpy_deg, or axis with angle_deg");
      return;
    }
    first = form;
  }
  if (reader.has("quaternion_wxyz")) pose->rotation = read_quaternion(reader);
  warn_of_degrees(reader, "rpy", Turns::kOne, 0, "; the key rpy_deg takes degrees");
  if (reader.has("rpy")) pose->rotation = quaternion_from_rpy(reader.vector3("rpy"));
  if (reader.has("rpy_deg"))
    pose->rotation = quaternion_from_rpy(reader.vector3("rpy_deg") * (std::numbers::pi / 180.0));
  if (first == "axis") pose->rotation = read_axis_angle(reader);
}

}  // namespace csim
