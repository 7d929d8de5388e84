#include "step/quasistatic/quasistatic_forces.h"

#include <algorithm>

#include "problem/build_quasistatic_problem.h"

namespace csim {
namespace {

constexpr double kSmallestImpulse = 1e-12;  // N s, scale without any force
constexpr double kNoForce = 1e-9;  // of the largest impulse: without a polish rows that do not act keep some

/// Forces of the rows, and what the compliance that is a spring's holds: R z^2/2, which is f^2/(2 k).
void collect_constraint(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                        const QuasistaticSolution& solution, RowForces* rows) {
  for (int j = group.row_begin; j < group.row_end; ++j) {
    const int row = group.constraint + j - group.row_begin;
    const double z = solution.z[j];
    rows->constraint[row] += group.sign * z / problem.h;
    if (!group.is_spring) continue;
    const double energy = 0.5 * problem.compliance[j] * z * z;
    rows->constraint_energy[row] += energy;
    rows->elastic_energy_end += energy;
  }
}

/// Adds J^T f of a group, f its impulse over h, to the forces on coordinates.
void add_to_joints(const QuasistaticProblem& problem, const QuasistaticGroup& group, const Vector3& f,
                   VectorX* joint) {
  for_each_side(problem, group, [&](const auto& J, int tree) {
    joint->segment(problem.begin[tree], problem.size[tree]) += J.transpose().lazyProduct(f);
  });
}

/// Of the recorded forces; those of the two ends of a range are told apart by their sign.
Vector3 recorded_impulse(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                         const QuasistaticForces& forces) {
  if (group.is_contact()) return problem.h * (group.axes.transpose() * forces.contacts.force[group.contact]);
  const VectorX& force = forces.rows.constraint;
  Vector3 impulse = Vector3::Zero();
  for (int j = group.row_begin; j < group.row_end; ++j) {
    const double f = group.sign * force[group.constraint + j - group.row_begin];
    const bool holds = problem.is_held(static_cast<std::size_t>(j));
    impulse += problem.h * (holds ? f : std::max(f, 0.0)) * problem.rays[j];
  }
  return impulse;
}

}  // namespace

void collect_quasistatic_forces(const Model& model, const ContactSet& contacts,
                                const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                QuasistaticForces* forces) {
  ContactForces& c = forces->contacts;
  const std::size_t n = contacts.size();
  c.point.assign(n, Vector3::Zero());
  c.force.assign(n, Vector3::Zero());
  c.slip_velocity.assign(n, Vector3::Zero());
  c.normal_force.assign(n, 0.0);
  c.slip_speed.assign(n, 0.0);
  c.stiffness.assign(n, 0.0);
  c.mode.assign(n, 0);
  c.gliding_distance = c.stiction_tolerance = c.normal_damping = c.dissipated_friction = c.bias_work = 0.0;
  forces->dissipated_limits = 0.0;
  forces->rows.clear(model);
  forces->limits.setZero(model.nv);
  for (std::size_t i = 0; i < contacts.points.size(); ++i)
    c.point[i] = 0.5 * (contacts.points[i].p_a + contacts.points[i].p_b);
  const double no_impulse = kNoForce * max_norm(solution.z);
  for (const QuasistaticGroup& group : problem.groups) {
    const Vector3 v_c = contact_velocity(problem, group, solution.v);
    const Vector3 impulse = contact_impulse(problem, group, solution.z);
    if (group.drive >= 0) {
      forces->rows.drive_work += impulse.dot(v_c);
      if (group.drive_row == DriveRow::kPull) forces->rows.drive[group.drive] = impulse.z() / problem.h;
      add_to_joints(problem, group, impulse / problem.h, &forces->rows.joint);
      continue;
    }
    if (group.constraint >= 0) {
      forces->rows.dissipated -= impulse.dot(v_c);
      collect_constraint(problem, group, solution, &forces->rows);
      continue;
    }
    const double normal_loss = -impulse.z() * v_c.z();
    if (group.limit >= 0) {
      forces->dissipated_limits += normal_loss;
      const JointCoordinate& coordinate = model.rows[group.limit].terms[0].coordinate;
      const int column = coordinate.v - problem.begin[coordinate.tree];
      for_each_side(problem, group, [&](const auto& J, int /*tree*/) {
        forces->limits[coordinate.v] += J(2, column) * impulse.z() / problem.h;
      });
      continue;
    }
    c.normal_damping += normal_loss;
    c.dissipated_friction -= impulse.head<2>().dot(v_c.head<2>());
    const int i = group.contact;
    const Matrix3& axes = group.axes;
    c.force[i] = axes * impulse / problem.h;
    c.normal_force[i] = impulse.z() / problem.h;
    c.slip_velocity[i] = axes.leftCols<2>() * v_c.head<2>();
    c.slip_speed[i] = v_c.head<2>().norm();
    if (!(impulse.z() > no_impulse)) continue;
    c.mode[i] = c.slip_speed[i] > kSlipSpeed ? 2 : 1;
    c.gliding_distance = std::max(c.gliding_distance, contacts.points[i].phi + problem.h * v_c.z());
  }
}

double recorded_residual(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                         const QuasistaticForces& forces, std::vector<double>* work) {
  work->assign(problem.b.size(), 0.0);
  Eigen::Map<VectorX> impulse(work->data(), problem.nv());
  impulse = problem.h * (forces.limits + forces.rows.joint);
  double pull = 0.0;  // of a drive alone: those along the axes of one frame may balance
  for (const QuasistaticGroup& group : problem.groups) {
    if (group.drive >= 0) {
      const Vector3 f = contact_impulse(problem, group, solution.z);
      for_each_side(problem, group, [&](const auto& J, int /*tree*/) {
        pull = std::max(pull, J.transpose().lazyProduct(f).cwiseAbs().maxCoeff());
      });
    }
    if (group.limit >= 0 || group.drive >= 0) continue;
    const Vector3 f = recorded_impulse(problem, group, forces);
    for_each_side(problem, group, [&](const auto& J, int tree) {
      impulse.segment(problem.begin[tree], problem.size[tree]) += J.transpose().lazyProduct(f);
    });
  }
  for (int k = 0; problem.executes_commands && k < problem.nv(); ++k)
    if (problem.is_passive[k] == 0) impulse[k] = 0.0;
  const double load = std::max({max_norm(*work), max_norm(problem.b), pull, kSmallestImpulse});
  impulse = -impulse - Eigen::Map<const VectorX>(problem.b.data(), problem.nv());
  add_blocks(problem, problem.Q, 1.0, solution.v, work);
  return max_norm(*work) / load;
}

}  // namespace csim
