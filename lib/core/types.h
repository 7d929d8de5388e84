// The numeric types every module shares. SI units, frames in the names (X_WB: pose of B in W; p_BC_W: from B
// to C, in W's axes).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace csim {

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Vector4 = Eigen::Vector4d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using VectorX = Eigen::VectorXd;
using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using MatrixX = Eigen::MatrixXd;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Quaternion = Eigen::Quaterniond;

}  // namespace csim
