// The table of laws: a new friction law is its own file and its lines here, a new normal law its own file and
// its name in normal_laws.h.
#include <algorithm>
#include <array>

#include "law/friction_lagged.h"
#include "law/friction_sap.h"
#include "law/friction_similar.h"
#include "law/friction_tamsi.h"
#include "law/law_kernels.h"
#include "law/normal_laws.h"

namespace csim {
namespace {

// In the order of the enumerators.
constexpr std::array kFrictionFacts = {Lagged<LinearNormal>::kFacts, Sap::kFacts,
                                       Similar<LinearNormal>::kFacts, Tamsi::kFacts, kCoulombFacts};
constexpr std::array kNormalFacts = NormalLaws::map([]<class Normal>() { return Normal::kFacts; });

template <template <class> class Friction>
constexpr auto with_every_normal() {
  return NormalLaws::map([]<class Normal>() { return make_contact_law<Friction<Normal>>(); });
}

template <std::size_t... sizes>
constexpr auto join(const std::array<ContactLaw, sizes>&... parts) {
  std::array<ContactLaw, (sizes + ...)> laws{};
  auto end = laws.begin();
  ((end = std::copy(parts.begin(), parts.end(), end)), ...);
  return laws;
}

constexpr auto kContactLaws =
    join(with_every_normal<Lagged>(), with_every_normal<Similar>(), std::array{make_contact_law<Sap>()});
constexpr std::array kLawsWithoutPotential = {make_law_without_potential<Tamsi>()};

template <class Facts>
constexpr bool is_in_order(const Facts& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if constexpr (requires { all[i].model; }) {
      if (all[i].model != static_cast<ContactModel>(i)) return false;
    } else {
      if (all[i].law != static_cast<NormalLaw>(i)) return false;
    }
  }
  return true;
}
static_assert(is_in_order(kFrictionFacts) && is_in_order(kNormalFacts));

template <class Facts>
std::string names_of(const Facts& all) {
  std::string text;
  for (const auto& facts : all) text += (text.empty() ? "" : " ") + std::string(facts.name);
  return text;
}

}  // namespace

const FrictionFacts& facts_of(ContactModel model) {
  return kFrictionFacts[static_cast<std::size_t>(model)];
}

const NormalFacts& facts_of(NormalLaw law) {
  return kNormalFacts[static_cast<std::size_t>(law)];
}

std::string contact_model_names() {
  return names_of(kFrictionFacts);
}

std::string normal_law_names() {
  return names_of(kNormalFacts);
}

std::span<const ContactLaw> contact_laws() {
  return kContactLaws;
}

const ContactLaw* find_contact_law(ContactModel friction, NormalLaw normal) {
  if (friction == ContactModel::kCoulomb) friction = ContactModel::kLagged;
  const auto find = [&](const auto& laws) -> const ContactLaw* {
    for (const ContactLaw& law : laws) {
      if (law.friction == friction && law.normal == normal) return &law;
    }
    return nullptr;
  };
  const ContactLaw* law = find(kContactLaws);
  return law != nullptr ? law : find(kLawsWithoutPotential);
}

}  // namespace csim
