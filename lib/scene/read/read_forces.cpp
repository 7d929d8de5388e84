#include "scene/read/scene_reading.h"

namespace csim {

/// Which kind of vector over time the keys make.
void finish_vector_command(const SectionReader& reader, SceneReading*, VectorCommandSpec* command) {
  const bool table = reader.given("times") || reader.given("values") || reader.given("interpolation");
  const bool sine = reader.given("sine");
  const char* kinds = "3 numbers, values over time (times, values), or sine";
  if (table && sine)
    return reader.report("sine", std::string("a second kind of value, expected one of ") + kinds);
  if (reader.empty()) reader.report_here(std::string("an empty mapping, expected one of ") + kinds);
  if (sine) command->type = CommandType::kSine;
  if (!table) return;
  command->type = CommandType::kTable;
  if (!reader.given("times")) reader.report_missing("times", "missing, expected the times of the values (s)");
  if (!reader.given("values")) reader.report_missing("values", "missing, expected the values at the times");
  if (!reader.has("times")) return;
  check_times(reader, command->times);
  check_row_count(reader, "values", command->values.size(), command->times.size());
}

void finish_force(const SectionReader& reader, SceneReading* reading, ForceSpec* force) {
  enter_name(reader, "force", static_cast<int>(reading->forces.size()), &reading->forces);
  if (reader.given("force") && reader.given("torque"))
    reader.report("torque", "a torque beside a force, expected one of them");
  if (!reader.given("force") && !reader.given("torque"))
    reader.report_missing("force", "missing, expected a force (N) or a torque (N m)");
  if (force->body >= 0 && reading->scene.bodies[static_cast<std::size_t>(force->body)].fixed)
    reader.report("body", "'" + reader.text("body") + "', a fixed body, expected one that a force moves");
}

}  // namespace csim
