// A quasistatic step without an answer, in words and as events.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_set.h"
#include "solver/quasistatic/quasistatic_ambiguity.h"
#include "step/event.h"

namespace csim {

/// Finds out why the problem has no answer and says so in a sentence: a body squeezed between others, a body
/// without support, a body pushed without limit; with Coulomb's law a body jammed between others. "" when all
/// tests find that it has one. `tolerance`: what a body may lack of its load, as a part of it. Adds an event
/// `squeezed` (the pair of geometries that overlaps most in the certificate; m) or `unsupported` (the body; N
/// or N m).
[[nodiscard]] std::string describe_missing_answer(const Model& model, const ContactSet& contacts,
                                                  const QuasistaticProblem& problem, double tolerance,
                                                  QuasistaticExistence* existence,
                                                  std::vector<Event>* events);

/// The second and third of these alone.
[[nodiscard]] std::string describe_missing_support(const Model& model, const QuasistaticProblem& problem,
                                                   double tolerance, QuasistaticExistence* existence,
                                                   std::vector<Event>* events);

/// "the commanded motion does not determine the force ..", with two solutions.
[[nodiscard]] std::string describe_ambiguity(const Model& model, const ContactSet& contacts,
                                             const QuasistaticProblem& problem,
                                             const AmbiguousForce& ambiguous);

}  // namespace csim
