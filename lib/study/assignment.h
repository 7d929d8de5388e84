// Values of keys of the scene, as a study gives them.
#pragma once

#include <string>
#include <vector>

#include "scene/yaml/yaml_document.h"

namespace csim {

/// A key of the scene, as in --set, with its value; the value's own mark is its place in the study file.
struct KeyValue {
  std::string key;
  YamlNode value;
  Mark key_mark;
};
using Assignment = std::vector<KeyValue>;

}  // namespace csim
