#include "step/step_error.h"

#include <Eigen/Eigenvalues>
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
    if (joint.type == JointType::kFree) {
      take(3, (q_a.segment<3>(begin + 4) - q_b.segment<3>(begin + 4)).norm());
    } else {
      for (int i = num_angles; i < joint.nv; ++i) {
        const int k = begin + joint.nq - joint.nv + i;
        take(i, std::abs(q_a[k] - q_b[k]));
      }
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
  turning_.assign(model.bodies.size(), Matrix3::Identity());
  radius_.assign(model.bodies.size(), 1.0);
}

void StepErrorNorm::set_mass(const std::vector<double>& mass) {
  for (std::size_t t = 0; t < model_.trees.size(); ++t) {
    const Tree& tree = model_.trees[t];
    const Eigen::Map<const MatrixX> M(mass.data() + tree.block_begin, tree.nv, tree.nv);
    length_.segment(tree.v_begin, tree.nv) = (M.diagonal() / tree_mass_[t]).cwiseSqrt();
    for (const int body : bodies_of(model_, tree)) {
      const Joint& joint = model_.bodies[body].joint;
      if (joint.nv == 0 || !has_quaternion(joint.type)) continue;
      const int i = joint.v_begin - tree.v_begin;
      turning_[body] = M.block<3, 3>(i, i) / tree_mass_[t];
      Eigen::SelfAdjointEigenSolver<Matrix3> eigen;
      eigen.computeDirect(turning_[body], Eigen::EigenvaluesOnly);
      radius_[body] = std::sqrt(std::max(eigen.eigenvalues()[2], 0.0));
    }
  }
}

StepError StepErrorNorm::evaluate(const VectorX& e_q, const VectorX& e_v, const VectorX& v0,
                                  const VectorX& v1) const {
  StepError largest;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const Joint& joint = model_.bodies[b].joint;
    const int body = static_cast<int>(b);
    const auto take_velocity = [&](int i, double error, double before, double after) {
      const double allowed = accuracy_ * (kErrorSpeed + std::max(before, after));
      take_larger(error / allowed, body, i, &largest);
    };
    const auto take_position = [&](int i, double error) {
      take_larger(error / (accuracy_ * kErrorLength), body, i, &largest);
    };
    int first = 0;  // of the coordinates that are numbers for themselves
    if (joint.nv > 0 && has_quaternion(joint.type)) {
      first = 3;
      const auto speed = [&](const VectorX& v) {
        const Vector3 w = v.segment<3>(joint.v_begin);
        return std::sqrt(w.dot(turning_[b] * w));
      };
      take_velocity(0, speed(e_v), speed(v0), speed(v1));
      take_position(0, radius_[b] * 2.0 * e_q.segment<4>(joint.q_begin).norm());
    }
    if (joint.type == JointType::kFree && joint.nv > 0) {
      first = 6;
      const double r = length_.segment<3>(joint.v_begin + 3).maxCoeff();
      const auto speed = [&](const VectorX& v) { return r * v.segment<3>(joint.v_begin + 3).norm(); };
      take_velocity(3, speed(e_v), speed(v0), speed(v1));
      take_position(3, r * e_q.segment<3>(joint.q_begin + 4).norm());
    }
    for (int i = first; i < joint.nv; ++i) {
      const int k = joint.v_begin + i, iq = joint.q_begin + joint.nq - joint.nv + i;
      const double r = length_[k];
      take_velocity(i, r * std::abs(e_v[k]), r * std::abs(v0[k]), r * std::abs(v1[k]));
      take_position(i, r * std::abs(e_q[iq]));
    }
  }
  return largest;
}

}  // namespace csim
