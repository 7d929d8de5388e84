#include "cli/manual_page.h"

namespace csim::cli {
namespace {

/// Text of a line of troff: dashes that can be copied, no letter that begins a request or an escape.
std::string roff(const std::string& text) {
  std::string safe;
  bool begins_line = true;
  for (const char letter : text) {
    if (begins_line && (letter == '.' || letter == '\'')) safe += "\\&";
    begins_line = letter == '\n';
    if (letter == '\\') {
      safe += "\\e";
    } else if (letter == '-') {
      safe += "\\-";
    } else {
      safe += letter;
    }
  }
  return safe;
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + roff(text) + "\\fR";
}

/// "-o, --output FILE.h5", or the name of an argument; choices as {a,b}.
std::string title(const CommandWords::Option& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) text += " " + italic(option.value);
  return text;
}

void add_entry(const CommandWords::Option& option, std::string* page) {
  *page += ".TP\n" + title(option) + "\n" + roff(option.description);
  if (!option.default_value.empty()) {
    *page += " (default: ";
    for (const char letter : option.default_value)  // a long list may be parted behind its commas
      *page += roff(std::string(1, letter)) + (letter == ',' ? "\\:" : "");
    *page += ")";
  }
  *page += "\n";
}

/// Lines as they stand, such as examples.
void add_verbatim(const std::string& lines, std::string* page) {
  *page += ".PP\n.nf\n" + roff(lines) + (lines.ends_with('\n') ? "" : "\n") + ".fi\n";
}

std::string synopsis(const CommandWords& command, const std::string& path) {
  std::string text = bold(path);
  if (!command.commands.empty()) return text + " " + italic("command");
  if (!command.options.empty()) text += " [" + italic("options") + "]";
  for (const CommandWords::Option& argument : command.positionals) {
    text += " " + (argument.value.empty() ? bold(argument.names.front()) : italic(argument.value));
    if (argument.takes_several) text += "...";
  }
  return text;
}

void add_command(const CommandWords& command, const std::string& path, std::string* page) {
  *page +=
      ".SS \"" + roff(path) + "\"\n" + roff(command.description) + "\n.PP\n" + synopsis(command, path) + "\n";
  for (const CommandWords::Option& argument : command.positionals) add_entry(argument, page);
  for (const CommandWords::Option& option : command.options)
    if (option.names.back() != "--help" && option.names.back() != "--help-all") add_entry(option, page);
  if (!command.footer.empty()) add_verbatim(command.footer, page);
  for (const CommandWords& below : command.commands) add_command(below, path + " " + below.name, page);
}

}  // namespace

std::string manual_page(const CommandWords& program, const std::string& version,
                        const std::string& exit_codes) {
  std::string page = ".TH CSIM 1 \"\" \"csim " + roff(version) +
                     "\" \"User Commands\"\n.ad l\n.nh\n.SH NAME\n" + roff(program.name) + " \\- " +
                     roff(program.description.substr(program.description.find(": ") + 2)) +
                     "\n.SH SYNOPSIS\n" + bold(program.name) + " " + italic("command") + " [" +
                     italic("options") + "] " + italic("file") + "...\n.br\n" + bold(program.name + " help") +
                     " " + italic("command") + "\n.SH OPTIONS\n";
  for (const CommandWords::Option& option : program.options) add_entry(option, &page);
  page += ".SH COMMANDS\n";
  for (const CommandWords& command : program.commands)
    add_command(command, program.name + " " + command.name, &page);
  page += ".SH EXIT STATUS\n" + roff(exit_codes) + "\n.SH EXAMPLES\n";
  add_verbatim(program.footer, &page);
  return page + ".SH FILES\n" + roff("share/csim/scenes") +
         ": scenes to begin with, each with a README.md.\n.br\n" + roff("share/csim/schemas") +
         ": what every key of a scene and of a study means, and every dataset of a result.\n";
}

}  // namespace csim::cli
