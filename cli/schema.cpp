#include "scene/format/schema.h"

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "study/study_fields.h"

namespace csim::cli {
namespace {

struct SchemaOptions {
  std::string which = "scene";
  bool markdown = false;
};

int schema(const SchemaOptions& options) {
  const bool study = options.which == "study";
  const std::string text = options.markdown
                               ? (study ? study_reference_markdown() : scene_reference_markdown())
                               : (study ? study_schema_json() : scene_schema_json());
  std::fputs(text.c_str(), stdout);
  return kDone;
}

}  // namespace

Command schema_command() {
  const auto o = std::make_shared<SchemaOptions>();
  return {.name = "schema",
          .description = "print the JSON Schema (draft-07) of scenes or studies",
          .options = {with_default({"which", &o->which, "which format", "", one_of({"scene", "study"})}),
                      {"--markdown", &o->markdown, "the reference page instead"}},
          .examples =
              "  csim schema > scene.schema.json     for an editor with a YAML language server\n"
              "  csim schema --markdown              every key with its default and an example",
          .run = [o] { return schema(*o); }};
}

}  // namespace csim::cli
