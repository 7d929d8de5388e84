// "Did you mean …": the known name nearest to an unknown one. Of our own: a library of edit distances
// (rapidfuzz) would replace twenty lines, and the choice among the candidates would remain.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace csim {

/// Damerau-Levenshtein distance in its optimal-string-alignment form: the number of insertions, deletions,
/// substitutions and transpositions of neighbours that turn `a` into `b`, no part edited twice. O(|a| |b|).
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name` if it is near enough to be meant: at most 2 edits and fewer than half its
/// letters, upper and lower case counted as equal. "" if there is none. Ties: the first.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// " (did you mean 'x'?)" for the nearest candidate, else an overlapping one, or "". `prefix`, such as the
/// folder of a file, stands before the candidate in the answer.
[[nodiscard]] std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates,
                                       const std::string& prefix = "");

}  // namespace csim
