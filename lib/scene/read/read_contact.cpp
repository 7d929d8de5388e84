#include "scene/read/scene_reading.h"

namespace csim {
namespace {

/// body/geometry.
void read_geometry_selector(const SectionReader& reader, const char* key, const SceneReading& reading,
                            Selector* selector) {
  const size_t slash = selector->text.find('/');
  const std::string body = selector->text.substr(0, slash), geometry = selector->text.substr(slash + 1);
  selector->type = SelectorType::kGeometry;
  const auto found = reading.bodies.find(body);
  if (found == reading.bodies.end()) {
    reader.report(key, unknown_name(body, "body", names(reading.bodies)));
    return;
  }
  selector->body = found->second;
  std::vector<std::string> known;
  const std::vector<GeometrySpec>& geometries =
      reading.scene.bodies[static_cast<size_t>(found->second)].geometry;
  for (size_t i = 0; i < geometries.size(); ++i) {
    known.push_back(geometries[i].name);
    if (geometries[i].name == geometry) selector->geometry = static_cast<int>(i);
  }
  if (selector->geometry < 0)
    reader.report(key, unknown_name(geometry, "geometry of body '" + body + "'", known));
}

Selector read_selector(const SectionReader& reader, const char* key, const SceneReading& reading) {
  Selector selector;
  selector.text = reader.text(key);
  if (!reader.has(key)) return selector;
  const size_t colon = selector.text.find(':');
  const std::string kind = selector.text.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : selector.text.substr(colon + 1);
  if (colon == std::string::npos && selector.text.find('/') != std::string::npos) {
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

void read_pairs(const SectionReader& contact, SceneReading* reading) {
  const auto optional = [](const SectionReader& reader, const char* key) {
    return reader.has(key) ? std::optional<double>(reader.number(key)) : std::nullopt;
  };
  if (const YamlNode* list = contact.node("pairs")) {
    for (size_t i = 0; i < list->items.size(); ++i) {
      const SectionReader reader = contact.element("pairs", i);
      reading->scene.contact.pairs.push_back(
          {read_selector(reader, "a", *reading), read_selector(reader, "b", *reading),
           optional(reader, "friction"), optional(reader, "stiffness"),
           optional(reader, "hunt_crossley_dissipation"), optional(reader, "relaxation_time")});
    }
  }
  if (const YamlNode* list = contact.node("exclude")) {
    for (size_t i = 0; i < list->items.size(); ++i) {
      const SectionReader reader = contact.element("exclude", i);
      reading->scene.contact.exclude.push_back(
          {read_selector(reader, "a", *reading), read_selector(reader, "b", *reading)});
    }
  }
}

void read_normal_law(const SectionReader& reader, ContactSpec* contact) {
  const bool sap = contact->model == ContactModel::kSap, tamsi = contact->model == ContactModel::kTamsi;
  const NormalLaw standard = sap ? NormalLaw::kLinear : NormalLaw::kHuntCrossley;
  contact->normal = reader.has("normal") ? reader.choice<NormalLaw>("normal") : standard;
  if ((sap || tamsi) && contact->normal != standard) {
    reader.report("normal", "'" + reader.text("normal") + "', expected " +
                                (sap ? "linear" : "hunt_crossley") +
                                ", the only law that contact.model: " + reader.text("model") + " takes");
    contact->normal = standard;
  }
  const SectionReader barrier = reader.section("barrier");
  contact->barrier_stiffness = barrier.number("stiffness");
  contact->barrier_thickness = barrier.number("thickness");
  const bool uses_barrier =
      contact->normal == NormalLaw::kLogBarrier || contact->normal == NormalLaw::kIpcBarrier;
  if (uses_barrier && !reader.given("barrier")) {
    reader.report_missing("barrier",
                          "missing, expected {stiffness, thickness} for normal: " + reader.text("normal"));
  }
}

void read_patch(const SectionReader& reader, PatchSpec* patch) {
  patch->representation = reader.choice<PatchRepresentation>("representation");
  patch->quadrature = reader.choice<PatchQuadrature>("quadrature");
  if (reader.has("max_face_size")) patch->max_face_size = reader.number("max_face_size");
  patch->cull_angle_deg.reset();
  if (!reader.is_word("cull_angle_deg", "none")) patch->cull_angle_deg = reader.number("cull_angle_deg");
  patch->gradient_filter = reader.choice<GradientFilter>("gradient_filter");
}

}  // namespace

void read_contact(const SectionReader& root, SceneReading* reading) {
  const SectionReader reader = root.section("contact");
  ContactSpec& contact = reading->scene.contact;
  contact.model = reader.choice<ContactModel>("model");
  read_normal_law(reader, &contact);
  contact.stiction_tolerance = reader.number("stiction_tolerance");
  contact.sigma = reader.number("sigma");
  contact.regularise_stiction = reader.boolean("regularise_stiction");
  contact.near_rigid = reader.number("near_rigid");
  if (!reader.is_word("margin", "auto")) contact.margin = reader.number("margin");
  contact.fallback_error = reader.is_word("fallback", "error");
  read_patch(reader.section("patch"), &contact.patch);
  read_pairs(reader, reading);
}

}  // namespace csim
