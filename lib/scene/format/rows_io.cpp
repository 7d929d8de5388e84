#include "scene/format/rows_io.h"

#include <algorithm>

#include "scene/actuator_coordinates.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {

void read_rows(const SectionReader& reader, SceneReading* reading, void* object) {
  for (const Field& field : reader.rows().fields) {
    if (field.binding.read) field.binding.read(field, reader, reading, object);
  }
  if (reader.rows().finish) reader.rows().finish(reader, reading, object);
}

SceneWriting writing_of(const Scene& scene) {
  SceneWriting writing{&scene, std::vector<bool>(scene.bodies.size()), actuator_coordinates(scene)};
  for (const JointSpec& joint : scene.joints) writing.jointed[joint.child] = true;
  return writing;
}

YamlNode write_rows(const Section& section, const void* object, const SceneWriting& writing) {
  YamlNode mapping;
  mapping.kind = YamlNode::Kind::kMapping;
  for (const Field& field : section.fields) {
    const YamlNode* kind = field.only_for.empty() ? nullptr : mapping.find(section.discriminator);
    const bool known = kind == nullptr || std::find(field.only_for.begin(), field.only_for.end(),
                                                    kind->text) != field.only_for.end();
    if (!known || !field.binding.write) continue;
    if (std::optional<YamlNode> value = field.binding.write(field, object, writing))
      add_entry(&mapping, field.key, std::move(*value));
  }
  return mapping;
}

}  // namespace csim
