// What other tools call the things of a scene: `plane` for half_space, `dt` for step. Such words are named in
// messages and never accepted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/format/fields.h"

namespace csim {

struct Synonym {
  std::string word;       // of other tools, lower case
  std::string_view name;  // a key or a value of the scene format
};

/// The table. A word may stand for several names; those count that are valid where the word stands.
[[nodiscard]] const std::vector<Synonym>& synonym_table();

/// The candidates that other tools call `word`, upper and lower case counted as equal, in the table's order.
[[nodiscard]] std::vector<std::string> synonyms(std::string_view word,
                                                const std::vector<std::string>& candidates);

/// " (did you mean 'x'?)" for the candidates of the table, else for the one nearest in spelling, else for an
/// overlapping one; or "". A word of the table says what is meant: `stop` is not a misspelt `step`.
[[nodiscard]] std::string did_you_mean_value(std::string_view word,
                                             const std::vector<std::string>& candidates);

/// The keys of the table for `word` among `known`, keys of `section`; where there is none, those of the first
/// mapping below that has some, with its key before them ("time.step").
[[nodiscard]] std::vector<std::string> synonymous_keys(std::string_view word, const Section& section,
                                                       const std::vector<std::string>& known);

/// " (did you mean 'x' or 'y'?)", or "" for no names.
[[nodiscard]] std::string did_you_mean_one_of(const std::vector<std::string>& names);

}  // namespace csim
