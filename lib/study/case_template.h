// Cases that differ in numbers that stand alone (number_keys.h): one scene is read and built, and the
// identities of the others follow from its text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/load_scene.h"
#include "scene/format/fields.h"
#include "scene/yaml/yaml_writer.h"
#include "study/number_keys.h"
#include "study/study.h"
#include "study/time_grid.h"

namespace csim {

/// Which keys of cases have numbers that stand alone.
class LoneKeys {
 public:
  /// `keys` of the cases.
  explicit LoneKeys(const std::vector<std::string>& keys);

  /// The row of each key of a case, or nullptr where its value here does not stand alone.
  [[nodiscard]] std::vector<const Field*> of(const Assignment& values) const;

  /// Takes a key from them.
  void remove(const std::string& key);

 private:
  struct Known {
    std::string path;
    const NumberKey* key;
    const Field* field;
  };
  std::vector<Known> known_;
};

class CaseTemplate {
 public:
  /// Of a scene that was read with `values`; those with a row in `lone` may change. Nothing, and the index of
  /// one of them in *culprit, when it is not a place of its own in the resolved scene.
  [[nodiscard]] static std::optional<CaseTemplate> make(
      const LoadedScene& loaded, const Assignment& values, const std::vector<const Field*>& lone,
      const std::function<std::string(const std::string&)>& digest, std::size_t* culprit);

  /// The identity (case_id.h) and the times of the case with these values, of the same keys; nothing for a
  /// run that is too long.
  struct Made {
    std::string identity;
    TimeGrid times;
  };
  [[nodiscard]] std::optional<Made> of(const Assignment& values) const;

 private:
  CaseTemplate(YamlForm form, std::string files, TimeGrid times)
      : form_(std::move(form)), files_(std::move(files)), times_(times) {}

  /// A number that changes: the index of its key, the time that it is, and how it follows from the key's.
  struct Place {
    std::size_t key = 0;
    double TimeGrid::*time = nullptr;
    double (*follow)(double) = nullptr;  // nullptr: it is the key's
  };

  YamlForm form_;
  std::string files_;
  TimeGrid times_;
  std::vector<Place> places_;  // those of the form
};

}  // namespace csim
