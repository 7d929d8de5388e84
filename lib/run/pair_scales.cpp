#include "run/pair_scales.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace csim {
namespace {

constexpr double kNoSpring = std::numeric_limits<double>::quiet_NaN();

/// Of the geometries of a class: the two lightest moving bodies (-1: none), and whether a body of it stays.
struct ClassBodies {
  int lightest = -1, next = -1;
  bool has_fixed = false;

  [[nodiscard]] int lightest_but(int body) const { return lightest == body ? next : lightest; }
};

std::vector<ClassBodies> bodies_by_class(const Model& model) {
  const auto mass = [&](int body) {
    return body < 0 ? std::numeric_limits<double>::infinity() : model.bodies[body].mass.mass;
  };
  std::vector<ClassBodies> classes(static_cast<std::size_t>(model.pairs.num_classes));
  for (const Geometry& geometry : model.geometries) {
    if (geometry.pair_class < 0) continue;
    ClassBodies& of = classes[geometry.pair_class];
    if (model.bodies[geometry.body].tree < 0) of.has_fixed = true;
    if (model.bodies[geometry.body].tree < 0 || !(mass(geometry.body) > 0.0) || geometry.body == of.lightest)
      continue;
    if (mass(geometry.body) < mass(of.lightest)) {
      of.next = of.lightest;
      of.lightest = geometry.body;
    } else if (mass(geometry.body) < mass(of.next)) {
      of.next = geometry.body;
    }
  }
  return classes;
}

/// With the lightest body of `a`.
std::optional<PairScale> scale_of(const Model& model, const ClassBodies& a, const ClassBodies& b,
                                  const PairRule& rule) {
  PairScale scale;
  scale.rule = rule;
  scale.body = a.lightest;
  if (!rule.collide || scale.body < 0) return std::nullopt;
  scale.other = b.lightest_but(scale.body);
  if (scale.other < 0 && !b.has_fixed) return std::nullopt;
  const double mass = model.bodies[scale.body].mass.mass;
  const double inverse = 1.0 / mass + (scale.other < 0 ? 0.0 : 1.0 / model.bodies[scale.other].mass.mass);
  const double k = rule.stiffness;
  const bool is_spring = !rule.patch && k > 0.0 && std::isfinite(k);
  scale.mass = 1.0 / inverse;
  scale.contact_time = is_spring ? std::numbers::pi / std::sqrt(inverse * k) : kNoSpring;
  scale.rest_overlap = is_spring ? mass * model.gravity.norm() / k : kNoSpring;
  return scale;
}

}  // namespace

std::vector<PairScale> pair_scales(const Model& model) {
  const std::vector<ClassBodies> classes = bodies_by_class(model);
  std::vector<PairScale> scales;
  for (int a = 0; a < model.pairs.num_classes; ++a) {
    for (int b = a; b < model.pairs.num_classes; ++b) {
      std::optional<PairScale> best = scale_of(model, classes[a], classes[b], model.pairs.rule(a, b));
      const auto swapped = scale_of(model, classes[b], classes[a], model.pairs.rule(b, a));
      if (!best || (swapped && swapped->mass < best->mass)) best = swapped;
      if (!best) continue;
      best->class_a = a;
      best->class_b = b;
      scales.push_back(*best);
    }
  }
  return scales;
}

}  // namespace csim
