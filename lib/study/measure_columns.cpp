#include "study/measure_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/nearest_name.h"
#include "core/number_format.h"

namespace csim {
namespace {

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

long index_of(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : found - names.begin();
}

/// " (output.contacts: true records it)" for a dataset of a group that is not `known` and that other keys of
/// the scene would record, or "".
std::string recorded_by(const std::string& path, const std::vector<std::string>& known) {
  constexpr std::array<std::pair<const char*, const char*>, 5> kKeys = {
      {{"/contact/", "output.contacts: true"},
       {"/patch/face/", "output.patches: full"},
       {"/patch/polygon/", "output.patches: full"},
       {"/patch/", "output.patches: summary"},
       {"/stats/iteration/", "output.iterations: true"}}};
  for (const auto& [group, key] : kKeys) {
    if (!path.starts_with(group)) continue;
    const std::string_view name(group + 1);  // without the slash
    const bool is_recorded = std::any_of(known.begin(), known.end(),
                                         [&](const std::string& one) { return one.starts_with(name); });
    if (!is_recorded) return std::string(" (") + key + " records " + group + ")";
  }
  return "";
}

/// Finds a measure's columns part by part; the first fault ends it.
class ColumnSearch {
 public:
  ColumnSearch(const MeasureSpec& measure, const ResultLayout& layout, MeasureFault* fault)
      : measure_(measure), layout_(layout), fault_(fault) {}

  std::optional<MeasureColumns> run() {
    if (!find_dataset() || !find_item() || !find_pair() || !find_component() || !check_reduction())
      return std::nullopt;
    return columns_;
  }

 private:
  bool refuse(const std::string& part, const std::string& message) {
    *fault_ = {part, message};
    return false;
  }

  bool find_dataset() {
    columns_.path = (measure_.dataset.starts_with('/') ? "" : "/") + measure_.dataset;
    const auto found = layout_.columns.find(columns_.path);
    if (found == layout_.columns.end()) {
      std::vector<std::string> known;
      for (const auto& [path, column] : layout_.columns) known.push_back(path.substr(1));
      const std::string near = did_you_mean(columns_.path.substr(1), known);
      return refuse("dataset",
                    "'" + measure_.dataset + "', expected a dataset that the result has rows of" +
                        (near.empty() ? recorded_by(columns_.path, known) + columns_of_group(known) : near));
    }
    column_ = &found->second;
    if (column_->is_text) return refuse("dataset", "'" + measure_.dataset + "' holds text, expected numbers");
    columns_.table = column_->table;
    for (const long extent : column_->row_shape) columns_.width *= extent;
    return true;
  }

  /// ": area, centroid, .." of the group that the dataset names, where the result has it.
  [[nodiscard]] std::string columns_of_group(const std::vector<std::string>& known) const {
    const std::string group = columns_.path.substr(1, columns_.path.rfind('/'));  // "patch/"
    std::string list;
    for (const std::string& path : known)
      if (path.starts_with(group) && path.find('/', group.size()) == std::string::npos)
        list += (list.empty() ? "" : ", ") + path.substr(group.size());
    return group.empty() || list.empty() ? "" : "; " + group + " has " + list;
  }

  bool find_item() {
    const std::optional<ColumnOwners> owners = layout_.owners(columns_.path);
    if (!owners) {
      return measure_.item.empty() || refuse("item", "'" + measure_.item + "', but the rows of " +
                                                         measure_.dataset + " belong to no item");
    }
    if (measure_.item.empty())
      return refuse("item", "missing: " + measure_.dataset +
                                " has columns of several things, expected the name of one");
    const long item = index_of(measure_.item, owners->names);
    if (item < 0)
      return refuse("item", "'" + measure_.item + "' has no columns in " + measure_.dataset +
                                did_you_mean(measure_.item, owners->names));
    columns_.begin = owners->offsets[item];
    columns_.width = owners->offsets[item + 1] - columns_.begin;
    if (columns_.width == 0)
      return refuse("item", "'" + measure_.item + "' has no columns in " + measure_.dataset);
    return true;
  }

  /// The bodies (of /pair) or geometries that a name of the pair means.
  bool find_side(const std::string& name, std::vector<bool>* side) {
    const std::vector<std::string>& bodies = layout_.body_q.names;
    const bool of_bodies = columns_.table == Table::kPairs;
    const long body = index_of(name, bodies);
    side->assign(of_bodies ? bodies.size() : layout_.geometries.size(), false);
    if (body >= 0) {
      for (std::size_t i = 0; i < side->size(); ++i)
        (*side)[i] = (of_bodies ? static_cast<long>(i) : layout_.geometry_body[i]) == body;
      return true;
    }
    const long geometry = of_bodies ? -1 : index_of(name, layout_.geometries);
    if (geometry >= 0) {
      (*side)[geometry] = true;
      return true;
    }
    std::vector<std::string> known = bodies;
    if (!of_bodies) known.insert(known.end(), layout_.geometries.begin(), layout_.geometries.end());
    return refuse("pair", "'" + name + "', expected a body" + (of_bodies ? "" : " or body/geometry") +
                              " of the scene" + did_you_mean(name, known));
  }

  bool find_pair() {
    const bool has_pairs = columns_.table == Table::kContacts || columns_.table == Table::kPatches ||
                           columns_.table == Table::kPairs;
    const bool has_rows = columns_.table == Table::kFrames || columns_.table == Table::kSteps ||
                          columns_.table == Table::kEvents || columns_.table == Table::kWarnings;
    if (!has_pairs && !has_rows)
      return refuse("dataset", "'" + measure_.dataset +
                                   "' has rows of another table's rows, expected one with rows in time");
    if (!has_pairs)
      return measure_.pair.empty() ||
             refuse("pair", "the rows of " + measure_.dataset + " belong to no pair");
    if (measure_.pair.size() != 2)
      return refuse("pair", "missing: " + measure_.dataset +
                                " has rows of several pairs, expected the names of two bodies or geometries");
    if (!find_side(measure_.pair[0], &columns_.first) || !find_side(measure_.pair[1], &columns_.second))
      return false;
    for (std::size_t i = 0; i < columns_.first.size(); ++i) {
      if (columns_.first[i] && columns_.second[i])
        return refuse("pair", "'" + measure_.pair[0] + "' and '" + measure_.pair[1] + "' are not two bodies");
    }
    const std::string quantity = columns_.path.substr(columns_.path.rfind('/') + 1);
    columns_.turns = is_one_of(quantity, {"force", "elastic_force", "moment", "elastic_moment", "impulse",
                                          "normal", "slip_velocity"});
    columns_.rule =
        is_one_of(quantity, {"force", "normal_force", "elastic_force", "area", "moment", "elastic_moment"})
            ? RowRule::kSum
        : quantity == "phi" ? RowRule::kSmallest
                            : RowRule::kLargest;
    return true;
  }

  bool find_component() {
    const std::string& word = measure_.component;
    const std::vector<std::string> letters = columns_.width == 3 ? std::vector<std::string>{"x", "y", "z"}
                                             : columns_.width == 4
                                                 ? std::vector<std::string>{"w", "x", "y", "z"}
                                                 : std::vector<std::string>{};
    std::string expected;
    for (const std::string& letter : letters) expected += letter + ", ";
    expected += "norm or an index from 0 to " + std::to_string(columns_.width - 1);
    if (word == "norm") {
      columns_.norm = true;
    } else if (!word.empty()) {
      long index = index_of(word, letters);
      const char* const end = word.data() + word.size();
      if (index < 0 && std::from_chars(word.data(), end, index).ptr != end) index = -1;
      if (index < 0 || index >= columns_.width)
        return refuse("component", "'" + word + "', expected " + expected);
      columns_.component = index;
    } else if (columns_.width == 1) {
      columns_.component = 0;
    } else if (measure_.reduce != Reduction::kDifference) {
      return refuse("component", "missing: a row has " + std::to_string(columns_.width) +
                                     " numbers, expected " + expected);
    }
    find_unit();
    return !columns_.unit.empty() ||
           refuse("component", "the numbers of a row have several units, expected an index from 0 to " +
                                   std::to_string(columns_.width - 1));
  }

  void find_unit() {
    const auto unit = [&](long column) {
      return column_->units.size() == 1
                 ? column_->units[0]
                 : column_->units.at(static_cast<std::size_t>(columns_.begin + column));
    };
    columns_.unit = unit(columns_.component.value_or(0));
    for (long i = 0; !columns_.component && i < columns_.width; ++i)
      if (unit(i) != columns_.unit) columns_.unit.clear();
    const bool of_poses =
        is_one_of(columns_.path, {"/trajectory/quaternion", "/trajectory/q", "/joint/position"});
    columns_.is_quaternion =
        of_poses && columns_.width == 4 && columns_.unit == "1" && !columns_.component && !columns_.norm;
  }

  bool check_reduction() {
    if (has_argument(measure_.reduce) && !std::isfinite(measure_.argument))
      return refuse("reduce", std::string(to_string(measure_.reduce)) + " of a number that is not finite");
    if (!measure_.window) return true;
    const auto& [from, to] = *measure_.window;
    return (std::isfinite(from) && std::isfinite(to) && from <= to) ||
           refuse("window",
                  format_text("[%g, %g], expected two times, s, the first before the second", from, to));
  }

  const MeasureSpec& measure_;
  const ResultLayout& layout_;
  MeasureFault* fault_;
  const ResultLayout::Column* column_ = nullptr;
  MeasureColumns columns_;
};

}  // namespace

std::optional<MeasureColumns> find_columns(const MeasureSpec& measure, const ResultLayout& layout,
                                           MeasureFault* fault) {
  return ColumnSearch(measure, layout, fault).run();
}

}  // namespace csim
