#include "model/body_pair.h"

#include <cmath>

#include "core/rotation_vector.h"
#include "model/breaking.h"

namespace csim {
namespace {

RigidTransform frame_in_world(const Kinematics& kinematics, int body, const RigidTransform& X_BF) {
  return body < 0 ? X_BF : kinematics.X_WB[body] * X_BF;
}

/// Three rows along the world axes, of a vector.
void set_vector(const Vector3& x, bool turns, ScrewRow* rows) {
  for (int i = 0; i < 3; ++i) {
    rows[i] = {x[i], Vector3::Zero(), Vector3::Zero()};
    (turns ? rows[i].angular : rows[i].linear)[i] = 1.0;
  }
}

/// angular . w + linear . (v + w x r) of a column (w, v) of a Jacobian.
double along_screw(const ScrewRow& row, const Vector3& r, const double* column) {
  const Eigen::Map<const Vector3> w(column), v(column + 3);
  return row.angular.dot(w) + row.linear.dot(v + w.cross(r));
}

bool is_zero(const double* column) {
  for (int i = 0; i < 6; ++i)
    if (column[i] != 0.0) return false;
  return true;
}

const double* jacobian_of(const Kinematics& kinematics, int body) {
  return kinematics.jacobians.data() + kinematics.jacobian_begin[body];
}

void append_side(const Model& model, const Kinematics& kinematics, int body, double sign,
                 const Vector3& point, const ScrewRow& row, std::vector<RowTerm>* terms) {
  if (body < 0 || model.bodies[body].tree < 0) return;
  const int t = model.bodies[body].tree;
  const Tree& tree = model.trees[t];
  const Vector3 r = point - kinematics.X_WB[body].p;
  if (tree.single_free_body) {
    const Vector3 turning = row.angular + r.cross(row.linear);
    for (int i = 0; i < 3; ++i) terms->push_back({t, tree.v_begin + i, sign * turning[i]});
    for (int i = 0; i < 3; ++i) terms->push_back({t, tree.v_begin + 3 + i, sign * row.linear[i]});
    return;
  }
  const double* column = jacobian_of(kinematics, body);
  for (int k = 0; k < tree.nv; ++k, column += 6)
    if (!is_zero(column)) terms->push_back({t, tree.v_begin + k, sign * along_screw(row, r, column)});
}

/// Of two bodies of one tree: a joint that carries both moves neither against the other.
void append_relative(const Model& model, const Kinematics& kinematics, const BodyPair& pair,
                     const Vector3& point, const ScrewRow& row, std::vector<RowTerm>* terms) {
  const int t = model.bodies[pair.body_b].tree;
  const Tree& tree = model.trees[t];
  const Vector3 r_a = point - kinematics.X_WB[pair.body_a].p, r_b = point - kinematics.X_WB[pair.body_b].p;
  const double *a = jacobian_of(kinematics, pair.body_a), *b = jacobian_of(kinematics, pair.body_b);
  for (int k = 0; k < tree.nv; ++k, a += 6, b += 6) {
    if (is_zero(a) == is_zero(b)) continue;
    terms->push_back({t, tree.v_begin + k, along_screw(row, r_b, b) - along_screw(row, r_a, a)});
  }
}

}  // namespace

void measure_pair(const BodyPair& pair, const Kinematics& kinematics, PairMeasure* measure) {
  const RigidTransform X_WA = frame_in_world(kinematics, pair.body_a, pair.X_A),
                       X_WB = frame_in_world(kinematics, pair.body_b, pair.X_B);
  const Vector3 d = X_WB.p - X_WA.p;
  measure->point = 0.5 * (X_WA.p + X_WB.p);
  if (pair.type == ConstraintType::kDistance) {
    const double length = d.norm();
    const Vector3 direction = length > 0.0 ? Vector3(d / length) : Vector3::UnitX();
    measure->point = X_WB.p;
    for (ScrewRow& row : measure->rows) row = {length, Vector3::Zero(), direction};
    return;
  }
  const bool is_weld = pair.type == ConstraintType::kWeld;
  if (is_weld)
    set_vector(rotation_vector(Quaternion(X_WB.R * X_WA.R.transpose())), true, measure->rows.data());
  set_vector(d, false, measure->rows.data() + (is_weld ? 3 : 0));
}

void append_terms(const Model& model, const Kinematics& kinematics, const BodyPair& pair,
                  const Vector3& point, const ScrewRow& row, std::vector<RowTerm>* terms) {
  const auto tree_of = [&](int body) { return body < 0 ? -1 : model.bodies[body].tree; };
  if (tree_of(pair.body_a) >= 0 && tree_of(pair.body_a) == tree_of(pair.body_b))
    return append_relative(model, kinematics, pair, point, row, terms);
  append_side(model, kinematics, pair.body_a, -1.0, point, row, terms);
  append_side(model, kinematics, pair.body_b, 1.0, point, row, terms);
}

double prescribed_velocity(const Kinematics& kinematics, const BodyPair& pair, const Vector3& point,
                           const ScrewRow& row) {
  double velocity = 0.0;
  for (const auto& [body, sign] : {std::pair(pair.body_a, -1.0), std::pair(pair.body_b, 1.0)}) {
    if (body < 0) continue;
    const Twist& V = kinematics.bias_twist[body];
    const Vector3 v = V.at(point - kinematics.X_WB[body].p) + chord_velocity(kinematics, body, point);
    velocity += sign * (row.angular.dot(V.w) + row.linear.dot(v));
  }
  return velocity;
}

void bias_accelerations(const BodyPair& pair, const Kinematics& kinematics, const BodyMotions& motions,
                        std::array<double, 6>* accelerations) {
  Vector3 d = Vector3::Zero(), d_rate = d, d_acceleration = d, turning = d;
  for (const auto& [body, X_BF, sign] :
       {std::tuple(pair.body_a, &pair.X_A, -1.0), std::tuple(pair.body_b, &pair.X_B, 1.0)}) {
    d += sign * frame_in_world(kinematics, body, *X_BF).p;
    if (body < 0) continue;
    const Vector3 r = kinematics.X_WB[body].R * X_BF->p;
    const Twist &V = motions.velocity[body], &A = motions.acceleration[body];
    d_rate += sign * V.at(r);
    d_acceleration += sign * (A.at(r) + V.w.cross(V.w.cross(r)));
    turning += sign * A.w;
  }
  if (pair.type == ConstraintType::kDistance) {
    const double length = d.norm();
    const Vector3 direction = length > 0.0 ? Vector3(d / length) : Vector3::UnitX();
    const double across = d_rate.squaredNorm() - std::pow(direction.dot(d_rate), 2);
    accelerations->fill(direction.dot(d_acceleration) + (length > 0.0 ? across / length : 0.0));
    return;
  }
  const bool is_weld = pair.type == ConstraintType::kWeld;
  for (int i = 0; i < 3; ++i) {
    if (is_weld) (*accelerations)[i] = turning[i];
    (*accelerations)[(is_weld ? 3 : 0) + i] = d_acceleration[i];
  }
}

void constraint_violations(const Model& model, const Kinematics& kinematics, const VectorX& q,
                           VectorX* violations) {
  violations->resize(model.num_constraint_rows);
  for (const CoordinateRow& row : model.rows)
    if (row.owner == RowOwner::kConstraint)
      (*violations)[row.index] = row_violation(row.value(q), row.offset, row.range);
  PairMeasure measure;
  for (const BodyPair& pair : model.body_pairs) {
    measure_pair(pair, kinematics, &measure);
    for (std::size_t i = 0; i < pair.rows.size(); ++i)
      (*violations)[pair.index + static_cast<int>(i)] =
          row_violation(measure.rows[i].x, pair.rows[i].offset, pair.rows[i].range);
  }
}

double constraint_energy(const Model& model, const Kinematics& kinematics, const State& state) {
  if (model.num_constraint_rows == 0) return 0.0;
  VectorX g;
  constraint_violations(model, kinematics, state.q, &g);
  double energy = 0.0;
  const auto add = [&](const RowLaw& law, int constraint, int row) {
    if (std::isfinite(law.stiffness) && !is_broken(state, constraint))
      energy += 0.5 * law.stiffness * g[row] * g[row];
  };
  for (const CoordinateRow& row : model.rows)
    if (row.owner == RowOwner::kConstraint) add(row.law, row.constraint, row.index);
  for (const BodyPair& pair : model.body_pairs)
    for (std::size_t i = 0; i < pair.rows.size(); ++i)
      add(pair.rows[i].law, pair.constraint, pair.index + static_cast<int>(i));
  return energy;
}

}  // namespace csim
