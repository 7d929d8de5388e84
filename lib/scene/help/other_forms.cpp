#include "scene/help/other_forms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "core/number_format.h"
#include "law/restitution.h"
#include "scene/help/synonyms.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The numbers of a list, or of a scalar; none where something else stands.
std::optional<std::vector<double>> numbers_of(const YamlNode& node) {
  std::vector<double> values;
  std::string fault;
  const auto add = [&](const YamlNode& item) {
    const std::optional<double> value = parse_number(item, &fault);
    if (value) values.push_back(*value);
    return value.has_value();
  };
  if (node.kind == YamlNode::Kind::kScalar) {
    if (!add(node)) return std::nullopt;
  } else if (node.kind != YamlNode::Kind::kSequence ||
             !std::all_of(node.items.begin(), node.items.end(), add)) {
    return std::nullopt;
  }
  return values;
}

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + format_number(value);
  return "[" + text + "]";
}

std::string did_you_mean_text(const std::string& text) {
  return " (did you mean " + text + "?)";
}

/// A length that another tool counts otherwise: half of it, or twice.
struct Measure {
  std::vector<std::string> words;
  const char *key, *what;
  double factor;
};

OtherForm measure_of(const YamlEntry& entry, const std::vector<std::string>& known) {
  static const std::array<Measure, 3> measures = {
      {{{"halfextents", "half_extents", "halfsize", "half_size", "half_sizes", "half_lengths"},
        "size",
        ", full lengths",
        2.0},
       {{"halfheight", "half_height", "halflength", "half_length"}, "length", ", the full one", 2.0},
       {{"diameter"}, "radius", ", half of it", 0.5}}};
  for (const Measure& measure : measures) {
    if (!is_one_of(lower(entry.key), measure.words) || !is_one_of(measure.key, known)) continue;
    std::string text = std::string("'") + measure.key;
    if (auto values = numbers_of(entry.value)) {
      for (double& value : *values) value *= measure.factor;
      text += ": " + (entry.value.kind == YamlNode::Kind::kScalar ? format_number(values->front())
                                                                  : list_text(*values));
    }
    return {did_you_mean_text(text + "'" + measure.what), measure.key};
  }
  return {};
}

/// `type: static`, `static: true`, `kinematic: true` on a body.
OtherForm kind_of_body(const YamlEntry& entry) {
  const std::string key = lower(entry.key), value = lower(entry.value.text);
  const bool is_type = is_one_of(key, {"type", "body_type", "motion_type"});
  const std::string kind = is_type ? value : value == "false" ? "" : key;
  if (is_one_of(kind, {"static", "fixed", "anchored", "immovable", "world"}))
    return {did_you_mean_text("'fixed: true'"), "fixed"};
  if (kind == "kinematic")
    return {did_you_mean_text("'motion', which prescribes how it moves, or 'fixed: true'"), "fixed"};
  if (is_type && is_one_of(kind, {"dynamic", "rigid", "free", "floating", "movable"}))
    return {" (leave it out: a body moves unless it is fixed)", ""};
  return {};
}

/// A property of the contact in a geometry: it belongs to the material.
OtherForm property_of_material(const YamlEntry& entry) {
  const Section* material = nullptr;
  for (const Section* section : all_sections())
    if (section->name == "material") material = section;
  if (material == nullptr) return {};
  const std::vector<std::string> keys = material->keys();
  std::vector<std::string> names = synonyms(entry.key, keys);
  if (is_one_of(entry.key, keys)) names = {entry.key};
  if (names.empty()) return {};
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : " or '") + name + "'";
  return {did_you_mean_text(text + " of its material"), ""};
}

/// A coefficient of restitution: the dissipation that gives it, which depends on the speed of the impact.
OtherForm restitution_of(const YamlEntry& entry) {
  const std::string key = lower(entry.key);
  if (!is_one_of(key, {"restitution", "coefficient_of_restitution", "bounciness", "bounce"})) return {};
  const auto numbers = numbers_of(entry.value);
  if (!numbers || numbers->size() != 1 || !(numbers->front() > 0.0) || numbers->front() > 1.0) return {};
  const double e = numbers->front();
  return {
      " (did you mean 'hunt_crossley_dissipation: " + format_text("%.3g", hunt_crossley_dissipation(e, 1.0)) +
          "', s/m, with which an impact at 1 m/s rebounds at " + format_number(e) +
          " m/s? At another speed v it is that over v)",
      "hunt_crossley_dissipation"};
}

std::string pose_of(const std::vector<double>& v) {
  const auto part = [&](std::size_t first, std::size_t count) {
    return list_text({v.begin() + static_cast<long>(first), v.begin() + static_cast<long>(first + count)});
  };
  if (v.size() == 3) return "{xyz: " + part(0, 3) + "}";
  if (v.size() == 6) return "{xyz: " + part(0, 3) + ", rpy: " + part(3, 3) + "}";
  if (v.size() == 7) return "{xyz: " + part(0, 3) + ", quaternion_wxyz: " + part(3, 4) + "}";
  return "";
}

/// [xx, yy, zz, xy, xz, yz] of a mapping with `ixx` and the others, those left out 0; "" for other keys.
std::string inertia_of(const YamlNode& mapping) {
  static constexpr std::array<const char*, 6> kKeys = {"xx", "yy", "zz", "xy", "xz", "yz"};
  std::vector<double> values(6, 0.0);
  std::string fault;
  for (const YamlEntry& entry : mapping.entries) {
    std::string key = lower(entry.key);
    if (key.starts_with("i")) key.erase(0, 1);
    const auto place = std::find(kKeys.begin(), kKeys.end(), key);
    const std::optional<double> value = parse_number(entry.value, &fault);
    if (place == kKeys.end() || !value) return "";
    values[static_cast<std::size_t>(place - kKeys.begin())] = *value;
  }
  if (mapping.entries.empty()) return "";
  if (std::all_of(values.begin() + 3, values.end(), [](double value) { return value == 0.0; }))
    values.resize(3);
  return list_text(values);
}

/// Two names in place of {a: first, b: second}; of a pair of contact.pairs with more behind them.
std::string pair_of(const YamlNode& value, bool has_more) {
  const std::size_t least = 2, most = has_more ? 6 : 2;
  if (value.kind != YamlNode::Kind::kSequence || value.items.size() < least || value.items.size() > most)
    return "";
  for (const YamlNode& item : value.items)
    if (item.kind != YamlNode::Kind::kScalar) return "";
  const std::string more = value.items.size() > least ? ", friction: .." : "";
  return "{a: " + value.items[0].text + ", b: " + value.items[1].text + more + "}";
}

/// A velocity as three or six numbers.
std::string velocity_of(const std::vector<double>& v) {
  if (v.size() != 3 && v.size() != 6) return "";
  const std::string linear = "{linear: " + list_text({v.begin(), v.begin() + 3});
  return v.size() == 3 ? linear + "}" : linear + ", angular: " + list_text({v.begin() + 3, v.end()}) + "}";
}

/// The numbers of a list, or of a list of lists, row by row; none for anything else.
std::optional<std::vector<double>> rows_of(const YamlNode& value) {
  if (auto flat = numbers_of(value)) return flat;
  if (value.kind != YamlNode::Kind::kSequence) return std::nullopt;
  std::vector<double> all;
  for (const YamlNode& row : value.items) {
    const auto numbers = numbers_of(row);
    if (!numbers) return std::nullopt;
    all.insert(all.end(), numbers->begin(), numbers->end());
  }
  return all;
}

bool is_symmetric(const std::vector<double>& m) {
  return m[1] == m[3] && m[2] == m[6] && m[5] == m[7];
}

/// [xx, yy, zz, xy, xz, yz] of a symmetric matrix by rows; "" for others.
std::string inertia_of(const std::vector<double>& m) {
  if (m.size() != 9 || !is_symmetric(m)) return "";
  const bool is_diagonal = m[1] == 0.0 && m[2] == 0.0 && m[5] == 0.0;
  return is_diagonal ? list_text({m[0], m[4], m[8]}) : list_text({m[0], m[4], m[8], m[1], m[2], m[5]});
}

/// What `output` is asked for by others: rows a second, the name of the file.
OtherForm output_of(const YamlEntry& entry) {
  const std::string key = lower(entry.key);
  if (is_one_of(key, {"file", "filename", "path"}))
    return {" (the command says it: `csim run SCENE -o FILE.h5`)", ""};
  if (!is_one_of(key, {"rate", "frequency", "hz", "fps"})) return {};
  const auto numbers = numbers_of(entry.value);
  if (!numbers || numbers->size() != 1 || !(numbers->front() > 0.0)) return {};
  return {did_you_mean_text("'period: " + format_number(1.0 / numbers->front()) + "', s, one over it"),
          "period"};
}

/// [lower, upper] of a mapping with these keys, as a URDF has them; "" for others.
std::string limits_of(const YamlNode& mapping) {
  const YamlNode *lowest = mapping.find("lower"), *highest = mapping.find("upper");
  if (lowest == nullptr || highest == nullptr) return "";
  const auto low = numbers_of(*lowest), high = numbers_of(*highest);
  return low && high && low->size() == 1 && high->size() == 1 ? list_text({low->front(), high->front()}) : "";
}

/// A word in place of the mapping, with the only key of the section that takes it: {type: discrete}.
std::string key_of_word(const Section& section, const YamlNode& value) {
  if (value.kind != YamlNode::Kind::kScalar) return "";
  std::string key;
  for (const Field& field : section.fields) {
    if (field.choice_index(value.text) < 0) continue;
    if (!key.empty()) return "";
    key = field.key;
  }
  return key.empty() ? "" : "{" + key + ": " + value.text + "}";
}

/// Elements in the form of a mapping, or those of a mapping in the form of a list: how to begin.
std::string elements_of(const Field& field, const YamlNode& value) {
  const bool wants_list = field.type == FieldType::kSectionList;
  if (wants_list && value.kind == YamlNode::Kind::kMapping && !value.entries.empty()) {
    const std::string& first = value.entries.front().key;
    const std::vector<std::string> keys = field.section->keys();
    const bool is_element = is_one_of(first, keys) || !synonyms(first, keys).empty();
    if (is_element) return "a list of one, [{" + first + ": ..}]";
    return field.section->find("name") != nullptr ? "'- name: " + first + "', a dash for each" : "";
  }
  if (field.type == FieldType::kSectionMap && value.kind == YamlNode::Kind::kSequence &&
      !value.items.empty()) {
    const YamlNode* name = value.items.front().find("name");
    return name == nullptr ? "" : "'" + name->text + ": {..}', its name before the keys of each";
  }
  return "";
}

/// Friction of other kinds than sliding, which `friction` is not.
OtherForm resistance_to_turning(const YamlEntry& entry) {
  const bool is_one =
      is_one_of(lower(entry.key), {"rolling_friction", "torsional_friction", "spinning_friction",
                                   "friction_rolling", "friction_torsional"});
  return {is_one
              ? " (points resist neither rolling nor turning about their normal; a patch of pressure fields "
                "resists turning by its area)"
              : "",
          ""};
}

/// Files that a scene would be made of.
OtherForm part_of_scene(const YamlEntry& entry) {
  const bool is_one = is_one_of(lower(entry.key), {"include", "includes", "import", "imports", "extends"});
  return {is_one ? " (a scene is one file: robots are added by 'models', and --set or a study changes values)"
                 : "",
          ""};
}

}  // namespace

OtherForm other_form(const YamlEntry& entry, const Section& section, const std::vector<std::string>& known) {
  if (&section == &scene_section()) return part_of_scene(entry);
  if (section.name == "body") return kind_of_body(entry);
  if (section.name == "material") {
    const OtherForm form = resistance_to_turning(entry);
    return form.hint.empty() ? restitution_of(entry) : form;
  }
  if (section.name == "output") return output_of(entry);
  if (section.name != "geometry") return {};
  const OtherForm form = measure_of(entry, known);
  return form.hint.empty() ? property_of_material(entry) : form;
}

std::string other_form_of_value(const Field& field, const YamlNode& value) {
  std::string text;
  const std::string section = field.section != nullptr ? field.section->name : "";
  if (section == "pose" || section == "velocity") {
    const auto numbers = numbers_of(value);
    if (numbers) text = section == "pose" ? pose_of(*numbers) : velocity_of(*numbers);
  } else if (field.key == "inertia") {
    const auto rows = rows_of(value);
    if (rows && rows->size() == 9 && !is_symmetric(*rows)) return " (this matrix is not symmetric)";
    text = value.kind == YamlNode::Kind::kMapping ? inertia_of(value) : rows ? inertia_of(*rows) : "";
    if (!text.empty()) text += ", in the order xx, yy, zz, xy, xz, yz";
  } else if (field.key == "limits") {
    text = limits_of(value);
  } else if (field.key == "size") {
    const auto edge = numbers_of(value);
    if (edge && edge->size() == 1 && edge->front() > 0.0)
      text = list_text(std::vector<double>(3, edge->front()));
  } else if ((section == "exclude" || section == "pair") && value.kind == YamlNode::Kind::kSequence) {
    text = pair_of(value, section == "pair");
  } else if (section == "initial" && value.kind == YamlNode::Kind::kScalar) {
    text = "{from: " + value.text + "}";
  } else if (field.section != nullptr) {
    text = elements_of(field, value);
    if (text.empty()) text = key_of_word(*field.section, value);
  }
  return text.empty() ? "" : did_you_mean_text(text);
}

std::string tetrahedra_of(const std::string& file) {
  const std::string::size_type dot = file.rfind('.');
  const std::string stem = file.substr(0, dot),
                    ending = lower(dot == std::string::npos ? "" : file.substr(dot));
  std::string text = "a compliant body needs tetrahedra, shape: tetmesh, file: " + stem +
                     ".msh, made by: FloatTetwild_bin -i " + file + " -o " + stem + ".msh";
  if (ending == ".stl")
    text += "; or by: echo 'Merge \"" + file.substr(file.rfind('/') + 1) +
            "\"; Surface Loop(1) = Surface{:}; Volume(1) = {1};' > " + stem + ".geo && gmsh -3 " + stem +
            ".geo -o " + stem + ".msh";
  return text;
}

}  // namespace csim
