#include "problem/build_quasistatic_problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/body_pair.h"
#include "model/breaking.h"
#include "model/cartesian_drive.h"

namespace csim {
namespace {

// Of the smallest stiffness: a larger `regularization` counts as this. The answer does not depend on the
// value, but the methods that remove its effect fail where it is large.
constexpr double kLargestChoice = 1e-4;
constexpr double kTie = 1e-9;  // of components of a unit normal

double without_rounding(double phi, double position) {
  return phi < 0.0 && phi > -kQuasistaticRounding * position ? 0.0 : phi;
}

/// Of the mass matrix of a tree's passive coordinates.
double largest_diagonal(const QuasistaticProblem& p, int tree, const std::vector<double>& mass) {
  double largest = 0.0;
  for (int k = 0; k < p.size[tree]; ++k)
    if (p.is_passive[p.begin[tree] + k] != 0)
      largest = std::max(largest, mass[p.block_begin[tree] + k * (p.size[tree] + 1)]);
  return largest;
}

/// Sizes and places of the blocks, all numbers zero.
void lay_out(const Model& model, const QuasistaticModel& quasistatic, QuasistaticProblem* p) {
  const auto num_trees = model.trees.size();
  p->size.resize(num_trees);
  p->begin.resize(num_trees + 1);
  p->block_begin.resize(num_trees);
  p->is_passive.resize(model.nv);
  p->begin[num_trees] = model.nv;
  for (std::size_t t = 0; t < num_trees; ++t) {
    p->size[t] = model.trees[t].nv;
    p->begin[t] = model.trees[t].v_begin;
    p->block_begin[t] = model.trees[t].block_begin;
  }
  for (int k = 0; k < model.nv; ++k) p->is_passive[k] = quasistatic.actuator[k] < 0 ? 1 : 0;
  for (auto* blocks : {&p->Q, &p->choice, &p->metric}) blocks->assign(model.block_size, 0.0);
  p->b.assign(model.nv, 0.0);
  p->groups.clear();
  p->sides.clear();
  p->jacobians.clear();
  p->rays.clear();
  p->e.clear();
  p->compliance.clear();
  p->holds.clear();
}

/// A sum and the sizes of its terms, before positions and forces in them cancel.
struct Sum {
  double value = 0.0, size = 0.0;

  /// The value, 0 where it is the rounding of the terms.
  [[nodiscard]] double without_rounding() const {
    return std::abs(value) > kQuasistaticRounding * size ? value : 0.0;
  }
};

/// Of J^T (com x m g, m g) along a coordinate, the part of a body; `column`: 6, of its Jacobian.
void add_weight_along(const Body& body, const RigidTransform& X_WB, const double* column, Sum* sum) {
  const Eigen::Map<const Vector3> w(column), v(column + 3);
  const Vector3 force = body.mass.mass * body.gravity, com = X_WB.R * body.mass.com;
  sum->value += w.dot(com.cross(force)) + v.dot(force);
  sum->size += force.norm() * (w.norm() * (com.norm() + X_WB.p.norm()) + v.norm());
}

/// load += the weights of the bodies that drives alone do not place. What hangs straight has no moment in any
/// orientation of the world: without mass nothing would hold what rounding leaves.
void add_gravity(const Model& model, const QuasistaticModel& quasistatic, const Kinematics& kinematics,
                 std::vector<double>* load) {
  static const Matrix6 identity = Matrix6::Identity();
  for (const Tree& tree : model.trees) {
    for (int k = 0; k < tree.nv; ++k) {
      double& of_coordinate = (*load)[tree.v_begin + k];
      Sum sum{of_coordinate, std::abs(of_coordinate)};
      for (const int index : bodies_of(model, tree)) {
        if (quasistatic.is_carried[index] != 0) continue;
        const double* columns = tree.single_free_body
                                    ? identity.data()
                                    : kinematics.jacobians.data() + kinematics.jacobian_begin[index];
        add_weight_along(model.bodies[index], kinematics.X_WB[index], columns + 6 * k, &sum);
      }
      of_coordinate = sum.without_rounding();
    }
  }
}

/// Of Q, choice and metric the part of a tree's passive coordinates: their mass matrix.
void set_masses(const QuasistaticModel& quasistatic, const IntegratorSpec& spec, const QuasistaticStep& step,
                int tree, double choice, QuasistaticProblem* p) {
  double mass_factor = 0.0;
  if (spec.mass == QuasistaticMass::kFull) mass_factor = 1.0;
  if (spec.mass == QuasistaticMass::kScaled) {
    mass_factor = step.h * step.h * quasistatic.smallest_stiffness /
                  (largest_diagonal(*p, tree, *step.mass) * spec.mass_scale);
  }
  const int size = p->size[tree];
  const char* is_passive = p->is_passive.data() + p->begin[tree];
  for (int k = 0; k < size * size; ++k) {
    if (is_passive[k / size] == 0 || is_passive[k % size] == 0) continue;
    const int place = p->block_begin[tree] + k;
    const double mass = (*step.mass)[place];
    p->metric[place] = mass;
    p->Q[place] = mass_factor * mass;
    if (mass_factor == 0.0) p->choice[place] = choice * mass;
  }
}

/// Q, choice, metric, load and b.
void set_cost(const Model& model, const QuasistaticModel& quasistatic, const IntegratorSpec& spec,
              const Kinematics& kinematics, const QuasistaticStep& step, QuasistaticProblem* p) {
  const double h = step.h, h2 = h * h;
  double largest_mass = 0.0;
  for (int t = 0; t < p->num_trees(); ++t)
    largest_mass = std::max(largest_mass, largest_diagonal(*p, t, *step.mass));
  const double choice = quasistatic.has_actuators ? std::min(spec.regularization, kLargestChoice) * h2 *
                                                        quasistatic.smallest_stiffness / largest_mass
                                                  : kChoiceAlone;
  for (int t = 0; t < p->num_trees(); ++t)
    if (has_passive(*p, t)) set_masses(quasistatic, spec, step, t, choice, p);
  p->load.assign(step.external->data(), step.external->data() + model.nv);
  add_gravity(model, quasistatic, kinematics, &p->load);
  for (int k = 0; k < model.nv; ++k)
    if (p->is_passive[k] != 0 || !p->executes_commands) p->b[k] = h * p->load[k];
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    if (actuator.joint < 0) continue;
    const Tree& tree = model.trees[actuator.tree];
    const int place = tree.block_begin + (actuator.v - tree.v_begin) * (tree.nv + 1);
    p->Q[place] = p->metric[place] = h2 * actuator.stiffness;
    p->b[actuator.v] +=
        h * actuator.stiffness * ((*step.command)[static_cast<Eigen::Index>(i)] - step.state->q[actuator.q]);
  }
}

/// A group without rows and sides yet, which the next ones appended belong to.
QuasistaticGroup begin_group(const QuasistaticProblem& p) {
  QuasistaticGroup group;
  group.side_begin = static_cast<int>(p.sides.size());
  group.row_begin = p.num_rows();
  return group;
}

void end_group(QuasistaticGroup group, QuasistaticProblem* p) {
  group.side_end = static_cast<int>(p->sides.size());
  group.row_end = p->num_rows();
  p->groups.push_back(group);
}

/// Where the Jacobian begins of the side of a group that is a tree's, made where it has none.
int side_of(const Model& model, int tree, const QuasistaticGroup& group, QuasistaticProblem* p) {
  const auto side = std::find_if(p->sides.begin() + group.side_begin, p->sides.end(),
                                 [&](const QuasistaticSide& one) { return one.tree == tree; });
  if (side != p->sides.end()) return side->jacobian;
  const int begin = static_cast<int>(p->jacobians.size());
  p->sides.push_back({tree, begin});
  p->jacobians.resize(p->jacobians.size() + 3 * static_cast<std::size_t>(model.trees[tree].nv), 0.0);
  return begin;
}

/// Adds sign C^T [-[r]x, I] J of a body's point at the offset r from its origin to a group.
void add_point(const Model& model, const Kinematics& kinematics, int index, const Vector3& r,
               const Matrix3& axes, double sign, const QuasistaticGroup& group, QuasistaticProblem* p) {
  if (model.bodies[index].tree < 0) return;
  const Tree& tree = model.trees[model.bodies[index].tree];
  const int begin = side_of(model, model.bodies[index].tree, group, p);
  double* out = p->jacobians.data() + begin;
  static const Matrix6 identity = Matrix6::Identity();
  const double* column = tree.single_free_body
                             ? identity.data()
                             : kinematics.jacobians.data() + kinematics.jacobian_begin[index];
  for (int k = 0; k < tree.nv; ++k, column += 6, out += 3) {
    const Eigen::Map<const Vector3> w(column), v(column + 3);
    Eigen::Map<Vector3>(out).noalias() += sign * (axes.transpose() * (v + w.cross(r)));
  }
}

/// (cos, sin) of 2 pi j/num_rays, opposite rays to the bit, those along the axes exactly.
Vector2 ray_direction(int j, int num_rays) {
  const int half = num_rays / 2;
  if (j >= half) return -ray_direction(j - half, num_rays);
  if (4 * j == num_rays) return Vector2::UnitY();
  const double angle = 2.0 * std::numbers::pi * j / num_rays;
  return {std::cos(angle), std::sin(angle)};
}

void append_rows(const Vector3& ray, double e, QuasistaticProblem* p) {
  p->rays.push_back(ray);
  p->e.push_back(e);
  p->compliance.push_back(0.0);
}

void append_contact(const Model& model, const Kinematics& kinematics, const PointContact& contact, int index,
                    int num_rays, const std::optional<Vector3>& plane, int axis, QuasistaticProblem* p) {
  const int tree_a = model.bodies[contact.body_a].tree, tree_b = model.bodies[contact.body_b].tree;
  if (tree_a < 0 && tree_b < 0) return;
  QuasistaticGroup group = begin_group(*p);
  group.contact = index;
  group.axes = contact_axes(contact.normal, plane, axis);
  const auto add = [&](int body, const Vector3& point, double sign) {
    add_point(model, kinematics, body, point - kinematics.X_WB[body].p, group.axes, sign, group, p);
  };
  add(contact.body_a, contact.p_a, -1.0);
  add(contact.body_b, contact.p_b, 1.0);
  const double mu = model.pairs
                        .rule(model.geometries[contact.geometry_a].pair_class,
                              model.geometries[contact.geometry_b].pair_class)
                        .friction;
  double position = 0.0;
  for (const Vector3& point :
       {contact.p_a, contact.p_b, kinematics.X_WB[contact.body_a].p, kinematics.X_WB[contact.body_b].p})
    position = std::max(position, point.cwiseAbs().maxCoeff());
  const double phi = without_rounding(contact.phi, position);
  group.is_cone = mu > 0.0 && num_rays == 0;
  if (group.is_cone) {
    append_rows(Vector3::UnitZ() / mu, phi / (p->h * mu), p);
    append_rows(Vector3::UnitX(), 0.0, p);
    append_rows(Vector3::UnitY(), 0.0, p);
  } else if (mu == 0.0) {
    append_rows(Vector3::UnitZ(), phi / p->h, p);
  } else {
    for (int j = 0; j < num_rays; ++j) {
      const Vector2 d = ray_direction(j, num_rays);
      append_rows({mu * d.x(), mu * d.y(), 1.0}, phi / p->h, p);
    }
  }
  end_group(group, p);
}

/// Both ends of a joint's range that are finite: +-v + phi/h >= 0.
void append_limit(const Model& model, const VectorX& q, int index, QuasistaticProblem* p) {
  const CoordinateRow& limit = model.rows[index];
  const JointCoordinate& coordinate = limit.terms[0].coordinate;
  const Tree& tree = model.trees[coordinate.tree];
  const double position = q[coordinate.q];
  const auto append = [&](double sign, double bound) {
    if (!std::isfinite(bound)) return;
    const double phi =
        without_rounding(sign * (position - bound), std::max(std::abs(position), std::abs(bound)));
    QuasistaticGroup group = begin_group(*p);
    group.limit = index;
    p->jacobians[side_of(model, coordinate.tree, group, p) + 3 * (coordinate.v - tree.v_begin) + 2] = sign;
    append_rows(Vector3::UnitZ(), phi / p->h, p);
    end_group(group, p);
  };
  append(1.0, limit.range->first);
  append(-1.0, limit.range->second);
}

/// Whose rows a group has, and how they yield.
struct Linkage {
  int constraint = -1, drive = -1;  // as QuasistaticGroup
  double stiffness = 0.0;           // N/m or N m/rad; infinity: near-rigid
  double near_rigid = 0.0;          // beta, of a near-rigid one
};

/// Puts sign times the terms of a row into the group's Jacobian along an axis.
void add_terms(const Model& model, const std::vector<RowTerm>& terms, int axis, double sign,
               const QuasistaticGroup& group, QuasistaticProblem* p) {
  for (const RowTerm& term : terms) {
    const int begin = side_of(model, term.tree, group, p);
    p->jacobians[begin + 3 * (term.v - model.trees[term.tree].v_begin) + axis] += sign * term.coefficient;
  }
}

QuasistaticGroup begin_linkage(const Linkage& linkage, const QuasistaticProblem& p) {
  QuasistaticGroup group = begin_group(p);
  group.constraint = linkage.constraint;
  group.drive = linkage.drive;
  group.is_spring = std::isfinite(linkage.stiffness);
  group.near_rigid = group.is_spring ? 0.0 : linkage.near_rigid;
  return group;
}

void append_linkage_row(const Vector3& ray, double g, bool holds, const Linkage& linkage,
                        QuasistaticProblem* p) {
  append_rows(ray, g / p->h, p);
  if (std::isfinite(linkage.stiffness)) p->compliance.back() = 1.0 / (p->h * p->h * linkage.stiffness);
  if (!holds) return;
  p->holds.resize(p->rays.size(), 0);
  p->holds.back() = 1;
}

/// Enters a group that something moves.
void end_linkage(const QuasistaticGroup& group, QuasistaticProblem* p) {
  if (group.side_begin < static_cast<int>(p->sides.size())) return end_group(group, p);
  const auto num_rows = static_cast<std::size_t>(group.row_begin);
  for (auto* column : {&p->e, &p->compliance}) column->resize(num_rows);
  p->rays.resize(num_rows);
  if (p->holds.size() > num_rows) p->holds.resize(num_rows);
}

/// A row along one direction, with the terms of what it measures, x: x - offset = 0, or x within its range.
void append_scalar(const Model& model, const std::vector<RowTerm>& terms, double x, double offset,
                   const std::optional<std::pair<double, double>>& range, const Linkage& linkage,
                   QuasistaticProblem* p) {
  const auto append = [&](double g, bool holds, double sign) {
    QuasistaticGroup group = begin_linkage(linkage, *p);
    group.sign = sign;
    add_terms(model, terms, 2, sign, group, p);
    append_linkage_row(Vector3::UnitZ(), g, holds, linkage, p);
    end_linkage(group, p);
  };
  if (!range) return append(x - offset, true, 1.0);
  if (std::isfinite(range->first)) append(x - range->first, false, 1.0);
  if (std::isfinite(range->second)) append(range->second - x, false, -1.0);
}

void append_joint_constraint(const Model& model, const CoordinateRow& row, const QuasistaticStep& step,
                             QuasistaticProblem* p) {
  step.terms->clear();
  for (const auto& [coordinate, coefficient] : row.terms)
    step.terms->push_back({coordinate.tree, coordinate.v, coefficient});
  append_scalar(model, *step.terms, row.value(step.state->q), row.offset, row.range,
                {row.index, -1, row.law.stiffness, row.law.near_rigid}, p);
}

/// The terms of a row of a pair, in *step.terms.
const std::vector<RowTerm>& terms_of(const Model& model, const Kinematics& kinematics, const BodyPair& pair,
                                     const Vector3& point, const ScrewRow& row, const QuasistaticStep& step) {
  step.terms->clear();
  append_terms(model, kinematics, pair, point, row, step.terms);
  return *step.terms;
}

/// Rows along the axes of a vector are one group, the others groups of their own.
void append_pair_constraint(const Model& model, const Kinematics& kinematics, const BodyPair& pair,
                            const QuasistaticStep& step, QuasistaticProblem* p) {
  PairMeasure measure;
  measure_pair(pair, kinematics, &measure);
  for (std::size_t i = 0; i < pair.rows.size();) {
    const BodyPair::Row& first = pair.rows[i];
    const Linkage linkage{pair.index + static_cast<int>(i), -1, first.law.stiffness, first.law.near_rigid};
    const auto terms = [&]() -> const std::vector<RowTerm>& {
      return terms_of(model, kinematics, pair, measure.point, measure.rows[i], step);
    };
    if (first.law.group == 1) {
      append_scalar(model, terms(), measure.rows[i].x, first.offset, first.range, linkage, p);
      ++i;
      continue;
    }
    QuasistaticGroup group = begin_linkage(linkage, *p);
    for (int axis = 0; axis < 3; ++axis, ++i) {
      add_terms(model, terms(), axis, 1.0, group, p);
      append_linkage_row(Vector3::Unit(axis), measure.rows[i].x, true, linkage, p);
    }
    end_linkage(group, p);
  }
}

/// A spring for each coordinate with a stiffness.
void append_drive(const Model& model, const Kinematics& kinematics, const CartesianDrive& drive,
                  const QuasistaticStep& step, QuasistaticProblem* p) {
  CartesianMeasure measure;
  measure_cartesian_at(drive, kinematics, *step.command, &measure);
  for (int i = 0; i < 6; ++i) {
    if (drive.stiffness[i] == 0.0) continue;
    const ScrewRow& row = measure.rows[i];
    append_scalar(model, terms_of(model, kinematics, drive.pair, measure.point, row, step), row.x, 0.0, {},
                  {-1, drive.actuator + i, drive.stiffness[i]}, p);
  }
}

/// A spring at rest: J v + R z = 0 with the terms of J.
void append_turning_row(const Model& model, const std::vector<RowTerm>& terms, const Linkage& linkage,
                        DriveRow row, QuasistaticProblem* p) {
  const std::size_t first = p->groups.size();
  append_scalar(model, terms, 0.0, 0.0, {}, linkage, p);
  if (p->groups.size() > first) p->groups.back().drive_row = row;
}

/// How the pull of a drive turns with its arm, and the drag of a step that would turn it too far: with 1/turn
/// its pull and weights alone turn no joint further.
void append_turning(const Model& model, const TurningArm& arm, const QuasistaticStep& step,
                    QuasistaticProblem* p) {
  const int actuator = model.cartesian_drives[static_cast<std::size_t>(arm.drive)].actuator;
  const auto n = static_cast<Eigen::Index>(arm.coordinates.size());
  const auto term = [&](Eigen::Index k, double coefficient) {
    step.terms->push_back({arm.tree, arm.coordinates[static_cast<std::size_t>(k)].v, coefficient});
  };
  for (Eigen::Index i = 0; arm.stiffness > 0.0 && i < n; ++i) {
    step.terms->clear();
    for (Eigen::Index k = 0; k < n; ++k) term(k, arm.J(i, k));
    append_turning_row(model, *step.terms, {-1, actuator, arm.stiffness}, DriveRow::kTurning, p);
  }
  const double drag = (*step.drags)[static_cast<std::size_t>(arm.drive)];
  if (drag == 0.0) return;
  double load = 0.0;  // squared
  const auto load_of = [&](std::size_t k) {
    return arm.pull[static_cast<Eigen::Index>(k)] + p->load[arm.coordinates[k].v];
  };
  for (std::size_t k = 0; k < arm.coordinates.size(); ++k)
    if (arm.turns[k] != 0) load += load_of(k) * load_of(k);
  if (load == 0.0) return;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (arm.turns[static_cast<std::size_t>(k)] == 0) continue;
    step.terms->clear();
    term(k, 1.0);
    append_turning_row(model, *step.terms, {-1, actuator, drag * std::sqrt(load)}, DriveRow::kDrag, p);
  }
}

}  // namespace

int tangent_axis(const Vector3& n) {
  const double smallest = n.cwiseAbs().minCoeff();
  int axis = 0;
  while (std::abs(n[axis]) > smallest + kTie) ++axis;
  return axis;
}

Matrix3 contact_axes(const Vector3& n, const std::optional<Vector3>& plane, int axis) {
  Matrix3 axes;
  axes.col(0) = (plane ? *plane : Vector3(Vector3::Unit(axis))).cross(n).normalized();
  axes.col(1) = n.cross(axes.col(0));
  axes.col(2) = n;
  return axes;
}

void build_quasistatic_problem(const Model& model, const QuasistaticModel& quasistatic,
                               const IntegratorSpec& spec, const Kinematics& kinematics,
                               const ContactSet& contacts, const std::optional<Vector3>& plane,
                               const QuasistaticStep& step, QuasistaticProblem* problem) {
  problem->h = step.h;
  problem->barrier = has_barrier(spec) ? 1.0 / spec.barrier_weight : 0.0;
  problem->has_coulomb_friction = is_complementarity_problem(spec);
  problem->executes_commands = spec.problem == QuasistaticKind::kPlanningLcp;
  lay_out(model, quasistatic, problem);
  set_cost(model, quasistatic, spec, kinematics, step, problem);
  const int num_rays = has_friction_cones(spec) ? 0 : spec.rays_per_contact;  // 0: the cone itself
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const PointContact& contact = contacts.points[i];
    const int axis = step.tangents != nullptr ? (*step.tangents)[i] : tangent_axis(contact.normal);
    append_contact(model, kinematics, contact, static_cast<int>(i), num_rays, plane, axis, problem);
  }
  for (std::size_t i = 0; i < model.rows.size(); ++i)
    if (model.rows[i].owner == RowOwner::kJoint && model.rows[i].range)
      append_limit(model, step.state->q, static_cast<int>(i), problem);
  for (const CoordinateRow& row : model.rows)
    if (row.owner == RowOwner::kConstraint && !is_broken(*step.state, row.constraint))
      append_joint_constraint(model, row, step, problem);
  for (const BodyPair& pair : model.body_pairs)
    if (!is_broken(*step.state, pair.constraint))
      append_pair_constraint(model, kinematics, pair, step, problem);
  for (const CartesianDrive& drive : model.cartesian_drives)
    append_drive(model, kinematics, drive, step, problem);
  for (const TurningArm& arm : step.turning->arms()) append_turning(model, arm, step, problem);
  if (!problem->holds.empty()) problem->holds.resize(problem->rays.size(), 0);
}

}  // namespace csim
