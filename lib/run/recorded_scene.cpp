#include "run/recorded_scene.h"

#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

void erase(YamlNode* mapping, const char* key) {
  std::erase_if(mapping->entries, [key](const YamlEntry& entry) { return entry.key == key; });
}

std::string scene_text(const ResultFile& result) {
  const std::string text = result.text("/scene/resolved");
  YamlNode root = parse_yaml(text).root;
  erase(&root, "initial");
  const ContactSpec contact = read_scene_text(write_yaml(root), result.path()).scene.contact;
  YamlNode* keys = root.find("contact");
  if (keys != nullptr && contact.normal == facts_of(contact.model).default_normal) erase(keys, "normal");
  return write_yaml(root);
}

}  // namespace

std::optional<LoadedScene> build_recorded_scene(const ResultFile& result,
                                                const std::vector<std::string>& overrides,
                                                Diagnostics* diagnostics) {
  return build_scene(read_scene_text(scene_text(result), result.path() + ":/scene/resolved", overrides),
                     result.path(), diagnostics);
}

}  // namespace csim
