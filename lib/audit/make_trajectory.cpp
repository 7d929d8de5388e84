#include <array>
#include <cmath>
#include <tuple>

#include "audit/read_trajectory.h"
#include "core/nearest_name.h"
#include "core/number_format.h"
#include "record/errors.h"

namespace csim::audit {
namespace {

constexpr double kUnitTolerance = 1e-6;  // of normals: what single precision leaves of a unit vector

std::string shape_text(const std::vector<long>& shape) {
  std::string text = "[";
  for (const long extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

/// The numbers of rows, bodies, contacts and pairs of a file.
struct Counts {
  long rows = 0, bodies = 0, contacts = 0, pairs = 0;

  [[nodiscard]] std::vector<long> shape_of(const Dataset& dataset) const {
    std::vector<long> shape;
    switch (dataset.axes) {
      case Axes::kNone:
        break;
      case Axes::kRows:
        shape = {rows};
        break;
      case Axes::kBodies:
        shape = {bodies};
        break;
      case Axes::kRowsBodies:
        shape = {rows, bodies};
        break;
      case Axes::kContactOffsets:
      case Axes::kPairOffsets:
        shape = {rows + 1};
        break;
      case Axes::kContacts:
        shape = {contacts};
        break;
      case Axes::kPairs:
        shape = {pairs};
        break;
    }
    if (dataset.width > 0) shape.push_back(dataset.width);
    return shape;
  }
};

/// A file that has been checked, as accessors.
class Layout {
 public:
  explicit Layout(const Arrays& arrays) : arrays_(arrays) {
    require_groups();
    counts_.rows = first_extent("/time");
    counts_.bodies = first_extent("/body/name");
    if (has("/contact/row_offset")) counts_.contacts = first_extent("/contact/body_a");
    if (has("/pair/row_offset")) counts_.pairs = first_extent("/pair/body_a");
    for (const auto& [path, array] : arrays_.arrays) check(*find_dataset(path), array);
  }

  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] bool has(const std::string& path) const { return arrays_.arrays.count(path) > 0; }
  [[nodiscard]] const std::vector<double>& real(const std::string& path) const {
    return arrays_.arrays.at(path).values;
  }
  [[nodiscard]] const std::vector<std::string>& texts(const std::string& path) const {
    return arrays_.arrays.at(path).texts;
  }
  /// Entry or row `i` of a dataset; `missing` where there is none.
  [[nodiscard]] double number(const std::string& path, std::size_t i, double missing) const {
    return has(path) ? real(path)[i] : missing;
  }
  [[nodiscard]] Vector3 vector(const std::string& path, std::size_t i,
                               const Vector3& missing = Vector3::Zero()) const {
    return has(path) ? Vector3(Eigen::Map<const Vector3>(&real(path)[3 * i])) : missing;
  }
  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw InvalidResultError(arrays_.file + ": " + path + ": " + what);
  }

 private:
  /// Whether a dataset of the group is there.
  [[nodiscard]] bool has_group(const std::string& group) const {
    const auto next = arrays_.arrays.lower_bound(group);
    return next != arrays_.arrays.end() && next->first.starts_with(group);
  }

  /// What every file has; of a group that is there what its rows cannot do without.
  void require_groups() const {
    for (const Dataset& dataset : layout()) {
      const bool optional_group = dataset.need == Need::kWithGroup;
      const std::string path = dataset.path;
      const bool needed =
          dataset.need == Need::kAlways || (optional_group && has_group(path.substr(0, path.rfind('/') + 1)));
      if (needed && !has(path)) fail(path, std::string("is missing, expected by ") + kFormat);
    }
  }

  [[nodiscard]] long first_extent(const std::string& path) const {
    const std::vector<long>& shape = arrays_.arrays.at(path).shape;
    if (shape.size() != 1) fail(path, "has the shape " + shape_text(shape) + ", expected one axis");
    return shape[0];
  }

  void check(const Dataset& dataset, const Array& array) const {
    if (array.is_text != (dataset.element == Element::kText))
      fail(dataset.path, array.is_text ? "is text, expected numbers" : "is numbers, expected text");
    const std::vector<long> expected = counts_.shape_of(dataset);
    if (array.shape != expected)
      fail(dataset.path, "has the shape " + shape_text(array.shape) + ", expected " + shape_text(expected));
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const double value = array.values[i];
      if (!std::isfinite(value) && !(dataset.may_be_nan && std::isnan(value)))
        fail(dataset.path,
             "entry " + std::to_string(i) + " is " + format_number(value) + ", expected a number");
      if (dataset.element == Element::kIndex && value != std::floor(value))
        fail(dataset.path,
             "entry " + std::to_string(i) + " is " + format_number(value) + ", expected a whole number");
    }
  }

  const Arrays& arrays_;
  Counts counts_;
};

BodyMotion motion_of(const Layout& file, std::size_t body, double mass) {
  if (!file.has("/body/motion")) return mass > 0.0 ? BodyMotion::kFree : BodyMotion::kPrescribed;
  const std::string& word = file.texts("/body/motion")[body];
  const std::vector<std::string> words = {"free", "held", "prescribed"};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (word == words[i]) return static_cast<BodyMotion>(i);
  file.fail("/body/motion", "entry " + std::to_string(body) + " is '" + word +
                                "', expected free, held or prescribed" + did_you_mean(word, words));
}

AuditBody make_body(const Layout& file, std::size_t i) {
  AuditBody body;
  body.name = file.texts("/body/name")[i];
  body.mass = file.real("/body/mass")[i];
  body.com = file.vector("/body/com", i);
  const double* m = &file.real("/body/inertia")[6 * i];
  body.inertia << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
  body.motion = motion_of(file, i, body.mass);
  if (body.mass < 0.0 || (body.mass == 0.0 && body.motion == BodyMotion::kFree))
    file.fail("/body/mass",
              "of body '" + body.name + "' is " + format_number(body.mass) + ", expected > 0 (kg)");
  return body;
}

BodyState make_state(const Layout& file, std::size_t i) {
  BodyState state;
  state.position = file.vector("/trajectory/position", i);
  state.quaternion = Eigen::Map<const Eigen::Vector4d>(&file.real("/trajectory/quaternion")[4 * i]);
  state.velocity = file.vector("/trajectory/velocity", i);
  state.angular_velocity = file.vector("/trajectory/angular_velocity", i);
  state.applied_impulse = file.vector("/trajectory/applied_impulse", i);
  state.applied_angular_impulse = file.vector("/trajectory/applied_angular_impulse", i);
  if (state.quaternion.isZero(0.0))
    file.fail("/trajectory/quaternion", "row " + std::to_string(i) + " is zero, expected a rotation");
  return state;
}

/// The bodies of row i of a table.
std::pair<int, int> bodies_of(const Layout& file, const std::string& group, std::size_t i) {
  std::array<int, 2> bodies{};
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string path = group + (side == 0 ? "/body_a" : "/body_b");
    const double index = file.real(path)[i];
    if (index < kWorld || index >= static_cast<double>(file.counts().bodies))
      file.fail(path, "entry " + std::to_string(i) + " is " + format_number(index) +
                          ", expected -1 (world) to " + std::to_string(file.counts().bodies - 1));
    bodies[side] = static_cast<int>(index);
  }
  if (bodies[0] == bodies[1])
    file.fail(group + "/body_b", "entry " + std::to_string(i) + " is " + std::to_string(bodies[1]) +
                                     ", as body_a: a body has no contact with itself");
  return {bodies[0], bodies[1]};
}

AuditContact make_contact(const Layout& file, std::size_t i) {
  const Vector3 unknown = Vector3::Constant(kUnknown);
  AuditContact contact;
  std::tie(contact.a, contact.b) = bodies_of(file, "/contact", i);
  contact.point = file.vector("/contact/point", i);
  contact.normal = file.vector("/contact/normal", i);
  contact.impulse = file.vector("/contact/impulse", i);
  contact.moment = file.vector("/contact/moment", i);
  contact.impulse_on_a = file.vector("/contact/impulse_on_a", i, unknown);
  contact.surface_velocity = file.vector("/contact/surface_velocity", i);
  contact.gap = file.number("/contact/gap", i, kUnknown);
  contact.gap_end = file.number("/contact/gap_end", i, kUnknown);
  contact.friction = file.number("/contact/friction", i, kUnknown);
  contact.restitution = file.number("/contact/restitution", i, kUnknown);
  if (contact.has_normal() && std::abs(contact.normal.norm() - 1.0) > kUnitTolerance)
    file.fail("/contact/normal", "row " + std::to_string(i) + " has the length " +
                                     format_number(contact.normal.norm()) +
                                     ", expected a unit vector, or NaN");
  return contact;
}

PairImpulse make_pair_impulse(const Layout& file, std::size_t i) {
  const auto [a, b] = bodies_of(file, "/pair", i);
  return {a, b, file.vector("/pair/impulse", i)};
}

/// The rows of a ragged table, each made by `make`.
template <typename Row>
std::vector<std::vector<Row>> ragged(const Layout& file, const std::string& path, long count,
                                     Row (*make)(const Layout&, std::size_t)) {
  std::vector<std::vector<Row>> rows(static_cast<std::size_t>(file.counts().rows));
  if (!file.has(path)) return rows;
  const std::vector<double>& offset = file.real(path);
  const auto wrong = [&](std::size_t i, const std::string& expected) {
    file.fail(path,
              "entry " + std::to_string(i) + " is " + format_number(offset[i]) + ", expected " + expected);
  };
  if (offset[0] != 0.0) wrong(0, "0");
  for (std::size_t f = 0; f < rows.size(); ++f) {
    if (offset[f + 1] < offset[f] || offset[f + 1] > static_cast<double>(count))
      wrong(f + 1, "ascending numbers up to " + std::to_string(count));
    for (auto i = static_cast<std::size_t>(offset[f]); i < static_cast<std::size_t>(offset[f + 1]); ++i)
      rows[f].push_back(make(file, i));
  }
  if (offset.back() != static_cast<double>(count)) wrong(rows.size(), std::to_string(count));
  if (offset[1] != 0.0) wrong(1, "0: the initial state, row 0, ends no step");
  return rows;
}

void read_times(const Layout& file, Trajectory* trajectory) {
  trajectory->time = file.real("/time");
  if (trajectory->rows() < 2)
    file.fail("/time", "has " + std::to_string(trajectory->rows()) + " rows, expected 2 or more");
  for (std::size_t f = 1; f < trajectory->rows(); ++f)
    if (!(trajectory->time[f] > trajectory->time[f - 1]))
      file.fail("/time", "row " + std::to_string(f) + " is " + format_number(trajectory->time[f]) +
                             " after " + format_number(trajectory->time[f - 1]) +
                             ", expected ascending times (s)");
  trajectory->step = file.number("/step", 0, 0.0);
  if (trajectory->step < 0.0)
    file.fail("/step", "is " + format_number(trajectory->step) + ", expected >= 0 (s)");
}

}  // namespace

Trajectory make_trajectory(const Arrays& arrays) {
  const Layout file(arrays);
  Trajectory trajectory{.path = arrays.file, .format = kFormat, .program = arrays.program};
  read_times(file, &trajectory);
  trajectory.gravity = file.vector("/gravity", 0);
  const auto num_bodies = static_cast<std::size_t>(file.counts().bodies);
  for (std::size_t i = 0; i < num_bodies; ++i) trajectory.bodies.push_back(make_body(file, i));
  trajectory.states.resize(trajectory.rows());
  for (std::size_t f = 0; f < trajectory.rows(); ++f)
    for (std::size_t i = 0; i < num_bodies; ++i)
      trajectory.states[f].push_back(make_state(file, f * num_bodies + i));
  trajectory.contacts = ragged(file, "/contact/row_offset", file.counts().contacts, &make_contact);
  if (file.has("/pair/row_offset")) {
    trajectory.pairs = ragged(file, "/pair/row_offset", file.counts().pairs, &make_pair_impulse);
    // Sums by pair without contacts are those of contacts that the file leaves out.
    if (!file.has("/contact/row_offset")) trajectory.no_contacts = "the file holds no contacts (/contact)";
  }
  if (file.has("/energy/kinetic")) trajectory.kinetic = file.real("/energy/kinetic");
  if (file.has("/energy/potential")) trajectory.potential = file.real("/energy/potential");
  return trajectory;
}

}  // namespace csim::audit
