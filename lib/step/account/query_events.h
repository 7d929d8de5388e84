// Events of contact queries, whatever the scheme.
#pragma once

#include <vector>

#include "contact/contact_set.h"
#include "step/event.h"

namespace csim {

/// Adds an event of the kind, unless there is nothing to count.
void add_pair_event(EventKind kind, const PairCount& count, std::vector<Event>* events);

/// What a contact query met: degenerate configurations, pairs that its engine did not answer, fallbacks.
void collect_query_events(const ContactSet& contacts, std::vector<Event>* events);

}  // namespace csim
