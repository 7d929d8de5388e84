#include "scene/format/schema.h"

#include <cstdio>

#include "cli/commands.h"
#include "study/study_fields.h"

namespace csim::cli {

int schema(const SchemaOptions& options) {
  const bool study = options.which == "study";
  const std::string text = options.markdown
                               ? (study ? study_reference_markdown() : scene_reference_markdown())
                               : (study ? study_schema_json() : scene_schema_json());
  std::fputs(text.c_str(), stdout);
  return kDone;
}

}  // namespace csim::cli
