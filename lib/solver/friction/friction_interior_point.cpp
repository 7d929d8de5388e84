#include "solver/friction/friction_interior_point.h"

#include <algorithm>
#include <cmath>

#include "solver/friction/contact_blocks.h"
#include "solver/method/second_order_cone.h"

namespace csim {
namespace {

constexpr int kStalled = 20;           // iterations without a better residual: rounding has the last word
constexpr double kToBoundary = 0.995;  // of the way to the boundary of a cone
constexpr double kSmallestStep = 1e-12;

struct Direction {
  VectorX r, u;                    // [rows]
  std::vector<double> a;           // [cones]
  std::vector<ConeVector> dx, dy;  // [cones]
};

class InteriorPoint {
 public:
  explicit InteriorPoint(const FrictionSystem& system)
      : system_(system),
        blocks_(system),
        r_(VectorX::Zero(system.num_rows())),
        u_(r_),
        a_(system.cones.size()) {
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const FrictionCone& cone = system.cones[k];
      a_[k] = 1.0 / cone.mu;
      r_[cone.normal] = 1.0;
      u_[cone.normal] += 1.0;
    }
    scalings_.resize(a_.size());
    slip_.resize(a_.size());
    right_.resize(a_.size());
  }

  [[nodiscard]] const VectorX& r() const { return r_; }

  /// Whether there is a next iterate.
  bool step() {
    if (!scale_cones() || !blocks_.factorize([&](int contact, ContactBlock* block) { fill(contact, block); }))
      return false;
    for (std::size_t k = 0; k < a_.size(); ++k) right_[k] = scalings_[k].l * -1.0;
    solve(&direction_);
    const double alpha = std::min(1.0, to_boundary(direction_));
    const double sigma = centering(alpha);
    if (!std::isfinite(sigma)) return false;
    correct(sigma);
    solve(&direction_);
    const double taken = std::min(1.0, kToBoundary * to_boundary(direction_));
    if (!(taken > kSmallestStep)) return false;
    r_ += taken * direction_.r;
    u_ += taken * direction_.u;
    for (std::size_t k = 0; k < a_.size(); ++k) a_[k] += taken * direction_.a[k];
    return r_.allFinite() && u_.allFinite();
  }

 private:
  [[nodiscard]] ConeVector with_rows(const FrictionCone& cone, double n, const VectorX& rows) const {
    ConeVector v{n};
    if (cone.size > 0) v.x = rows[cone.first];
    if (cone.size > 1) v.y = rows[cone.first + 1];
    return v;
  }
  [[nodiscard]] ConeVector x(std::size_t k) const {
    const FrictionCone& cone = system_.cones[k];
    return with_rows(cone, cone.mu * r_[cone.normal], r_);
  }
  [[nodiscard]] ConeVector y(std::size_t k) const { return with_rows(system_.cones[k], a_[k], u_); }

  /// Scalings, residuals and the mean complementarity; false where an iterate has reached a boundary by
  /// rounding.
  bool scale_cones() {
    primal_ = u_ - system_.W * r_ - system_.q;
    shift_ = VectorX::Zero(system_.num_rows());
    complementarity_ = 0.0;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const ConeVector s = x(k), lambda = y(k);
      if (!(determinant(s) > 0.0) || !(determinant(lambda) > 0.0) || s.n <= 0.0 || lambda.n <= 0.0)
        return false;
      scalings_[k] = ConeScaling::of(s, lambda);
      const FrictionCone& cone = system_.cones[k];
      const double speed = rest_norm(lambda);
      slip_[k] = {0.0};
      if (speed > 0.0) slip_[k] = with_rest(0.0, 1.0 / speed, lambda, ConeVector{});
      shift_[cone.normal] += cone.mu * (a_[k] - speed);
      complementarity_ += dot(s, lambda);
    }
    for (int c = 0; c < system_.num_contacts(); ++c) shift_[system_.row_begin[c]] -= u_[system_.row_begin[c]];
    complementarity_ /= static_cast<double>(a_.size());
    return std::isfinite(complementarity_) && complementarity_ > 0.0;
  }

  /// E of a contact: column by column, what -du is of a unit dr.
  void fill(int contact, ContactBlock* block) const {
    const int begin = system_.row_begin[contact];
    for (int k = system_.cone_begin[contact]; k < system_.cone_begin[contact + 1]; ++k) {
      const FrictionCone& cone = system_.cones[k];
      for (int column = -1; column < cone.size; ++column) {
        ConeVector unit;
        (column < 0 ? unit.n : column == 0 ? unit.x : unit.y) = 1.0;
        const ConeVector v = unscaled_twice(k, unit);
        const double weight = column < 0 ? cone.mu : 1.0;
        const int j = column < 0 ? 0 : cone.first - begin + column;
        (*block)(0, j) += weight * cone.mu * (v.n - rest_dot(slip_[k], v));
        if (cone.size > 0) (*block)(cone.first - begin, j) += weight * v.x;
        if (cone.size > 1) (*block)(cone.first - begin + 1, j) += weight * v.y;
      }
    }
  }

  [[nodiscard]] ConeVector unscaled(std::size_t k, const ConeVector& v) const {
    return unscale(scalings_[k].w, scalings_[k].eta, v);
  }
  [[nodiscard]] ConeVector unscaled_twice(std::size_t k, const ConeVector& v) const {
    return unscaled(k, unscaled(k, v));
  }

  /// The Newton direction for the right-hand sides right_ of the cones.
  void solve(Direction* d) const {
    VectorX g = shift_ + primal_;
    // shift_ belongs to the normal rows alone, primal_ to all.
    std::vector<ConeVector> constant(a_.size());
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const FrictionCone& cone = system_.cones[k];
      constant[k] = unscaled(k, right_[k]);
      g[cone.normal] += cone.mu * (constant[k].n - rest_dot(slip_[k], constant[k]));
      if (cone.size > 0) g[cone.first] += constant[k].x;
      if (cone.size > 1) g[cone.first + 1] += constant[k].y;
    }
    d->r = blocks_.solve(g);
    d->u = system_.W * d->r - primal_;
    d->a.resize(a_.size());
    d->dx.resize(a_.size());
    d->dy.resize(a_.size());
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const FrictionCone& cone = system_.cones[k];
      d->dx[k] = with_rows(cone, cone.mu * d->r[cone.normal], d->r);
      d->a[k] = constant[k].n - unscaled_twice(k, d->dx[k]).n;
      d->dy[k] = with_rows(cone, d->a[k], d->u);
    }
  }

  [[nodiscard]] double to_boundary(const Direction& d) const {
    double alpha = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const ConeVector s = x(k), lambda = y(k);
      alpha = std::min({alpha, step_to_boundary(s, determinant(s), d.dx[k]),
                        step_to_boundary(lambda, determinant(lambda), d.dy[k])});
    }
    return alpha;
  }

  /// Mehrotra's sigma. After a short predictor the iterate is off the central path: half way back to it.
  [[nodiscard]] double centering(double alpha) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < a_.size(); ++k)
      sum += dot(x(k) + direction_.dx[k] * alpha, y(k) + direction_.dy[k] * alpha);
    const double ratio = std::max(sum, 0.0) / (static_cast<double>(a_.size()) * complementarity_);
    if (!std::isfinite(ratio) || !std::isfinite(alpha)) return std::numeric_limits<double>::quiet_NaN();
    return alpha > 0.1 ? std::clamp(ratio * ratio * ratio, 1e-4, 1.0) : 0.5;
  }

  void correct(double sigma) {
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const ConeScaling& s = scalings_[k];
      const ConeVector product =
          jordan_product(unscaled(k, direction_.dx[k]), scale(s.w, s.eta, direction_.dy[k]));
      ConeVector target = jordan_product(s.l, s.l) * -1.0 - product;
      target.n += sigma * complementarity_;
      right_[k] = jordan_divide(s.l, s.det_l, target);
    }
  }

  const FrictionSystem& system_;
  ContactBlocks blocks_;
  VectorX r_, u_;
  std::vector<double> a_;  // [cones]
  std::vector<ConeScaling> scalings_;
  std::vector<ConeVector> slip_;   // t_k
  std::vector<ConeVector> right_;  // c_k
  VectorX primal_;                 // u - W r - q
  VectorX shift_;                  // sum_k mu_k (a_k - |u_k|) - u_N in the normal rows
  double complementarity_ = 0.0;   // mean of x . y
  Direction direction_;
};

}  // namespace

void iterate_interior_point(const FrictionTask& task, int max_iterations, FrictionIterates* iterates) {
  InteriorPoint point(task.system);
  for (int i = 0; i < max_iterations && !iterates->solved() && iterates->stalled() < kStalled; ++i) {
    if (!point.step()) return;
    iterates->add(point.r());
  }
}

}  // namespace csim
