// A command of csim as plain data: its options with their checks, its examples, the function that carries it
// out.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "run/exit_code.h"
#include "scene/format/fields.h"

namespace csim::cli {

/// What a value may be: "" for a good one, or what was found and is expected, in the words of a scene's
/// problems: "0,5 with a comma for the decimal point, expected a number > 0".
struct Check {
  std::function<std::string(const std::string&)> fault;
  std::string description = {};  // stands for the value in the help: "{csv,json}"
};

/// A finite decimal number within the bounds; `expected` says so in words of its own.
[[nodiscard]] Check number(const Bounds& bounds = {}, const std::string& expected = "");
[[nodiscard]] Check whole_number(int min, int max);
[[nodiscard]] Check one_of(const std::vector<std::string>& words);

constexpr Bounds kAboveZero{.min = 0.0, .above_min = true}, kFromZero{.min = 0.0};

/// Where a value goes; a function receives its text. A bool belongs to a flag.
using Value = std::variant<bool*, int*, long*, double*, std::string*, std::optional<double>*,
                           std::optional<std::string>*, std::vector<double>*, std::vector<std::string>*,
                           std::function<void(const std::string&)>>;

/// An option, a flag or an argument.
struct Option {
  std::string name;  // "-o,--output"; "scene": an argument; "!--no-x": a flag that clears; "--x{y}": y where
                     // it has no value
  Value value;
  std::string help;
  std::string type = {};  // what the help calls the value
  Check check = {};
  bool required = false;
  bool shows_default = false;
  bool one_each = false;                  // of a list: one value each time that the option is given
  char delimiter = '\0';                  // of a list: between its values, in place of a space
  std::optional<int> count = {};          // of a list: its values, where their number is fixed
  bool may_be_bare = false;               // its value may be left out
  std::string needs = {}, excludes = {};  // another option
  std::vector<std::string> offers = {};   // of an argument: words that a shell offers; others are good too
};

/// The option, which has to be given; whose help shows its default; which takes one value each time that it
/// is given; which goes with `other`.
[[nodiscard]] Option required(Option option);
[[nodiscard]] Option with_default(Option option);
[[nodiscard]] Option one_each(Option option);
[[nodiscard]] Option needing(const std::string& other, Option option);

struct Command {
  std::string name = {}, description = {};
  std::vector<Option> options = {};
  std::string examples = {};      // lines at the end of the help; a test runs them
  std::string notes = {};         // what its output means, below its examples
  std::string exit_codes = {};    // of the program: what they mean, below its examples
  std::function<int()> run = {};  // gives the exit code
  bool ends_in_order = false;     // on SIGTERM, SIGINT and SIGUSR1: `run` asks for them (run/signals.h)
  std::vector<Command> commands = {};
};

[[nodiscard]] std::vector<Option> joined(std::vector<Option> first, const std::vector<Option>& more);

/// `--set` of the commands that read a scene.
[[nodiscard]] Option overrides_option(std::vector<std::string>* overrides);

/// Parses the arguments and carries out the command; gives the exit code. A mistake on the line is printed
/// with the nearest known word. The program's own `run` serves its own options; without any, help is printed.
int run_command_line(const Command& program, int argc, char** argv);

}  // namespace csim::cli
