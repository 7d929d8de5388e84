#include "solver/method/tamsi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <vector>

#include "core/counted.h"
#include "core/require.h"
#include "core/spatial.h"
#include "core/timer.h"
#include "law/friction_tamsi.h"
#include "solver/linear/multiply_columns.h"

namespace csim {
namespace {

constexpr double kLargestTurn = std::numbers::pi / 3.0;  // rad, of a slip in one iteration
constexpr double kStepFloor = 1e-12;                     // |dv|_A relative to |v|_A

/// -d gamma / d v_c of contact i.
Matrix3 contact_jacobian(const ContactColumns& contacts, const ContactVelocities& v, int i) {
  const Vector3 n = contacts.normal[i], v_t = v.tangential[i];
  const LawTerms t = Tamsi::evaluate(Tamsi::load(contacts, i), v.normal[i], v_t.squaredNorm());
  return t.perp * Matrix3::Identity() + (t.nn - t.perp) * n * n.transpose() + t.nt * v_t * n.transpose() +
         t.tt * v_t * v_t.transpose();
}

/// The largest step, at most 1, that does not take a row from one of its bounds to the other: to the middle
/// of what is between.
double row_transition_step(const RowColumns& rows, int i, double v, double dv) {
  const double a = rows.v_hat[i] - rows.R[i] * rows.upper[i], b = rows.v_hat[i] - rows.R[i] * rows.lower[i];
  const bool crosses = (v < a && v + dv > b) || (v > b && v + dv < a);
  return crosses ? (0.5 * (a + b) - v) / dv : 1.0;
}

/// Sum over the cluster's contacts of Phi^T G Phi about its reference point, Phi = [-[r]x, I].
Matrix6 sum_cluster(const ConvexProblem& problem, const ContactCluster& cluster, const ContactVelocities& v) {
  Matrix6 sum = Matrix6::Zero();
  for (int i = cluster.contacts.begin; i < cluster.contacts.end; ++i) {
    const Matrix3 G = contact_jacobian(problem.contacts, v, i);
    const Matrix3 r = skew(problem.contacts.arm[i]);
    sum.topLeftCorner<3, 3>() -= r * G * r;
    sum.topRightCorner<3, 3>() += r * G;
    sum.bottomLeftCorner<3, 3>() -= G * r;
    sum.bottomRightCorner<3, 3>() += G;
  }
  return sum;
}

/// The endpoint's part of the relative twist about the reference point, 6 x nv, kept in `memory`.
Eigen::Map<Matrix6X> fill_jacobian(const ConvexProblem& problem, const ClusterEndpoint& endpoint, double sign,
                                   std::vector<double>* memory) {
  Eigen::Map<Matrix6X> J(memory->data(), 6, problem.trees[endpoint.tree].nv);
  if (endpoint.jacobian_begin >= 0) {
    J = Eigen::Map<const Matrix6X>(problem.jacobians.data() + endpoint.jacobian_begin, 6, J.cols());
  } else {
    J = sign * Matrix6::Identity();
    J.bottomLeftCorner<3, 3>() = -sign * skew(endpoint.p);
  }
  return J;
}

/// Entries of Jacobians that are kept: 16 MB, and as much for their factors.
constexpr double kMostEntries = 2e6;

/// The system of n velocities. Those kept are dropped first where there would be too many: islands of ever
/// other sizes would hold the memory of them all.
TamsiSystem& system_of(int n, TamsiWorkspace* workspace) {
  const auto found = workspace->systems.find(n);
  if (found != workspace->systems.end()) return found->second;
  double entries = static_cast<double>(n) * n;
  for (const auto& [rows, system] : workspace->systems) entries += static_cast<double>(rows) * rows;
  if (entries > kMostEntries) workspace->systems.clear();
  return workspace->systems.try_emplace(n, n).first->second;
}

/// One island's solve.
class IslandTamsi {
 public:
  IslandTamsi(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
              TamsiWorkspace* workspace, Iterate* iterate, SolveReport* report)
      : problem_(problem),
        island_(island),
        options_(options),
        w_(workspace->columns),
        jacobians_(*workspace),
        v_(iterate->v),
        report_(*report),
        n_(island.nv()),
        system_(system_of(n_, workspace)),
        scale_(problem.scale.data() + island.v_begin, n_) {}

  SolveStatus run() {
    begin_island(problem_, island_, &w_);
    evaluate();
    bool velocities_converged = true;  // the guess itself may be the solution
    while (true) {
      if (!std::isfinite(value_.norms.gradient)) return SolveStatus::kNotFinite;
      if (velocities_converged && momentum_converged()) return SolveStatus::kConverged;
      if (at_round_off_) return SolveStatus::kRoundOff;
      if (iterations_ == options_.max_iterations) return SolveStatus::kIterationLimit;
      find_direction();
      velocities_converged = take_step();
    }
  }

  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] const MomentumNorms& norms() const { return value_.norms; }

 private:
  auto rows(VectorX& x) const { return x.segment(island_.v_begin, n_); }

  void evaluate() {
    ScopedTimer timer(&report_.seconds.assembly);
    value_ = evaluate_island(problem_, island_, v_, &w_);
  }

  [[nodiscard]] bool momentum_converged() const {
    return value_.norms.converged(options_.relative_tolerance, options_.absolute_tolerance);
  }

  [[nodiscard]] auto block(const ProblemTree& row, const ProblemTree& col) {
    return system_.jacobian.block(row.v_begin - island_.v_begin, col.v_begin - island_.v_begin, row.nv,
                                  col.nv);
  }

  /// J^T K J of a cluster of Hessian K.
  void add_cluster(const ContactCluster& cluster, const Matrix6& K) {
    struct Side {
      const ClusterEndpoint& endpoint;
      double sign;
      std::vector<double>* memory;
    };
    const std::array<Side, 2> sides{{{cluster.a, -1.0, &jacobians_.J_a}, {cluster.b, 1.0, &jacobians_.J_b}}};
    for (const Side& side : sides) {
      if (side.endpoint.tree >= 0) fill_jacobian(problem_, side.endpoint, side.sign, side.memory);
    }
    for (const Side& col : sides) {
      if (col.endpoint.tree < 0) continue;
      const ProblemTree& col_tree = problem_.trees[col.endpoint.tree];
      multiply_columns(K, Eigen::Map<const Matrix6X>(col.memory->data(), 6, col_tree.nv),
                       jacobians_.K_J.data());
      const Eigen::Map<const Matrix6X> K_J(jacobians_.K_J.data(), 6, col_tree.nv);
      for (const Side& row : sides) {
        if (row.endpoint.tree < 0) continue;
        const ProblemTree& row_tree = problem_.trees[row.endpoint.tree];
        const Eigen::Map<const Matrix6X> J_row(row.memory->data(), 6, row_tree.nv);
        block(row_tree, col_tree).noalias() += J_row.transpose().lazyProduct(K_J);
      }
    }
  }

  void add_rows() {
    const RowColumns& r = problem_.rows;
    row_hessian(r, island_.rows, w_.v_c.row, &w_.G.row);
    for (int i = island_.rows.begin; i < island_.rows.end; ++i) {
      for (int k = r.term_begin[i]; k < r.term_begin[i + 1]; ++k) {
        for (int l = r.term_begin[i]; l < r.term_begin[i + 1]; ++l) {
          system_.jacobian(r.terms[k].v - island_.v_begin, r.terms[l].v - island_.v_begin) +=
              r.terms[k].coefficient * r.terms[l].coefficient * w_.G.row[i];
        }
      }
    }
  }

  void assemble() {
    ScopedTimer timer(&report_.seconds.assembly);
    system_.jacobian.setZero();
    for (int t = island_.tree_begin; t < island_.tree_end; ++t) {
      const ProblemTree& tree = problem_.trees[t];
      block(tree, tree) = Eigen::Map<const MatrixX>(problem_.A.data() + tree.A_begin, tree.nv, tree.nv);
    }
    for (int k = island_.cluster_begin; k < island_.cluster_end; ++k) {
      const ContactCluster& cluster = problem_.clusters[k];
      add_cluster(cluster, sum_cluster(problem_, cluster, w_.v_c));
    }
    add_rows();
    system_.jacobian = scale_.asDiagonal() * system_.jacobian * scale_.asDiagonal();
  }

  void find_direction() {
    assemble();
    {
      ScopedTimer timer(&report_.seconds.factor);
      system_.lu.compute(system_.jacobian);
    }
    ScopedTimer timer(&report_.seconds.solve);
    system_.right = -scale_.cwiseProduct(rows(w_.gradient));
    system_.solution = system_.lu.solve(system_.right);
    rows(w_.dv) = scale_.cwiseProduct(system_.solution);
    pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
  }

  /// Returns whether the whole step would have changed the contacts' velocities by less than e_v.
  bool take_step() {
    double alpha = 1.0, normal2 = 0.0, tangential2 = 0.0;
    const double v_s = problem_.law_parameters.stiction_tolerance;
    {
      ScopedTimer timer(&report_.seconds.line_search);
      for (int i = island_.contacts.begin; i < island_.contacts.end; ++i) {
        const Vector3 dv_t = w_.dv_c.tangential[i];
        alpha = std::min(alpha, transition_aware_step(w_.v_c.tangential[i], dv_t, v_s));
        normal2 += w_.dv_c.normal[i] * w_.dv_c.normal[i];
        tangential2 += dv_t.squaredNorm();
      }
      for (int i = island_.rows.begin; i < island_.rows.end; ++i)
        alpha = std::min(alpha, row_transition_step(problem_.rows, i, w_.v_c.row[i], w_.dv_c.row[i]));
    }
    if (options_.record_iterations) {
      report_.history.push_back(
          {std::numeric_limits<double>::quiet_NaN(), std::sqrt(value_.norms.gradient), alpha});
    }
    ++iterations_;
    rows(v_) += alpha * rows(w_.dv);
    multiply_A(problem_, island_, w_.dv, &w_.A_dv);
    const double dv_norm2 = rows(w_.dv).dot(rows(w_.A_dv));
    at_round_off_ = alpha * alpha * dv_norm2 <= kStepFloor * kStepFloor * value_.v_norm2;
    evaluate();
    return std::sqrt(std::max(normal2, tangential2)) < Tamsi::kRelativeTolerance * v_s;
  }

  const ConvexProblem& problem_;
  const Island& island_;
  const NewtonOptions& options_;
  NewtonColumns& w_;
  TamsiWorkspace& jacobians_;
  VectorX& v_;
  SolveReport& report_;
  const int n_;
  TamsiSystem& system_;
  const Eigen::Map<const VectorX> scale_;

  IslandValue value_;
  int iterations_ = 0;
  bool at_round_off_ = false;
};

/// The smallest positive root of a x^2 + b x + c, or 1.
double smallest_positive_root(double a, double b, double c) {
  const double discriminant = b * b - 4.0 * a * c;
  if (discriminant < 0.0) return 1.0;
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  double smallest = std::numeric_limits<double>::infinity();
  for (const double root : {q / a, c / q}) {
    if (std::isfinite(root) && root > 0.0) smallest = std::min(smallest, root);
  }
  return std::isfinite(smallest) ? smallest : 1.0;
}

std::string describe_failure(SolveStatus status, const IslandTamsi& solve, const NewtonOptions& options) {
  std::ostringstream text;
  text.precision(3);
  if (status == SolveStatus::kNotFinite) {
    text << "the momentum balance of TAMSI is not finite after " << counted(solve.iterations(), "iteration");
  } else {
    text << "residual of TAMSI " << solve.norms().residual() << " after "
         << counted(solve.iterations(), "iteration") << ", tolerance " << options.relative_tolerance;
  }
  text << "; a shorter time.step or another contact.model may help";
  return text.str();
}

}  // namespace

double transition_aware_step(const Vector3& v_t, const Vector3& dv_t, double v_s) {
  const double e_v = Tamsi::kRelativeTolerance * v_s;
  const double dv = dv_t.norm();
  if (dv < e_v) return 1.0;
  const double x = v_t.norm() / v_s, x1 = (v_t + dv_t).norm() / v_s;
  if (x < Tamsi::kRelativeTolerance && x1 > 1.0) return std::min(1.0, 0.5 * v_s / dv);
  if (x > 1.0 && x1 < Tamsi::kRelativeTolerance) return std::clamp(1.0 - 0.5 * v_s / dv, 0.0, 1.0);
  if (x < 1.0 || x1 < 1.0) return 1.0;

  const double dot = v_t.dot(dv_t);
  const double a0 = -dot / (dv * dv);  // where |v_t + alpha dv_t| is smallest
  if (dot < 0.0 && a0 < 1.0) {
    const double nearest = (v_t + a0 * dv_t).norm();
    if (nearest < e_v) return a0 - 0.5 * v_s / dv;
    if (nearest < v_s) return a0;
  }
  const double v2 = v_t.squaredNorm();
  const double cosine = v_t.dot(v_t + dv_t) / (v_s * v_s * x * x1);
  if (cosine >= std::cos(kLargestTurn)) return 1.0;
  const double c2 = std::cos(kLargestTurn) * std::cos(kLargestTurn);
  return std::min(1.0, smallest_positive_root(v2 * dv * dv * c2 - dot * dot, 2.0 * v2 * dot * (c2 - 1.0),
                                              v2 * v2 * (c2 - 1.0)));
}

void solve_tamsi(const ConvexProblem& problem, const NewtonOptions& options, TamsiWorkspace* workspace,
                 Iterate* iterate, SolveReport* report) {
  CSIM_REQUIRE(!problem.law->has_potential);
  CSIM_REQUIRE(iterate->v.size() >= problem.nv(), iterate->v.size(), problem.nv());
  workspace->columns.resize(problem);
  for (const ProblemTree& tree : problem.trees) {
    const std::size_t size = 6 * static_cast<std::size_t>(tree.nv);
    for (auto* memory : {&workspace->K_J, &workspace->J_a, &workspace->J_b}) {
      if (memory->size() < size) memory->resize(size);
    }
  }

  report->restart(static_cast<int>(problem.islands.size()));
  report->cost = std::numeric_limits<double>::quiet_NaN();
  MomentumNorms norms;
  for (int i = 0; i < report->num_islands; ++i) {
    const Island& island = problem.islands[i];
    IslandTamsi solve(problem, island, options, workspace, iterate, report);
    const SolveStatus status = solve.run();
    if (!succeeded(status) && report->failed_island < 0) {
      report->failed_island = i;
      report->message = describe_failure(status, solve, options);
    }
    report->status = std::max(report->status, status);
    report->iterations = std::max(report->iterations, solve.iterations());
    report->total_iterations += solve.iterations();
    report->factor_nonzeros += solve.iterations() > 0 ? static_cast<long>(island.nv()) * island.nv() : 0;
    norms.add(solve.norms());
  }
  report->factorizations = report->iterations;
  report->residual = norms.residual();
}

}  // namespace csim
