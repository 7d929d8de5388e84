#include "cli/completion.h"

#include <functional>

namespace csim::cli {
namespace {

/// Calls `visit` with every command and the words that lead to it, "mesh make"; "" for the program.
void visit_commands(const CommandWords& command, const std::string& path,
                    const std::function<void(const CommandWords&, const std::string&)>& visit) {
  visit(command, path);
  for (const CommandWords& below : command.commands)
    visit_commands(below, path.empty() ? below.name : path + " " + below.name, visit);
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// In single quotes, which no shell looks into.
std::string shell_word(const std::string& text) {
  std::string safe = "'";
  for (const char letter : text) safe += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return safe + "'";
}

/// For bash, and for zsh by its emulation of bash's completion.
std::string bash_script(const CommandWords& program) {
  std::string paths, values, words;
  visit_commands(program, "", [&](const CommandWords& command, const std::string& path) {
    if (!path.empty()) paths += (paths.empty() ? "" : "|") + shell_word(path);
    std::vector<std::string> options, commands = command.arguments;
    for (const CommandWords& below : command.commands) commands.push_back(below.name);
    for (const CommandWords::Option& option : command.options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      if (!option.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(shell_word(path + " " + name));
      values += "    " + joined(patterns, "|") +
                ") choices=" + shell_word(option.choices.empty() ? "FILES" : joined(option.choices, " ")) +
                " ;;\n";
    }
    words += "    " + shell_word(path) + ") options=" + shell_word(joined(options, " ")) +
             " words=" + shell_word(joined(commands, " ")) + " ;;\n";
  });
  return R"(_csim() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
  local path='' longer='' choices='' options='' words='' i
  if [[ "$cur" == '=' ]]; then cur=''; elif [[ "$prev" == '=' ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    longer="${path:+$path }${COMP_WORDS[i]}"
    case "$longer" in
    )" + paths +
         R"() path="$longer" ;;
    esac
  done
  case "$path $prev" in
)" + values +
         R"(  esac
  case "$path" in
)" + words +
         R"(  esac
  if [[ "$choices" == FILES ]]; then
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  elif [[ -n "$choices" ]]; then
    COMPREPLY=($(compgen -W "$choices" -- "$cur"))
  elif [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _csim csim
)";
}

std::string fish_script(const CommandWords& program) {
  std::string paths, rules;
  visit_commands(program, "", [&](const CommandWords& command, const std::string& path) {
    if (!path.empty()) paths += " " + shell_word(path);
    const std::string start = "complete -c csim -n " + shell_word("__csim_at \"" + path + "\"");
    for (const CommandWords& below : command.commands)
      rules += start + " -f -a " + below.name + " -d " + shell_word(below.description) + "\n";
    if (!command.arguments.empty())
      rules += start + " -f -a " + shell_word(joined(command.arguments, " ")) + "\n";
    for (const CommandWords::Option& option : command.options) {
      rules += start;
      for (const std::string& name : option.names)
        rules += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value)
        rules += option.choices.empty() ? " -r" : " -x -a " + shell_word(joined(option.choices, " "));
      rules += " -d " + shell_word(option.description) + "\n";
    }
  });
  return R"(function __csim_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l path
    for word in $words
        set -l longer (string trim -- "$path $word")
        contains -- $longer)" +
         paths + R"(; and set path $longer
    end
    test "$path" = "$argv"
end
)" + rules;
}

}  // namespace

std::string completion_script(const std::string& shell, const CommandWords& program) {
  if (shell == "fish") return fish_script(program);
  if (shell == "bash") return bash_script(program);
  return "#compdef csim\n"
         "(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_script(program) +
         // As a file of $fpath this is the body of a function of the same name, called to complete.
         "[[ ${funcstack[1]} == _csim ]] && _bash_complete -o filenames -F _csim\n"
         "true\n";
}

}  // namespace csim::cli
