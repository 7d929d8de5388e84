// Bodies and geometries for tests of contact queries.
#pragma once

#include <vector>

#include "contact/find_contacts.h"
#include "model/model.h"

namespace csim::testing {

/// A model of bodies and geometries alone: what a contact query reads.
class World {
 public:
  World() {
    model_.pairs.num_classes = 1;
    model_.pairs.rules.assign(1, PairRule{.collide = true});
  }
  int add_body(bool moves, const RigidTransform& X_WB) {
    Body body;
    body.tree = moves ? static_cast<int>(model_.bodies.size()) : -1;
    body.weld_group = moves ? 1 + static_cast<int>(model_.bodies.size()) : 0;
    model_.bodies.push_back(body);
    poses.push_back(X_WB);
    V0.emplace_back();
    V_star.emplace_back();
    belt.push_back(Vector3::Zero());
    return static_cast<int>(model_.bodies.size()) - 1;
  }
  int add(int body, const Shape& shape, const RigidTransform& X_BG = {}, int pair_class = 0) {
    Geometry geometry;
    geometry.body = body;
    geometry.shape = shape;
    geometry.X_BG = X_BG;
    geometry.pair_class = pair_class;
    model_.geometries.push_back(geometry);
    return static_cast<int>(model_.geometries.size()) - 1;
  }
  /// Classes 0..n-1, all colliding.
  void set_classes(int n) {
    model_.pairs.num_classes = n;
    model_.pairs.rules.assign(static_cast<std::size_t>(n * n), PairRule{.collide = true});
  }
  PairRule& rule(int a, int b) { return model_.pairs.rules[a * model_.pairs.num_classes + b]; }
  Model& model() { return model_; }

  [[nodiscard]] ContactQuery query() const {
    ContactQuery query;
    query.X_WB = &poses;
    query.V0 = &V0;
    query.V_star = &V_star;
    query.surface_velocity = &belt;
    query.step = step;
    query.margin = margin;
    query.slack = slack;
    query.fall = fall;
    return query;
  }
  [[nodiscard]] ContactSet find() const {
    ContactFinder finder(model_);
    ContactSet contacts;
    finder.find(query(), &contacts);
    return contacts;
  }

  std::vector<RigidTransform> poses;
  std::vector<Twist> V0, V_star;
  std::vector<Vector3> belt;
  double step = 1e-3, margin = 0.0, slack = 0.0, fall = 0.0;

 private:
  Model model_;
};

}  // namespace csim::testing
