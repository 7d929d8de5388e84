// `csim help KEY`: the rows of the reference that a word names, as text.
#pragma once

#include <string>
#include <vector>

#include "scene/format/fields.h"

namespace csim {

/// A format whose rows are searched.
struct HelpFormat {
  std::string file;               // "scene" or "study": whose key it is
  std::vector<std::string> path;  // the keys that lead to `section`; empty for a whole file
  const Section* section = nullptr;
};

/// The rows that `query` names, or "" for none. A query is
/// - a key or the end of its path: "friction", "contact.model", "bodies.box.geometry.shape"; names and
/// indices
///   of elements may stand in it;
/// - a value of a list of words, such as a shape or a type of joint: "sphere", "shape.mesh". Where other keys
///   depend on the value, these are given in full;
/// - the name of a mapping in the reference: "gate";
/// - where it is none of these, a word of keys: "sleep" of sleep_speed and sleep_time.
[[nodiscard]] std::string key_help(const std::vector<HelpFormat>& formats, const std::string& query);

/// What can be asked for: the shortest path of every key, and every value that other keys depend on. For
/// completion.
[[nodiscard]] std::vector<std::string> key_help_words(const std::vector<HelpFormat>& formats);

/// " (did you mean 'x'?)" for the key, path, value or word of `other_words` nearest to `query`, or "".
[[nodiscard]] std::string nearest_key_help(const std::vector<HelpFormat>& formats, const std::string& query,
                                           const std::vector<std::string>& other_words);

}  // namespace csim
