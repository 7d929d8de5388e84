// The rows of /patch of one frame, from the contacts of a step and what they did.
#pragma once

#include <span>

#include "contact/contact_set.h"
#include "model/tree_bodies.h"
#include "problem/contact_forces.h"
#include "step/step_result.h"

namespace csim {

/// What acted in a step, or in its part of some trees: null where there is nothing.
struct StepForces {
  const ContactSet* contacts = nullptr;
  const ContactForces* contact_forces = nullptr;
  const RowForces* rows = nullptr;
  const TreeSet* trees = nullptr;  // contacts without a body of these are of another part; null: all
  bool rests = false;              // so are contacts with a body of another tree
};

/// Fills *rows with a row a patch, part by part; with `faces` the faces and their corners too.
void fill_patch_rows(const Model& model, std::span<const StepForces> parts, bool faces, PatchRows* rows);

/// Fills *rows with the contact points, part by part, and with the points of the patches' faces (kind 1)
/// behind those of their part when `faces`.
void fill_contact_rows(const Model& model, std::span<const StepForces> parts, bool faces, ContactRows* rows);

}  // namespace csim
