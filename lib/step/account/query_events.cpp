#include "step/account/query_events.h"

namespace csim {

void add_pair_event(EventKind kind, const PairCount& count, std::vector<Event>* events) {
  if (count.count == 0) return;
  add_event({kind, count.geometry_a, count.geometry_b, static_cast<double>(count.count)}, events);
}

void collect_query_events(const ContactSet& contacts, std::vector<Event>* events) {
  add_pair_event(EventKind::kDegenerateQuery, contacts.degenerate, events);
  add_pair_event(EventKind::kNativeAnswer, contacts.unanswered, events);
  add_pair_event(EventKind::kFallback, contacts.fallback, events);
}

}  // namespace csim
