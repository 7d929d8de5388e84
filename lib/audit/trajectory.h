// A motion with its contacts as plain data, whatever program made it: what `csim audit` judges. Row 0 is the
// initial state; row f is the state at the end of step f, and the impulses of row f are those of that step.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/types.h"

namespace csim::audit {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr int kWorld = -1;  // as a body of a contact: at rest

/// What moves a body.
enum class BodyMotion {
  kFree,        // the impulses of the file alone: its momentum is judged
  kHeld,        // also forces of joints, which the file does not hold
  kPrescribed,  // nothing: it is fixed, or moves as it is told
};

struct AuditBody {
  std::string name;
  double mass = 0.0;                  // kg
  Vector3 com = Vector3::Zero();      // m, centre of mass, body axes, from the body's origin
  Matrix3 inertia = Matrix3::Zero();  // kg m^2, about the centre of mass, body axes
  BodyMotion motion = BodyMotion::kFree;
};

/// State of a body at a row; world axes.
struct BodyState {
  Vector3 position = Vector3::Zero();                 // m, of its origin
  Eigen::Vector4d quaternion{1.0, 0.0, 0.0, 0.0};     // (w, x, y, z), body in world, as stored
  Vector3 velocity = Vector3::Zero();                 // m/s, of its origin
  Vector3 angular_velocity = Vector3::Zero();         // rad/s
  Vector3 applied_impulse = Vector3::Zero();          // N s, of applied forces since the row before
  Vector3 applied_angular_impulse = Vector3::Zero();  // N m s, likewise, about the centre of mass
};

/// A contact in a step. What the file does not tell is NaN.
struct AuditContact {
  int a = kWorld, b = kWorld;
  Vector3 point = Vector3::Zero();                     // m, world
  Vector3 normal = Vector3::Zero();                    // unit, from a to b; NaN: only the wrench is known
  Vector3 impulse = Vector3::Zero();                   // N s, of the step, on b
  Vector3 moment = Vector3::Zero();                    // N m s, of the step, on b, about the point
  Vector3 impulse_on_a = Vector3::Constant(kUnknown);  // N s; unknown: -impulse
  Vector3 surface_velocity = Vector3::Zero();          // m/s, of belts, b minus a
  double gap = kUnknown;          // m, signed distance at the start of the step; < 0: overlap
  double gap_end = kUnknown;      // m, at its end
  double friction = kUnknown;     // coefficient
  double restitution = kUnknown;  // coefficient; known: a rigid contact

  [[nodiscard]] bool has_normal() const { return normal.allFinite(); }
  [[nodiscard]] double normal_impulse() const { return normal.dot(impulse); }
  [[nodiscard]] Vector3 reaction() const {
    return impulse_on_a.allFinite() ? impulse_on_a : Vector3(-impulse);
  }
  [[nodiscard]] Vector3 tangential_impulse() const { return impulse - normal_impulse() * normal; }
};

/// The sum of all contact impulses between two bodies since the row before.
struct PairImpulse {
  int a = kWorld, b = kWorld;
  Vector3 impulse = Vector3::Zero();  // N s, on b
};

struct Trajectory {
  std::string path = {}, format = {}, program = {};  // file; "csim-result/1"; who made it
  std::vector<AuditBody> bodies = {};
  Vector3 gravity = Vector3::Zero();                     // m/s^2
  std::vector<double> time = {};                         // s, [rows]
  std::vector<std::vector<BodyState>> states = {};       // [rows][bodies]
  std::vector<std::vector<AuditContact>> contacts = {};  // [rows]; of row 0 none
  std::vector<std::vector<PairImpulse>> pairs = {};      // [rows]; empty: the contacts tell it

  /// s, one step; 0: every row is one step after the row before. Else rows are several steps apart and the
  /// contacts of a row are those of the last step before it.
  double step = 0.0;
  /// [rows]; rows whose step was made of parts: its contacts are those of the last part. Empty: none.
  std::vector<bool> partial = {};

  // What the program states of itself, [rows]; empty: nothing.
  std::vector<double> kinetic = {}, potential = {};  // J
  /// Largest difference of the friction bound that its law used from the coefficient times the normal impulse
  /// of the step, over the largest bound used in the row.
  std::vector<double> friction_lag = {};

  /// Why the file does not tell the contacts, or has no momentum to judge; "": it does.
  std::string no_contacts = {}, no_momentum = {};

  [[nodiscard]] std::size_t rows() const { return time.size(); }
  [[nodiscard]] bool every_step() const { return step == 0.0; }
  [[nodiscard]] double step_before(std::size_t row) const {
    return every_step() ? time[row] - time[row - 1] : step;
  }
  /// Whether the contacts of the row are all of its step, and the row before is the start of this step.
  [[nodiscard]] bool is_whole_step(std::size_t row) const {
    return every_step() && (partial.empty() || !partial[row]);
  }
  [[nodiscard]] std::string name_of(int body) const {
    return body == kWorld ? "world" : bodies[static_cast<std::size_t>(body)].name;
  }
};

}  // namespace csim::audit
