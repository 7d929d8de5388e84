#include "study/case_template.h"

#include <algorithm>

#include "core/number_format.h"
#include "scene/yaml/scene_source.h"
#include "study/case_id.h"
#include "study/number_keys.h"

namespace csim {
namespace {

double TimeGrid::*time_of(const std::string& keys) {
  if (keys == "time.step") return &TimeGrid::step;
  if (keys == "time.end") return &TimeGrid::end;
  if (keys == "output.period") return &TimeGrid::period;
  return nullptr;
}

/// The number that follows from that of a key (NumberKey::follower): beside it in the resolved scene, where
/// the scene itself leaves it out. nullptr: there is none.
YamlNode* find_follower(const std::string& path, const NumberKey& key, const YamlNode& source,
                        YamlNode* tree) {
  if (key.follower == nullptr) return nullptr;
  std::string fault;
  const std::string beside = path.substr(0, path.rfind('.') + 1) + key.follower;
  if (find_value(source, beside, &fault) != nullptr) return nullptr;
  return const_cast<YamlNode*>(find_value(*tree, beside, &fault));  // of a tree that is ours
}

/// The number of the key in the resolved scene; nullptr when it does not stand there as it was given.
YamlNode* find_place(const KeyValue& one, YamlNode* tree) {
  std::string fault;
  const YamlNode* node = find_value(*tree, one.key, &fault);
  const std::optional<double> number = number_of(one.value);
  const bool stands_there = node != nullptr && node->kind == YamlNode::Kind::kScalar && !node->quoted &&
                            number && node->text == format_number(*number);
  return stands_there ? const_cast<YamlNode*>(node) : nullptr;  // of a tree that is ours
}

}  // namespace

LoneKeys::LoneKeys(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const FieldPlace place = find_field(key);
    if (const NumberKey* number = find_number_key(place)) known_.push_back({key, number, place.field});
  }
}

std::vector<const Field*> LoneKeys::of(const Assignment& values) const {
  std::vector<const Field*> fields(values.size(), nullptr);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto known = std::find_if(known_.begin(), known_.end(),
                                    [&](const Known& one) { return one.path == values[k].key; });
    if (known != known_.end() && lone_number(*known->key, *known->field, values[k].value))
      fields[k] = known->field;
  }
  return fields;
}

void LoneKeys::remove(const std::string& key) {
  std::erase_if(known_, [&](const Known& one) { return one.path == key; });
}

std::optional<CaseTemplate> CaseTemplate::make(const LoadedScene& loaded, const Assignment& values,
                                               const std::vector<const Field*>& lone,
                                               const std::function<std::string(const std::string&)>& digest,
                                               std::size_t* culprit) {
  const Scene& scene = loaded.read.scene;
  YamlNode tree = identity_tree(loaded);
  std::vector<Place> places;
  std::vector<YamlNode*> nodes;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (lone[k] == nullptr) continue;
    const FieldPlace field = find_field(values[k].key);
    const NumberKey* key = find_number_key(field);
    YamlNode* node = find_place(values[k], &tree);
    const bool is_other = std::find(nodes.begin(), nodes.end(), node) == nodes.end();
    const bool applies = key != nullptr && (key->applies == nullptr || key->applies(scene));
    if (node == nullptr || !is_other || !applies) {
      *culprit = k;
      return std::nullopt;
    }
    places.push_back({k, time_of(field.keys)});
    nodes.push_back(node);
    if (YamlNode* follower = find_follower(values[k].key, *key, loaded.read.source.root, &tree)) {
      places.push_back({k, nullptr, key->follow});
      nodes.push_back(follower);
    }
  }
  CaseTemplate made(YamlForm(&tree, nodes), identity_files(loaded, digest), time_grid(scene));
  made.places_ = std::move(places);
  return made;
}

std::optional<CaseTemplate::Made> CaseTemplate::of(const Assignment& values) const {
  std::vector<std::string> texts;
  TimeGrid times = times_;
  for (const Place& place : places_) {
    const double number = number_of(values[place.key].value).value_or(0.0);
    texts.push_back(format_number(place.follow == nullptr ? number : place.follow(number)));
    const bool is_step_of_any_length = times.by_time && place.time == &TimeGrid::step;
    if (place.time != nullptr && !is_step_of_any_length) times.*place.time = number;
  }
  constexpr double kManySteps = 1e15;  // far below the most that a run may make
  if (!times.by_time && times.end > kManySteps * times.step) return std::nullopt;
  return Made{form_.text(texts) + files_, times};
}

}  // namespace csim
