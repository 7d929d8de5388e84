// What `run` says of a simulation that is legal and may not be meant.
#pragma once

#include "contact/contact_set.h"
#include "model/model.h"
#include "run/run.h"
#include "step/stepper.h"

namespace csim::cli {

/// Warns of bodies inside each other at the start.
void warn_about_deep_overlaps(const Model& model, const ContactSet& contacts);

/// Notes patches that carry their bodies at a depth which is nothing beside the fall of a step: bodies on
/// several such patches leave some of them at every step and rattle, unless a margin keeps the faces in the
/// problem.
void note_stiff_patches(const Model& model, const ContactSet& contacts, double step);

/// Warns of steps that were taken with a residual above solver.tolerance.
void warn_about_inexact_steps(const RunReport& report, double tolerance);

/// Warns of bodies that a step has carried through each other: the motion is not that of the scene.
void warn_about_passages(const Model& model, const Stepper& stepper);

/// Warns of free bodies that spin too fast for the step: the scheme feeds their spin.
void warn_about_fast_spins(const Model& model, const Stepper& stepper, double step);

}  // namespace csim::cli
