// Keys of `vary` that belong to the study's reference, not to the scene: each case names its own measurement.
#pragma once

#include <string>
#include <vector>

#include "study/study.h"

namespace csim {

/// "reference.csv", "reference.where.toss".
[[nodiscard]] bool is_reference_key(const std::string& key);

/// Whether the value of such a key is the name of a file, relative to the study's.
[[nodiscard]] bool is_reference_file_key(const std::string& key);

/// What is wrong with such a key, the beginning of a message, or "".
[[nodiscard]] std::string fault_of_reference_key(const std::string& key);

/// Those of an assignment.
[[nodiscard]] Assignment reference_values(const Assignment& values);

/// The reference of a case: with what its own keys say, where it is the study's.
[[nodiscard]] Reference reference_of_case(const Study& study, const Reference& reference,
                                          const Assignment& values);

/// A name in the study file as seen from the current folder: what messages say.
[[nodiscard]] std::string name_beside(const Study& study, const std::string& name);

/// A name in the study file as an absolute one.
[[nodiscard]] std::string file_beside(const Study& study, const std::string& name);

}  // namespace csim
