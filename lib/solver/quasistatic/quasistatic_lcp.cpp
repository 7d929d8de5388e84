#include "solver/quasistatic/quasistatic_lcp.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr int kCovers = 4;            // covering vectors that are tried
constexpr double kCompliance = 1e-6;  // of the diagonal, at last
constexpr double kSolved = 1e-6;      // a certificate above is no solution

/// The k-th covering vector: ones, then fixed positive numbers between 1 and 2.
VectorX covering_vector(Eigen::Index n, int k) {
  VectorX cover = VectorX::Ones(n);
  if (k == 0) return cover;
  unsigned state = 12345u + static_cast<unsigned>(k);
  for (Eigen::Index i = 0; i < n; ++i) {
    state = 1664525u * state + 1013904223u;
    cover[i] += static_cast<double>(state >> 8) / static_cast<double>(1u << 24);
  }
  return cover;
}

}  // namespace

void QuasistaticLcp::lay_out(const QuasistaticProblem& problem) {
  free_.clear();
  for (int t = 0; t < problem.num_trees(); ++t) {
    const int size = problem.size[t] * problem.size[t];
    const double* Q = problem.Q.data() + problem.block_begin[t];
    if (std::any_of(Q, Q + size, [](double x) { return x != 0.0; })) continue;
    for (int k = problem.begin[t]; k < problem.begin[t + 1]; ++k) free_.push_back(k);
  }
  const int num_free = static_cast<int>(free_.size());
  places_.clear();
  num_impulses_ = num_gammas_ = 0;
  for (const QuasistaticGroup& group : problem.groups) {
    Place place;
    const Vector3& ray = problem.rays[group.row_begin];
    place.mu = ray.head<2>().norm();
    place.num_rays = place.mu > 0.0 ? group.row_end - group.row_begin : 0;
    place.normal = 2 * num_free + num_impulses_;
    place.tangential = place.normal + 1;
    num_impulses_ += 1 + place.num_rays;
    places_.push_back(place);
  }
  for (Place& place : places_)
    if (place.num_rays > 0) place.gamma = 2 * num_free + num_impulses_ + num_gammas_++;
}

void QuasistaticLcp::build(const QuasistaticProblem& problem) {
  const int num_free = static_cast<int>(free_.size()), nv = problem.nv(), impulses = 2 * num_free;
  const int n = impulses + num_impulses_ + num_gammas_;
  G_.setZero(num_impulses_, nv);
  q_.setZero(n);
  M_.setZero(n, n);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const Place& place = places_[i];
    const auto add_row = [&](int row, const Vector3& direction) {
      for (const auto& [tree, begin] :
           {std::pair(group.tree_a, group.jacobian_a), std::pair(group.tree_b, group.jacobian_b)}) {
        if (tree < 0) continue;
        const Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>> J(problem.jacobians.data() + begin,
                                                                           3, problem.size[tree]);
        G_.row(row - impulses).segment(problem.begin[tree], problem.size[tree]) += direction.transpose() * J;
      }
    };
    add_row(place.normal, Vector3::UnitZ());
    q_[place.normal] = problem.e[group.row_begin];
    for (int j = 0; j < place.num_rays; ++j) {
      const Vector2 d = problem.rays[group.row_begin + j].head<2>() / place.mu;
      add_row(place.tangential + j, {d.x(), d.y(), 0.0});
      M_(place.tangential + j, place.gamma) = 1.0;
      M_(place.gamma, place.tangential + j) = -1.0;
    }
    if (place.num_rays > 0) M_(place.gamma, place.normal) = place.mu;
  }
  Q_inverse_.setZero(nv, nv);
  for (int t = 0; t < problem.num_trees(); ++t) {
    const int begin = problem.begin[t], size = problem.size[t];
    if (std::find(free_.begin(), free_.end(), begin) != free_.end()) continue;
    const Eigen::Map<const MatrixX> Q(problem.Q.data() + problem.block_begin[t], size, size);
    Q_inverse_.block(begin, begin, size, size) = Q.llt().solve(MatrixX::Identity(size, size));
  }
  const Eigen::Map<const VectorX> b(problem.b.data(), nv);
  M_.block(impulses, impulses, num_impulses_, num_impulses_) += G_ * Q_inverse_ * G_.transpose();
  q_.segment(impulses, num_impulses_) += G_ * (Q_inverse_ * b);
  for (int k = 0; k < num_free; ++k) {
    M_.block(k, impulses, 1, num_impulses_) = -G_.col(free_[k]).transpose();
    M_.block(num_free + k, impulses, 1, num_impulses_) = G_.col(free_[k]).transpose();
    M_.block(impulses, k, num_impulses_, 1) = G_.col(free_[k]);
    M_.block(impulses, num_free + k, num_impulses_, 1) = -G_.col(free_[k]);
    q_[k] = -b[free_[k]];
    q_[num_free + k] = b[free_[k]];
  }
}

/// v and the impulses of the rays.
void QuasistaticLcp::take(const QuasistaticProblem& problem, const VectorX& z,
                          QuasistaticSolution* solution) const {
  const auto num_free = static_cast<Eigen::Index>(free_.size());
  const Eigen::Map<const VectorX> b(problem.b.data(), problem.nv());
  VectorX v = Q_inverse_ * (b + G_.transpose() * z.segment(2 * num_free, num_impulses_));
  for (Eigen::Index k = 0; k < num_free; ++k) v[free_[k]] = z[k] - z[num_free + k];
  solution->v.assign(v.data(), v.data() + v.size());
  solution->z.assign(problem.rays.size(), 0.0);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const Place& place = places_[i];
    const int row = problem.groups[i].row_begin;
    if (place.num_rays == 0) {
      solution->z[row] = z[place.normal];
      continue;
    }
    const double friction = z.segment(place.tangential, place.num_rays).sum();
    const double rest = (z[place.normal] - friction / place.mu) / place.num_rays;
    for (int j = 0; j < place.num_rays; ++j) solution->z[row + j] = z[place.tangential + j] / place.mu + rest;
  }
}

QuasistaticCertificate QuasistaticLcp::judge(const QuasistaticProblem& problem, const VectorX& z,
                                             const QuasistaticSolution& solution) {
  QuasistaticCertificate c = certify(problem, solution.v, solution.z, &rows_, &work_);
  const double load = std::max(max_norm(problem.b), 1e-12);
  const Eigen::Map<const VectorX> v(solution.v.data(), problem.nv());
  const VectorX speed = G_ * v;
  const auto first = static_cast<Eigen::Index>(2 * free_.size());
  c.primal = c.complementarity = 0.0;
  const auto pair = [&](double impulse, double slack) {
    c.complementarity = std::max(c.complementarity, std::abs(std::min(impulse / load, slack)));
  };
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const Place& place = places_[i];
    const double gap = speed[place.normal - first] + problem.e[problem.groups[i].row_begin];
    c.primal = std::max(c.primal, -gap);
    pair(z[place.normal], gap);
    if (place.num_rays == 0) continue;
    for (int j = place.tangential; j < place.tangential + place.num_rays; ++j)
      pair(z[j], z[place.gamma] + speed[j - first]);
    pair(place.mu * z[place.normal] - z.segment(place.tangential, place.num_rays).sum(), z[place.gamma]);
  }
  return c;
}

std::string QuasistaticLcp::solve(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                                  QuasistaticCertificate* certificate) {
  lay_out(problem);
  const int n = static_cast<int>(2 * free_.size()) + num_impulses_ + num_gammas_;
  *solution = {};
  if (n > kLargest)
    return "the complementarity problem has " + std::to_string(n) + " rows, at most " +
           std::to_string(kLargest) + " are solved; expected problem: qp";
  build(problem);
  const auto first = static_cast<Eigen::Index>(2 * free_.size());
  for (int k = 0; k <= kCovers; ++k) {
    if (k == kCovers)
      for (Eigen::Index i = first; i < first + num_impulses_; ++i) M_(i, i) *= 1.0 + kCompliance;
    solve_lemke(M_, q_, covering_vector(n, k), &lemke_);
    solution->iterations += lemke_.pivots;
    if (lemke_.status != LemkeStatus::kSolved || !lemke_.z.allFinite()) continue;
    take(problem, lemke_.z, solution);
    *certificate = judge(problem, lemke_.z, *solution);
    solution->ok = certificate->largest() <= kSolved;
    if (solution->ok) return "";
  }
  return "Lemke's method ended without a solution";
}

}  // namespace csim
