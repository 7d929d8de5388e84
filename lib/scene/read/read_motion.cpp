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

void read_keyframes(const SectionReader& reader, MotionSpec* motion) {
  motion->type = MotionType::kKeyframes;
  motion->times = reader.numbers("times");
  motion->xyz = reader.points("xyz");
  motion->rpy = reader.points("rpy");
  warn_of_degrees(reader, "rpy", Turns::kMany);
  motion->interpolation =
      reader.has("interpolation") ? reader.choice<Interpolation>("interpolation") : Interpolation::kLinear;
  if (!reader.given("times"))
    reader.report_missing("times", "missing, expected the times of the keyframes (s)");
  if (!reader.given("xyz") && !reader.given("rpy")) {
    reader.report_missing("xyz", "missing, expected xyz, rpy or both beside times");
  }
  if (!reader.has("times")) return;
  check_times(reader, motion->times);
  check_row_count(reader, "xyz", motion->xyz.size(), motion->times.size());
  check_row_count(reader, "rpy", motion->rpy.size(), motion->times.size());
}

}  // namespace

MotionSpec read_motion(const SectionReader& body) {
  MotionSpec motion;
  const SectionReader reader = body.section("motion");
  const auto any = [&](std::initializer_list<const char*> keys) -> std::string {
    for (const char* key : keys) {
      if (reader.given(key)) return key;
    }
    return "";
  };
  const std::string keyframes = any({"times", "xyz", "rpy", "interpolation"});
  const std::string velocity = any({"velocity", "angular_velocity"});
  const std::string sine = any({"sine"});
  const int kinds = !keyframes.empty() + !velocity.empty() + !sine.empty();
  if (kinds > 1) {
    reader.report(!sine.empty() ? sine : velocity,
                  "a second kind of motion, expected keyframes (times, xyz, rpy), velocities (velocity, "
                  "angular_velocity), or sine");
    return motion;
  }
  if (kinds == 0 && body.node("motion") != nullptr && body.node("motion")->entries.empty()) {
    body.report("motion",
                "an empty mapping, expected keyframes (times, xyz, rpy), velocities (velocity, "
                "angular_velocity), or sine");
  }
  if (!keyframes.empty()) read_keyframes(reader, &motion);
  if (!velocity.empty()) {
    motion.type = MotionType::kVelocity;
    motion.velocity = reader.vector3("velocity");
    motion.angular_velocity = reader.vector3("angular_velocity");
  }
  const SectionReader sine_reader = reader.section("sine");
  if (!sine.empty()) {
    motion.type = MotionType::kSine;
    motion.amplitude = sine_reader.vector3("amplitude");
    motion.frequency = sine_reader.number("frequency");
    motion.phase = sine_reader.number("phase");
    warn_of_degrees(sine_reader, "phase", Turns::kOne);
  }
  return motion;
}

}  // namespace csim
