#include "scene/format/schema.h"

#include <cstdio>

#include "cli/commands.h"

namespace csim::cli {

int schema(const SchemaOptions& options) {
  std::fputs((options.markdown ? scene_reference_markdown() : scene_schema_json()).c_str(), stdout);
  return kDone;
}

}  // namespace csim::cli
