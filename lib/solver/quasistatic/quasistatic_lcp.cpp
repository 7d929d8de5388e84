#include "solver/quasistatic/quasistatic_lcp.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr int kCovers = 16;  // covering vectors that are tried: a ray of one is no proof
// Of the fixed point. Rounds in a row without a better answer: rounding, or a contact that is just at its
// limit. The last ones, after all covers, are those of the plain iteration, which needs no luck with factors:
// without them scenes of the random test end without a solution.
constexpr int kRounds = 100, kMostIdlePrograms = 15, kLastRounds = 300;
constexpr double kSolved = 1e-6;       // a certificate above is no solution
constexpr double kExactEnough = 1e-9;  // one below needs no other try
// In units of 1: smaller entries do not decide an unknown, as of loops with more constraints than they need.
constexpr double kDecides = 1e-6;

/// The k-th covering vector: ones, then fixed numbers between 0.02 and 1.
void set_covering_vector(Eigen::Index n, int k, VectorX* cover) {
  cover->setOnes(n);
  unsigned state = 12345u + static_cast<unsigned>(k);
  for (Eigen::Index i = 0; i < n && k > 0; ++i) {
    state = 1664525u * state + 1013904223u;
    (*cover)[i] = 0.02 + 0.98 * static_cast<double>(state >> 8) / static_cast<double>(1u << 24);
  }
}

}  // namespace

void QuasistaticLcp::lay_out(const QuasistaticProblem& problem) {
  free_.clear();
  for (int t = 0; t < problem.num_trees(); ++t)
    for (int k = 0; k < problem.size[t]; ++k)
      if (problem.Q[problem.block_begin[t] + k * (problem.size[t] + 1)] == 0.0)
        free_.push_back(problem.begin[t] + k);
  const auto is_held = [&](const QuasistaticGroup& group) {
    return problem.is_held(static_cast<std::size_t>(group.row_begin));
  };
  num_unsigned_ = static_cast<int>(free_.size());
  for (const QuasistaticGroup& group : problem.groups)
    if (is_held(group)) num_unsigned_ += group.row_end - group.row_begin;
  places_.clear();
  num_impulses_ = num_gammas_ = 0;
  int held = static_cast<int>(free_.size());
  for (const QuasistaticGroup& group : problem.groups) {
    Place place;
    const Vector3& ray = problem.rays[group.row_begin];
    const int num_rows = group.row_end - group.row_begin;
    if (is_held(group)) {
      place.normal = held;
      place.num_held = num_rows;
      held += num_rows;
    } else {
      place.normal = num_unsigned_ + num_impulses_;
      place.mu = ray.head<2>().norm();
      place.num_rays = place.mu > 0.0 ? num_rows : 0;
      place.tangential = place.normal + 1;
      num_impulses_ += 1 + place.num_rays;
    }
    places_.push_back(place);
  }
  for (Place& place : places_)
    if (place.num_rays > 0) place.gamma = num_unsigned_ + num_impulses_ + num_gammas_++;
}

void QuasistaticLcp::build(const QuasistaticProblem& problem) {
  const int num_free = static_cast<int>(free_.size()), nv = problem.nv();
  const int num_rows = num_unsigned_ - num_free + num_impulses_;  // of all impulses
  const int n = num_unsigned_ + num_impulses_ + num_gammas_;
  G_.setZero(num_rows, nv);
  q_.setZero(n);
  M_.setZero(n, n);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const Place& place = places_[i];
    const auto add_row = [&](int row, const Vector3& direction) {
      for_each_side(problem, group, [&](const auto& J, int tree) {
        G_.row(row - num_free).segment(problem.begin[tree], problem.size[tree]).noalias() +=
            direction.transpose() * J;
      });
    };
    for (int k = 0; k < place.num_held; ++k) {
      add_row(place.normal + k, problem.rays[group.row_begin + k]);
      q_[place.normal + k] = problem.e[group.row_begin + k];
    }
    if (place.num_held > 0) continue;
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
  const Eigen::Map<const VectorX> b(problem.b.data(), nv);
  Q_inverse_.setZero(nv, nv);
  v_0_.setZero(nv);
  const int largest = problem.size.empty() ? 0 : *std::max_element(problem.size.begin(), problem.size.end());
  Q_factor_.resize(largest, largest);
  for (int t = 0; t < problem.num_trees(); ++t) {
    const int begin = problem.begin[t], size = problem.size[t];
    auto factor = Q_factor_.topLeftCorner(size, size);
    factor = Eigen::Map<const MatrixX>(problem.Q.data() + problem.block_begin[t], size, size);
    for (int k = 0; k < size; ++k)
      if (factor(k, k) == 0.0) factor(k, k) = 1.0;  // of a free one, alone in its row and column
    const Eigen::LLT<Eigen::Ref<MatrixX>> in_place(factor);
    auto inverse = Q_inverse_.block(begin, begin, size, size);
    inverse.setIdentity();
    in_place.solveInPlace(inverse);
    v_0_.segment(begin, size).noalias() = inverse * b.segment(begin, size);
    for (int k = 0; k < size; ++k)
      if (problem.executes_commands && problem.is_passive[begin + k] == 0) inverse(k, k) = 0.0;
  }
  for (const int k : free_) Q_inverse_(k, k) = v_0_[k] = 0.0;
  GQ_.noalias() = G_ * Q_inverse_;
  auto W = M_.block(num_free, num_free, num_rows, num_rows);
  W.noalias() += GQ_ * G_.transpose();
  q_.segment(num_free, num_rows).noalias() += G_ * v_0_;
  for (int k = 0; k < num_free; ++k) {
    M_.block(k, num_free, 1, num_rows) = -G_.col(free_[k]).transpose();
    M_.block(num_free, k, num_rows, 1) = G_.col(free_[k]);
    q_[k] = -b[free_[k]];
  }
  // Units: impulses of the load, speeds that it makes. Rows of balance and of the friction bound are
  // impulses, those of gaps and slips speeds.
  speed_ = load_ * (num_rows > 0 ? W.diagonal().maxCoeff() : 0.0);
  if (speed_ == 0.0) speed_ = 1.0;
  W *= load_ / speed_;
  q_.head(num_free) /= load_;
  q_.segment(num_free, num_rows) /= speed_;
  add_compliance(problem);
  eliminate();
  reduce();
}

/// Of constraints and drives. Soft springs that may only press have units of their own: their compliance is
/// far above the mobilities.
void QuasistaticLcp::add_compliance(const QuasistaticProblem& problem) {
  unit_.setOnes(q_.size());
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    if (!group.is_linkage()) continue;
    for (int j = group.row_begin, k = places_[i].normal; j < group.row_end; ++j, ++k) {
      const double R = problem.compliance[j] * load_ / speed_;
      M_(k, k) += R;
      if (places_[i].num_held > 0 || R <= 1.0) continue;
      unit_[k] = 1.0 / std::sqrt(R);
      M_.row(k) *= unit_[k];
      M_.col(k) *= unit_[k];
      q_[k] *= unit_[k];
    }
  }
}

/// Of M_ with the unknowns of any sign that are left: the largest entry, and where it is.
double QuasistaticLcp::find_pivot(Eigen::Index* row, Eigen::Index* col) const {
  double largest = 0.0;
  for (const Eigen::Index i : unsigned_) {
    for (const Eigen::Index j : unsigned_) {
      if (std::abs(M_(i, j)) <= largest) continue;
      largest = std::abs(M_(i, j));
      *row = i;
      *col = j;
    }
  }
  return largest;
}

/// Unknowns of any sign, whose equations are w = 0, are eliminated: one by a diagonal entry, or a velocity
/// and an impulse together, largest entries first. The Schur complement stays the sum of a positive
/// semidefinite and a skew matrix, whose largest entry off the diagonal is skew. unsigned_: those that no
/// entry decides.
void QuasistaticLcp::eliminate() {
  unsigned_.clear();
  eliminated_.clear();
  for (Eigen::Index i = 0; i < num_unsigned_; ++i) unsigned_.push_back(i);
  for (Eigen::Index i = 0, j = 0; find_pivot(&i, &j) > kDecides;) {
    std::erase_if(unsigned_, [&](Eigen::Index k) { return k == i || k == j; });
    Elimination step{i, j, Eigen::Matrix2d::Zero()};
    if (i == j) {
      step.inverse(0, 0) = 1.0 / M_(i, i);
    } else {
      Eigen::Matrix2d block;
      block << M_(i, i), M_(i, j), M_(j, i), M_(j, j);
      step.inverse = block.inverse();
    }
    eliminated_.push_back(step);
    const auto subtract = [&](Eigen::Index k) {
      const Eigen::RowVector2d factor = Eigen::RowVector2d(M_(k, i), M_(k, j)) * step.inverse;
      if (factor.isZero(0.0)) return;
      M_.row(k) -= factor[0] * M_.row(i) + factor[1] * M_.row(j);
      q_[k] -= factor[0] * q_[i] + factor[1] * q_[j];
    };
    for (const Eigen::Index k : unsigned_) subtract(k);
    for (Eigen::Index k = num_unsigned_; k < q_.size(); ++k) subtract(k);
  }
}

/// lemke_M_, lemke_q_: of what is left of M_, q_, with the unknowns of any sign as two parts.
void QuasistaticLcp::reduce() {
  const auto num_left = static_cast<Eigen::Index>(unsigned_.size()), num_signed = q_.size() - num_unsigned_;
  lemke_M_.resize(2 * num_left + num_signed, 2 * num_left + num_signed);
  lemke_q_.resize(2 * num_left + num_signed);
  const auto place = [&](Eigen::Index k) {
    return k < num_left ? unsigned_[k] : num_unsigned_ + k - num_left;
  };
  for (Eigen::Index i = 0; i < num_left + num_signed; ++i) {
    const Eigen::Index row = place(i);
    const bool is_split = i < num_left;
    const Eigen::Index to = is_split ? i : num_left + i;
    for (Eigen::Index j = 0; j < num_left + num_signed; ++j) {
      const double entry = M_(row, place(j));
      lemke_M_(to, j < num_left ? j : num_left + j) = entry;
      if (j < num_left) lemke_M_(to, num_left + j) = -entry;
    }
    lemke_q_[to] = q_[row];
    if (!is_split) continue;
    lemke_M_.row(num_left + i) = -lemke_M_.row(i);
    lemke_q_[num_left + i] = -q_[row];
  }
}

/// z_: all unknowns from those of Lemke's problem.
void QuasistaticLcp::expand() {
  const auto num_left = static_cast<Eigen::Index>(unsigned_.size()), num_signed = q_.size() - num_unsigned_;
  z_.setZero(q_.size());
  z_.tail(num_signed) = lemke_.z().tail(num_signed);
  for (Eigen::Index k = 0; k < num_left; ++k) z_[unsigned_[k]] = lemke_.z()[k] - lemke_.z()[num_left + k];
  for (auto step = eliminated_.rbegin(); step != eliminated_.rend(); ++step) {  // theirs are still 0 in z_
    const Eigen::Vector2d rest(M_.row(step->i).dot(z_) + q_[step->i], M_.row(step->j).dot(z_) + q_[step->j]);
    const Eigen::Vector2d x = -step->inverse * rest;
    z_[step->i] = x[0];
    if (step->j != step->i) z_[step->j] = x[1];
  }
  const auto num_free = static_cast<Eigen::Index>(free_.size());
  auto impulses = z_.segment(num_free, num_unsigned_ + num_impulses_ - num_free);
  impulses = load_ * impulses.cwiseProduct(unit_.segment(num_free, impulses.size()));
  z_.head(num_free) *= speed_;
  z_.tail(num_gammas_) *= speed_;
}

/// The answer of Lemke's basis, as `take`.
bool QuasistaticLcp::take_basis(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                                QuasistaticCertificate* certificate) {
  if (!lemke_.z().allFinite()) return false;
  expand();
  const VectorX& z = z_;
  const auto num_free = static_cast<Eigen::Index>(free_.size());
  v_ = v_0_;
  v_.noalias() += GQ_.transpose() * z.segment(num_free, GQ_.rows());
  for (Eigen::Index k = 0; k < num_free; ++k) v_[free_[k]] = z[k];
  trial_.v.assign(v_.data(), v_.data() + v_.size());
  trial_.z.assign(problem.rays.size(), 0.0);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const Place& place = places_[i];
    const int row = problem.groups[i].row_begin;
    for (int k = 0; k < place.num_held; ++k) trial_.z[row + k] = z[place.normal + k];
    if (place.num_held > 0) continue;
    if (place.num_rays == 0) {
      trial_.z[row] = z[place.normal];
      continue;
    }
    const double friction = z.segment(place.tangential, place.num_rays).sum();
    const double rest = (z[place.normal] - friction / place.mu) / place.num_rays;
    for (int j = 0; j < place.num_rays; ++j) trial_.z[row + j] = z[place.tangential + j] / place.mu + rest;
  }
  return take(problem, solution, certificate);
}

/// v_, z_ and trial_ where they are better than the solution before; whether that is good.
bool QuasistaticLcp::take(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                          QuasistaticCertificate* certificate) {
  const QuasistaticCertificate trial = judge(problem, trial_);
  if (!solution->ok || trial.largest() < certificate->largest()) {
    *certificate = trial;
    solution->v = trial_.v;
    solution->z = trial_.z;
    solution->ok = true;
  }
  return trial.largest() <= kExactEnough;
}

QuasistaticCertificate QuasistaticLcp::judge(const QuasistaticProblem& problem,
                                             const QuasistaticSolution& solution) {
  const VectorX& z = z_;
  QuasistaticCertificate c = certify(problem, load_, solution.v, solution.z, &certificate_work_);
  c.primal = c.complementarity = 0.0;
  const auto pair = [&](double impulse, double slack) {
    c.complementarity = std::max(c.complementarity, std::abs(std::min(impulse / load_, slack)));
  };
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const Place& place = places_[i];
    const int row = problem.groups[i].row_begin;
    const Vector3 v_c = contact_velocity(problem, problem.groups[i], solution.v);
    const auto slack = [&](int j) {
      return problem.rays[j].dot(v_c) + problem.e[j] + problem.compliance[j] * solution.z[j];
    };
    for (int k = 0; k < place.num_held; ++k) c.primal = std::max(c.primal, std::abs(slack(row + k)));
    if (place.num_held > 0) continue;
    const double gap = place.num_rays == 0 ? slack(row) : v_c.z() + problem.e[row];
    c.primal = std::max(c.primal, -gap);
    pair(z[place.normal], gap);
    if (place.num_rays == 0) continue;
    for (int j = 0; j < place.num_rays; ++j)
      pair(z[place.tangential + j],
           z[place.gamma] + problem.rays[row + j].head<2>().dot(v_c.head<2>()) / place.mu);
    pair(place.mu * z[place.normal] - z.segment(place.tangential, place.num_rays).sum(), z[place.gamma]);
  }
  return c;
}

/// Coulomb's law as a fixed point of the quadratic program [De Saxce & Feng 1998, The bipotential method;
/// Acary, Cadoux, Lemarechal & Malick 2011, A formulation of the linear discrete Coulomb friction problem via
/// convex optimization]: with e + mu Gamma in place of e, Gamma the slip speed max -d_j^T v of the answer
/// before, sliding leaves no gap. It starts at Gamma = 0. Whether *solution is exact enough.
bool QuasistaticLcp::iterate_programs(const QuasistaticProblem& problem, bool is_relaxed,
                                      QuasistaticSolution* solution, QuasistaticCertificate* certificate) {
  program_ = problem;
  program_.has_coulomb_friction = program_.executes_commands = false;
  if (problem.executes_commands) {
    commanded_velocity(problem, &work_);
    for (QuasistaticGroup& group : program_.groups) {
      const Vector3 given = contact_velocity(problem, group, work_);
      for (int j = group.row_begin; j < group.row_end; ++j) program_.e[j] += program_.rays[j].dot(given);
    }
    hold_driven(&program_);
  }
  e_ = program_.e;
  slip_.restart(static_cast<Eigen::Index>(places_.size()), is_relaxed);
  const int most_rounds = is_relaxed ? kRounds : kLastRounds,
            most_idle = is_relaxed ? kMostIdlePrograms : most_rounds;
  for (int round = 0, idle = 0; round < most_rounds && idle < most_idle; ++round) {
    QuasistaticCertificate of_program;
    program_solver_.solve(program_, &trial_, &of_program);
    ++solution->iterations;
    if (!trial_.ok || of_program.largest() > kSolved) return false;
    take_program(problem);
    const double before = solution->ok ? certificate->largest() : std::numeric_limits<double>::infinity();
    (void)take(problem, solution, certificate);
    if (certificate->largest() <= QuasistaticPolish::kExact) return true;
    idle = certificate->largest() < before ? 0 : idle + 1;
    slip_.advance();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].num_rays == 0) continue;
      const double room = places_[i].mu * slip_.x[static_cast<Eigen::Index>(i)];
      for (int j = problem.groups[i].row_begin; j < problem.groups[i].row_end; ++j)
        program_.e[j] = e_[j] + room;
    }
  }
  return solution->ok && certificate->largest() <= kExactEnough;
}

/// z_ of trial_, a solution of the quadratic program, and its slips.
void QuasistaticLcp::take_program(const QuasistaticProblem& problem) {
  z_.setZero(num_unsigned_ + num_impulses_ + num_gammas_);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const Place& place = places_[i];
    const int row = group.row_begin;
    for (int k = 0; k < place.num_held; ++k) z_[place.normal + k] = trial_.z[row + k];
    if (place.num_held > 0) continue;
    for (int j = row; j < group.row_end; ++j) z_[place.normal] += trial_.z[j];
    if (place.num_rays == 0) continue;
    const Vector3 v_c = contact_velocity(problem, group, trial_.v);
    double& slip = z_[place.gamma];
    for (int j = 0; j < place.num_rays; ++j) {
      z_[place.tangential + j] = place.mu * trial_.z[row + j];
      slip = std::max(slip, -problem.rays[row + j].head<2>().dot(v_c.head<2>()) / place.mu);
    }
    slip_.f[static_cast<Eigen::Index>(i)] = slip;
  }
}

std::string QuasistaticLcp::solve_island(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                                         QuasistaticCertificate* certificate) {
  lay_out(problem);
  load_ = load_of(problem);
  if (load_ == 0.0) load_ = 1.0;
  solution->iterations = solution->factorizations = 0;
  solution->ok = false;
  if (iterate_programs(problem, true, solution, certificate)) return "";
  const int n = 2 * num_unsigned_ + num_impulses_ + num_gammas_;
  bool good = false;
  if (n <= kLargest) build(problem);
  for (int k = 0; k < kCovers && n <= kLargest && !good; ++k) {
    set_covering_vector(lemke_q_.size(), k, &cover_);
    const LemkeStatus status = lemke_.solve(lemke_M_, lemke_q_, cover_);
    solution->iterations += lemke_.pivots();
    good = status == LemkeStatus::kSolved && take_basis(problem, solution, certificate);
  }
  if (!good) (void)iterate_programs(problem, false, solution, certificate);
  solution->ok = solution->ok && certificate->largest() <= kSolved;
  if (solution->ok) return "";
  if (n > kLargest)
    return "quadratic programs do not come to an answer of Coulomb's law, and Lemke's method would have " +
           std::to_string(n) + " rows, at most " + std::to_string(kLargest) +
           " are solved; expected problem: qp";
  return "Lemke's method found no solution: with Coulomb's friction there may be none (a jam)";
}

std::string QuasistaticLcp::solve(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                                  QuasistaticCertificate* certificate) {
  islands_.split(problem);
  solution->restart(problem);
  *certificate = {};
  for (int i = 0; i < islands_.count(); ++i) {
    QuasistaticCertificate part;
    std::string failure = solve_island(islands_[i].problem, &part_, &part);
    solution->take_part(part_);
    if (!failure.empty()) {
      *certificate = part;
      return failure;
    }
    islands_.put_back(problem, i, part_.v, part_.z, &solution->v, &solution->z);
    for (const auto number : {&QuasistaticCertificate::stationarity, &QuasistaticCertificate::primal,
                              &QuasistaticCertificate::dual_sign, &QuasistaticCertificate::complementarity,
                              &QuasistaticCertificate::balance})
      certificate->*number = std::max(certificate->*number, part.*number);
  }
  return "";
}

}  // namespace csim
