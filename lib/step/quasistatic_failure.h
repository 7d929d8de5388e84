// A quasistatic step without an answer, in words and as events.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_set.h"
#include "solver/quasistatic/quasistatic_ambiguity.h"
#include "step/event.h"

namespace csim {

/// Finds out why the problem has no answer and says so in a sentence: a body squeezed between others, a body
/// without support, a body pushed without limit. "" when both tests find that it has one. Adds an event
/// `squeezed` (the pair of geometries that overlaps most in the certificate; m) or `unsupported` (the body; N
/// or N m).
[[nodiscard]] std::string describe_missing_answer(const Model& model, const ContactSet& contacts,
                                                  const QuasistaticProblem& problem,
                                                  QuasistaticExistence* existence,
                                                  std::vector<Event>* events);

/// "the commanded motion does not determine the force ..", with two solutions.
[[nodiscard]] std::string describe_ambiguity(const Model& model, const ContactSet& contacts,
                                             const QuasistaticProblem& problem,
                                             const AmbiguousForce& ambiguous);

}  // namespace csim
