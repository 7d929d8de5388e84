#include "model/velocity_terms.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>

namespace csim {
namespace {

constexpr int kMaxIterations = 50;
constexpr int kMostParts = 512;      // of a step
constexpr double kRounding = 1e-14;  // of a correction, relative to the velocity
// Repetition with A costs one evaluation an iteration and takes over Newton's work where it gains a digit.
constexpr double kContraction = 0.1;

/// Newton's method for the mean x of w0 and the angular velocity w1 = 2 x - w0 after the step, of
///   2 A (x - w0) + h x x I x = l          A: I with armature and damping, l: impulse about the centre of
///   mass
/// from *x, with steps halved until the residual falls. False without convergence.
bool find_mean_spin(const Matrix3& A, const Matrix3& I, const Vector3& w0, const Vector3& l, double h,
                    Vector3* x) {
  const auto residual = [&](const Vector3& w) -> Vector3 {
    return 2.0 * (A * (w - w0)) + h * w.cross(I * w) - l;
  };
  Vector3 r = residual(*x);
  const double scale = (A * w0).norm() + l.norm();
  for (int i = 0; i < kMaxIterations; ++i) {
    if (!(r.norm() > 1e-15 * scale)) return true;
    const Matrix3 jacobian = 2.0 * A + h * (skew(*x) * I - skew(I * *x));
    const Vector3 dx = jacobian.inverse() * r;
    const double before = r.norm();
    double step = 1.0;
    while (step > 1e-3 && !(residual(*x - step * dx).norm() < before)) step *= 0.5;
    if (step <= 1e-3) return before < 1e-12 * scale;
    *x -= step * dx;
    r = residual(*x);
  }
  return false;
}

/// The mean of x x I x over the step. Where a body turns so far that no mean velocity is found, the step is
/// made of shorter ones with the same I: Euler's equation in the frame of the body, which each of them obeys
/// and none of them gains energy by.
bool find_mean_torque(const Matrix3& A, const Matrix3& I, const Vector3& w0, const Vector3& l, double h,
                      Vector3* torque) {
  for (int parts = 1; parts <= kMostParts; parts *= 8) {
    Vector3 w = w0;
    torque->setZero();
    bool ok = true;
    for (int k = 0; k < parts && ok; ++k) {
      Vector3 x = w;
      ok = find_mean_spin(A, I, w, l / parts, h / parts, &x);
      *torque += x.cross(I * x) / parts;
      w = 2.0 * x - w;
    }
    if (ok) return true;
  }
  return false;
}

bool take_free_body(const Model& model, const FreeBody& free, const Matrix3& R_WB, const State& state,
                    const VectorX& p, double h, Dynamics* dynamics) {
  const Vector3 w0 = state.v.segment<3>(free.v_begin);
  const auto applied = dynamics->applied.segment<6>(free.v_begin);
  const Vector3 moment = p.segment<3>(free.v_begin) + h * applied.head<3>(),
                impulse = p.segment<3>(free.v_begin + 3) + h * applied.tail<3>();
  const Vector3 c = R_WB * free.mass.com;
  const Matrix3 I = R_WB * free.mass.inertia * R_WB.transpose();
  Matrix3 A = I;
  Vector3 l = moment - c.cross(impulse), torque;
  if (!free.plain) {
    const Vector3 damping = h * model.damping.segment<3>(free.v_begin);
    A.diagonal() += damping + model.armature.segment<3>(free.v_begin);
    l -= damping.cwiseProduct(w0);
  }
  const bool ok = find_mean_torque(A, I, w0, l, h, &torque);
  const Vector3 force = free.mass.mass * model.bodies[free.body].gravity;
  dynamics->force.segment<3>(free.v_begin) = c.cross(force) - torque + applied.head<3>();
  dynamics->force.segment<3>(free.v_begin + 3) = force + applied.tail<3>();
  return ok;
}

/// One tree, by repetition with A, then by Newton's method. The terms are quadratic in v, so that central
/// differences of any length give their derivative exactly.
struct TreeIteration {
  const Model& model;
  const Kinematics& kinematics;
  const State& state;
  const VectorX &p, &guess;
  double h;
  int index;  // of the tree
  const Tree& tree;
  Dynamics* dynamics;
  FreeMotion* free_motion;
  MeanVelocityWorkspace* w;

  auto part(VectorX& x) const { return x.segment(tree.v_begin, tree.nv); }
  auto A() const {
    return Eigen::Map<const MatrixX>(free_motion->A.data() + tree.block_begin, tree.nv, tree.nv);
  }

  /// Forces at the mean of v0 and v, and the change v0 + A^-1 (h (f - L v0) + p) - v that repetition makes, L
  /// v0 being what is implicit in A.
  void evaluate() const {
    const auto v0 = state.v.segment(tree.v_begin, tree.nv);
    part(w->mean) = 0.5 * (v0 + part(w->v));
    compute_tree_forces(model, kinematics, tree, state.q, w->mean, dynamics);
    for (int i = tree.v_begin; i < tree.v_begin + tree.nv; ++i)
      w->change[i] = h * (dynamics->force[i] - implicit_gain(model, *free_motion, h, i) * state.v[i]) + p[i];
    solve_tree(model, index, free_motion->A, free_motion->factor, &w->change);
    part(w->change) -= part(w->v) - v0;
  }

  /// A - (h/2) df/dv at the mean.
  void factor(MeanVelocityWorkspace::TreeSearch* search) const {
    for (int i = 0; i < tree.nv; ++i) {
      double& m = w->mean[tree.v_begin + i];
      const double m_i = m;
      const double length = 1.0 + std::abs(m_i);
      m = m_i + length;
      compute_tree_forces(model, kinematics, tree, state.q, w->mean, dynamics);
      search->jacobian.col(i) = part(dynamics->force);
      m = m_i - length;
      compute_tree_forces(model, kinematics, tree, state.q, w->mean, dynamics);
      search->jacobian.col(i) -= part(dynamics->force);
      search->jacobian.col(i) *= -0.25 * h / length;
      m = m_i;
    }
    search->jacobian += A();
    search->factor.compute(search->jacobian);
  }

  static constexpr double kUnknown = MeanVelocityWorkspace::kUnknown;

  /// To changes of `accuracy`, relative to the velocity; 0: to rounding.
  [[nodiscard]] bool run(double accuracy, MeanVelocityWorkspace::TreeSearch* search) const {
    bool takes_newton = false;
    double last = std::numeric_limits<double>::infinity();
    double contraction = search->contraction;  // known from a search before, of velocities that are near
    double largest = 0.0;
    part(w->v) = guess.segment(tree.v_begin, tree.nv);
    for (int i = 0; i < kMaxIterations; ++i) {
      evaluate();
      if (takes_newton) {
        factor(search);
        part(w->mean).noalias() = A() * part(w->change);
        part(w->change) = search->factor.solve(part(w->mean));
      }
      part(w->v) += part(w->change);
      const double change = part(w->change).norm();
      const double rounding = kRounding * part(w->v).norm();
      // The next change would be smaller by the same factor as this one, and the forces at hand give v to as
      // much.
      if (i > 0) {
        contraction = change / last;
        largest = std::max(largest, contraction);
      }
      if (!takes_newton && contraction * change <= std::max(rounding, accuracy * part(w->v).norm())) {
        if (search->contraction == kUnknown && i > 0) search->contraction = largest;
        return true;
      }
      if (takes_newton && (change <= rounding || (change <= 1e3 * rounding && change >= last))) break;
      if (!takes_newton && change > kContraction * last) takes_newton = true;
      last = change;
      if (i + 1 == kMaxIterations || !std::isfinite(change)) return false;
    }
    evaluate();
    return true;
  }
};

/// The first of what several workers note.
class First {
 public:
  void note(int k) {
    int first = first_.load();
    while (k < first && !first_.compare_exchange_weak(first, k)) {
    }
  }
  [[nodiscard]] std::optional<int> get() const {
    return first_ == kNone ? std::nullopt : std::optional(first_.load());
  }

 private:
  static constexpr int kNone = std::numeric_limits<int>::max();
  std::atomic<int> first_{kNone};
};

}  // namespace

void forget_contractions(const Model& model, MeanVelocityWorkspace* workspace) {
  if (workspace->search.empty()) return;
  for (const int t : model.articulated_trees)
    workspace->search[t].contraction = MeanVelocityWorkspace::kUnknown;
}

int take_mean_velocity_terms(const Model& model, const Kinematics& kinematics, const State& state,
                             const TreeSet& trees, const VectorX& p, const VectorX& guess, double accuracy,
                             double h, Dynamics* dynamics, FreeMotion* free_motion,
                             MeanVelocityWorkspace* workspace) {
  for (auto* column : {&workspace->v, &workspace->mean, &workspace->change}) column->resize(model.nv);
  if (workspace->search.size() != model.trees.size()) {
    workspace->search.resize(model.trees.size());
    for (const int t : model.articulated_trees) {
      const int nv = model.trees[t].nv;
      workspace->search[t] = {MeanVelocityWorkspace::kUnknown, MatrixX(nv, nv),
                              Eigen::PartialPivLU<MatrixX>(nv)};
    }
  }
  Workers* const workers = workspace->workers;
  constexpr double kCostOfFree = 0.1, kCostOfTree = 2.5;  // us
  std::vector<int>& free_bodies = workspace->free_bodies;
  free_bodies.clear();
  for_each_free_body(model, trees,
                     [&](const FreeBody& free) { free_bodies.push_back(model.trees[free.tree].free_body); });
  const int num_free = static_cast<int>(free_bodies.size());
  const int num_articulated = static_cast<int>(model.articulated_trees.size());
  First unsettled_free, unsettled_tree;
  for_shares(workers, num_free, kCostOfFree, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const FreeBody& free = model.free_bodies[free_bodies[k]];
      if (!take_free_body(model, free, kinematics.X_WB[free.body].R, state, p, h, dynamics))
        unsettled_free.note(k);
    }
  });
  for_shares(workers, num_articulated, kCostOfTree, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) {
      const int t = model.articulated_trees[k];
      if (!contains(trees, t)) continue;
      const TreeIteration iteration{model, kinematics,     state,    p,           guess,    h,
                                    t,     model.trees[t], dynamics, free_motion, workspace};
      if (!iteration.run(accuracy, &workspace->search[t])) unsettled_tree.note(k);
    }
  });
  solve_free_motion(model, *dynamics, state, h, free_motion, trees, workers);
  if (const auto k = unsettled_free.get()) return model.free_bodies[free_bodies[*k]].tree;
  const auto k = unsettled_tree.get();
  return k ? model.articulated_trees[*k] : -1;
}

void carry_origins(const Model& model, const Kinematics& kinematics, double h, VectorX* q, VectorX* v,
                   const TreeSet& trees) {
  for_each_free_body(model, trees, [&](const FreeBody& free) {
    if (free.mass.com.isZero(0.0)) return;
    const Vector3 c = kinematics.X_WB[free.body].R * free.mass.com;
    const Vector3 w = v->segment<3>(free.v_begin);
    const Vector3 turned = turned_by(w, c, h);
    Vector3 shift = h * (w.cross(c) - turned);
    if (free.placed) shift = model.bodies[free.body].joint.q_PF.conjugate() * shift;
    q->segment<3>(free.q_begin + 4) += shift;
    v->segment<3>(free.v_begin + 3) -= h * w.cross(turned);
  });
}

}  // namespace csim
