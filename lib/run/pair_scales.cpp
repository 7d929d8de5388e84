#include "run/pair_scales.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace csim {
namespace {

constexpr double kNoSpring = std::numeric_limits<double>::quiet_NaN();

/// Of the geometries of a class: the two lightest moving bodies and one that stays (-1: none).
struct ClassBodies {
  int lightest = -1, next = -1, fixed = -1;

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
    if (model.bodies[geometry.body].tree < 0 && of.fixed < 0) of.fixed = geometry.body;
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
  if (!rule.collide || a.lightest < 0) return std::nullopt;
  const int moving = b.lightest_but(a.lightest), other = moving < 0 ? b.fixed : moving;
  if (other < 0) return std::nullopt;
  set_bodies(model, a.lightest, other, &scale);
  return scale;
}

}  // namespace

void set_bodies(const Model& model, int body_a, int body_b, PairScale* pair) {
  const auto inverse_mass = [&](int body) {
    const Body& one = model.bodies[static_cast<std::size_t>(body)];
    return one.tree >= 0 && one.mass.mass > 0.0 ? 1.0 / one.mass.mass : 0.0;
  };
  const bool a_is_lighter = inverse_mass(body_a) >= inverse_mass(body_b);
  pair->body = a_is_lighter ? body_a : body_b;
  pair->other = a_is_lighter ? body_b : body_a;
  const double inverse = inverse_mass(body_a) + inverse_mass(body_b);
  const double k = pair->rule.stiffness;
  const bool is_spring = !pair->rule.patch && k > 0.0 && std::isfinite(k);
  pair->mass = 1.0 / inverse;
  pair->contact_time = is_spring ? std::numbers::pi / std::sqrt(inverse * k) : kNoSpring;
  pair->rest_overlap = is_spring ? model.gravity.norm() / (inverse_mass(pair->body) * k) : kNoSpring;
}

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
