#include "solver/quasistatic/quasistatic_existence.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kTestCompliance = 1.0;  // m/(N s); any, the test has no force of its own
constexpr double kSoftness = 1e-9;       // of the metric, beside the compliance: motion costs nothing
constexpr double kInfeasible = 1e-7;     // of max |e|: a violation that is more than the softness makes
constexpr double kBalanced = 1e-4;       // |J^T y| of a certificate, whose largest y is 1

}  // namespace

/// test_: the problem of rigid rows without cost; driven coordinates stand still, or move as told.
void QuasistaticExistence::reduce(const QuasistaticProblem& problem, bool passive_alone, bool normals_alone,
                                  bool springs_hold) {
  test_ = problem;
  test_.barrier = 0.0;
  test_.executes_commands = false;
  std::fill(test_.choice.begin(), test_.choice.end(), 0.0);
  test_.groups.clear();
  test_.rays.clear();
  test_.e.clear();
  test_.holds.clear();
  row_of_.clear();
  if (problem.executes_commands) commanded_velocity(problem, &work_);
  if (passive_alone) hold_driven(&test_);
  for (QuasistaticGroup group : problem.groups) {
    if (group.is_spring && !springs_hold) continue;
    const Vector3 given =
        problem.executes_commands ? contact_velocity(problem, group, work_) : Vector3(Vector3::Zero());
    if (first_tree(test_, group) < 0 && !problem.executes_commands) continue;
    const bool has_normal = normals_alone && group.constraint < 0;
    const int begin = group.row_begin, end = has_normal ? begin + 1 : group.row_end;
    group.row_begin = test_.num_rows();
    for (int j = begin; j < end; ++j) {
      const Vector3 ray = has_normal ? Vector3(Vector3::UnitZ()) : problem.rays[j];
      test_.rays.push_back(ray);
      test_.e.push_back(problem.e[j] + ray.dot(given));
      row_of_.push_back(j);
      if (!problem.holds.empty()) test_.holds.push_back(problem.holds[j]);
    }
    group.row_end = test_.num_rows();
    test_.groups.push_back(group);
  }
  test_.compliance.assign(test_.rays.size(), 0.0);
}

void QuasistaticExistence::find_squeeze(const QuasistaticProblem& problem, SqueezeCertificate* certificate) {
  certificate->found = false;
  reduce(problem, problem.executes_commands, problem.has_coulomb_friction, false);
  std::fill(test_.b.begin(), test_.b.end(), 0.0);
  std::fill(test_.compliance.begin(), test_.compliance.end(), kTestCompliance);
  const double scale = kSoftness / (kTestCompliance * max_norm(problem.metric));
  for (std::size_t k = 0; k < test_.Q.size(); ++k) test_.Q[k] = scale * problem.metric[k];
  solver_.solve(test_, &solution_, &certificate_);
  const double violation = kTestCompliance * max_norm(solution_.z);
  if (!solution_.ok || !(violation > kInfeasible * max_norm(test_.e))) return;
  certificate->y.assign(problem.e.size(), 0.0);
  certificate->overlap = 0.0;
  double largest = 0.0;  // of a contact
  for (const QuasistaticGroup& group : test_.groups)
    largest = std::max(largest, pressing_impulse(test_, group, solution_.z));
  for (std::size_t j = 0; j < test_.e.size(); ++j) {
    solution_.z[j] /= largest;
    certificate->y[row_of_[j]] = solution_.z[j];
    certificate->overlap -= problem.h * test_.e[j] * solution_.z[j];
  }
  work_.assign(problem.b.size(), 0.0);
  add_transposed_jacobian(test_, solution_.z, &work_);
  certificate->imbalance = max_norm(work_);
  certificate->found = certificate->overlap > 0.0 && certificate->imbalance < kBalanced;
}

void QuasistaticExistence::find_missing_support(const QuasistaticProblem& problem, double tolerance,
                                                SupportCertificate* certificate) {
  certificate->found = false;
  reduce(problem, true, false, true);
  test_.Q = problem.metric;
  std::fill(test_.e.begin(), test_.e.end(), 0.0);
  for (int k = 0; k < problem.nv(); ++k)
    if (problem.is_passive[k] == 0) test_.b[k] = 0.0;
  solver_.solve(test_, &solution_, &certificate_);
  if (!solution_.ok) return;
  certificate->direction = solution_.v;
  certificate->missing.assign(problem.b.size(), 0.0);
  add_blocks(test_, test_.Q, 1.0 / problem.h, solution_.v, &certificate->missing);
  work_ = certificate->missing;
  for (double& missing : work_) missing *= problem.h;
  certificate->found = largest_share(test_, max_norm(test_.b), test_.b, work_) > tolerance;
}

}  // namespace csim
