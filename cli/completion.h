// The words of the command line, and their completion in shells.
#pragma once

#include <string>
#include <vector>

namespace csim::cli {

/// The words of a command, as the parser knows them.
struct CommandWords {
  std::string name, description;
  struct Option {
    std::vector<std::string> names;  // "-o", "--output"; of an argument its name
    std::string description;
    std::string value;  // what help calls it: "FILE.h5", "{csv,markdown}"
    std::string default_value;
    bool takes_value = false, takes_several = false;
    std::vector<std::string> choices;  // values; empty: any, completed as a file
  };
  std::vector<Option> options, positionals;
  std::vector<std::string> arguments;  // what an argument may be; empty: a file
  std::vector<CommandWords> commands;
  std::string footer;  // examples
};

/// A script for `shell` (bash, zsh or fish), to be sourced: it completes commands, options, values that are
/// words of a list, and files elsewhere.
[[nodiscard]] std::string completion_script(const std::string& shell, const CommandWords& program);

}  // namespace csim::cli
