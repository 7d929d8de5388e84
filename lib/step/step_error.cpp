#include "step/step_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/joint_coordinates.h"

namespace csim {
namespace {

void take_larger(double value, int body, int coordinate, StepError* largest) {
  if (!std::isfinite(value)) value = std::numeric_limits<double>::infinity();
  if (value > largest->value) *largest = {value, body, coordinate};
}

}  // namespace

StepError position_errors(const Model& model, const VectorX& q_a, const VectorX& q_b, double accuracy,
                          const TreeSet& trees, VectorX* by_tree) {
  StepError largest;
  by_tree->setZero(static_cast<Eigen::Index>(model.trees.size()));
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& its = model.bodies[b];
    if (its.tree < 0 || !contains(trees, its.tree)) continue;
    const Joint& joint = its.joint;
    const int body = static_cast<int>(b), num_angles = joint.nq - joint.nv == 1 ? 3 : 0;
    StepError of_body;
    const auto take = [&](int coordinate, double e) {
      take_larger(e / accuracy, body, coordinate, &of_body);
    };
    const int begin = joint.q_begin;
    if (num_angles > 0) take(0, 2.0 * (q_a.segment<4>(begin) - q_b.segment<4>(begin)).norm());
    for (int i = num_angles; i < joint.nv; ++i) {
      const int k = begin + joint.nq - joint.nv + i;
      take(i, std::abs(q_a[k] - q_b[k]));
    }
    (*by_tree)[its.tree] = std::max((*by_tree)[its.tree], of_body.value);
    if (of_body.value > largest.value) largest = of_body;
  }
  return largest;
}

StepErrorNorm::StepErrorNorm(const Model& model, double accuracy) : model_(model), accuracy_(accuracy) {
  for (const Tree& tree : model.trees) {
    double mass = 0.0;
    for (const int body : bodies_of(model, tree)) mass += model.bodies[body].mass.mass;
    tree_mass_.push_back(mass > 0.0 ? mass : 1.0);
  }
  length_.setOnes(model.nv);
}

void StepErrorNorm::set_mass(const std::vector<double>& mass) {
  for (std::size_t t = 0; t < model_.trees.size(); ++t) {
    const Tree& tree = model_.trees[t];
    for (int i = 0; i < tree.nv; ++i)
      length_[tree.v_begin + i] = std::sqrt(mass[tree.block_begin + i * (tree.nv + 1)] / tree_mass_[t]);
  }
}

StepError StepErrorNorm::evaluate(const VectorX& e_q, const VectorX& e_v, const VectorX& v0,
                                  const VectorX& v1) const {
  StepError largest;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Joint& joint = model_.bodies[b].joint;
    const int body = static_cast<int>(b);
    for (int i = 0; i < joint.nv; ++i) {
      const int k = joint.v_begin + i;
      const double r = length_[k], speed = r * std::max(std::abs(v0[k]), std::abs(v1[k]));
      take_larger(r * std::abs(e_v[k]) / (accuracy_ * (kErrorSpeed + speed)), body, i, &largest);
    }
    int num_angles = 0;  // velocity coordinates that the quaternion belongs to
    if (joint.nv > 0 && has_quaternion(joint.type)) {
      num_angles = 3;
      const double angle = 2.0 * e_q.segment<4>(joint.q_begin).norm();
      const double r = length_.segment<3>(joint.v_begin).maxCoeff();
      take_larger(r * angle / (accuracy_ * kErrorLength), body, 0, &largest);
    }
    for (int i = num_angles; i < joint.nv; ++i) {
      const int iq = joint.q_begin + joint.nq - joint.nv + i;
      take_larger(length_[joint.v_begin + i] * std::abs(e_q[iq]) / (accuracy_ * kErrorLength), body, i,
                  &largest);
    }
  }
  return largest;
}

}  // namespace csim
