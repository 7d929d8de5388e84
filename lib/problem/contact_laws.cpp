// The table of laws: a new law is its own file and one line here.
#include <array>

#include "problem/friction_lagged.h"
#include "problem/friction_sap.h"
#include "problem/friction_similar.h"
#include "problem/friction_tamsi.h"
#include "problem/law_kernels.h"
#include "problem/normal_barriers.h"
#include "problem/normal_hertz.h"
#include "problem/normal_hunt_crossley.h"
#include "problem/normal_linear.h"

namespace csim {
namespace {

constexpr std::array kContactLaws = {
    make_contact_law<Lagged<HuntCrossleyNormal>>("lagged/hunt_crossley"),
    make_contact_law<Lagged<LinearNormal>>("lagged/linear"),
    make_contact_law<Lagged<HertzNormal>>("lagged/hertz"),
    make_contact_law<Lagged<BarrierNormal<LogBarrier>>>("lagged/log_barrier"),
    make_contact_law<Lagged<BarrierNormal<IpcBarrier>>>("lagged/ipc_barrier"),
    make_contact_law<Similar<HuntCrossleyNormal>>("similar/hunt_crossley"),
    make_contact_law<Similar<LinearNormal>>("similar/linear"),
    make_contact_law<Similar<HertzNormal>>("similar/hertz"),
    make_contact_law<Similar<BarrierNormal<LogBarrier>>>("similar/log_barrier"),
    make_contact_law<Similar<BarrierNormal<IpcBarrier>>>("similar/ipc_barrier"),
    make_contact_law<Sap>("sap/linear"),
};

/// What a law without a potential has: its constants, its impulses, and what the results report.
constexpr ContactLaw make_law_without_potential() {
  using Kernels = LawKernels<Tamsi>;
  ContactLaw law{};
  law.name = "tamsi/hunt_crossley";
  law.friction = Tamsi::kFriction;
  law.normal = Tamsi::kNormal;
  law.setup = &Kernels::setup;
  law.evaluate = &Kernels::evaluate;
  law.state = &Tamsi::state;
  law.elastic_energy = &Tamsi::elastic_energy;
  return law;
}

constexpr ContactLaw kTamsiLaw = make_law_without_potential();

}  // namespace

std::span<const ContactLaw> contact_laws() {
  return kContactLaws;
}

const ContactLaw* find_contact_law(FrictionType friction, NormalType normal) {
  for (const ContactLaw& law : kContactLaws) {
    if (law.friction == friction && law.normal == normal) return &law;
  }
  return friction == kTamsiLaw.friction && normal == kTamsiLaw.normal ? &kTamsiLaw : nullptr;
}

}  // namespace csim
