// Completion of the command line in shells.
#pragma once

#include <string>
#include <vector>

namespace csim::cli {

/// The words of a command, as the parser knows them.
struct CommandWords {
  std::string name, description;
  struct Option {
    std::vector<std::string> names;  // "-o", "--output"
    std::string description;
    bool takes_value = false;
    std::vector<std::string> choices;  // values; empty: any, completed as a file
  };
  std::vector<Option> options;
  std::vector<std::string> arguments;  // what an argument may be; empty: a file
  std::vector<CommandWords> commands;
};

/// A script for `shell` (bash, zsh or fish), to be sourced: it completes commands, options, values that are
/// words of a list, and files elsewhere.
[[nodiscard]] std::string completion_script(const std::string& shell, const CommandWords& program);

}  // namespace csim::cli
