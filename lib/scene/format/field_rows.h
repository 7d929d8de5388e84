// Words to write the rows of the table in fields.h with: number("step", "s", kPositive,
// "…").by_default("1.0e-3").example("5.0e-4").
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/format/fields.h"

namespace csim::field_rows {

inline const Bounds kAny;
inline const Bounds kPositive{.min = 0.0, .above_min = true};
inline const Bounds kNonNegative{.min = 0.0};
inline const Bounds kNonZero{.not_zero = true};

/// A row, built by chained calls.
struct Row {
  Field field;

  Row&& by_default(std::string text) &&;
  Row&& required() &&;
  Row&& or_word(const std::string& text) &&;  // words beside numbers
  Row&& or_number() &&;                       // a number beside a list or mapping
  Row&& only_for(const std::string& values) &&;
  Row&& required_for(const std::string& values) &&;
  Row&& not_yet() &&;  // in the format, not supported yet
  Row&& example(std::string text) &&;
  operator Field() && { return std::move(field); }
};

Row row(const char* key, FieldType type, const char* description);
Row number(const char* key, const char* unit, Bounds bounds, const char* description);
Row integer(const char* key, double min, const char* description);
Row boolean(const char* key, const char* description);
Row name(const char* key, const char* description);
Row text(const char* key, const char* expects, const char* description);
/// `values`: "lagged sap !tamsi"; an exclamation mark stands before what is not supported yet.
Row choice(const char* key, const char* values, const char* description);
Row numbers(const char* key, std::vector<int> lengths, const char* unit, Bounds bounds,
            const char* description);
Row vector3(const char* key, const char* unit, const char* description);
Row points(const char* key, const char* unit, const char* description);
Row mapping(const char* key, const Section& keys, const char* description);
Row list(const char* key, const Section& keys, const char* description);
Row map(const char* key, const Section& keys, const char* description);

}  // namespace csim::field_rows

namespace csim {

// The sections, in the files where their rows stand.
[[nodiscard]] const Section& pose_section();
[[nodiscard]] const Section& material_section();
[[nodiscard]] const Section& body_section();
[[nodiscard]] const Section& joint_section();
[[nodiscard]] const Section& model_section();
[[nodiscard]] const Section& actuator_section();
[[nodiscard]] const Section& contact_section();
[[nodiscard]] const Section& solver_section();
[[nodiscard]] const Section& integrator_section();

}  // namespace csim
