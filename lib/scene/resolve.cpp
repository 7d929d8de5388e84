#include "scene/resolve.h"

#include "scene/format/rows_io.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {

YamlNode resolved_tree(const Scene& scene) {
  return write_rows(scene_section(), &scene, writing_of(scene));
}

std::string resolved_yaml(const Scene& scene) {
  return write_yaml(resolved_tree(scene));
}

}  // namespace csim
