#include "scene/read/scene_reading.h"

namespace csim {
namespace {

/// body/geometry. Names of a model's links may hold slashes, those of geometries do not.
void read_geometry_selector(const SectionReader& reader, const std::string& key, const SceneReading& reading,
                            Selector* selector) {
  const size_t slash = selector->text.rfind('/');
  const std::string body = selector->text.substr(0, slash), geometry = selector->text.substr(slash + 1);
  selector->type = SelectorType::kGeometry;
  const auto found = reading.bodies.find(body);
  if (found == reading.bodies.end()) {
    reader.report(key, unknown_name(body, "body", names(reading.bodies)));
    return;
  }
  selector->body = found->second;
  std::vector<std::string> known;
  const std::vector<GeometrySpec>& geometries = reading.scene.bodies[found->second].geometry;
  for (size_t i = 0; i < geometries.size(); ++i) {
    known.push_back(geometries[i].name);
    if (geometries[i].name == geometry) selector->geometry = static_cast<int>(i);
  }
  if (selector->geometry < 0)
    reader.report(key, unknown_name(geometry, "geometry of body '" + body + "'", known));
}

}  // namespace

Selector read_selector(const SectionReader& reader, const std::string& key, const SceneReading& reading) {
  Selector selector;
  selector.text = reader.text(key);
  if (!reader.has(key)) return selector;
  // A model's item MODEL::NAME is a body.
  const bool is_item = selector.text.find("::") == selector.text.find(':');
  const size_t colon = is_item ? std::string::npos : selector.text.find(':');
  const std::string kind = selector.text.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : selector.text.substr(colon + 1);
  const bool is_body = reading.bodies.count(selector.text) > 0;
  if (colon == std::string::npos && !is_body && selector.text.find('/') != std::string::npos) {
    read_geometry_selector(reader, key, reading, &selector);
  } else if (colon == std::string::npos) {
    selector.body = selector.text == "world" ? -1 : find_reference(reader, key, "body", reading.bodies);
    if (selector.text == "world")
      reader.report(
          key, "'world', which has no geometry, expected a body, body/geometry, material:name or group:name");
  } else if (kind == "material") {
    selector.type = SelectorType::kMaterial;
    const auto found = reading.materials.find(name);
    if (found == reading.materials.end()) {
      if (!is_list_faulty(reader, "material"))
        reader.report(key, unknown_name(name, "material", names(reading.materials)));
    } else {
      selector.material = found->second;
    }
  } else if (kind == "group") {
    selector.type = SelectorType::kGroup;
    selector.group = name;
    const std::vector<std::string> known(reading.groups.begin(), reading.groups.end());
    if (reading.groups.count(name) == 0) reader.report(key, unknown_name(name, "group", known));
  } else {
    reader.report(key,
                  "'" + selector.text + "', expected a body, body/geometry, material:name or group:name");
  }
  return selector;
}

void finish_contact(const SectionReader& reader, SceneReading*, ContactSpec* contact) {
  const FrictionFacts& model = facts_of(contact->model);
  if (!reader.has("normal")) contact->normal = model.default_normal;
  if (!model.takes_every_normal && contact->normal != model.default_normal) {
    reader.report("normal", "'" + reader.text("normal") + "', expected " +
                                facts_of(model.default_normal).name +
                                ", the only law that contact.model: " + model.name + " takes");
    contact->normal = model.default_normal;
  }
  const NormalFacts& normal = facts_of(contact->normal);
  if (normal.reads_barrier && !reader.given("barrier")) {
    reader.report_missing("barrier",
                          std::string("missing, expected {stiffness, thickness} for normal: ") + normal.name);
  }
}

}  // namespace csim
