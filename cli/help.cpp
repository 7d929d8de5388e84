#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "scene/format/key_help.h"
#include "study/study_fields.h"

namespace csim::cli {
namespace {

std::vector<HelpFormat> formats() {
  return {{"scene", {}, &scene_section()},
          {"study", {}, &study_section()},
          {"study", {"vary", "sample"}, &sample_section()},
          {"study", {"reference"}, &reference_section()}};
}

int help(const std::string& word, const std::vector<std::string>& commands) {
  const std::string text = key_help(formats(), word);
  std::fputs(text.c_str(), stdout);
  if (!text.empty()) return kDone;
  std::fprintf(stderr,
               "csim: error: help: '%s', expected a command, or a key, type or value of a scene or study%s\n"
               "Run 'csim help' for the commands, 'csim schema --markdown' for all keys.\n",
               word.c_str(), nearest_key_help(formats(), word, commands).c_str());
  return kInvalidInput;
}

}  // namespace

Command help_command(const std::vector<std::string>& commands) {
  const auto word = std::make_shared<std::string>();
  std::vector<std::string> offers = commands;
  for (const std::string& known : key_help_words(formats())) offers.push_back(known);
  return {
      .name = "help",
      .description = "print the help of a command, or what a key of a scene or a study means",
      .options = {{.name = "word",
                   .value = word.get(),
                   .help = "a command; a key, alone or with its path; a shape, a type of joint or another "
                           "value. Where a command has the same name, give the path (shape.mesh)",
                   .type = "WORD",
                   .required = true,
                   .offers = offers}},
      .examples =
          "  csim help mesh make          options and examples of a command\n"
          "  csim help contact.model      a key of a scene\n"
          "  csim help friction           a key in all its places\n"
          "  csim help revolute           a type of joint, with the keys that it takes\n"
          "  csim help shape.mesh         a shape with the name of a command\n"
          "  csim help gates.share        a key of a study",
      .run = [word, commands] { return help(*word, commands); }};
}

}  // namespace csim::cli
