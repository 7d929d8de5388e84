// The rows of /patch of one frame, from the contacts of a step and what they did.
#pragma once

#include "contact/contact_set.h"
#include "problem/contact_forces.h"
#include "step/step_result.h"

namespace csim {

/// Fills *rows with a row a patch; with `faces` the faces and their corners too.
void fill_patch_rows(const ContactSet& contacts, const ContactForces& forces, bool faces, PatchRows* rows);

/// Fills *rows with the contact points, and with the points of the patches' faces (kind 1) behind them when
/// `faces`.
void fill_contact_rows(const ContactSet& contacts, const ContactForces& forces, bool faces,
                       ContactRows* rows);

}  // namespace csim
