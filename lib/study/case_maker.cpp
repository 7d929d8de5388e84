#include "study/case_maker.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include "core/sha256.h"
#include "run/signals.h"
#include "scene/yaml/yaml_writer.h"
#include "study/case_id.h"
#include "study/parallel_ranges.h"
#include "study/reference_keys.h"

namespace csim {
namespace {

constexpr std::size_t kIdDigits = 12;

std::uint64_t number_of_id(const std::string& id) {
  std::uint64_t number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number, 16);
  return number;
}

std::string id_of_number(std::uint64_t number) {
  std::string id(kIdDigits, '0');
  for (std::size_t i = kIdDigits; i-- > 0; number >>= 4) id[i] = "0123456789abcdef"[number & 15];
  return id;
}

/// What cases have in common that differ in numbers that stand alone and in what is said of their reference:
/// the names of these keys and all other values.
std::string group_of(const Assignment& values, const std::vector<const Field*>& lone) {
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += values[k].key;
    if (lone[k] == nullptr && !is_reference_key(values[k].key)) text += "=" + write_flow(values[k].value);
    text += '\n';
  }
  return text;
}

std::vector<std::string> keys_of(const std::vector<Assignment>& all) {
  std::set<std::string> keys;
  for (const Assignment& values : all)
    for (const KeyValue& one : values) keys.insert(one.key);
  return {keys.begin(), keys.end()};
}

/// The indices of the cases of each group, in their order.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Assignment>& all, const LoneKeys& lone) {
  std::vector<std::string> names(all.size());
  parallel_ranges(all.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) names[i] = group_of(all[i], lone.of(all[i]));
  });
  std::vector<std::vector<std::size_t>> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [place, is_new] = known.try_emplace(std::move(names[i]), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(i);
  }
  return groups;
}

}  // namespace

std::vector<int> CaseMaker::make(std::vector<Assignment> all, CaseRole role) {
  std::vector<Draft> drafts(all.size());
  cases_.reserve(cases_.size() + all.size());
  draft(all, &drafts);
  std::vector<int> indices;
  for (std::size_t i = 0; i < all.size(); ++i) {
    stop_when_asked();
    const std::optional<Draft> one = drafts[i].faults != nullptr ? drafts[i] : read(all[i]);
    indices.push_back(one ? place(*one, std::move(all[i]), role) : -1);
  }
  if (cases_.empty() && !all.empty()) check_measures(all.front());
  return indices;
}

std::vector<std::string> CaseMaker::files() const {
  std::vector<std::string> files;
  for (const auto& [file, digest] : digests_) files.push_back(file);
  return files;
}

/// Makes the drafts of the groups that are large; without a key that turns out not to stand alone, again.
void CaseMaker::draft(const std::vector<Assignment>& all, std::vector<Draft>* drafts) {
  LoneKeys lone(keys_of(all));
  for (std::string culprit;; lone.remove(culprit)) {
    culprit.clear();
    for (const std::vector<std::size_t>& group : groups_of(all, lone))
      if (culprit.empty()) draft_group(all, group, lone, drafts, &culprit);
    if (culprit.empty()) return;
  }
}

/// Leaves the group as it is when it is small or its scene has problems: they are told in the order of the
/// cases.
void CaseMaker::draft_group(const std::vector<Assignment>& all, const std::vector<std::size_t>& group,
                            const LoneKeys& lone_keys, std::vector<Draft>* drafts, std::string* culprit) {
  const Assignment& first = all[group.front()];
  const std::vector<const Field*> lone = lone_keys.of(first);
  const auto num_lone = static_cast<std::size_t>(
      std::count_if(lone.begin(), lone.end(), [](const Field* field) { return field != nullptr; }));
  const bool is_worth_it = num_lone > 0 && group.size() > 2 * (num_lone + 2);  // scenes that are read anyway
  if (!is_worth_it || (*drafts)[group.front()].faults != nullptr) return;
  Diagnostics problems;
  const auto loaded = load(first, &problems);
  if (!loaded) return;
  std::size_t k = first.size();
  const auto form = CaseTemplate::make(
      *loaded, first, lone, [this](const std::string& file) { return digest_of(file); }, &k);
  if (!form || !is_right(*form, all, group, lone, &k)) {
    if (k < first.size()) *culprit = first[k].key;
    return;
  }
  const Faults* faults = keep(faults_of(*loaded));
  parallel_ranges(group.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end && received_signal() == 0; ++g) {
      const auto made = form->of(all[group[g]]);
      if (made) (*drafts)[group[g]] = {number_of_id(case_id(made->identity)), made->times, faults};
    }
  });
  stop_when_asked();
}

/// Whether the form agrees with scenes that are read: with each key changed alone, and the last one.
bool CaseMaker::is_right(const CaseTemplate& form, const std::vector<Assignment>& all,
                         const std::vector<std::size_t>& group, const std::vector<const Field*>& lone,
                         std::size_t* culprit) {
  const auto agrees = [&](const Assignment& values) {
    const auto made = form.of(values);
    Diagnostics problems;
    const auto loaded = load(values, &problems);
    return !made ||
           (loaded && made->identity == identity_of(*loaded) && made->times == time_grid(loaded->read.scene));
  };
  const Assignment& first = all[group.front()];
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (lone[k] == nullptr) continue;
    const auto other = std::find_if(group.begin(), group.end(), [&](std::size_t i) {
      return all[i][k].value.text != first[k].value.text;
    });
    if (other == group.end()) continue;
    Assignment changed = first;
    changed[k].value = all[*other][k].value;
    *culprit = k;
    if (!agrees(changed)) return false;
  }
  *culprit = first.size();
  return agrees(all[group.back()]);
}

std::optional<LoadedScene> CaseMaker::load(const Assignment& values, Diagnostics* problems) {
  ++num_read_;
  return load_scene(study_.scene, overrides_of(study_, values), problems);
}

/// Reads and builds the scene of one case; nothing after a report.
std::optional<CaseMaker::Draft> CaseMaker::read(const Assignment& values) {
  Diagnostics found;
  const auto loaded = load(values, &found);
  if (!loaded) {
    report(found, values);
    return std::nullopt;
  }
  const std::string identity = identity_of(*loaded);
  return Draft{number_of_id(case_id(identity)), time_grid(loaded->read.scene), keep(faults_of(*loaded))};
}

int CaseMaker::place(const Draft& draft, Assignment values, CaseRole role) {
  const Place place{draft.id, number_of_reference(values)};
  const auto [known, is_new] = index_.try_emplace(place, static_cast<int>(cases_.size()));
  const int index = known->second;
  if (!is_new) return index;
  report(*draft.faults, index == 0 ? "" : " (case " + std::to_string(index) + ")");
  cases_.push_back({index, id_of_number(draft.id), role, std::move(values), draft.times});
  return index;
}

/// Where no case has a scene: what measures ask in vain of that without the keys that brought problems.
void CaseMaker::check_measures(const Assignment& values) {
  Assignment good = with_changes(study_.set, values);
  std::erase_if(good, [&](const KeyValue& one) { return faulty_keys_.count(one.key) > 0; });
  Diagnostics ignored;  // they are told
  if (const auto loaded = load_scene(study_.scene, as_overrides(good), &ignored))
    report(faults_of(*loaded), "");
}

void CaseMaker::report(const Faults& faults, const std::string& note) {
  for (const auto& [m, fault] : faults) {
    const Measure& measure = study_.measures[static_cast<std::size_t>(m)];
    if (reported_.insert(measure.name + fault.message).second)
      report({measure.path + "." + fault.part, fault.message + note});
  }
}

/// The same for cases of which the same is said of their reference.
int CaseMaker::number_of_reference(const Assignment& values) {
  const Assignment said = reference_values(values);
  if (said.empty()) return 0;
  return said_.try_emplace(describe(said), static_cast<int>(said_.size()) + 1).first->second;
}

/// What measures ask of a scene in vain; the units and shapes of all measures.
CaseMaker::Faults CaseMaker::faults_of(const LoadedScene& loaded) {
  const ResultLayout layout = layout_of(loaded.read.scene, loaded.model);
  Faults faults;
  std::vector<std::string> units;
  std::vector<RowShape> shapes;
  for (std::size_t m = 0; m < study_.measures.size(); ++m) {
    const Measure& measure = study_.measures[m];
    if (measure.expression) {
      units.push_back(measure.units);
      shapes.emplace_back();
      continue;
    }
    const std::optional<MeasureFault> fault = check_measure(measure.spec, layout);
    units.push_back(fault ? "" : measure_unit(measure.spec, layout));
    shapes.push_back(fault ? RowShape{} : row_shape(measure.spec, layout));
    if (fault) faults.emplace_back(static_cast<int>(m), *fault);
  }
  if (units_.empty()) units_ = units, shapes_ = shapes;
  return faults;
}

const CaseMaker::Faults* CaseMaker::keep(Faults faults) {
  static const Faults kNone;
  return faults.empty() ? &kNone : &kept_faults_.emplace_back(std::move(faults));
}

std::string CaseMaker::identity_of(const LoadedScene& loaded) {
  return identity_text(loaded, [this](const std::string& file) { return digest_of(file); });
}

/// Files of meshes are the same in most cases.
std::string CaseMaker::digest_of(const std::string& file) {
  const auto [place, is_new] = digests_.try_emplace(file);
  if (is_new) place->second = sha256_of_file(file).value_or("");
  return place->second;
}

/// Problems of a scene, at the place in the study whose key brings them, else in the scene.
void CaseMaker::report(const Diagnostics& found, const Assignment& values) {
  const Assignment all = with_changes(study_.set, values);
  for (const Diagnostic& one : found) {
    const std::string prefix = "--set ";
    const KeyValue* cause =
        one.file.starts_with(prefix) ? find_key(all, one.file.substr(prefix.size())) : nullptr;
    if (cause == nullptr) {
      add(one);
      continue;
    }
    faulty_keys_.insert(cause->key);
    const bool at_key = one.column <= static_cast<int>(cause->key.size());
    const std::string value = at_key ? "" : " (" + cause->key + ": " + write_flow(cause->value) + ")";
    add(study_.source.at(at_key ? cause->key_mark : cause->value.mark, one.path, one.message + value));
  }
}

void CaseMaker::add(const Diagnostic& one) {
  if (told_.insert({one.file, one.line, one.column, one.path + one.message}).second)
    diagnostics_->push_back(one);
}

}  // namespace csim
