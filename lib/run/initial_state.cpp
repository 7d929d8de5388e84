#include "run/initial_state.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/number_format.h"
#include "record/reader.h"
#include "scene/type_names.h"

namespace csim {
namespace {

constexpr const char* kFile = "initial.from";

long place_of(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : found - names.begin();
}

/// The row at `time`, to 1e-9 of it; nothing after a report.
std::optional<long> find_row(const ResultFile& result, const std::optional<double>& time,
                             Problems* problems) {
  const std::vector<double> times = result.real("/trajectory/time", 0, result.rows().frames);
  if (times.empty()) {
    problems->push_back({kFile, result.path() + ": has no rows, expected a result with one at least"});
    return std::nullopt;
  }
  if (!time) return static_cast<long>(times.size()) - 1;
  const auto distance = [&](double t) { return std::abs(t - *time); };
  const auto nearest = std::min_element(times.begin(), times.end(),
                                        [&](double a, double b) { return distance(a) < distance(b); });
  if (distance(*nearest) <= 1e-9 * std::max(1.0, *time)) return nearest - times.begin();
  problems->push_back({"initial.time", format_number(*time) + " s, expected the time of a row of " +
                                           result.path() + " (the nearest is " + format_number(*nearest) +
                                           " s)"});
  return std::nullopt;
}

/// One row of a result, and where things stand in it.
class Row {
 public:
  Row(const ResultFile& result, long row)
      : result_(result),
        row_(row),
        bodies_(result.texts("/bodies/name")),
        joints_(result.texts("/joints/name")),
        types_(result.texts("/joints/type")),
        q_offset_(result.integer("/joints/q_offset")),
        v_offset_(result.integer("/joints/v_offset")),
        position_(read("/trajectory/position")),
        quaternion_(read("/trajectory/quaternion")),
        velocity_(read("/trajectory/velocity")),
        angular_velocity_(read("/trajectory/angular_velocity")),
        joint_position_(read("/joint/position")),
        joint_velocity_(read("/joint/velocity")) {}

  /// q = (quaternion, position), v = (angular velocity, velocity), world axes; false without the body.
  bool set_free_body(const Body& body, State* state) const {
    const long b = place_of(body.name, bodies_);
    if (b < 0) return false;
    auto q = state->q.segment(body.joint.q_begin, 7), v = state->v.segment(body.joint.v_begin, 6);
    for (int i = 0; i < 4; ++i) q[i] = quaternion_.at(static_cast<std::size_t>(4 * b + i));
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(3 * b + i);
      q[4 + i] = position_.at(at);
      v[i] = angular_velocity_.at(at);
      v[3 + i] = velocity_.at(at);
    }
    return true;
  }

  /// False without the joint, or with *fault where it is of another type, whose coordinates mean other
  /// things.
  bool set_joint(const std::string& name, const Joint& joint, State* state, std::string* fault) const {
    const long found = place_of(name, joints_);
    if (found < 0) return false;
    const auto j = static_cast<std::size_t>(found);
    if (types_.at(j) != type_name(joint.type)) {
      *fault = "joint '" + name + "' is of type " + types_.at(j) + " there, " + type_name(joint.type) +
               " in the scene; expected the same";
      return false;
    }
    for (int i = 0; i < joint.nq; ++i)
      state->q[joint.q_begin + i] = joint_position_.at(static_cast<std::size_t>(q_offset_[j] + i));
    for (int i = 0; i < joint.nv; ++i)
      state->v[joint.v_begin + i] = joint_velocity_.at(static_cast<std::size_t>(v_offset_[j] + i));
    return true;
  }

 private:
  [[nodiscard]] std::vector<double> read(const std::string& path) const {
    return result_.real(path, row_, 1);
  }

  const ResultFile& result_;
  long row_;
  std::vector<std::string> bodies_, joints_, types_;
  std::vector<std::int64_t> q_offset_, v_offset_;
  std::vector<double> position_, quaternion_, velocity_, angular_velocity_, joint_position_, joint_velocity_;
};

void note_constraints(const std::string& which, const std::string& names, std::vector<std::string>* notes) {
  if (!names.empty()) notes->push_back("initial: " + which + ": " + names);
}

/// Constraints that are gone in the row, of the same names and types, where the scene lets them break.
void set_broken(const ResultFile& result, long row, const Scene& scene, State* state,
                std::vector<std::string>* notes) {
  if (!result.has("/constraint/broken")) return;
  const std::vector<std::string> names = result.texts("/constraint/name"),
                                 types = result.texts("/constraint/type");
  const std::vector<std::int64_t> broken = result.integer("/constraint/broken", row, 1);
  std::string gone, whole, others;
  for (std::size_t i = 0; i < scene.constraints.size(); ++i) {
    const ConstraintSpec& spec = scene.constraints[i];
    const long found = place_of(spec.name, names);
    if (found < 0 || broken.at(static_cast<std::size_t>(found)) == 0) continue;
    const std::string& type = types.at(static_cast<std::size_t>(found));
    const bool is_same = type == type_name(spec.type), breaks = spec.breaking_load || spec.breaking_torque;
    if (is_same && breaks) state->broken[i] = 1;
    std::string& names_of_kind = !is_same ? others : breaks ? gone : whole;
    names_of_kind += (names_of_kind.empty() ? "" : ", ") + spec.name;
    if (!is_same) others += std::string(" (there ") + type + ", here " + type_name(spec.type) + ")";
  }
  note_constraints("these are broken in " + result.path() + " and start so", gone, notes);
  note_constraints(
      "these broke in " + result.path() + " and start whole, without `breaking_load` in the scene", whole,
      notes);
  note_constraints("these broke in " + result.path() + " and start whole, of another type", others, notes);
}

void set_from(const ResultFile& result, const Scene& scene, const Model& model, State* state,
              Problems* problems, std::vector<std::string>* notes) {
  const std::optional<long> found = find_row(result, scene.initial.time, problems);
  if (!found) return;
  const Row row(result, *found);
  int num_set = 0;
  std::string missing;
  for (const Body& body : model.bodies) {
    const Joint& joint = body.joint;
    if (joint.nq == 0) continue;
    const bool is_free = joint.scene_joint < 0;
    const std::string& name =
        is_free ? body.name : scene.joints[static_cast<std::size_t>(joint.scene_joint)].name;
    std::string fault;
    if (is_free ? row.set_free_body(body, state) : row.set_joint(name, joint, state, &fault)) {
      ++num_set;
    } else if (!fault.empty()) {
      problems->push_back({kFile, result.path() + ": " + fault});
    } else {
      missing += (missing.empty() ? "" : ", ") + name;
    }
  }
  if (num_set == 0 && problems->empty())
    problems->push_back({kFile, result.path() + ": has no body and no joint with a name of the scene"});
  if (num_set > 0 && !missing.empty())
    notes->push_back("initial: these are not in " + result.path() +
                     " and start as the scene says: " + missing);
  set_broken(result, *found, scene, state, notes);
}

}  // namespace

void set_initial_state(const Scene& scene, const Model& model, State* state, Problems* problems,
                       std::vector<std::string>* notes) {
  if (scene.initial.from.empty()) return;
  const std::string& file = scene.initial.resolved_from;
  try {
    read_result(file,
                [&](const ResultFile& result) { set_from(result, scene, model, state, problems, notes); });
  } catch (const std::runtime_error& error) {  // the reader's
    problems->push_back({kFile, error.what()});
  }
}

}  // namespace csim
