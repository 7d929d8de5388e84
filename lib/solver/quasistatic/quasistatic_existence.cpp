#include "solver/quasistatic/quasistatic_existence.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kTestCompliance = 1.0;    // m/(N s); any, the test has no force of its own
constexpr double kSoftness = 1e-9;         // of the metric, beside the compliance: motion costs nothing
constexpr double kInfeasible = 1e-7;       // of max |e|: a violation that is more than the softness makes
constexpr double kBalanced = 1e-4;         // |J^T y| of a certificate, whose largest y is 1
constexpr double kUnsupportedLoad = 1e-7;  // of |h tau_u|

}  // namespace

void QuasistaticExistence::solve() {
  system_.analyze(test_);
  interior_point_.solve(test_, &system_, &solution_);
  certificate_ = certify(test_, solution_.v, solution_.z, &rows_, &work_);
  polish_.improve(test_, &system_, &solution_, &certificate_);
}

void QuasistaticExistence::find_squeeze(const QuasistaticProblem& problem, SqueezeCertificate* certificate) {
  certificate->found = false;
  test_ = problem;
  test_.barrier = 0.0;
  std::fill(test_.b.begin(), test_.b.end(), 0.0);
  std::fill(test_.compliance.begin(), test_.compliance.end(), kTestCompliance);
  std::fill(test_.choice.begin(), test_.choice.end(), 0.0);
  const double scale = kSoftness / (kTestCompliance * max_norm(problem.metric));
  for (std::size_t k = 0; k < test_.Q.size(); ++k) test_.Q[k] = scale * problem.metric[k];
  solve();
  const double violation = kTestCompliance * max_norm(solution_.z);
  if (!solution_.ok || !(violation > kInfeasible * max_norm(problem.e))) return;
  certificate->y.resize(problem.e.size());
  certificate->overlap = 0.0;
  double largest = 0.0;  // of a contact
  for (const QuasistaticGroup& group : problem.groups)
    largest = std::max(largest, contact_impulse(problem, group, solution_.z).z());
  for (std::size_t j = 0; j < problem.e.size(); ++j) {
    certificate->y[j] = solution_.z[j] / largest;
    certificate->overlap -= problem.h * problem.e[j] * certificate->y[j];
  }
  work_.assign(problem.b.size(), 0.0);
  add_transposed_jacobian(problem, certificate->y, &work_);
  certificate->imbalance = max_norm(work_);
  certificate->found = certificate->overlap > 0.0 && certificate->imbalance < kBalanced;
}

void QuasistaticExistence::find_missing_support(const QuasistaticProblem& problem,
                                                SupportCertificate* certificate) {
  certificate->found = false;
  test_ = problem;
  test_.barrier = 0.0;
  test_.groups.clear();
  test_.Q = problem.metric;
  std::fill(test_.choice.begin(), test_.choice.end(), 0.0);
  std::fill(test_.e.begin(), test_.e.end(), 0.0);
  const auto passive = [&](int tree) { return tree >= 0 && problem.is_passive[tree]; };
  int row = 0;
  for (QuasistaticGroup group : problem.groups) {
    if (!passive(group.tree_a)) group.tree_a = -1;
    if (!passive(group.tree_b)) group.tree_b = -1;
    if (group.tree_a < 0 && group.tree_b < 0) continue;
    const int begin = row;
    for (int j = group.row_begin; j < group.row_end; ++j) test_.rays[row++] = problem.rays[j];
    group.row_begin = begin;
    group.row_end = row;
    test_.groups.push_back(group);
  }
  test_.rays.resize(row);
  test_.e.resize(row);
  test_.compliance.assign(row, 0.0);
  double load = 0.0;
  for (int t = 0; t < problem.num_trees(); ++t) {
    for (int k = problem.begin[t]; k < problem.begin[t + 1]; ++k) {
      if (!problem.is_passive[t]) test_.b[k] = 0.0;
      load = std::max(load, std::abs(test_.b[k]));
    }
  }
  solve();
  if (!solution_.ok) return;
  certificate->direction = solution_.v;
  certificate->missing.assign(problem.b.size(), 0.0);
  add_blocks(test_, test_.Q, 1.0 / problem.h, solution_.v, &certificate->missing);
  certificate->found = max_norm(certificate->missing) * problem.h > kUnsupportedLoad * load;
}

}  // namespace csim
