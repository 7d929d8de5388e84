#include "run/push_symmetry.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "contact/find_contacts.h"
#include "core/number_format.h"
#include "model/cartesian_drive.h"
#include "model/kinematics.h"
#include "model/quasistatic_model.h"
#include "model/sequence.h"
#include "problem/build_quasistatic_problem.h"

namespace csim {
namespace {

constexpr double kMirror = 3e-12;     // rad, see is_symmetric_push
constexpr int kMostRays = 32;         // that are proposed; each is a row of the problem for each contact
constexpr double kMostSamples = 1e3;  // of a command
constexpr double kStraight = 1e-9;    // of a way: how far it leaves its line; of a rotation matrix
constexpr double kLongEnough = 0.5;   // of the radius of the pushed body, for a straight way
constexpr double kStandsOn = 0.05;    // of its radius: the gap over what it stands on
constexpr double kAlong = 0.5;        // the sine between a push and a normal that it slides across

/// The name of the problem with cones of friction in place of pyramids, "" where there is none.
std::string cone_problem(const IntegratorSpec& spec) {
  if (is_complementarity_problem(spec)) return "";
  return has_barrier(spec) ? "log_barrier_socp" : "socp";
}

/// A commanded body as it meets a passive one.
struct Touch {
  int pusher = -1, pushed = -1;  // bodies
  long sample = 0;
};

/// The ways of commanded bodies, sampled.
class CommandedWays {
 public:
  CommandedWays(const Scene& scene, const Model& model, const State& state)
      : scene_(scene), model_(model), state_(state), finder_(model), at_rest_(model.bodies.size()) {
    const double length = scene.time.end - state.time;
    interval_ = std::max(scene.time.step, length / kMostSamples);
    num_samples_ = std::max(0L, static_cast<long>(length / interval_ * (1.0 + 1e-12)));
    is_commanded_ = make_quasistatic_model(model).is_carried;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if (model.bodies[b].tree < 0) is_commanded_[b] = 0;  // what is fixed
    for (const CartesianDrive& drive : model.cartesian_drives) {
      const Body& body = model.bodies[static_cast<std::size_t>(drive.pair.body_b)];
      if (drive.pair.body_a >= 0 || body.tree < 0) continue;
      const Tree& tree = model.trees[static_cast<std::size_t>(body.tree)];
      if (!tree.single_free_body || bodies_of(model, tree).size() > 1) continue;
      drives_.push_back(&drive);
      is_commanded_[static_cast<std::size_t>(drive.pair.body_b)] = 1;
    }
    compute_kinematics(model, state.q, state.time, state.time, &start_);
  }

  [[nodiscard]] const Kinematics& start() const { return start_; }
  [[nodiscard]] bool is_commanded(int body) const {
    return is_commanded_[static_cast<std::size_t>(body)] != 0;
  }

  /// What the passive bodies stand on at the start.
  [[nodiscard]] ContactSet find_supports() {
    double radius = 0.0;
    for (const Body& body : model_.bodies)
      if (body.tree >= 0) radius = std::max(radius, body.radius);
    return find(start_, nullptr, kStandsOn * radius);
  }

  /// Whom commanded bodies meet first, one touch a tree that is met; none of trees that are met from two
  /// sides.
  [[nodiscard]] std::vector<Touch> find_touches() {
    std::vector<Touch> touches;
    std::vector<char> is_met(model_.trees.size(), 0);
    for (long k = 1; k <= num_samples_; ++k) {
      const Kinematics& poses = place(k);
      const std::size_t num_before = touches.size();
      for (const PointContact& contact : find(poses, &is_commanded_, 0.0).points) {
        Touch touch{contact.body_a, contact.body_b, k};
        if (!is_commanded(touch.pusher)) std::swap(touch.pusher, touch.pushed);
        const int tree = model_.bodies[static_cast<std::size_t>(touch.pushed)].tree;
        if (tree < 0 || is_commanded(touch.pushed) || contact.phi >= 0.0) continue;
        if (is_met[static_cast<std::size_t>(tree)] == 0) touches.push_back(touch);
        is_met[static_cast<std::size_t>(tree)] = 1;
        for (std::size_t i = num_before; i < touches.size(); ++i) add_pusher(tree, touch.pusher, &touches[i]);
      }
      std::erase_if(touches, [](const Touch& touch) { return touch.pusher < 0; });
    }
    return touches;
  }

  /// The direction of the body's way from the sample before on, where it is straight.
  [[nodiscard]] std::optional<Vector3> straight_way(const Touch& touch) {
    const double enough = kLongEnough * model_.bodies[static_cast<std::size_t>(touch.pushed)].radius;
    const RigidTransform begin = pose(touch.pusher, touch.sample - 1);
    Vector3 way = Vector3::Zero();
    std::vector<Vector3> ways;
    for (long k = touch.sample; k <= num_samples_ && way.norm() < enough; ++k) {
      const RigidTransform X = pose(touch.pusher, k);
      if ((X.R - begin.R).cwiseAbs().maxCoeff() > kStraight) return std::nullopt;
      ways.push_back(X.p - begin.p);
      if (ways.back().norm() > way.norm()) way = ways.back();
    }
    if (!(way.norm() > 0.0)) return std::nullopt;
    const Vector3 direction = way.normalized();
    for (const Vector3& part : ways)
      if (direction.cross(part).norm() > kStraight * way.norm()) return std::nullopt;
    return direction;
  }

 private:
  ContactSet find(const Kinematics& poses, const std::vector<char>* asked, double margin) {
    ContactQuery query;
    query.X_WB = &poses.X_WB;
    query.V0 = query.V_star = &at_rest_;
    query.surface_velocity = &poses.surface_velocity_W;
    query.margin = margin;
    query.asked = asked;
    ContactSet contacts;
    finder_.find(query, &contacts);
    return contacts;
  }

  /// Poses with the commanded bodies as told at a sample.
  const Kinematics& place(long sample) {
    const double t = state_.time + static_cast<double>(sample) * interval_;
    q_ = state_.q;
    for (std::size_t i = 0; i < model_.actuators.size(); ++i)
      if (const int q = model_.actuators[i].q; q >= 0)
        q_[q] = command_at(model_, state_.sequence, i, t).value;
    compute_kinematics(model_, q_, state_.time, state_.time, &poses_);
    for (const CartesianDrive* drive : drives_)
      poses_.X_WB[static_cast<std::size_t>(drive->pair.body_b)] =
          commanded_frame(model_, *drive, state_.sequence, t) * drive->pair.X_B.inverse();
    return poses_;
  }

  RigidTransform pose(int body, long sample) { return place(sample).X_WB[static_cast<std::size_t>(body)]; }

  /// Another body that meets the tree in the same sample: the touch ends where its way is another.
  void add_pusher(int tree, int pusher, Touch* touch) {
    if (touch->pusher < 0 || model_.bodies[static_cast<std::size_t>(touch->pushed)].tree != tree) return;
    const auto way = [&](int body) {
      return Vector3(pose(body, touch->sample).p - pose(body, touch->sample - 1).p);
    };
    const Vector3 one = way(touch->pusher), two = way(pusher);
    if ((one - two).norm() > kStraight * one.norm()) touch->pusher = -1;
  }

  const Scene& scene_;
  const Model& model_;
  const State& state_;
  ContactFinder finder_;
  std::vector<Twist> at_rest_;
  std::vector<char> is_commanded_;             // [B]
  std::vector<const CartesianDrive*> drives_;  // of commanded bodies
  double interval_ = 0.0;                      // s
  long num_samples_ = 0;
  Kinematics start_, poses_;
  VectorX q_;
};

/// A contact whose pyramids a push slides across.
struct SkewSupport {
  int other = -1;      // body
  double angle = 0.0;  // rad, of the push in the axes of the pyramid
};

/// The first contact that carries the body and is not symmetric to a push along `direction`; `plane`: in
/// which all passive bodies move.
std::optional<SkewSupport> find_skew_support(const Model& model, const CommandedWays& ways,
                                             const ContactSet& supports, int pushed, const Vector3& direction,
                                             const std::optional<Vector3>& plane, int num_rays) {
  const auto pair_class = [&](int geometry) {
    return model.geometries[static_cast<std::size_t>(geometry)].pair_class;
  };
  for (const PointContact& contact : supports.points) {
    if (contact.body_a != pushed && contact.body_b != pushed) continue;
    const int other = contact.body_a == pushed ? contact.body_b : contact.body_a;
    if (ways.is_commanded(other) ||
        contact.phi > kStandsOn * model.bodies[static_cast<std::size_t>(pushed)].radius)
      continue;
    if (model.pairs.rule(pair_class(contact.geometry_a), pair_class(contact.geometry_b)).friction == 0.0)
      continue;
    if (plane && std::abs(plane->dot(direction)) < kStraight &&
        std::abs(plane->dot(contact.normal)) < kStraight)
      continue;  // the plane is a mirror
    const Vector3 d =
        contact_axes(contact.normal, std::nullopt, tangent_axis(contact.normal)).transpose() * direction;
    const double angle = std::atan2(d.y(), d.x());
    if (d.head<2>().norm() >= kAlong && !is_symmetric_push(angle, num_rays)) return SkewSupport{other, angle};
  }
  return std::nullopt;
}

std::string remedies(const IntegratorSpec& spec, double angle) {
  std::string text;
  for (int n = spec.rays_per_contact + 2; n <= kMostRays && text.empty(); n += 2)
    if (is_symmetric_push(angle, n))
      text = "integrator.rays_per_contact: " + std::to_string(n) + " is symmetric to it";
  const std::string cones = cone_problem(spec);
  if (!cones.empty())
    text += (text.empty() ? "" : ", ") + ("integrator.problem: " + cones) + " to every push";
  return text.empty() ? "more rays make it less" : text;
}

std::string sentence(const Model& model, const IntegratorSpec& spec, const Touch& touch,
                     const Vector3& direction, const SkewSupport& support) {
  const auto name = [&](int body) { return "'" + model.bodies[static_cast<std::size_t>(body)].name + "'"; };
  const double beside = angle_to_mirror_line(support.angle, spec.rays_per_contact) * 180.0 / std::numbers::pi;
  return "the command takes " + name(touch.pusher) + " straight along " +
         format_text("[%.4g, %.4g, %.4g]", direction.x(), direction.y(), direction.z()) + " against " +
         name(touch.pushed) + ", " + format_text("%.3g degrees", beside) +
         " beside the nearest mirror line of its friction pyramids on " + name(support.other) +
         format_text(", of %d rays: such friction may take it aside; ", spec.rays_per_contact) +
         remedies(spec, support.angle);
}

}  // namespace

double angle_to_mirror_line(double angle, int num_rays) {
  return std::abs(std::remainder(angle, std::numbers::pi / num_rays));
}

bool is_symmetric_push(double angle, int num_rays) {
  return angle_to_mirror_line(angle, num_rays) < kMirror;
}

std::vector<std::string> describe_skew_pushes(const Scene& scene, const Model& model, const State& state) {
  const IntegratorSpec& spec = scene.integrator;
  std::vector<std::string> texts;
  // Two rays lie in the plane of motion.
  if (spec.type != IntegratorType::kQuasistatic || has_friction_cones(spec) || spec.rays_per_contact == 2 ||
      !model.phases.empty())
    return texts;
  CommandedWays ways(scene, model, state);
  const std::optional<Vector3> plane =
      find_plane_of_motion(model, make_quasistatic_model(model), ways.start());
  const ContactSet supports = ways.find_supports();
  for (const Touch& touch : ways.find_touches()) {
    const Body& pushed = model.bodies[static_cast<std::size_t>(touch.pushed)];
    if (model.trees[static_cast<std::size_t>(pushed.tree)].nv < 2) continue;  // it cannot go aside
    const std::optional<Vector3> direction = ways.straight_way(touch);
    if (!direction) continue;
    const std::optional<SkewSupport> support =
        find_skew_support(model, ways, supports, touch.pushed, *direction, plane, spec.rays_per_contact);
    if (support) texts.push_back(sentence(model, spec, touch, *direction, *support));
  }
  return texts;
}

}  // namespace csim
