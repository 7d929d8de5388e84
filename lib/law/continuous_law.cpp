#include "law/continuous_law.h"

#include <array>
#include <cmath>

#include "law/normal_laws.h"

namespace csim {
namespace {

/// f_n of contact i. Barriers do not damp, and are infinite at a closed gap.
template <class Normal>
double normal_force(const LawParameters& parameters, const ContactColumns& contacts, int i, double elastic) {
  if constexpr (Normal::kHasDomain) return elastic;
  // The impulse of a step of 1 s at the state of its start is the force.
  return Normal::impulse0(parameters, contacts, 1.0, i);
}

template <class Normal>
ContactPower evaluate(const LawParameters& parameters, const ContactColumns& contacts,
                      const ContactVelocities& v, Vector3Columns* force) {
  ContactPower power;
  const double v_s = parameters.stiction_tolerance;
  for (int i = 0; i < contacts.size(); ++i) {
    const Vector3 v_t = v.tangential[i];
    const double elastic = Normal::elastic_force(parameters, contacts, i, 0.0, 0.0);
    const double normal = normal_force<Normal>(parameters, contacts, i, elastic);
    const double friction = contacts.friction[i] * normal / std::sqrt(v_t.squaredNorm() + v_s * v_s);
    const Vector3 f = normal * contacts.normal[i] - friction * v_t;
    force->set(i, f);
    power.dissipated_normal -= (normal - elastic) * v.normal[i];
    power.dissipated_friction += friction * v_t.squaredNorm();
    power.bias_work -= f.dot(contacts.bias[i]);
    power.is_pressed = power.is_pressed || normal > 0.0;
  }
  return power;
}

}  // namespace

ContactPower evaluate_continuous_law(const LawParameters& parameters, NormalLaw normal,
                                     const ContactColumns& contacts, const ContactVelocities& v,
                                     Vector3Columns* force) {
  constexpr std::array kEvaluate = NormalLaws::map([]<class Normal>() { return &evaluate<Normal>; });
  return kEvaluate[static_cast<std::size_t>(normal)](parameters, contacts, v, force);
}

}  // namespace csim
