// What values of the command line may be. Each check gives "", or what was found and what is expected in the
// words of a scene's problems: "0,5 with a comma for the decimal point, expected a number > 0".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/report/diff.h"
#include "scene/format/fields.h"

namespace csim::cli {

/// A finite decimal number within the bounds.
[[nodiscard]] std::string check_number(const std::string& text, const Bounds& bounds = {});

/// A whole number within the bounds.
[[nodiscard]] std::string check_whole_number(const std::string& text, const Bounds& bounds);

/// One of the words.
[[nodiscard]] std::string check_word(const std::string& text, const std::vector<std::string>& words);

/// Degrees above the horizon: straight up and down there is no side that is up.
[[nodiscard]] std::string check_elevation(const std::string& text);

/// Pixels, "1280x800"; *width and *height receive them.
[[nodiscard]] std::string check_size(const std::string& text, int* width, int* height);

/// A range of frames, "0:100:10".
[[nodiscard]] std::string check_frames(const std::string& text);

/// PATH=ATOL[,RTOL] of `csim diff`, "contact/phi=1e-6,1e-3"; nothing where `check_tolerance` complains.
[[nodiscard]] std::optional<DiffOptions::Tolerance> parse_tolerance(const std::string& text);
[[nodiscard]] std::string check_tolerance(const std::string& text);

/// The name of a folder.
[[nodiscard]] std::string check_folder(const std::string& text);

}  // namespace csim::cli
