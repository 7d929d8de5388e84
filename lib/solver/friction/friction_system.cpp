#include "solver/friction/friction_system.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

/// (mean diagonal)^-1/2 of each contact. One that nothing moves has that of the others.
VectorX contact_scales(const FrictionProblem& problem) {
  const int contacts = problem.num_contacts();
  VectorX diagonal(contacts);
  const VectorX all = problem.W.diagonal();
  for (int c = 0; c < contacts; ++c)
    diagonal[c] = all.segment(problem.dimension * c, problem.dimension).mean();
  // Below this a diagonal is round-off of the largest.
  const double least = contacts > 0 ? 1e-12 * diagonal.maxCoeff() : 0.0;
  return diagonal.unaryExpr([&](double d) {
    return 1.0 / std::sqrt(d > least ? d : least > 0.0 ? 1e12 * least : 1.0);
  });
}

void add_contact(const FrictionProblem& problem, int contact, FrictionSystem* system) {
  const int begin = problem.dimension * contact, normal = system->num_rows();
  system->source.push_back(begin);
  for (int k = 0; k < num_frictions(problem.dimension); ++k) {
    const double mu = coefficient(problem, contact, k);
    if (mu == 0.0) continue;
    const FrictionRows rows = friction_rows(problem.dimension, k);
    system->cones.push_back({contact, normal, system->num_rows(), rows.count, mu});
    for (int i = 0; i < rows.count; ++i) system->source.push_back(begin + rows.first + i);
  }
  if (system->num_rows() == normal + 1) system->cones.push_back({contact, normal, normal + 1, 0, 1.0});
  system->cone_begin.push_back(static_cast<int>(system->cones.size()));
  system->row_begin.push_back(system->num_rows());
}

}  // namespace

FrictionSystem make_friction_system(const FrictionProblem& problem) {
  FrictionSystem system;
  system.cone_begin = system.row_begin = {0};
  for (int c = 0; c < problem.num_contacts(); ++c) add_contact(problem, c, &system);
  const VectorX scales = contact_scales(problem);
  std::vector<int> row_of(problem.num_rows(), -1);
  system.scale.resize(system.num_rows());
  system.q.resize(system.num_rows());
  for (int i = 0; i < system.num_rows(); ++i) {
    row_of[system.source[i]] = i;
    system.scale[i] = scales[system.source[i] / problem.dimension];
    system.q[i] = system.scale[i] * problem.q[system.source[i]];
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < system.num_rows(); ++i)
    for (SparseMatrix::InnerIterator entry(problem.W, system.source[i]); entry; ++entry)
      if (const int j = row_of[entry.col()]; j >= 0)
        entries.emplace_back(i, j, system.scale[i] * entry.value() * system.scale[j]);
  system.W.resize(system.num_rows(), system.num_rows());
  system.W.setFromTriplets(entries.begin(), entries.end());
  const double size = system.num_rows() > 0 ? system.q.lpNorm<Eigen::Infinity>() : 0.0;
  if (size > 0.0) {
    system.q /= size;
    system.scale *= size;
  }
  return system;
}

VectorX to_problem(const FrictionSystem& system, const FrictionProblem& problem, const VectorX& scaled) {
  VectorX r = VectorX::Zero(problem.num_rows());
  for (int i = 0; i < system.num_rows(); ++i) r[system.source[i]] = system.scale[i] * scaled[i];
  return r;
}

}  // namespace csim
