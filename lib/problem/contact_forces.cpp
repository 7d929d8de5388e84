#include "problem/contact_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

/// Columns of a contact that is not in the problem: nothing acts on it.
void clear_rows(std::size_t n, ContactForces* forces) {
  for (auto* column : {&forces->point, &forces->force, &forces->slip_velocity})
    column->assign(n, Vector3::Zero());
  for (auto* column : {&forces->normal_force, &forces->slip_speed, &forces->stiffness, &forces->elastic_start,
                       &forces->elastic_end})
    column->assign(n, 0.0);
  forces->mode.assign(n, 0);
  forces->gliding_distance = forces->stiction_tolerance = 0.0;
  forces->elastic_energy_start = forces->elastic_energy_end = 0.0;
  forces->normal_damping = forces->normal_spring_loss = forces->dissipated_friction = forces->bias_work = 0.0;
}

/// Energy of the columns that a face presses at the start (ContactSurface::storage).
double face_energy(const ContactSurface& surface, const FacePoint& point) {
  const double pressure = std::max(point.pressure, 0.0);
  return surface.storage[point.face] * pressure * pressure * point.area;
}

/// Its change when the face separates by x (m), the elastic force falling from fe0 to (fe0 - k x)_+: the
/// work of that force, without the quotient fe0^2/k of a vanishing k.
double face_energy_change(const ContactColumns& c, int i, double x) {
  const double k = c.stiffness[i], fe0 = c.elastic_force0[i], fe1 = fe0 - k * x;
  if (fe0 >= 0.0 && fe1 >= 0.0) return -0.5 * x * (fe0 + fe1);
  if (fe0 <= 0.0 && fe1 <= 0.0) return 0.0;
  return fe1 > 0.0 ? 0.5 * fe1 * fe1 / k : -0.5 * fe0 * fe0 / k;
}

/// Elastic energy (J) of contact i of the problem at the start.
double energy_at_start(const StepData& data, const ContactSet& contacts, int i) {
  const ConvexProblem& problem = data.problem;
  const int face_point = problem.source[i] - static_cast<int>(contacts.points.size());
  return face_point >= 0 ? face_energy(contacts.surface, contacts.face_points[face_point])
                         : problem.law->elastic_energy(problem.law_parameters, problem.contacts, i, problem.h,
                                                       problem.contacts.phi0[i]);
}

/// h^2 k/m of a point beyond which its energy is no measure of what it may do: the implicit scheme gives one
/// part in so many to the motion.
constexpr double kStiffest = 3e5;

/// Slip, stiffness and force f (N) of contact i of the problem.
void report_force(const ContactColumns& c, int i, int row, const Vector3& f, const Vector3& v_t,
                  ContactForces* forces) {
  forces->force[row] = f;
  forces->slip_velocity[row] = v_t;
  forces->slip_speed[row] = v_t.norm();
  forces->stiffness[row] = c.stiffness[i];
}

void fill_row(const StepData& data, const ContactSet& contacts, int i, ContactForces* forces) {
  const ConvexProblem& problem = data.problem;
  const ContactColumns& c = problem.contacts;
  const ContactLaw& law = *problem.law;
  const int row = problem.source[i];
  const double h = problem.h;
  const Vector3 n = c.normal[i], gamma = forces->gamma[i], v_t = forces->velocities.tangential[i];
  const double v_n = forces->velocities.normal[i];
  report_force(c, i, row, gamma / h, v_t, forces);
  const ContactState state = law.state(c, i, h, v_n, v_t.norm());
  forces->mode[row] = state.mode;
  forces->normal_force[row] = state.mode == 0 ? 0.0 : gamma.dot(n) / h;
  if (state.mode != 0) {
    forces->gliding_distance = std::max(forces->gliding_distance, state.gliding_distance);
    forces->stiction_tolerance = std::max(forces->stiction_tolerance, state.stiction_tolerance);
  }
  const LawParameters& parameters = problem.law_parameters;
  const double start = energy_at_start(data, contacts, i);
  double end, elastic;  // J, N at the end
  if (row >= static_cast<int>(contacts.points.size())) {
    end = start + face_energy_change(c, i, h * v_n);
    elastic = std::max(c.elastic_force0[i] - c.stiffness[i] * h * v_n, 0.0);
  } else {
    end = law.elastic_energy(parameters, c, i, h, c.phi0[i] + h * v_n);
    elastic = law.elastic_force(parameters, c, i, h, h * v_n);
  }
  forces->elastic_start[row] = start;
  forces->elastic_end[row] = end;
  forces->elastic_energy_start += start;
  forces->elastic_energy_end += end;
  const ContactVelocities& before = data.start_velocities;
  const double gamma_n = gamma.dot(n);
  forces->normal_damping -= (gamma_n - h * elastic) * v_n;
  // Impulses work at the mean of the velocities with J alone: the bias is no motion of theirs.
  const Vector3 path = data.path_bias.empty() ? Vector3::Zero() : data.path_bias[i];
  const double path_n = path.dot(n);
  forces->normal_spring_loss +=
      0.5 * gamma_n * (v_n + path_n - before.normal[i]) - (h * elastic * v_n + end - start);
  forces->dissipated_friction -= 0.5 * gamma.dot(before.tangential[i] + v_t - (path - path_n * n));
  forces->bias_work -= gamma.dot(c.bias[i] - path);
}

void fill_points(const Model& model, const ContactSet& contacts, ContactForces* forces) {
  const std::size_t num_points = contacts.points.size();
  for (std::size_t k = 0; k < contacts.face_points.size(); ++k)
    forces->point[num_points + k] = contacts.face_points[k].point;
  for (std::size_t k = 0; k < num_points; ++k) {
    const PointContact& point = contacts.points[k];
    const double weight_a = model.pairs
                                .rule(model.geometries[point.geometry_a].pair_class,
                                      model.geometries[point.geometry_b].pair_class)
                                .weight_a;
    forces->point[k] = weight_a * point.p_a + (1.0 - weight_a) * point.p_b;
  }
}

/// Adds J^T of an impulse at a point to the model's generalised impulses.
void add_impulse(const Model& model, const Kinematics& kinematics, int body, const Vector3& p_WC,
                 const Vector3& impulse, VectorX* out) {
  const int tree_index = model.bodies[body].tree;
  if (tree_index < 0) return;
  const Tree& tree = model.trees[tree_index];
  Vector6 wrench;
  wrench << (p_WC - kinematics.X_WB[body].p).cross(impulse), impulse;
  const int begin = kinematics.jacobian_begin[body];
  if (begin < 0) {
    out->segment<6>(tree.v_begin) += wrench;
  } else {
    const Eigen::Map<const Matrix6X> J(kinematics.jacobians.data() + begin, 6, tree.nv);
    out->segment(tree.v_begin, tree.nv).noalias() += J.transpose() * wrench;
  }
}

}  // namespace

void evaluate_contacts(const StepData& data, const VectorX& v, const std::vector<char>* islands,
                       ContactForces* forces) {
  const ConvexProblem& problem = data.problem;
  const int num_contacts = problem.num_contacts();
  const bool all = islands == nullptr || static_cast<int>(forces->gamma.size()) != num_contacts;
  forces->velocities.resize(num_contacts);
  forces->gamma.resize(num_contacts);
  constexpr double kCost = 0.33;  // us, of an island of a few contacts
  for_shares(data.workers, static_cast<int>(problem.islands.size()), kCost, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      if (!all && !(*islands)[k]) continue;
      const Island& island = problem.islands[k];
      contact_velocities(problem, island, v, true, &forces->velocities);
      problem.law->evaluate(problem.contacts, island.contacts, forces->velocities, &forces->gamma);
    }
  });
}

void compute_contact_forces(const StepData& data, const Model& model, const ContactSet& contacts,
                            const VectorX& v, ContactForces* forces, const TreeSet& trees) {
  const ConvexProblem& problem = data.problem;
  clear_rows(static_cast<std::size_t>(contacts.size()), forces);
  fill_points(model, contacts, forces);
  evaluate_contacts(data, v, nullptr, forces);
  for (const Island& island : problem.islands) {
    if (!is_of(problem, island, trees)) continue;
    for (int i = island.contacts.begin; i < island.contacts.end; ++i) fill_row(data, contacts, i, forces);
  }
}

double lighter_mass(const Model& model, int body_a, int body_b) {
  double mass = std::numeric_limits<double>::infinity();
  for (const int b : {body_a, body_b})
    if (model.bodies[b].tree >= 0) mass = std::min(mass, model.bodies[b].mass.mass);
  return mass;
}

void compute_overlap_gains(const StepData& data, const Model& model, const ContactSet& contacts,
                           double whole_step, ContactForces* forces) {
  const ConvexProblem& problem = data.problem;
  forces->elastic_start.assign(static_cast<std::size_t>(contacts.size()), 0.0);
  for (int i = 0; i < problem.num_contacts(); ++i) {
    const int row = problem.source[i];
    double gain = energy_at_start(data, contacts, i);
    if (row < static_cast<int>(contacts.points.size())) {
      const ContactPair pair = contacts.pair(row);
      const double v = std::min(problem.contacts.phi0[i], 0.0) / whole_step;
      gain = std::min(gain, 0.5 * kStiffest * lighter_mass(model, pair.body_a, pair.body_b) * v * v);
    }
    forces->elastic_start[row] = gain;
  }
}

void collect_continuous_forces(const ConvexProblem& problem, const Model& model, const ContactSet& contacts,
                               const ContactVelocities& v, const Vector3Columns& force,
                               ContactForces* forces) {
  const ContactColumns& c = problem.contacts;
  const double v_s = problem.law_parameters.stiction_tolerance;
  clear_rows(static_cast<std::size_t>(contacts.size()), forces);
  fill_points(model, contacts, forces);
  for (int i = 0; i < problem.num_contacts(); ++i) {
    const int row = problem.source[i];
    report_force(c, i, row, force[i], v.tangential[i], forces);
    forces->normal_force[row] = forces->force[row].dot(c.normal[i]);
    if (forces->normal_force[row] > 0.0) {
      forces->mode[row] = forces->slip_speed[row] <= v_s ? 1 : 2;
      forces->stiction_tolerance = v_s;
    }
    const int face_point = row - static_cast<int>(contacts.points.size());
    forces->elastic_energy_start +=
        face_point >= 0 ? face_energy(contacts.surface, contacts.face_points[face_point])
                        : problem.law->elastic_energy(problem.law_parameters, c, i, 0.0, c.phi0[i]);
  }
  forces->elastic_energy_end = forces->elastic_energy_start;
}

double momentum_residual(const Model& model, const Kinematics& kinematics, const FreeMotion& free_motion,
                         double h, const ContactSet& contacts, const RowForces& rows, const VectorX& v0,
                         const VectorX& v, ContactForces* forces, const TreeSet& trees) {
  VectorX& impulse = forces->model_impulse;
  impulse = h * rows.applied;
  std::vector<char>& in_contact = forces->in_contact;
  in_contact = rows.has_row;
  for (int k = 0; k < contacts.size(); ++k) {
    const Vector3 impulse_b = h * forces->force[k];
    const auto [geometry_a, geometry_b, body_a, body_b] = contacts.pair(k);
    add_impulse(model, kinematics, body_b, forces->point[k], impulse_b, &impulse);
    add_impulse(model, kinematics, body_a, forces->point[k], -impulse_b, &impulse);
    for (const int body : {body_a, body_b}) {
      if (model.bodies[body].tree >= 0) in_contact[model.bodies[body].tree] = 1;
    }
  }
  MomentumNorms norms;
  norms.impulse = rows.impulse_norm2;
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    if (in_contact[t] == 0 || !contains(trees, static_cast<int>(t))) continue;
    const Tree& tree = model.trees[t];
    const Eigen::Map<const MatrixX> A(free_motion.A.data() + tree.block_begin, tree.nv, tree.nv);
    for (int i = 0; i < tree.nv; ++i) {
      const double scale2 = 1.0 / A(i, i);
      const double momentum = A.col(i).dot(v.segment(tree.v_begin, tree.nv));
      const double free_momentum = A.col(i).dot(free_motion.v_star.segment(tree.v_begin, tree.nv));
      const double change = free_momentum - A.col(i).dot(v0.segment(tree.v_begin, tree.nv));
      const double gradient = momentum - free_momentum - impulse[tree.v_begin + i];
      norms.gradient += scale2 * gradient * gradient;
      norms.momentum += scale2 * momentum * momentum;
      norms.change += scale2 * change * change;
      norms.impulse += scale2 * impulse[tree.v_begin + i] * impulse[tree.v_begin + i];
    }
  }
  return norms.residual();
}

}  // namespace csim
