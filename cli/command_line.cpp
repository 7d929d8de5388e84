#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/manual_page.h"
#include "core/nearest_name.h"
#include "core/version.h"
#include "run/signals.h"

namespace csim::cli {
namespace {

/// The option in CLI11's terms; its value is set while the line is parsed.
CLI::Option* declare(CLI::App* app, const Option& option) {
  const auto with_value = [&](auto value) -> CLI::Option* {
    using Target = decltype(value);
    if constexpr (std::is_same_v<Target, bool*>) {
      return app->add_flag(option.name, *value, option.help);
    } else if constexpr (std::is_same_v<Target, std::function<void(const std::string&)>>) {
      return app->add_option_function<std::string>(option.name, value, option.help);
    } else {
      if constexpr (std::is_same_v<Target, std::string*>) {
        if (option.name.find('{') != std::string::npos)
          return app->add_flag(option.name, *value, option.help);
      }
      return app->add_option(option.name, *value, option.help);
    }
  };
  return std::visit(with_value, option.value);
}

/// A name or text that is given is one: "$OUT" of a shell that has no such variable is a mistake.
bool wants_text(const Option& row) {
  const bool is_text = std::holds_alternative<std::string*>(row.value) ||
                       std::holds_alternative<std::optional<std::string>*>(row.value);
  return is_text && !row.may_be_bare && row.name.find('{') == std::string::npos;
}

void add(CLI::App* app, const Option& row) {
  CLI::Option* option = declare(app, row);
  const auto fault = row.check.fault;
  if (wants_text(row))
    option->check(CLI::Validator(
        [](const std::string& text) { return text.empty() ? "an empty text, expected one" : ""; }, ""));
  if (fault)
    option->check(CLI::Validator([fault](std::string& text) { return fault(text); }, row.check.description));
  if (!row.type.empty()) option->type_name(row.type);
  if (row.delimiter != '\0') option->delimiter(row.delimiter);
  if (row.one_each) option->expected(1)->allow_extra_args(false)->take_all();
  if (row.count) option->expected(*row.count);
  if (row.may_be_bare) option->expected(0, 1);
  if (row.shows_default) option->capture_default_str();
  if (!row.needs.empty()) option->needs(app->get_option(row.needs));
  if (!row.excludes.empty()) option->excludes(app->get_option(row.excludes));
  option->required(row.required);
}

/// An option in help as it is typed: "--threads INT (default: 1)", "--resume[={yes,auto}]", "--no-contacts".
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    // CLI11 puts the value of a flag behind its name: "--no-contacts{false}".
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    for (std::size_t open = name.find('{'); open != std::string::npos; open = name.find('{'))
      name.erase(open, name.find('}', open) + 1 - open);
    return name;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();  // "TEXT:{csv,markdown}" where there are choices
    const std::size_t open = type.find('{');
    const std::string value = open == std::string::npos ? type : type.substr(open);
    const bool is_flag = option->get_items_expected_max() == 0;
    std::string text;
    if (!is_flag && !value.empty()) text += " " + value;
    if (is_flag && open != std::string::npos) text += "[=" + value + "]";
    if (option->get_expected_max() > std::max(1, option->get_expected_min())) text += " ...";
    if (!option->get_default_str().empty() && !is_flag)
      text += " (default: " + option->get_default_str() + ")";
    if (option->get_required()) text += " REQUIRED";
    for (const CLI::Option* other : option->get_needs()) text += " (with " + other->get_name() + ")";
    for (const CLI::Option* other : option->get_excludes()) text += " (not with " + other->get_name() + ")";
    return text;
  }
};

/// What stands at the end of a command's help.
std::string footer(const Command& command) {
  if (command.examples.empty()) return "";
  std::string text = "Examples:\n" + command.examples;
  if (!command.notes.empty()) text += "\n\n" + command.notes;
  if (!command.exit_codes.empty()) text += "\n\nExit codes: " + command.exit_codes;
  return text;
}

/// Options, examples and commands below, which live as long as *app; *chosen becomes the one that is called.
void fill(CLI::App* app, const Command& command, const Command** chosen) {
  for (const Option& option : command.options) add(app, option);
  app->footer(footer(command));
  for (const Command& below : command.commands) {
    CLI::App* child = app->add_subcommand(below.name, below.description);
    fill(child, below, chosen);
    if (!below.commands.empty()) child->require_subcommand(1);
    if (below.run) child->callback([chosen, &below] { *chosen = &below; });
  }
}

/// The first unknown argument, with the nearest known one.
std::string unexpected_argument(const CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> left = app.remaining(true);
  const auto first = std::find_first_of(argv + 1, argv + argc, left.begin(), left.end());
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  std::vector<std::string> known;
  for (const CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(below->get_name());
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string word =
      first == argv + argc ? "" : std::string(*first).substr(0, std::string(*first).find('='));
  return "unexpected argument '" + word + "'" + csim::did_you_mean(word, known);
}

/// The words of a command for shells.
CommandWords words_of(const CLI::App& app) {
  CommandWords words{app.get_name(), app.get_description(), {}, {}, {}, {}, app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();  // "TEXT:{csv,markdown}" where there are choices
    const std::size_t open = type.find('{'), close = type.rfind('}');
    std::vector<std::string> choices;
    if (open != std::string::npos && close != std::string::npos)
      choices = CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
    const bool positional = !option->nonpositional();
    CommandWords::Option& found = (positional ? words.positionals : words.options).emplace_back();
    for (const std::string& name : option->get_snames()) found.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) found.names.push_back("--" + name);
    if (positional) {
      found.names.push_back(option->get_name());
      words.arguments.insert(words.arguments.end(), choices.begin(), choices.end());
    }
    found.description = option->get_description();
    found.value = choices.empty() ? type : type.substr(open, close + 1 - open);
    found.default_value = option->get_default_str();
    found.takes_value = option->get_items_expected_max() > 0;
    found.takes_several = option->get_expected_max() > 1;
    found.choices = choices;
  }
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
    words.commands.push_back(words_of(*below));
  return words;
}

/// The words that options offer beside those that they check.
void add_offers(const Command& command, CommandWords* words) {
  for (const Option& option : command.options)
    words->arguments.insert(words->arguments.end(), option.offers.begin(), option.offers.end());
  for (const Command& below : command.commands) {
    for (CommandWords& child : words->commands)
      if (child.name == below.name) add_offers(below, &child);
  }
}

/// "csim help mesh make" is "csim mesh make --help"; throws for a word behind a command that is none. Any
/// other word is for the command `help`.
std::vector<char*> without_help_command(const CLI::App& app, int argc, char** argv) {
  static char flag[] = "--help";
  std::vector<char*> arguments(argv, argv + argc);
  if (argc < 2 || std::string(argv[1]) != "help") return arguments;
  arguments.erase(arguments.begin() + 1);
  const CLI::App* command = &app;
  for (auto word = arguments.begin() + 1; word != arguments.end(); ++word) {
    std::vector<std::string> known;
    const CLI::App* found = nullptr;
    for (const CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(below->get_name());
      if (known.back() == *word) found = below;
    }
    if (found == nullptr && command == &app) return {argv, argv + argc};
    if (found == nullptr)
      throw CLI::ValidationError(
          "help", "'" + std::string(*word) + "', expected a command" + csim::did_you_mean(*word, known));
    command = found;
  }
  arguments.push_back(flag);
  return arguments;
}

}  // namespace

int run_command_line(const Command& program, int argc, char** argv) {
  CLI::App app(program.description, program.name);
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpFormatter>());  // of the commands below too
  app.set_help_all_flag("--help-all", "help of every command");
  const Command* chosen = nullptr;
  Command all = program;
  std::string shell;
  all.commands.push_back(
      {.name = "completion",
       .description = "print a script with which a shell completes csim's commands and options",
       .options = {{.name = "shell",
                    .value = &shell,
                    .help = "which shell",
                    .check = one_of({"bash", "zsh", "fish"}),
                    .required = true}},
       .examples = "  csim completion bash > csim.bash     to be sourced in ~/.bashrc\n"
                   "  csim completion zsh > csim.zsh       to be sourced in ~/.zshrc\n"
                   "  csim completion fish > csim.fish     to be put into ~/.config/fish/completions",
       .run = [&] {
         CommandWords words = words_of(app);
         add_offers(all, &words);
         return std::fputs(completion_script(shell, words).c_str(), stdout), kDone;
       }});
  all.commands.push_back({.name = "man",
                          .description = "print the manual page of all commands, for man",
                          .examples = "  csim man > csim.1     man ./csim.1 shows it",
                          .run = [&] {
                            CommandWords words = words_of(app);
                            words.footer = program.examples;
                            const std::string page =
                                manual_page(words, csim::version().version, program.exit_codes);
                            return std::fputs(page.c_str(), stdout), kDone;
                          }});
  fill(&app, all, &chosen);
  try {
    const std::vector<char*> arguments = without_help_command(app, argc, argv);
    app.parse(static_cast<int>(arguments.size()), arguments.data());
    // Signals are blocked from the start of the program to here, where the command is known that obeys them.
    chosen != nullptr && chosen->ends_in_order ? csim::install_signal_handlers() : csim::release_signals();
    if (chosen != nullptr) return chosen->run();
    const auto options = app.get_options();
    if (std::any_of(options.begin(), options.end(), [](const CLI::Option* o) { return o->count() > 0; }))
      return program.run();
    std::fputs(app.help().c_str(), stdout);
    return kDone;
  } catch (const CLI::ParseError& error) {
    csim::release_signals();
    if (error.get_exit_code() == 0) return app.exit(error);  // help
    std::fprintf(stderr, "csim: error: %s\nRun with --help or --help-all for more information.\n",
                 app.remaining(true).empty() ? error.what() : unexpected_argument(app, argc, argv).c_str());
    return kInvalidInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "csim: internal error: %s\n", error.what());
    return kInternalError;
  }
}

}  // namespace csim::cli
