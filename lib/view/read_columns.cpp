#include "view/read_columns.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "record/block_reader.h"

namespace csim {
namespace {

/// Columns [begin, begin + count) of a dataset, for an item.
struct Source {
  std::size_t item;
  long begin, count;
};

struct Dataset {
  std::string path;
  std::vector<Source> sources;
};

const std::vector<std::string> kAxes = {"x", "y", "z"};

/// Names of the coordinates of a joint.
std::vector<std::string> coordinate_names(const std::string& type, long count) {
  if (count == 1) return {""};
  if (type == "planar") return {"x", "y", "angle"};
  if (type == "universal") return {"about x", "about y"};
  if (count == 3) return kAxes;
  if (count == 4) return {"qw", "qx", "qy", "qz"};
  if (count == 6) return {"about x", "about y", "about z", "x", "y", "z"};
  if (count == 7) return {"qw", "qx", "qy", "qz", "x", "y", "z"};
  std::vector<std::string> names;
  for (long k = 0; k < count; ++k) names.push_back(std::to_string(k));
  return names;
}

/// Neighbouring columns of one unit share a plot.
void add_groups(const std::string& title, const std::vector<std::string>& names,
                const std::vector<std::string>& units, ViewColumnItem* item) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k == 0 || units[k] != units[k - 1]) item->groups.push_back({title, units[k], {}});
    item->groups.back().curves.push_back(names[k]);
  }
}

class Reading {
 public:
  explicit Reading(const ResultFile& result) : result_(result) {}

  void add_bodies(const std::vector<int>& bodies) {
    const auto names = result_.texts("/bodies/name");
    Dataset position{"/trajectory/position", {}}, velocity{"/trajectory/velocity", {}},
        spin{"/trajectory/angular_velocity", {}};
    for (const int body : bodies) {
      for (Dataset* dataset : {&position, &velocity, &spin})
        dataset->sources.push_back({columns_.items.size(), 3L * body, 3});
      columns_.items.push_back({ViewColumnItem::Kind::kBody,
                                names.at(body),
                                body,
                                {{"Position of the origin", "m", kAxes},
                                 {"Velocity of the origin", "m/s", kAxes},
                                 {"Angular velocity", "rad/s", kAxes}},
                                {}});
    }
    for (Dataset& dataset : {std::ref(position), std::ref(velocity), std::ref(spin)})
      datasets_.push_back(std::move(dataset));
  }

  void add_joints() {
    if (!result_.has("/joint/position")) return;
    const auto names = result_.texts("/joints/name");
    const auto types =
        result_.has("/joints/type") ? result_.texts("/joints/type") : std::vector<std::string>(names.size());
    std::vector<Dataset> parts;
    const std::size_t first = columns_.items.size();
    for (std::size_t j = 0; j < names.size(); ++j)
      columns_.items.push_back({ViewColumnItem::Kind::kJoint, names[j], static_cast<int>(j), {}, {}});
    for (const auto& [title, quantity, offsets] : {std::tuple{"Position", "position", "/joints/q_offset"},
                                                   {"Velocity", "velocity", "/joints/v_offset"},
                                                   {"Effort", "effort", "/joints/v_offset"}}) {
      Dataset dataset{std::string("/joint/") + quantity, {}};
      const long width = result_.dataset(dataset.path).shape.at(1);
      const auto offset = result_.offsets(offsets, names.size(), width);
      const auto units = units_of(dataset.path, width);
      for (std::size_t j = 0; j < names.size(); ++j) {
        const long begin = offset[j], count = offset[j + 1] - begin;
        add_groups(title, coordinate_names(types.at(j), count),
                   {units.begin() + begin, units.begin() + begin + count}, &columns_.items[first + j]);
        dataset.sources.push_back({first + j, begin, count});
      }
      datasets_.push_back(std::move(dataset));
    }
  }

  void add_actuators() {
    if (!result_.has("/actuator/command")) return;
    const auto names = result_.texts("/actuator/name");
    const std::size_t first = columns_.items.size();
    for (std::size_t a = 0; a < names.size(); ++a)
      columns_.items.push_back({ViewColumnItem::Kind::kActuator, names[a], static_cast<int>(a), {}, {}});
    for (const auto& [title, path] :
         {std::pair{"Command", "/actuator/command"}, {"Effort", "/actuator/effort"}}) {
      Dataset dataset{path, {}};
      const auto units = units_of(path, static_cast<long>(names.size()));
      for (std::size_t a = 0; a < names.size(); ++a) {
        columns_.items[first + a].groups.push_back({title, units[a], {""}});
        dataset.sources.push_back({first + a, static_cast<long>(a), 1});
      }
      datasets_.push_back(std::move(dataset));
    }
  }

  ViewColumns read(long first, long last, std::size_t max_bytes) {
    const auto times = result_.real("/trajectory/time");
    long stride = 1;
    const auto rows = static_cast<std::size_t>(last - first + 1);
    if (max_bytes > 0)
      stride = static_cast<long>((rows * row_bytes() + max_bytes - 1) / std::max<std::size_t>(max_bytes, 1));
    stride = std::max(stride, 1L);
    std::vector<long> chosen;
    for (long row = first; row <= last; row += stride) chosen.push_back(row);
    if (chosen.back() != last) chosen.push_back(last);
    for (const long row : chosen) columns_.time.push_back(times.at(row));
    for (ViewColumnItem& item : columns_.items) item.values.resize(num_curves(item) * chosen.size());
    std::vector<std::size_t> filled(columns_.items.size(), 0);  // curves of each item
    for (const Dataset& dataset : datasets_) read_dataset(dataset, chosen, &filled);
    return std::move(columns_);
  }

 private:
  static std::size_t num_curves(const ViewColumnItem& item) {
    std::size_t count = 0;
    for (const ViewColumnGroup& group : item.groups) count += group.curves.size();
    return count;
  }

  [[nodiscard]] std::size_t row_bytes() const {
    std::size_t numbers = 0;
    for (const ViewColumnItem& item : columns_.items) numbers += num_curves(item);
    return sizeof(float) * numbers;
  }

  /// One a column.
  [[nodiscard]] std::vector<std::string> units_of(const std::string& path, long width) const {
    std::vector<std::string> units = result_.units(path);
    if (units.size() == 1) units.resize(width, units.front());
    units.resize(width);
    return units;
  }

  void read_dataset(const Dataset& dataset, const std::vector<long>& rows, std::vector<std::size_t>* filled) {
    if (dataset.sources.empty()) return;
    BlockReader reader(result_, dataset.path);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::span<const double> row = reader.row(rows[r]);
      for (const Source& source : dataset.sources) {
        float* values = &columns_.items[source.item].values[(*filled)[source.item] * rows.size() + r];
        for (long k = 0; k < source.count; ++k)
          values[k * rows.size()] = static_cast<float>(row[source.begin + k]);
      }
    }
    for (const Source& source : dataset.sources) (*filled)[source.item] += source.count;
  }

  const ResultFile& result_;
  ViewColumns columns_;
  std::vector<Dataset> datasets_;
};

}  // namespace

ViewColumns read_columns(const ResultFile& result, const std::vector<int>& bodies, long first, long last,
                         std::size_t max_bytes) {
  Reading reading(result);
  reading.add_bodies(bodies);
  reading.add_joints();
  reading.add_actuators();
  return reading.read(first, last, max_bytes);
}

}  // namespace csim
