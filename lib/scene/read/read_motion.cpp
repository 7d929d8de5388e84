#include "core/number_format.h"
#include "scene/help/angle_warnings.h"
#include "scene/read/scene_reading.h"

namespace csim {

void check_times(const SectionReader& reader, const std::vector<double>& times) {
  for (size_t i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1]) continue;
    reader.report("times", format_number(times[i]) + " s after " + format_number(times[i - 1]) +
                               " s, expected increasing times");
    return;
  }
}

void check_row_count(const SectionReader& reader, const char* key, size_t num_rows, size_t num_times) {
  if (!reader.has(key) || num_rows == num_times) return;
  reader.report(key, "a list of " + std::to_string(num_rows) + ", expected one row for each of the " +
                         std::to_string(num_times) + " times");
}

namespace {

void check_keyframes(const SectionReader& reader, const MotionSpec& motion) {
  warn_of_degrees(reader, "rpy", Turns::kMany);
  if (!reader.given("times"))
    reader.report_missing("times", "missing, expected the times of the keyframes (s)");
  if (!reader.given("xyz") && !reader.given("rpy")) {
    reader.report_missing("xyz", "missing, expected xyz, rpy or both beside times");
  }
  if (!reader.has("times")) return;
  check_times(reader, motion.times);
  check_row_count(reader, "xyz", motion.xyz.size(), motion.times.size());
  check_row_count(reader, "rpy", motion.rpy.size(), motion.times.size());
}

}  // namespace

void finish_motion(const SectionReader& reader, SceneReading*, MotionSpec* motion) {
  const auto any = [&](std::initializer_list<const char*> keys) -> std::string {
    for (const char* key : keys) {
      if (reader.given(key)) return key;
    }
    return "";
  };
  const std::string keyframes = any({"times", "xyz", "rpy", "interpolation"});
  const std::string velocity = any({"velocity", "angular_velocity"});
  const std::string sine = any({"sine"});
  const char* kinds = "keyframes (times, xyz, rpy), velocities (velocity, angular_velocity), or sine";
  if (!keyframes.empty() + !velocity.empty() + !sine.empty() > 1) {
    reader.report(!sine.empty() ? sine : velocity, std::string("a second kind of motion, expected ") + kinds);
    return;
  }
  if (reader.empty()) reader.report_here(std::string("an empty mapping, expected ") + kinds);
  if (!keyframes.empty()) {
    motion->type = MotionType::kKeyframes;
    check_keyframes(reader, *motion);
  }
  if (!velocity.empty()) motion->type = MotionType::kVelocity;
  if (!sine.empty()) motion->type = MotionType::kSine;
}

}  // namespace csim
