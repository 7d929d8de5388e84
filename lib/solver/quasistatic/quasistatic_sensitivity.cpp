#include "solver/quasistatic/quasistatic_sensitivity.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kWeak = 1e-9;             // of the largest impulse and speed: a row below both is weak
constexpr double kWeakChosen = 1e-14;      // of the largest impulse, where those of `choice` count too
constexpr double kChoiceScale = 1e6;       // of `choice`: the inverse of the usual integrator.regularization
constexpr double kZeroEigenvalue = 1e-12;  // of the largest eigenvalue: smaller ones are 0
constexpr double kDependent = 1e-9;        // of the largest row: rank of E
constexpr double kNoSolution = 1e-9;       // a larger certificate of Q + choice
constexpr double kInconsistent = 1e-6;     // m (or 1) a unit of the change over h: rounding is 1e-9 at most
constexpr double kUnbalanced = 1e-5;       // of the loads: likewise

Vector2 tangent_part(const std::vector<double>& x, int row) {
  return {x[row + 1], x[row + 2]};
}

Matrix3 ray_matrix(const QuasistaticProblem& problem, int row) {
  Matrix3 rays;
  for (int k = 0; k < 3; ++k) rays.col(k) = problem.rays[row + k];
  return rays;
}

}  // namespace

/// W: inverse of the transposed Cholesky factor of Q, or of a multiple of `choice` where Q is 0.
void QuasistaticSensitivity::set_scale(const QuasistaticProblem& problem) {
  W_.setZero(problem.nv(), problem.nv());
  for (int t = 0; t < problem.num_trees(); ++t) {
    const int n = problem.size[t], begin = problem.begin[t], block = problem.block_begin[t];
    const MatrixX weight = Eigen::Map<const MatrixX>(problem.Q.data() + block, n, n) +
                           kChoiceScale * Eigen::Map<const MatrixX>(problem.choice.data() + block, n, n);
    const MatrixX L = weight.llt().matrixL();
    W_.block(begin, begin, n, n) =
        L.transpose().triangularView<Eigen::Upper>().solve(MatrixX::Identity(n, n));
  }
}

/// A row is weak below `weak_part` of the largest impulse, or `least`, and likewise of the speeds.
void QuasistaticSensitivity::find_modes(const QuasistaticProblem& problem, double weak_part,
                                        const QuasistaticScale& least) {
  multiply_jacobian(problem, v_, &slack_);
  const QuasistaticScale scale = scale_of(problem, load_, z_, slack_),
                         weak{std::max(weak_part * scale.impulse, least.impulse),
                              std::max(kWeak * scale.speed, least.speed)};
  w_.resize(slack_.size());
  for (std::size_t j = 0; j < slack_.size(); ++j) {
    slack_[j] += problem.e[j];
    w_[j] = slack_[j] + problem.compliance[j] * z_[j];
  }
  mode_.assign(z_.size(), Mode::kOpen);
  is_weak_.assign(z_.size(), 0);
  is_moved_.assign(z_.size(), 0);
  if (problem.barrier > 0.0) {
    for (std::size_t j = 0; j < z_.size(); ++j) mode_[j] = problem.is_held(j) ? Mode::kHolds : Mode::kLaw;
    return;
  }
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    if (group.is_cone) {
      find_cone_mode(problem, static_cast<int>(i), scale, weak);
      continue;
    }
    for (int j = group.row_begin; j < group.row_end; ++j) {
      if (problem.is_held(static_cast<std::size_t>(j))) {
        mode_[j] = Mode::kHolds;
        continue;
      }
      is_weak_[j] = std::abs(w_[j]) < weak.speed && std::abs(z_[j]) < weak.impulse;
      if (!is_weak_[j] && w_[j] * scale.impulse < z_[j] * scale.speed) mode_[j] = Mode::kHolds;
    }
  }
}

/// By the eigenvalues w_0 -+ |w_t| and z_0 +- |z_t|: of each pair one is 0. A cone at its friction limit that
/// does not slide sticks.
void QuasistaticSensitivity::find_cone_mode(const QuasistaticProblem& problem, int group,
                                            const QuasistaticScale& scale, const QuasistaticScale& weak) {
  const int row = problem.groups[group].row_begin;
  const double w_t = tangent_part(w_, row).norm(), z_t = tangent_part(z_, row).norm();
  const double gap = w_[row] - w_t, force = z_[row] + z_t, slip = w_[row] + w_t, reserve = z_[row] - z_t;
  const bool touches = std::abs(gap) < weak.speed && force < weak.impulse,
             may_slide = std::abs(slip) < weak.speed && std::abs(reserve) < weak.impulse;
  Mode mode = Mode::kSlides;
  if (touches || force * scale.speed < gap * scale.impulse) {
    mode = Mode::kOpen;
  } else if (may_slide || slip * scale.impulse < reserve * scale.speed) {
    mode = Mode::kHolds;
  }
  std::fill_n(mode_.begin() + row, 3, mode);
  is_weak_[row] = touches || may_slide;
}

/// G and the equalities of the rows that act.
void QuasistaticSensitivity::set_laws(const QuasistaticProblem& problem) {
  weight_.assign(mode_.size(), 0.0);
  cone_G_.assign(problem.groups.size(), Matrix3::Zero());
  equalities_.clear();
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int index = static_cast<int>(i);
    if (group.is_cone && (mode_[group.row_begin] == Mode::kLaw || mode_[group.row_begin] == Mode::kSlides)) {
      set_cone_law(problem, index);
      continue;
    }
    for (int j = group.row_begin; j < group.row_end; ++j) {
      if (mode_[j] == Mode::kLaw) weight_[j] = z_[j] / slack_[j];
      if (mode_[j] != Mode::kHolds) continue;
      if (problem.compliance[j] > 0.0) {
        weight_[j] = 1.0 / problem.compliance[j];
      } else {
        equalities_.push_back({j, 1, Vector3::UnitX(), index});
      }
    }
  }
}

/// Of a cone with a barrier, or one that slides.
void QuasistaticSensitivity::set_cone_law(const QuasistaticProblem& problem, int group) {
  const int row = problem.groups[group].row_begin;
  const Vector3 s(slack_[row], slack_[row + 1], slack_[row + 2]);
  if (mode_[row] == Mode::kLaw) {
    const Vector3 y(s[0], -s[1], -s[2]);
    const double det = s.dot(y);
    cone_G_[group] = 2.0 * problem.barrier / det * (2.0 / det * y * y.transpose());
    cone_G_[group].diagonal() += 2.0 * problem.barrier / det * Vector3(-1.0, 1.0, 1.0);
    return;
  }
  const Vector2 t = s.tail<2>().normalized();
  const Vector3 c(1.0, -t.x(), -t.y());
  cone_G_[group].bottomRightCorner<2, 2>() =
      z_[row] / s.tail<2>().norm() * (Eigen::Matrix2d::Identity() - t * t.transpose());
  const double compliance = problem.compliance[row] + problem.compliance[row + 1];
  if (compliance > 0.0) {
    cone_G_[group] += c * c.transpose() / compliance;
  } else {
    equalities_.push_back({row, 3, c, group});
  }
}

/// *dz = G dw.
void QuasistaticSensitivity::apply_laws(const QuasistaticProblem& problem, const std::vector<double>& dw,
                                        std::vector<double>* dz) const {
  dz->resize(dw.size());
  for (std::size_t j = 0; j < dw.size(); ++j) (*dz)[j] = weight_[j] == 0.0 ? 0.0 : weight_[j] * dw[j];
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const int row = problem.groups[i].row_begin;
    if (!problem.groups[i].is_cone || (mode_[row] != Mode::kLaw && mode_[row] != Mode::kSlides)) continue;
    Eigen::Map<Vector3>(dz->data() + row) += cone_G_[i] * Eigen::Map<const Vector3>(dw.data() + row);
  }
}

/// H and E in u.
void QuasistaticSensitivity::assemble(const QuasistaticProblem& problem, bool with_choice) {
  const int n = problem.nv();
  const auto block = [&](MatrixX& matrix, int a, int b) {
    return matrix.block(problem.begin[a], problem.begin[b], problem.size[a], problem.size[b]);
  };
  H_.setZero(n, n);
  for (int t = 0; t < problem.num_trees(); ++t) {
    const auto entries = [&](const std::vector<double>& blocks) {
      return Eigen::Map<const MatrixX>(blocks.data() + problem.block_begin[t], problem.size[t],
                                       problem.size[t]);
    };
    MatrixX Q = entries(problem.Q);
    if (with_choice) Q += entries(problem.choice);
    block(H_, t, t) = block(W_, t, t).transpose() * Q * block(W_, t, t);
  }
  E_.setZero(static_cast<Eigen::Index>(equalities_.size()), n);
  std::size_t next = 0;  // of the equalities, which stand in the order of the groups
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    Matrix3 G = row_matrix(problem, group, weight_);
    if (group.is_cone) {
      const Matrix3 rays = ray_matrix(problem, group.row_begin);
      G += rays * cone_G_[i] * rays.transpose();
    }
    for_each_side(problem, group, [&](const auto& J_a, int a) {
      const MatrixX left = J_a * block(W_, a, a);
      for_each_side(problem, group, [&](const auto& J_b, int b) {
        if (!G.isZero(0.0)) block(H_, a, b) += left.transpose() * G * (J_b * block(W_, b, b));
      });
      for (std::size_t k = next; k < equalities_.size() && equalities_[k].group == static_cast<int>(i); ++k) {
        Vector3 along = Vector3::Zero();
        for (int j = 0; j < equalities_[k].num_rows; ++j)
          along += equalities_[k].c[j] * problem.rays[equalities_[k].row_begin + j];
        E_.row(static_cast<Eigen::Index>(k)).segment(problem.begin[a], problem.size[a]) =
            along.transpose() * left;
      }
    });
    while (next < equalities_.size() && equalities_[next].group == static_cast<int>(i)) ++next;
  }
}

/// E in the scale of near-rigid contacts, the velocities that it leaves, and H on these.
void QuasistaticSensitivity::factor() {
  const Eigen::Index n = H_.cols();
  scale_.resize(E_.rows());
  for (Eigen::Index i = 0; i < E_.rows(); ++i) {
    const Equality& equality = equalities_[static_cast<std::size_t>(i)];
    double compliance = 0.0;
    for (int j = 0; j < equality.num_rows; ++j)
      compliance += equality.c[j] * equality.c[j] * near_rigid_[equality.row_begin + j];
    scale_[i] = compliance > 0.0 ? 1.0 / std::sqrt(compliance) : 0.0;  // 0: nothing moves along the row
    E_.row(i) *= scale_[i];
  }
  null_ = MatrixX::Identity(n, n);
  if (E_.rows() > 0) {
    E_factor_.setThreshold(kDependent);
    E_factor_.compute(E_);
    const MatrixX Z = E_factor_.colsPermutation() * MatrixX(E_factor_.matrixZ()).transpose();
    null_ = Z.rightCols(n - E_factor_.rank());
  }
  inverse_.resize(null_.cols());
  if (null_.cols() == 0) return;
  reduced_.compute(null_.transpose() * H_ * null_);
  const VectorX& values = reduced_.eigenvalues();
  const double least = kZeroEigenvalue * std::max(values.maxCoeff(), 1.0);
  for (Eigen::Index i = 0; i < values.size(); ++i) inverse_[i] = values[i] > least ? 1.0 / values[i] : 0.0;
}

VectorX QuasistaticSensitivity::scaled(const std::vector<double>& x) const {
  return W_.transpose() * Eigen::Map<const VectorX>(x.data(), static_cast<Eigen::Index>(x.size()));
}

bool QuasistaticSensitivity::linearize(const QuasistaticProblem& problem,
                                       const QuasistaticSolution& solution) {
  h_ = problem.h;
  load_ = load_of(problem);
  v_ = solution.v;
  z_ = z_balance_ = solution.z;
  z_choice_.assign(z_.size(), 0.0);
  set_scale(problem);
  chosen_ = problem;
  make_near_rigid(&chosen_, &work_);
  near_rigid_ = chosen_.compliance;
  find_modes(problem, kWeak, rounding_of(problem));
  set_laws(problem);
  assemble(problem, false);
  factor();
  const auto num_free = static_cast<Eigen::Index>((inverse_.array() == 0.0).count());
  free_.resize(problem.nv(), num_free);
  // Eigenvalues ascend: those that are 0 come first.
  if (num_free > 0) free_ = null_ * reduced_.eigenvectors().leftCols(num_free);
  return num_free == 0 || choose(problem);
}

/// The same of Q + choice, at its own solution.
bool QuasistaticSensitivity::choose(const QuasistaticProblem& problem) {
  chosen_ = problem;
  for (std::size_t k = 0; k < chosen_.Q.size(); ++k) chosen_.Q[k] += chosen_.choice[k];
  std::fill(chosen_.choice.begin(), chosen_.choice.end(), 0.0);
  QuasistaticCertificate certificate;
  solver_.solve(chosen_, &chosen_solution_, &certificate);
  if (!chosen_solution_.ok || !(certificate.largest() <= kNoSolution)) return false;
  v_ = chosen_solution_.v;
  z_ = chosen_solution_.z;
  split_impulses(problem);
  find_modes(problem, kWeakChosen, rounding_of(chosen_));
  set_laws(problem);
  assemble(problem, true);
  factor();
  return true;
}

/// Of z what `choice` adds: impulses of rows that the balance leaves open; and on the others z_2 = G J a + c
/// l, with the change a of v, so that Q a + J^T z_2 = choice v.
void QuasistaticSensitivity::split_impulses(const QuasistaticProblem& problem) {
  for (std::size_t j = 0; j < z_.size(); ++j) z_choice_[j] = mode_[j] == Mode::kOpen ? -z_[j] : 0.0;
  work_.assign(v_.size(), 0.0);
  add_blocks(problem, problem.choice, 1.0, v_, &work_);
  add_transposed_jacobian(problem, z_choice_, &work_);
  MatrixX system(H_.rows(), H_.cols() + E_.rows());
  system << H_, E_.transpose();
  const VectorX x = system.completeOrthogonalDecomposition().solve(scaled(work_));
  const VectorX a = W_ * x.head(H_.cols());
  multiply_jacobian(problem, std::vector<double>(a.data(), a.data() + a.size()), &rows_);
  apply_laws(problem, rows_, &work_);
  for (std::size_t j = 0; j < z_.size(); ++j) z_choice_[j] = work_[j] - z_choice_[j];
  for (std::size_t k = 0; k < equalities_.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double l = x[H_.cols() + row] * scale_[row];
    for (int j = 0; j < equalities_[k].num_rows; ++j)
      z_choice_[equalities_[k].row_begin + j] += equalities_[k].c[j] * l;
  }
  for (std::size_t j = 0; j < z_.size(); ++j) z_balance_[j] = z_[j] - z_choice_[j];
}

bool QuasistaticSensitivity::takes_part(const QuasistaticProblem& problem, int group) const {
  for (int j = problem.groups[group].row_begin; j < problem.groups[group].row_end; ++j)
    if (mode_[j] != Mode::kOpen || is_weak_[j] || z_choice_[j] != 0.0) return true;
  return false;
}

bool QuasistaticSensitivity::solve(const QuasistaticProblem& problem, const std::vector<double>& dr,
                                   const std::vector<double>& dr_choice, const std::vector<double>& dw,
                                   VectorX* dv) {
  apply_laws(problem, dw, &rows_);
  work_.assign(v_.size(), 0.0);
  add_transposed_jacobian(problem, rows_, &work_);
  VectorX f = -scaled(work_), balance = scaled(dr);
  if (has_choice()) {
    const VectorX missing = free_.transpose() * balance;
    if (missing.cwiseAbs().maxCoeff() > kUnbalanced * load_ * W_.cwiseAbs().maxCoeff()) return false;
    balance -= free_ * missing;
    f -= scaled(dr_choice);
  }
  f -= balance;
  VectorX u = VectorX::Zero(f.size());
  if (E_.rows() > 0) {
    VectorX g(E_.rows());
    for (Eigen::Index i = 0; i < g.size(); ++i) {
      const Equality& equality = equalities_[static_cast<std::size_t>(i)];
      double sum = 0.0;
      for (int j = 0; j < equality.num_rows; ++j) sum += equality.c[j] * dw[equality.row_begin + j];
      g[i] = -sum;
    }
    u = E_factor_.solve(g.cwiseProduct(scale_));
    const VectorX error = E_ * u - g.cwiseProduct(scale_);
    for (Eigen::Index i = 0; i < g.size(); ++i)
      if (std::abs(error[i]) * h_ > kInconsistent * scale_[i])
        is_moved_[equalities_[static_cast<std::size_t>(i)].row_begin] = 1;
  }
  if (null_.cols() > 0) {
    const VectorX x = reduced_.eigenvectors().transpose() * (null_.transpose() * (f - H_ * u));
    u += null_ * (reduced_.eigenvectors() * inverse_.cwiseProduct(x));
  }
  *dv = W_ * u;
  multiply_jacobian(problem, std::vector<double>(dv->data(), dv->data() + dv->size()), &rows_);
  for (const QuasistaticGroup& group : problem.groups) {
    for (int j = group.row_begin; j < group.row_end; ++j) {
      if (!is_weak_[j]) continue;
      const double change = mode_[j] == Mode::kOpen ? std::abs(rows_[j] + dw[j]) * h_ : 1.0;
      if (change > kInconsistent) is_moved_[j] = 1;
    }
  }
  return true;
}

int QuasistaticSensitivity::num_kinks() const {
  return static_cast<int>(std::count(is_moved_.begin(), is_moved_.end(), 1));
}

}  // namespace csim
