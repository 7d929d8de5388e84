#include "study/fit_interval.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "study/convergence.h"

namespace csim {
namespace {

// Below this share of the largest eigenvalue of the scaled matrix a direction is not determined: the
// Jacobian's columns are differences of simulations, good to about six digits.
constexpr double kSingular = 1e-10;

constexpr int kCasesBeyondParameters = 4;  // for the jackknife: Student's t is wide with fewer

/// The inverse of a symmetric matrix that is positive definite when its diagonal is scaled to 1.
std::optional<Eigen::MatrixXd> inverse(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd diagonal = matrix.diagonal();
  if (!(diagonal.minCoeff() > 0.0) || !matrix.allFinite()) return std::nullopt;
  const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * matrix *
                                                             scale.asDiagonal());
  if (eigen.eigenvalues().minCoeff() < kSingular * eigen.eigenvalues().maxCoeff()) return std::nullopt;
  return scale.asDiagonal() * eigen.eigenvectors() * eigen.eigenvalues().cwiseInverse().asDiagonal() *
         eigen.eigenvectors().transpose() * scale.asDiagonal();
}

Eigen::MatrixXd normal_matrix(const std::vector<CaseResiduals>& cases) {
  const Eigen::Index count = cases.empty() ? 0 : cases.front().jacobian.cols();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(count, count);
  for (const CaseResiduals& one : cases) sum += one.jacobian.transpose() * one.jacobian;
  return sum;
}

// A parameter takes part in a direction of length 1 with so much of it: of N that take part equally each has
// 1/sqrt(N), and fits have few keys.
constexpr double kTakesPart = 0.1;

}  // namespace

std::vector<KeyEffect> key_effects(const std::vector<CaseResiduals>& cases) {
  const Eigen::MatrixXd normal = normal_matrix(cases);
  std::vector<KeyEffect> effects(static_cast<std::size_t>(normal.cols()), KeyEffect::kOwn);
  if (normal.cols() == 0 || !normal.allFinite()) return effects;
  Eigen::VectorXd scale = normal.diagonal().cwiseSqrt();
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    if (!(scale[i] > 0.0)) effects[static_cast<std::size_t>(i)] = KeyEffect::kNone;
    scale[i] = scale[i] > 0.0 ? 1.0 / scale[i] : 1.0;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * normal *
                                                             scale.asDiagonal());
  for (Eigen::Index e = 0; e < scale.size(); ++e) {
    if (eigen.eigenvalues()[e] >= kSingular * eigen.eigenvalues().maxCoeff()) continue;
    for (Eigen::Index i = 0; i < scale.size(); ++i) {
      KeyEffect& effect = effects[static_cast<std::size_t>(i)];
      if (effect == KeyEffect::kOwn && std::abs(eigen.eigenvectors()(i, e)) > kTakesPart)
        effect = KeyEffect::kWithOthers;
    }
  }
  return effects;
}

std::optional<FitCovariance> covariance_of_rows(const std::vector<CaseResiduals>& cases) {
  const Eigen::MatrixXd normal = normal_matrix(cases);
  Eigen::Index rows = 0;
  double squares = 0.0;
  for (const CaseResiduals& one : cases) {
    rows += one.residuals.size();
    squares += one.residuals.squaredNorm();
  }
  const Eigen::Index degrees = rows - normal.cols();
  if (degrees <= 0 || normal.cols() == 0) return std::nullopt;
  const auto inverted = inverse(normal);
  if (!inverted) return std::nullopt;
  return FitCovariance{squares / static_cast<double>(degrees) * *inverted, static_cast<int>(degrees)};
}

std::optional<FitCovariance> covariance_of_cases(const std::vector<CaseResiduals>& cases) {
  const Eigen::MatrixXd normal = normal_matrix(cases);
  const auto count = static_cast<Eigen::Index>(cases.size());
  if (count <= normal.cols() || normal.cols() == 0) return std::nullopt;
  Eigen::MatrixXd changes(normal.cols(), count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const CaseResiduals& one = cases[static_cast<std::size_t>(c)];
    const auto inverted = inverse(normal - one.jacobian.transpose() * one.jacobian);
    if (!inverted) return std::nullopt;
    changes.col(c) = *inverted * (one.jacobian.transpose() * one.residuals);
  }
  changes.colwise() -= changes.rowwise().mean().eval();
  const double factor = static_cast<double>(count - 1) / static_cast<double>(count);
  return FitCovariance{factor * changes * changes.transpose(), static_cast<int>(count - normal.cols())};
}

FitInterval fit_interval(const std::vector<CaseResiduals>& cases) {
  FitInterval interval;
  const auto parameters = cases.empty() ? 0 : cases.front().jacobian.cols();
  interval.is_over_cases = static_cast<Eigen::Index>(cases.size()) >= parameters + kCasesBeyondParameters;
  const auto found = interval.is_over_cases ? covariance_of_cases(cases) : covariance_of_rows(cases);
  if (!found) return interval;
  const double t = student_t_95(found->degrees);
  for (const double variance : found->covariance.diagonal())
    interval.half_widths.push_back(t * std::sqrt(variance));
  return interval;
}

}  // namespace csim
