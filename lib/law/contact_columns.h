// Contacts as structure of arrays: one column a quantity, so that loops over contacts vectorise.
#pragma once

#include <array>
#include <vector>

#include "core/types.h"

namespace csim {

/// A column of 3-vectors, component by component.
struct Vector3Columns {
  std::vector<double> x, y, z;

  void resize(std::size_t n) {
    x.resize(n);
    y.resize(n);
    z.resize(n);
  }
  [[nodiscard]] std::size_t size() const { return x.size(); }
  [[nodiscard]] Vector3 operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
  void set(std::size_t i, const Vector3& a) {
    x[i] = a.x();
    y[i] = a.y();
    z[i] = a.z();
  }
};

/// Everything a contact law may know of its contacts. World axes throughout; there are no tangent axes: the
/// tangential velocity is the 3-vector v_t = v - v_n n.
struct ContactColumns {
  // Geometry and velocities at the start of the step.
  Vector3Columns normal;     // unit, from a to b
  Vector3Columns arm;        // m, from the cluster's reference point O to the contact point
  Vector3Columns bias;       // m/s, b of v_c = J v + b: prescribed bodies and surface velocities, b minus a
  std::vector<double> phi0;  // m, signed distance, < 0 overlap
  std::vector<double> v_n0;  // m/s, normal velocity at the start of the step, bias included

  // The pair's parameters.
  std::vector<double> friction;         // mu
  std::vector<double> stiffness;        // k, N/m (a patch face: N/m of the face, 0 allowed); infinity: rigid
  std::vector<double> elastic_force0;   // fe0, N, of the linear spring at the start: -k phi0 for a point
  std::vector<double> dissipation;      // d, s/m
  std::vector<double> relaxation_time;  // tau, s
  std::vector<double> hertz_stiffness;  // k_p, N/m^1.5

  // Filled by set_step: Delassus estimate and the law's own constants, named in the law's file.
  std::vector<double> delassus;  // w, 1/kg
  std::array<std::vector<double>, 4> normal_constant;
  std::array<std::vector<double>, 3> friction_constant;

  [[nodiscard]] int size() const { return static_cast<int>(phi0.size()); }

  void resize(std::size_t n) {
    normal.resize(n);
    arm.resize(n);
    bias.resize(n);
    for (auto* column : {&phi0, &v_n0, &friction, &stiffness, &elastic_force0, &dissipation, &relaxation_time,
                         &hertz_stiffness, &delassus}) {
      column->resize(n);
    }
    for (auto& column : normal_constant) column.resize(n);
    for (auto& column : friction_constant) column.resize(n);
  }
};

}  // namespace csim
