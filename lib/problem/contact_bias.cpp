#include "problem/contact_bias.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "model/velocity_terms.h"

namespace csim {
namespace {

using Kind = LocalSurface::Kind;

// m, and of the largest radius: as good as infinite, and good to 1e-9 in what is finite.
constexpr double kStraight = 1e6;

// Sine of the angle below which two lines are parallel: the point where they cross runs along them faster
// than ten times their slip.
constexpr double kParallel = 0.1;

// rad a step: beyond it the bias is as large as the velocities, its expansion does not converge, and its work
// is an error of the energy.
constexpr double kResolvedTurn = 0.3;

/// Settles what is unknown or infinite on both sides.
void settle(LocalSurface* a, LocalSurface* b) {
  for (LocalSurface* side : {a, b}) {
    if (side->kind != Kind::kUnknown) continue;
    const Kind other = (side == a ? b : a)->kind;
    side->kind = other == Kind::kCurved || other == Kind::kLine ? Kind::kFlat : Kind::kCurved;
  }
  const bool drops_line = a->kind == Kind::kFlat || (a->kind == Kind::kLine && b->kind == Kind::kLine &&
                                                     a->line.cross(b->line).norm() < kParallel);
  if (drops_line && b->kind != Kind::kCurved) b->kind = Kind::kCurved;
  if (b->kind == Kind::kFlat && a->kind == Kind::kLine) a->kind = Kind::kCurved;
}

/// d_A of two sides that are no faces. False where nothing fixes the normal.
bool solve_normal(const LocalSurface& a, const LocalSurface& b, const Vector3& n, double phi,
                  const Vector3& w_a, const Vector3& relative, const Vector3& c, Matrix3* S_a, Matrix3* S_b,
                  Vector3* d_a) {
  const double size = a.S.norm() + b.S.norm() + std::abs(phi), straight = kStraight * std::max(size, 1.0);
  *S_a = a.S;
  *S_b = b.S;
  if (a.kind == Kind::kLine) *S_a += straight * a.line * a.line.transpose();
  if (b.kind == Kind::kLine) *S_b += straight * b.line * b.line.transpose();
  const Vector3 t0 = n.unitOrthogonal(), t1 = n.cross(t0);
  Eigen::Matrix<double, 3, 2> T;
  T << t0, t1;
  const Eigen::Matrix2d M = T.transpose() * (*S_a + *S_b) * T + phi * Eigen::Matrix2d::Identity();
  const double determinant = M.determinant(), trace = M.trace();
  // A gap or an overlap of rounding between two vertices, or an overlap deeper than their radii.
  if (!(trace > 0.0) || !(determinant > 1e-12 * trace * trace) || trace <= 4.0 * std::abs(phi)) return false;
  *d_a = T * (M.inverse() * (T.transpose() * (c + *S_b * relative - phi * w_a.cross(n))));
  return true;
}

/// A material point of a body.
struct MaterialPoint {
  Vector3 w, v, g;
  /// What its chord in the step adds to v, m/s, exactly; of a body on joints to second order, h g/2.
  Vector3 chord;
  bool is_exact = true;
};
MaterialPoint material_point(const Model& model, const Kinematics& kinematics, const BodyPaths& paths,
                             int index, const Vector3& p, double h) {
  const Body& body = model.bodies[index];
  const Vector3 r = p - kinematics.X_WB[index].p;
  const Twist &V = paths.velocity[index], &A = paths.acceleration[index];
  MaterialPoint point{V.w, V.at(r), A.at(r) + V.w.cross(V.w.cross(r)), Vector3::Zero()};
  if (body.tree < 0) {
    point.chord = chord_velocity(kinematics, index, p);
  } else if (kinematics.jacobian_begin[index] < 0) {
    const Vector3 from_center = r - kinematics.X_WB[index].R * body.mass.com;
    point.chord = turned_by(V.w, from_center, h) - V.w.cross(from_center);
  } else {
    point.is_exact = false;
  }
  return point;
}

double fade(double h, double w2) {
  const double x = h * h * w2 / (kResolvedTurn * kResolvedTurn);
  return 1.0 / (1.0 + x * x);
}

/// 1 where two bodies turn alike, 0 where one does not turn or they turn against each other.
double togetherness(const Vector3& w_a, const Vector3& w_b) {
  const double sum = w_a.squaredNorm() + w_b.squaredNorm();
  return sum > 0.0 ? std::max(0.0, 2.0 * w_a.dot(w_b) / sum) : 0.0;
}

/// m/s, of one body as the other sees it, and of the turn as far as they turn together, |g|/|w|. The same for
/// every observer who moves at a constant velocity.
double contact_speed(const MaterialPoint& a, const MaterialPoint& b) {
  double turn = 0.0;
  for (const MaterialPoint* point : {&a, &b})
    if (const double w = point->w.norm(); w > 0.0) turn = std::max(turn, point->g.norm() / w);
  return std::max((b.v - a.v).norm(), togetherness(a.w, b.w) * turn);
}

/// h f (g_B - g_A)/2, and as far as the bodies turn together the chords themselves: what sticks to a support
/// stays on its circle exactly.
Vector3 material_bias(const MaterialPoint& a, const MaterialPoint& b, double h, double f) {
  const Vector3 second = 0.5 * h * f * (b.g - a.g);
  if (!a.is_exact || !b.is_exact) return second;
  return second + togetherness(a.w, b.w) * (b.chord - a.chord - second);
}

/// The slip on the way: of what sticks it is 0, at the velocities before the step as at those after it, where
/// J v is not. With it the bias of the start foretells that of the end. Velocities that are foretold from
/// those before turn by h w too little or too much, twice h w times the material's part: what is within that
/// is no slip.
Vector3 slip(const MaterialPoint& a, const MaterialPoint& b, const Vector3& n, const Vector3& material,
             double turn, StepEnd at) {
  Vector3 c = b.v - a.v + (at == StepEnd::kAfter ? 1.0 : -1.0) * material;
  c -= c.dot(n) * n;
  const double unresolved = 4.0 * turn * material.norm();
  return unresolved > 0.0 ? std::clamp(c.norm() / unresolved - 1.0, 0.0, 1.0) * c : c;
}

LocalSurface surface_of(const Model& model, const Kinematics& kinematics, int geometry, const Vector3& p,
                        const Vector3& n, double least_tilt) {
  const Geometry& g = model.geometries[geometry];
  if (std::holds_alternative<Sphere>(g.shape))  // the same in all axes
    return local_surface(g.shape, Vector3::Zero(), n, least_tilt);
  const RigidTransform& X_WB = kinematics.X_WB[g.body];
  const Vector3 n_G = g.X_BG.R.transpose() * (X_WB.R.transpose() * n);
  LocalSurface surface = local_surface(g.shape, g.X_BG.inverse_times(X_WB.inverse_times(p)), n_G, least_tilt);
  const bool is_curved = !surface.S.isZero(0.0);
  if (!is_curved && surface.kind != Kind::kLine) return surface;  // as most are
  const Matrix3 R = X_WB.R * g.X_BG.R;
  if (is_curved) surface.S = R * surface.S * R.transpose();
  if (surface.kind == Kind::kLine) surface.line = R * surface.line;
  return surface;
}

/// With the point on A: s_A = 0, s_B = -c, and the normal turns with A.
Vector3 face_bias(const Vector3& n, const MaterialPoint& a, const MaterialPoint& b, double h, StepEnd at) {
  const double together = togetherness(a.w, b.w);
  if (together == 0.0) return Vector3::Zero();
  const double w2 = std::max(a.w.squaredNorm(), b.w.squaredNorm()), f = fade(h, w2);
  const Vector3 material = material_bias(a, b, h, f), c = slip(a, b, n, material, h * std::sqrt(w2), at);
  return together * (material + 0.5 * h * f * (a.w.cross(n).dot(c) * n - b.w.cross(c)));
}

Vector3 point_bias(const Model& model, const Kinematics& kinematics, const PointContact& contact,
                   const MaterialPoint& a, const MaterialPoint& b, double h, StepEnd at) {
  const Vector3& n = contact.normal;
  const double least_tilt = h * (b.w - a.w).norm();
  const LocalSurface on_a = surface_of(model, kinematics, contact.geometry_a, contact.p_a, n, least_tilt);
  const LocalSurface on_b = surface_of(model, kinematics, contact.geometry_b, contact.p_b, -n, least_tilt);
  const auto is_mesh = [&](int geometry) {
    return std::holds_alternative<Mesh>(model.geometries[geometry].shape);
  };
  const bool is_bound = !is_mesh(contact.geometry_a) && !is_mesh(contact.geometry_b) &&
                        (on_a.kind != Kind::kUnknown || on_b.kind != Kind::kUnknown);
  if (!is_bound) return face_bias(n, a, b, h, at);
  const double w2 = std::max(a.w.squaredNorm(), b.w.squaredNorm());
  const Vector3 c = slip(a, b, n, material_bias(a, b, h, fade(h, w2)), h * std::sqrt(w2), at);
  const ContactPointMotion motion = contact_point_motion(on_a, on_b, n, contact.phi, a.w, b.w, c);
  const double f = fade(h, std::max(w2, motion.turn * motion.turn));
  return material_bias(a, b, h, f) +
         0.5 * h * f * (b.w.cross(motion.s_b) - a.w.cross(motion.s_a) + motion.normal_rate.dot(c) * n);
}

}  // namespace

ContactPointMotion contact_point_motion(const LocalSurface& surface_a, const LocalSurface& surface_b,
                                        const Vector3& n, double phi, const Vector3& w_a, const Vector3& w_b,
                                        const Vector3& c) {
  LocalSurface a = surface_a, b = surface_b;
  settle(&a, &b);
  const Vector3 relative = (w_b - w_a).cross(n);
  ContactPointMotion motion;
  if (a.kind == Kind::kFlat) {
    motion.normal_rate = w_a.cross(n);
    motion.s_b = b.S * relative;
    motion.s_a = c + motion.s_b - phi * motion.normal_rate;
    motion.turn = b.S.isZero(0.0) ? 0.0 : relative.norm();
    return motion;
  }
  if (b.kind == Kind::kFlat) {
    motion.normal_rate = w_b.cross(n);
    motion.s_a = a.S * relative;
    motion.s_b = motion.s_a - c + phi * motion.normal_rate;
    motion.turn = a.S.isZero(0.0) ? 0.0 : relative.norm();
    return motion;
  }
  Matrix3 S_a, S_b;
  Vector3 d_a;
  if (!solve_normal(a, b, n, phi, w_a, relative, c, &S_a, &S_b, &d_a)) return motion;
  const Vector3 d_b = d_a - relative;
  motion.normal_rate = w_a.cross(n) + d_a;
  motion.s_a = S_a * d_a;
  motion.s_b = -(S_b * d_b);
  motion.turn = std::max(d_a.norm(), d_b.norm());
  return motion;
}

void compute_body_paths(const Model& model, const Kinematics& kinematics, const State& state,
                        const VectorX& v, const TreeSet& trees, BodyPaths* paths) {
  paths->velocity.resize(model.bodies.size());
  paths->acceleration.resize(model.bodies.size());
  for_each_free_body(model, trees, [&](const FreeBody& free) {
    const Vector3 w = v.segment<3>(free.v_begin), c = kinematics.X_WB[free.body].R * free.mass.com;
    paths->velocity[free.body] = {w, v.segment<3>(free.v_begin + 3)};
    paths->acceleration[free.body] = {Vector3::Zero(), -w.cross(w.cross(c))};
  });
  for (const int index : model.articulated_order) {
    if (model.bodies[index].motion >= 0) {
      paths->velocity[index] = kinematics.bias_twist[index];
      paths->acceleration[index] = Twist();
    } else {
      propagate_motion(model, kinematics, state.q, v, index, &paths->velocity, &paths->acceleration);
    }
  }
}

void compute_contact_bias(const Model& model, const Kinematics& kinematics, const ContactSet& contacts,
                          const StepData& data, const std::vector<char>* islands, const BodyPaths& paths,
                          double h, StepEnd at, std::vector<Vector3>* bias, std::vector<double>* speed) {
  const ConvexProblem& problem = data.problem;
  const int num_points = static_cast<int>(contacts.points.size()), num_contacts = problem.num_contacts();
  bias->resize(num_contacts);
  speed->resize(num_contacts);
  const auto evaluate = [&](int i) {
    const int k = problem.source[i];
    const ContactPair pair = contacts.pair(k);
    const Vector3 p = contact_position(model, contacts, k);
    const MaterialPoint a = material_point(model, kinematics, paths, pair.body_a, p, h);
    const MaterialPoint b = material_point(model, kinematics, paths, pair.body_b, p, h);
    (*speed)[i] = contact_speed(a, b);
    (*bias)[i] = k < num_points ? point_bias(model, kinematics, contacts.points[k], a, b, h, at)
                                : face_bias(problem.contacts.normal[i], a, b, h, at);
    if (problem.law->has_domain)
      (*bias)[i] -= (*bias)[i].dot(problem.contacts.normal[i]) * problem.contacts.normal[i];
  };
  constexpr double kCost = 0.33;  // us, of a contact
  for_shares(data.workers, num_contacts, kCost, [&](int begin, int end) {
    const auto ends_before = [](const Island& island, int i) { return island.contacts.end <= i; };
    auto island = std::lower_bound(problem.islands.begin(), problem.islands.end(), begin, ends_before);
    for (; island != problem.islands.end() && island->contacts.begin < end; ++island) {
      if (islands != nullptr && !(*islands)[island - problem.islands.begin()]) continue;
      for (int i = std::max(island->contacts.begin, begin); i < std::min(island->contacts.end, end); ++i)
        evaluate(i);
    }
  });
}

void set_contact_bias(const std::vector<Vector3>& bias, ContactRange contacts, StepData* data) {
  ConvexProblem& problem = data->problem;
  ContactColumns& c = problem.contacts;
  for (int i = contacts.begin; i < contacts.end; ++i) {
    data->path_bias[i] = bias[i];
    c.bias.set(i, data->support_bias[i] + data->path_bias[i]);
  }
}

void begin_contact_bias(const std::vector<Vector3>& bias_at_start, StepData* data) {
  ContactColumns& c = data->problem.contacts;
  const int num_contacts = data->problem.num_contacts();
  data->path_bias.resize(num_contacts);
  data->support_bias.resize(num_contacts);
  for (int i = 0; i < num_contacts; ++i) {
    data->support_bias[i] = c.bias[i];
    c.v_n0[i] -= bias_at_start[i].dot(c.normal[i]);
  }
  set_contact_bias(bias_at_start, {0, num_contacts}, data);
}

}  // namespace csim
