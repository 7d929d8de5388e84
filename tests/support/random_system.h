// Random systems of bodies in contact, made without scene or geometry: free bodies, articulated trees with
// arbitrary Jacobians, a fixed and a moving body; and the dense twin of their convex problem, straight from
// the definitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "problem/build_contact_problem.h"

namespace csim::testing_support {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(engine_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Vector3 vector(double size) { return size * Vector3(normal(), normal(), normal()); }
  Vector3 direction() { return vector(1.0).normalized(); }

 private:
  std::mt19937 engine_;
};

struct SystemOptions {
  int num_free = 6, num_articulated = 2, num_pairs = 12;
  int num_rows = 0;  // scalar rows of one to three coordinates
  double h = 1e-2;
  double min_stiffness = 1e4, max_stiffness = 1e7;
  double speed = 0.5;      // m/s, of the free motion
  bool open_gaps = false;  // for barriers
  ContactSpec contact;
};

/// Bodies 0 (fixed) and 1 (prescribed, with a belt) do not move with v; then come free bodies, then trees of
/// two bodies each.
struct RandomSystem {
  Model model;
  Kinematics kinematics;
  State state;
  FreeMotion free_motion;
  ContactSet contacts;
  RowOffers rows;
  double h = 0.0;

  void build(const ContactSpec& spec, StepData* data) const {
    choose_contact_law(spec, &data->problem);
    data->row_offers = rows;
    build_contact_problem(model, kinematics, state, contacts, data);
    set_step(h, free_motion, model, data);
  }
};

inline void add_body(int tree, Random* random, RandomSystem* s) {
  Body body;
  body.tree = tree;
  s->model.bodies.push_back(body);
  Geometry geometry;
  geometry.body = static_cast<int>(s->model.bodies.size()) - 1;
  geometry.pair_class = geometry.body;
  s->model.geometries.push_back(geometry);
  s->kinematics.X_WB.emplace_back(random->vector(0.3));
  s->kinematics.q_WB.push_back(Quaternion::Identity());
  s->kinematics.bias_twist.emplace_back();
  s->kinematics.bias_center.push_back(Vector3::Zero());
  s->kinematics.surface_velocity_W.push_back(Vector3::Zero());
  s->kinematics.jacobian_begin.push_back(-1);
}

inline void add_tree(int nv, const MatrixX& A, RandomSystem* s) {
  Tree tree;
  tree.v_begin = s->model.nv;
  tree.nv = nv;
  tree.block_begin = s->model.block_size;
  s->model.nv += nv;
  s->model.block_size += nv * nv;
  s->model.trees.push_back(tree);
  s->free_motion.A.insert(s->free_motion.A.end(), A.data(), A.data() + A.size());
}

inline void add_free_body(Random* random, RandomSystem* s) {
  const double mass = random->log_uniform(0.1, 10.0), size = random->uniform(0.03, 0.2);
  const Matrix3 R = Quaternion(random->normal(), random->normal(), random->normal(), random->normal())
                        .normalized()
                        .toRotationMatrix();
  const Vector3 moments =
      mass * size * size * Vector3(random->uniform(0.3, 0.5), random->uniform(0.3, 0.5), 0.45);
  const Matrix3 inertia = R * moments.asDiagonal() * R.transpose();
  add_body(static_cast<int>(s->model.trees.size()), random, s);
  add_tree(6, spatial_inertia(mass, random->vector(0.3 * size), inertia), s);
}

inline void add_articulated_tree(double speed, Random* random, RandomSystem* s) {
  const int nv = random->integer(1, 8), tree = static_cast<int>(s->model.trees.size());
  MatrixX root = MatrixX::NullaryExpr(nv, nv, [&] { return 0.5 * random->normal(); });
  add_tree(nv, MatrixX(root * root.transpose()) + 0.2 * MatrixX::Identity(nv, nv), s);
  for (int k = 0; k < 2; ++k) {
    add_body(tree, random, s);
    s->kinematics.jacobian_begin.back() = static_cast<int>(s->kinematics.jacobians.size());
    for (int i = 0; i < 6 * nv; ++i) s->kinematics.jacobians.push_back(random->normal());
    s->kinematics.bias_twist.back() = {random->vector(0.2 * speed),
                                       random->vector(0.2 * speed)};  // a tree on a moving root
  }
}

inline void add_contacts(int body_a, int body_b, bool open_gaps, Random* random, ContactSet* contacts) {
  const Vector3 n = random->direction();
  const int num_points = random->integer(1, 4);
  const Vector3 center = random->vector(0.2);
  for (int k = 0; k < num_points; ++k) {
    PointContact point;
    point.geometry_a = point.body_a = body_a;
    point.geometry_b = point.body_b = body_b;
    point.feature = k;
    point.phi = open_gaps ? random->log_uniform(1e-3, 2e-2) : random->uniform(-1e-3, 5e-4);
    point.normal = n;
    point.p_a = center + n.cross(random->vector(0.05));
    point.p_b = point.p_a + point.phi * n;
    contacts->points.push_back(point);
  }
}

/// A stop, dry friction, a drive with a limit, or a spring without bounds; on any coordinates of any trees.
inline void add_row(const SystemOptions& options, Random* random, RandomSystem* s) {
  RowOffer offer;
  offer.term_begin = static_cast<int>(s->rows.terms.size());
  const int num_terms = random->integer(1, 3);
  for (int k = 0; k < num_terms; ++k) {
    const int tree = random->integer(0, static_cast<int>(s->model.trees.size()) - 1);
    const Tree& t = s->model.trees[tree];
    s->rows.terms.push_back({tree, t.v_begin + random->integer(0, t.nv - 1), random->normal()});
  }
  offer.term_end = static_cast<int>(s->rows.terms.size());
  RowLaw& law = offer.law;
  const double force = random->log_uniform(0.1, 10.0) / options.h * options.speed;
  switch (random->integer(0, 3)) {
    case 0:
      law.stiffness = 1e12;
      law.g0 = random->uniform(-0.5, 2.0) * options.h * options.speed;
      law.lower = 0.0;
      break;
    case 1:
      law.damping = std::numeric_limits<double>::infinity();
      law.lower = -force;
      law.upper = force;
      break;
    case 2:
      law.stiffness = random->log_uniform(1.0, 1e5);
      law.damping = random->log_uniform(1.0, 1e3);
      law.g0 = random->uniform(-1.0, 1.0) * options.speed * options.h;
      law.rate = random->normal() * options.speed;
      law.lower = -force;
      law.upper = force;
      law.relaxes_in_step = law.stores_energy = false;
      break;
    default:
      law.stiffness = random->chance(0.5) ? 1e4 : std::numeric_limits<double>::infinity();
      law.g0 = random->uniform(-1.0, 1.0) * options.speed * options.h;
  }
  s->rows.rows.push_back(offer);
}

inline RandomSystem make_random_system(const SystemOptions& options, unsigned seed) {
  Random random(seed);
  RandomSystem s;
  s.h = options.h;
  add_body(-1, &random, &s);
  add_body(-1, &random, &s);
  s.kinematics.bias_twist[1] = {random.vector(0.4 * options.speed), random.vector(0.4 * options.speed)};
  s.kinematics.surface_velocity_W[1] = random.vector(0.6 * options.speed);
  for (int i = 0; i < options.num_free; ++i) add_free_body(&random, &s);
  for (int i = 0; i < options.num_articulated; ++i) add_articulated_tree(options.speed, &random, &s);
  const int num_bodies = static_cast<int>(s.model.bodies.size());
  s.model.pairs.num_classes = num_bodies;
  s.model.pairs.rules.resize(num_bodies * num_bodies);
  for (PairRule& rule : s.model.pairs.rules) {
    rule.collide = true;
    rule.friction = random.chance(0.1) ? 0.0 : random.uniform(0.1, 1.2);
    rule.stiffness = random.log_uniform(options.min_stiffness, options.max_stiffness);
    rule.dissipation = random.chance(0.3) ? 0.0 : random.log_uniform(0.1, 20.0);
    rule.relaxation_time = random.log_uniform(1e-3, 0.1);
    rule.hertz_stiffness = rule.stiffness * 30.0;
    rule.weight_a = random.uniform(0.0, 1.0);
  }
  // Every pair of bodies at most once, in the set's order.
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < options.num_pairs; ++i) {
    const int a = random.integer(0, num_bodies - 1), b = random.integer(0, num_bodies - 1);
    if (a != b) pairs.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [a, b] : pairs) add_contacts(a, b, options.open_gaps, &random, &s.contacts);
  s.state.v = VectorX::NullaryExpr(s.model.nv, [&] { return options.speed * random.normal(); });
  s.free_motion.v_star =
      s.state.v + VectorX::NullaryExpr(s.model.nv, [&] { return 0.1 * options.speed * random.normal(); });
  for (int i = 0; i < options.num_rows; ++i) add_row(options, &random, &s);
  return s;
}

/// The same problem over all of the model's velocities, dense, with one Jacobian per contact.
struct DenseTwin {
  MatrixX A, J;       // [nv, nv], [3 N, nv]
  VectorX v_star, b;  // [nv], [3 N]
  MatrixX C;          // [rows, nv]

  DenseTwin(const RandomSystem& s, const ConvexProblem& problem) {
    const int nv = s.model.nv, n = problem.num_contacts();
    A.setZero(nv, nv);
    for (const Tree& tree : s.model.trees) {
      A.block(tree.v_begin, tree.v_begin, tree.nv, tree.nv) =
          Eigen::Map<const MatrixX>(s.free_motion.A.data() + tree.block_begin, tree.nv, tree.nv);
    }
    v_star = s.free_motion.v_star;
    J.setZero(3 * n, nv);
    b.setZero(3 * n);
    for (int i = 0; i < n; ++i) {
      const PointContact& point = s.contacts.points[problem.source[i]];
      const double weight = s.model.pairs.rule(point.geometry_a, point.geometry_b).weight_a;
      const Vector3 p = weight * point.p_a + (1.0 - weight) * point.p_b;
      add_side(s, point.body_b, p, point.normal, 1.0, i);
      add_side(s, point.body_a, p, point.normal, -1.0, i);
    }
    C.setZero(problem.num_rows(), nv);
    for (int i = 0; i < problem.num_rows(); ++i) {
      const RowOffer& offer = s.rows.rows[problem.rows.source[i]];
      for (int k = offer.term_begin; k < offer.term_end; ++k)
        C(i, s.rows.terms[k].v) += s.rows.terms[k].coefficient;
    }
  }

 private:
  void add_side(const RandomSystem& s, int body, const Vector3& p_WC, const Vector3& n, double sign, int i) {
    const Vector3 r = p_WC - s.kinematics.X_WB[body].p;
    Eigen::Matrix<double, 3, 6> point_jacobian;
    point_jacobian << -skew(r), Matrix3::Identity();
    const Twist& bias = s.kinematics.bias_twist[body];
    Vector6 twist;
    twist << bias.w, bias.v;
    const Vector3& belt = s.kinematics.surface_velocity_W[body];
    b.segment<3>(3 * i) += sign * (point_jacobian * twist + (Matrix3::Identity() - n * n.transpose()) * belt);
    if (s.model.bodies[body].tree < 0) return;
    const Tree& tree = s.model.trees[s.model.bodies[body].tree];
    MatrixX body_jacobian = MatrixX::Identity(6, 6);
    if (s.kinematics.jacobian_begin[body] >= 0) {
      body_jacobian = Eigen::Map<const MatrixX>(
          s.kinematics.jacobians.data() + s.kinematics.jacobian_begin[body], 6, tree.nv);
    }
    J.block(3 * i, tree.v_begin, 3, tree.nv) += sign * point_jacobian * body_jacobian;
  }
};

}  // namespace csim::testing_support
