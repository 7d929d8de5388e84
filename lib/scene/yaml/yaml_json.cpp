#include "scene/yaml/yaml_json.h"

#include "scene/yaml/strict_values.h"

namespace csim {

void write_json(const YamlNode& node, JsonWriter* json) {
  std::string fault;
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      json->null();
      break;
    case YamlNode::Kind::kSequence:
      json->begin_array();
      for (const YamlNode& item : node.items) write_json(item, json);
      json->end_array();
      break;
    case YamlNode::Kind::kMapping:
      json->begin_object();
      for (const YamlEntry& entry : node.entries) {
        json->key(entry.key);
        write_json(entry.value, json);
      }
      json->end_object();
      break;
    case YamlNode::Kind::kScalar:
      if (const std::optional<bool> truth = parse_boolean(node, &fault)) {
        json->value(*truth);
      } else if (const std::optional<double> number = parse_number(node, &fault)) {
        json->value(*number);
      } else {
        json->value(node.text);
      }
  }
}

}  // namespace csim
