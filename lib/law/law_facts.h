// What the scene and the pair table ask of a contact law. A friction law or a normal law is one file of this
// folder with its name in the scene, these facts and its kernels; a line of contact_laws.cpp or a name in
// normal_laws.h makes it known. Enumerators are places in those lists: a law that no other code names does
// without one, `.law = NormalLaw{5}`.
#pragma once

#include <string>

namespace csim {

enum class ContactModel { kLagged, kSap, kSimilar, kTamsi, kCoulomb };
enum class NormalLaw { kLinear, kHuntCrossley, kHertz, kLogBarrier, kIpcBarrier };

/// A friction law and its coupling to the normal force (contact.model).
struct FrictionFacts {
  ContactModel model;
  const char* name;  // in the scene
  NormalLaw default_normal = NormalLaw::kHuntCrossley;
  bool takes_every_normal = true;  // else its default alone
  bool is_cone = false;            // for the interior point, with a normal law that has an inverse
  /// Friction loads the normal spring: contacts act from phi0 < (dt + tau)(-v_n + mu |v_t|) on, else from
  /// (dt + tau)(-v_n).
  bool pulls_by_friction = false;
  bool has_compliance_floor = false;  // reads near_rigid: two rigid sides are no error
  bool glides_by_relaxation = false;  // slides at mu (dt + tau) |v_t| above the surface
};

/// A normal force law (contact.normal).
struct NormalFacts {
  NormalLaw law;
  const char* name;                    // in the scene
  bool reads_stiffness = false;        // a linear spring: acts on faces of patches too
  bool reads_hertz_stiffness = false;  // of the materials
  bool reads_barrier = false;          // acts up to contact.barrier.thickness
  bool reads_relaxation_time = false;  // tau of the reach above, else 0
  bool has_inverse = false;            // in closed form
};

[[nodiscard]] const FrictionFacts& facts_of(ContactModel model);
[[nodiscard]] const NormalFacts& facts_of(NormalLaw law);

/// The names as a row of the scene's format lists them: "lagged sap similar tamsi coulomb".
[[nodiscard]] std::string contact_model_names();
[[nodiscard]] std::string normal_law_names();

}  // namespace csim
