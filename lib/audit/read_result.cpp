// A result of csim as a trajectory: geometry of a contact at the start of its step, forces over the step.
#include <algorithm>
#include <map>

#include "audit/read_trajectory.h"
#include "record/errors.h"
#include "run/recorded_scene.h"
#include "step/event.h"

namespace csim::audit {
namespace {

/// The scene of the result and its model, whose data are those of the file's scene: no step is made.
LoadedScene scene_of(const ResultFile& result) {
  Diagnostics diagnostics;
  auto loaded = build_recorded_scene(result, {}, &diagnostics);
  if (loaded) return std::move(*loaded);
  const std::string why = diagnostics.empty() ? "" : ": " + diagnostics.front().message;
  throw InvalidResultError(result.path() +
                           ":/scene/resolved: cannot be built again, which tells friction and joints" + why);
}

/// Bodies that something beside contacts, gravity and `forces` acts on: joints, constraints, cartesian
/// drives.
std::vector<bool> free_bodies(const Model& model, bool every_step) {
  std::vector<bool> is_free(model.bodies.size(), false);
  const auto clear = [&](int body) {
    if (body >= 0) is_free[static_cast<std::size_t>(body)] = false;
  };
  for (const FreeBody& body : model.free_bodies) is_free[static_cast<std::size_t>(body.body)] = body.plain;
  for (const BodyPair& pair : model.body_pairs) clear(pair.body_a), clear(pair.body_b);
  for (const CartesianDrive& drive : model.cartesian_drives)
    clear(drive.pair.body_a), clear(drive.pair.body_b);
  // The file has a force at the end of the step alone.
  if (!every_step)
    for (const Force& force : model.forces) clear(force.body);
  return is_free;
}

void read_bodies(const ResultFile& result, const Model& model, Trajectory* trajectory) {
  const std::vector<std::string> names = result.texts("/bodies/name");
  const std::vector<double> mass = result.real("/bodies/mass"), com = result.real("/bodies/com"),
                            inertia = result.real("/bodies/inertia");
  const std::vector<bool> is_free = free_bodies(model, trajectory->every_step());
  if (names.size() != model.bodies.size())
    throw ReadError(result.path() + ": is damaged: its bodies are not its scene's");
  for (std::size_t i = 0; i < names.size(); ++i) {
    AuditBody& body = trajectory->bodies.emplace_back();
    body.name = names[i];
    body.mass = mass.at(i);
    body.com = {com.at(3 * i), com.at(3 * i + 1), com.at(3 * i + 2)};
    const double* m = &inertia.at(6 * i);
    body.inertia << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
    body.motion = is_free[i]                  ? BodyMotion::kFree
                  : model.bodies[i].tree >= 0 ? BodyMotion::kHeld
                                              : BodyMotion::kPrescribed;
  }
}

void read_states(const ResultFile& result, Trajectory* trajectory) {
  const long frames = result.rows().frames;
  const auto position = result.real("/trajectory/position", 0, frames),
             quaternion = result.real("/trajectory/quaternion", 0, frames),
             velocity = result.real("/trajectory/velocity", 0, frames),
             angular = result.real("/trajectory/angular_velocity", 0, frames);
  trajectory->time = result.real("/trajectory/time", 0, frames);
  const std::size_t num_bodies = trajectory->bodies.size();
  const auto three = [](const std::vector<double>& values, std::size_t i) {
    return Vector3(values.at(3 * i), values.at(3 * i + 1), values.at(3 * i + 2));
  };
  trajectory->states.resize(trajectory->rows());
  for (std::size_t i = 0; i < trajectory->rows() * num_bodies; ++i) {
    BodyState& state = trajectory->states[i / num_bodies].emplace_back();
    state.position = three(position, i);
    state.quaternion = Eigen::Map<const Eigen::Vector4d>(&quaternion.at(4 * i));
    state.velocity = three(velocity, i);
    state.angular_velocity = three(angular, i);
  }
}

/// Forces of the scene and gravity that is compensated, of steps that end at rows.
void read_applied(const ResultFile& result, const Model& model, Trajectory* trajectory) {
  const std::size_t num_forces = model.forces.size();
  std::vector<double> applied;
  if (num_forces > 0) applied = result.real("/force/applied", 0, result.rows().frames);
  for (std::size_t f = 1; f < trajectory->rows(); ++f) {
    std::vector<BodyState>& states = trajectory->states[f];
    const double h = trajectory->step_before(f), span = trajectory->time[f] - trajectory->time[f - 1];
    for (std::size_t i = 0; i < num_forces; ++i) {
      const double* row = &applied.at(6 * (f * num_forces + i));
      BodyState& state = states.at(static_cast<std::size_t>(model.forces[i].body));
      state.applied_impulse += h * Eigen::Map<const Vector3>(row);
      state.applied_angular_impulse += h * Eigen::Map<const Vector3>(row + 3);
    }
    for (std::size_t b = 0; b < states.size(); ++b)
      if (trajectory->bodies[b].motion == BodyMotion::kFree)
        states[b].applied_impulse +=
            span * trajectory->bodies[b].mass * (model.bodies[b].gravity - trajectory->gravity);
  }
}

/// A belt's velocity in the world, without its part along the normal.
Vector3 surface_velocity(const Trajectory& trajectory, const Model& model, std::size_t row, int body,
                         const Vector3& normal) {
  const Vector3& own = model.bodies.at(static_cast<std::size_t>(body)).surface_velocity;
  if (own.isZero(0.0)) return own;
  const Eigen::Vector4d& q = trajectory.states[row - 1].at(static_cast<std::size_t>(body)).quaternion;
  const Vector3 turned = Quaternion(q[0], q[1], q[2], q[3]) * own;
  return turned - normal.dot(turned) * normal;
}

/// Two geometries of a result.
using GeometryPair = std::pair<std::int64_t, std::int64_t>;

/// Columns of a ragged table of contacts or patches.
struct Rows {
  std::vector<std::int64_t> offset, geometry_a, geometry_b;
  std::vector<double> point, force;

  Rows(const ResultFile& result, const std::string& group, const char* point_name, long count,
       std::size_t num_geometries)
      : offset(result.integer(group + "/row_offset", 0, result.rows().frames + 1)),
        geometry_a(result.index(group + "/geometry_a", 0, count, num_geometries)),
        geometry_b(result.index(group + "/geometry_b", 0, count, num_geometries)),
        point(result.real(group + point_name, 0, count)),
        force(result.real(group + "/force", 0, count)) {}

  [[nodiscard]] GeometryPair pair(std::size_t i) const { return {geometry_a[i], geometry_b[i]}; }
  [[nodiscard]] AuditContact contact(std::size_t i, const std::vector<std::int64_t>& body_of,
                                     double h) const {
    AuditContact contact;
    contact.a = static_cast<int>(body_of[static_cast<std::size_t>(geometry_a[i])]);
    contact.b = static_cast<int>(body_of[static_cast<std::size_t>(geometry_b[i])]);
    contact.point = Eigen::Map<const Vector3>(&point[3 * i]);
    contact.impulse = h * Eigen::Map<const Vector3>(&force[3 * i]);
    return contact;
  }
};

/// The smallest gap of each pair of geometries at the start of the step of a row.
std::map<GeometryPair, double> gaps_of(const Rows& rows, const std::vector<double>& phi, std::size_t row) {
  std::map<GeometryPair, double> gaps;
  for (auto i = static_cast<std::size_t>(rows.offset[row]);
       i < static_cast<std::size_t>(rows.offset[row + 1]); ++i) {
    const auto [place, is_new] = gaps.try_emplace(rows.pair(i), phi[i]);
    if (!is_new) place->second = std::min(place->second, phi[i]);
  }
  return gaps;
}

void read_contacts(const ResultFile& result, const Model& model, Trajectory* trajectory) {
  const std::vector<std::int64_t> body_of = result.index("/geometries/body", trajectory->bodies.size());
  const long count = result.rows().contacts;
  const Rows rows(result, "/contact", "/point", count, body_of.size());
  const auto normal = result.real("/contact/normal", 0, count), phi = result.real("/contact/phi", 0, count);
  for (std::size_t f = 1; f < trajectory->rows(); ++f) {
    // The next step begins where this one ends, if it is the next row's.
    std::map<GeometryPair, double> gaps_end;
    if (f + 1 < trajectory->rows() && trajectory->is_whole_step(f) && trajectory->is_whole_step(f + 1))
      gaps_end = gaps_of(rows, phi, f + 1);
    for (auto i = static_cast<std::size_t>(rows.offset[f]); i < static_cast<std::size_t>(rows.offset[f + 1]);
         ++i) {
      AuditContact& contact =
          trajectory->contacts[f].emplace_back(rows.contact(i, body_of, trajectory->step_before(f)));
      contact.normal = Eigen::Map<const Vector3>(&normal[3 * i]);
      contact.gap = phi[i];
      if (const auto found = gaps_end.find(rows.pair(i)); found != gaps_end.end())
        contact.gap_end = found->second;
      const auto class_of = [&](std::int64_t g) {
        return model.geometries.at(static_cast<std::size_t>(g)).pair_class;
      };
      contact.friction =
          model.pairs.rule(class_of(rows.geometry_a[i]), class_of(rows.geometry_b[i])).friction;
      contact.surface_velocity = surface_velocity(*trajectory, model, f, contact.b, contact.normal) -
                                 surface_velocity(*trajectory, model, f, contact.a, contact.normal);
    }
  }
}

/// Patches as wrenches, where the points of their faces are not among the contacts.
void read_patches(const ResultFile& result, Trajectory* trajectory) {
  if (!result.has("/patch/row_offset") || result.has("/patch/face/area")) return;
  const std::vector<std::int64_t> body_of = result.index("/geometries/body", trajectory->bodies.size());
  const long count = result.rows().patches;
  const Rows rows(result, "/patch", "/centroid", count, body_of.size());
  const auto moment = result.real("/patch/moment", 0, count);
  for (std::size_t f = 1; f < trajectory->rows(); ++f) {
    const double h = trajectory->step_before(f);
    for (auto i = static_cast<std::size_t>(rows.offset[f]); i < static_cast<std::size_t>(rows.offset[f + 1]);
         ++i) {
      AuditContact& contact = trajectory->contacts[f].emplace_back(rows.contact(i, body_of, h));
      contact.normal.setConstant(kUnknown);
      contact.moment = h * Eigen::Map<const Vector3>(&moment[3 * i]);
    }
  }
}

/// Whether a step had a contact surface.
bool has_patches(const ResultFile& result) {
  const auto counts = result.integer("/stats/step/num_patches", 0, result.rows().steps);
  return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
}

void read_pairs(const ResultFile& result, Trajectory* trajectory) {
  const long count = result.rows().pairs;
  const auto offset = result.offsets("/pair/row_offset", trajectory->rows(), count);
  const auto a = result.index("/pair/body_a", 0, count, trajectory->bodies.size()),
             b = result.index("/pair/body_b", 0, count, trajectory->bodies.size());
  const auto impulse = result.real("/pair/impulse", 0, count);
  trajectory->pairs.resize(trajectory->rows());
  for (std::size_t f = 0; f < trajectory->rows(); ++f)
    for (auto i = static_cast<std::size_t>(offset[f]); i < static_cast<std::size_t>(offset[f + 1]); ++i)
      trajectory->pairs[f].push_back(
          {static_cast<int>(a[i]), static_cast<int>(b[i]), Eigen::Map<const Vector3>(&impulse[3 * i])});
}

/// Steps that were made of parts; the friction lag of the step that ends at each row.
void read_steps(const ResultFile& result, Trajectory* trajectory) {
  const std::vector<double>& time = trajectory->time;
  const auto row_of = [&](double t) {
    return static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  };
  trajectory->partial.assign(time.size(), false);
  const auto events = result.rows().events;
  const std::vector<std::string> kinds =
      events > 0 ? result.texts("/event/kind") : std::vector<std::string>{};
  const std::vector<double> when = events > 0 ? result.real("/event/time", 0, events) : std::vector<double>{};
  for (std::size_t i = 0; i < when.size(); ++i) {
    const std::size_t row = row_of(when[i]);
    if (row < time.size() && kinds.at(i) == to_string(EventKind::kDividedStep))
      trajectory->partial[row] = true;
  }
  trajectory->friction_lag.assign(time.size(), 0.0);
  const long steps = result.rows().steps;
  const auto end = result.real("/stats/step/time", 0, steps),
             lag = result.real("/artefact/friction_lag", 0, steps);
  for (std::size_t s = 0; s < end.size(); ++s) {
    const std::size_t row = row_of(end[s]);
    if (row < time.size() && time[row] == end[s]) trajectory->friction_lag[row] = lag[s];
  }
}

/// The energies that the file states, where they are those of the bodies alone.
void read_energies(const ResultFile& result, const Model& model, Trajectory* trajectory) {
  const long frames = result.rows().frames;
  const bool all_fall = std::all_of(model.bodies.begin(), model.bodies.end(),
                                    [&](const Body& body) { return body.gravity == model.gravity; });
  if (model.armature.isZero(0.0)) trajectory->kinetic = result.real("/energy/kinetic", 0, frames);
  if (all_fall) trajectory->potential = result.real("/energy/potential", 0, frames);
}

}  // namespace

Trajectory trajectory_of(const ResultFile& result) {
  const LoadedScene loaded = scene_of(result);
  const Scene& scene = loaded.read.scene;
  Trajectory trajectory{.path = result.path(), .format = "csim-result/1"};
  trajectory.program = "csim " + result.provenance().version;
  trajectory.gravity = loaded.model.gravity;
  if (result.rows().frames < 2) throw InvalidResultError(result.path() + ": has no steps to judge");
  const bool steps_are_rows =
      scene.integrator.type == IntegratorType::kDiscrete && result.rows().steps + 1 == result.rows().frames;
  if (!steps_are_rows) trajectory.step = scene.time.step;
  read_bodies(result, loaded.model, &trajectory);
  read_states(result, &trajectory);
  if (scene.integrator.type == IntegratorType::kQuasistatic)
    trajectory.no_momentum = "quasistatic steps have no momentum";
  read_steps(result, &trajectory);
  read_applied(result, loaded.model, &trajectory);
  trajectory.contacts.resize(trajectory.rows());
  if (result.has("/contact/row_offset")) {
    read_contacts(result, loaded.model, &trajectory);
  } else {
    trajectory.no_contacts = "the file holds no contacts (output.contacts)";
  }
  if (!result.has("/patch/row_offset") && has_patches(result))
    trajectory.no_contacts = "the file holds no patches (output.patches)";
  read_patches(result, &trajectory);
  read_pairs(result, &trajectory);
  if (trajectory.no_momentum.empty()) read_energies(result, loaded.model, &trajectory);
  return trajectory;
}

}  // namespace csim::audit
