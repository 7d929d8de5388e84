#include "scene/resolve.h"

#include "scene/format/rows_io.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {

YamlNode resolved_tree(const Scene& scene) {
  SceneWriting writing{&scene, std::vector<bool>(scene.bodies.size())};
  for (const JointSpec& joint : scene.joints) writing.jointed[joint.child] = true;
  return write_rows(scene_section(), &scene, writing);
}

std::string resolved_yaml(const Scene& scene) {
  return write_yaml(resolved_tree(scene));
}

}  // namespace csim
