#include "study/ladders.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

/// The entry of `vary` that has the key.
const Vary& entry_of(const Study& study, const std::string& key) {
  const auto found = std::find_if(study.vary.begin(), study.vary.end(), [&](const Vary& entry) {
    return find_key(entry.rows.front(), key) != nullptr;
  });
  return found == study.vary.end() ? study.vary.front() : *found;
}

Assignment without(const Assignment& values, const Vary& entry) {
  Assignment rest;
  for (const KeyValue& one : values) {
    if (find_key(entry.rows.front(), one.key) == nullptr) rest.push_back(one);
  }
  return rest;
}

/// Rungs by falling h.
void sort_rungs(Ladder* ladder) {
  std::vector<std::size_t> order(ladder->h.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ladder->h[a] > ladder->h[b]; });
  Ladder sorted = *ladder;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.h[i] = ladder->h[order[i]];
    sorted.rungs[i] = ladder->rungs[order[i]];
    sorted.references[i] = ladder->references[order[i]];
  }
  *ladder = std::move(sorted);
}

void keep_last(std::size_t count, Ladder* ladder) {
  const auto cut = [&](auto* list) {
    if (list->size() > count) list->erase(list->begin(), list->end() - static_cast<std::ptrdiff_t>(count));
  };
  cut(&ladder->h);
  cut(&ladder->rungs);
  cut(&ladder->references);
}

void take_finest_as_reference(Ladder* ladder) {
  if (ladder->rungs.empty()) return;
  const int finest = ladder->rungs.back();
  ladder->rungs.pop_back();
  ladder->h.pop_back();
  ladder->references.assign(ladder->rungs.size(), finest);
}

std::string name_of(const Ladder& ladder) {
  const std::string where = describe(ladder.where);
  return where.empty() ? "" : " (" + where + ")";
}

void check(const Study& study, const Analysis& analysis, const Ladder& ladder, Problems* problems) {
  for (std::size_t i = 1; i < ladder.h.size(); ++i) {
    if (ladder.h[i] < ladder.h[i - 1] * (1.0 - 1e-9)) continue;
    problems->push_back({analysis.path + ".over", "two rungs of " + analysis.over + ": " +
                                                      write_flow(yaml_number(ladder.h[i])) + name_of(ladder) +
                                                      ", expected different values"});
    return;
  }
  if (study.reference_of(analysis).kind == ReferenceKind::kRichardson && !has_constant_ratio(ladder.h))
    problems->push_back(
        {analysis.path, "the finest three values of " + analysis.over + name_of(ladder) +
                            " have no constant ratio, which Richardson's extrapolation needs; "
                            "expected a geometric ladder"});
}

}  // namespace

bool has_constant_ratio(const std::vector<double>& h) {
  if (h.size() < 3) return true;
  const double* finest = h.data() + h.size() - 3;
  const double first = finest[0] / finest[1], second = finest[1] / finest[2];
  return std::abs(first - second) <= 1e-6 * std::abs(second);
}

std::vector<Ladder> build_ladders(const Study& study, int analysis_index, std::span<const Case> varied,
                                  const std::vector<int>& references, Problems* problems) {
  const Analysis& analysis = study.analyses[static_cast<std::size_t>(analysis_index)];
  const Vary& entry = entry_of(study, analysis.over);
  std::vector<Ladder> ladders;
  std::map<std::string, std::size_t> by_where;
  for (const Case& one : varied) {
    const KeyValue* over = find_key(one.values, analysis.over);
    const std::optional<double> h = over != nullptr ? number_of(over->value) : std::nullopt;
    if (!h || *h <= 0.0) {
      problems->push_back({analysis.path + ".over",
                           analysis.over + " is " + (over != nullptr ? write_flow(over->value) : "missing") +
                               " in case " + std::to_string(one.index) + ", expected numbers > 0 to refine"});
      return {};
    }
    const int reference = references[static_cast<std::size_t>(one.index)];
    const Assignment where = without(one.values, entry);
    const auto [place, is_new] = by_where.try_emplace(describe(where), ladders.size());
    if (is_new) {
      ladders.emplace_back();
      ladders.back().analysis = analysis_index;
      ladders.back().where = where;
    }
    if (reference == one.index) continue;
    Ladder& ladder = ladders[place->second];
    ladder.rungs.push_back(one.index);
    ladder.h.push_back(*h);
    ladder.references.push_back(reference);
  }
  for (Ladder& ladder : ladders) {
    sort_rungs(&ladder);
    if (study.reference_of(analysis).kind == ReferenceKind::kFinest) take_finest_as_reference(&ladder);
    if (analysis.last_rungs > 0) keep_last(static_cast<std::size_t>(analysis.last_rungs), &ladder);
    check(study, analysis, ladder, problems);
  }
  return ladders;
}

}  // namespace csim
