#include "model/pair_classes.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace csim {
namespace {

/// A selector without the text that it was written as.
using SelectorKey = std::tuple<SelectorType, int, int, int, std::string>;

SelectorKey key_of_body(int body) {
  return {SelectorType::kBody, body, -1, -1, ""};
}

SelectorKey key_of_geometry(int body, int index) {
  return {SelectorType::kGeometry, body, index, -1, ""};
}

SelectorKey key_of_material(int material) {
  return {SelectorType::kMaterial, -1, -1, material, ""};
}

SelectorKey key_of_group(const std::string& group) {
  return {SelectorType::kGroup, -1, -1, -1, group};
}

SelectorKey key_of(const Selector& selector) {
  switch (selector.type) {
    case SelectorType::kBody:
      return key_of_body(selector.body);
    case SelectorType::kGeometry:
      return key_of_geometry(selector.body, selector.geometry);
    case SelectorType::kMaterial:
      return key_of_material(selector.material);
    case SelectorType::kGroup:
      break;
  }
  return key_of_group(selector.group);
}

class Classifier {
 public:
  explicit Classifier(const Scene& scene) {
    for (const PairSpec& pair : scene.contact.pairs) add_entry(pair.a, pair.b);
    for (const ExcludeSpec& exclude : scene.contact.exclude) add_entry(exclude.a, exclude.b);
  }

  /// The class of a geometry, `index` in its body.
  int class_of(const GeometrySpec& spec, int body, int index) {
    std::vector<int> wide, named;
    add_place(key_of_material(spec.material), &wide);
    for (const std::string& group : spec.groups) add_place(key_of_group(group), &wide);
    std::ranges::sort(wide);
    wide.erase(std::unique(wide.begin(), wide.end()), wide.end());
    add_place(key_of_body(body), &named);
    add_place(key_of_geometry(body, index), &named);

    const auto [general, is_new_general] =
        general_.emplace(std::tuple(spec.material, spec.contact, wide), std::ssize(classes_.general));
    if (is_new_general) {
      classes_.general.push_back({spec.material, spec.contact});
      classes_.classes_of_general.emplace_back();
      classes_.geometries_of_general.emplace_back();
      for (const int side : wide) classes_.sides[side].general.push_back(general->second);
    }
    const auto [entry, is_new] =
        class_.emplace(std::pair(general->second, named), std::ssize(classes_.general_class));
    if (is_new) {
      classes_.general_class.push_back(general->second);
      classes_.classes_of_general[general->second].push_back(entry->second);
      classes_.geometries.emplace_back();
      for (const auto* sides : {&wide, &named})
        for (const int side : *sides) classes_.sides[side].classes.push_back(entry->second);
    }
    return entry->second;
  }

  PairClasses& classes() { return classes_; }

 private:
  int place_of(const Selector& selector) {
    const auto [entry, is_new] = place_.emplace(key_of(selector), std::ssize(classes_.sides));
    if (is_new) {
      const bool is_named = selector.type == SelectorType::kBody || selector.type == SelectorType::kGeometry;
      classes_.sides.push_back({is_named, {}, {}});
    }
    return entry->second;
  }

  void add_entry(const Selector& a, const Selector& b) {
    const int place_a = place_of(a);
    classes_.entries.push_back({place_a, place_of(b)});
  }

  void add_place(const SelectorKey& key, std::vector<int>* places) const {
    const auto found = place_.find(key);
    if (found != place_.end()) places->push_back(found->second);
  }

  PairClasses classes_;
  std::map<SelectorKey, int> place_;  // in classes_.sides
  std::map<std::tuple<int, ContactKind, std::vector<int>>, int> general_;
  std::map<std::pair<int, std::vector<int>>, int> class_;
};

}  // namespace

PairClasses classify_geometries(const Scene& scene, Model* model) {
  Classifier classifier(scene);
  PairClasses& classes = classifier.classes();
  int g = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    for (std::size_t i = 0; i < scene.bodies[b].geometry.size(); ++i, ++g) {
      const GeometrySpec& spec = scene.bodies[b].geometry[i];
      if (spec.contact == ContactKind::kNone) continue;
      const int index = classifier.class_of(spec, static_cast<int>(b), static_cast<int>(i));
      model->geometries[g].pair_class = index;
      const int weld_group = model->bodies[b].weld_group;
      if (classes.geometries[index].empty()) {
        classes.only_body.push_back(weld_group);
      } else if (classes.only_body[index] != weld_group) {
        classes.only_body[index] = -1;
      }
      classes.geometries[index].push_back(g);
      classes.geometries_of_general[classes.general_class[index]].push_back(g);
    }
  }
  return std::move(classes);
}

}  // namespace csim
