#include "step/event.h"

#include <algorithm>
#include <cstring>

namespace csim {
namespace {

enum class Subject { kGeometry, kBody, kPhase, kConstraint };

struct KindInfo {
  const char* name;
  bool is_count;
  Subject subject;
};

constexpr std::array<KindInfo, kNumEventKinds> kKinds = {{{"degenerate query", true, Subject::kGeometry},
                                                          {"native answer", true, Subject::kGeometry},
                                                          {"fallback", true, Subject::kGeometry},
                                                          {"unforeseen hit", true, Subject::kGeometry},
                                                          {"passage", true, Subject::kGeometry},
                                                          {"fast spin", false, Subject::kBody},
                                                          {"inexact step", false, Subject::kGeometry},
                                                          {"divided step", true, Subject::kGeometry},
                                                          {"squeezed", false, Subject::kGeometry},
                                                          {"unsupported", false, Subject::kBody},
                                                          {"ambiguous force", false, Subject::kGeometry},
                                                          {"energy from nothing", false, Subject::kBody},
                                                          {"overlap jump", false, Subject::kBody},
                                                          {"friction lag", false, Subject::kGeometry},
                                                          {"failed step", false, Subject::kGeometry},
                                                          {"refused: unsolved", false, Subject::kGeometry},
                                                          {"refused: turning", false, Subject::kBody},
                                                          {"refused: infinite", false, Subject::kBody},
                                                          {"refused: passage", false, Subject::kGeometry},
                                                          {"refused: corner", false, Subject::kGeometry},
                                                          {"refused: gain", false, Subject::kBody},
                                                          {"energy lost", false, Subject::kBody},
                                                          {"phase", false, Subject::kPhase},
                                                          {"unexplained depth", false, Subject::kGeometry},
                                                          {"fell asleep", false, Subject::kBody},
                                                          {"stopped by sleep", false, Subject::kBody},
                                                          {"woke", true, Subject::kBody},
                                                          {"broken constraint", false, Subject::kConstraint},
                                                          {"held back", false, Subject::kBody},
                                                          {"leap", false, Subject::kBody}}};

const KindInfo& info(EventKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

const std::string& name_of(const std::string& name) {
  return name;
}
template <typename Named>
const std::string& name_of(const Named& one) {
  return one.name;
}

template <typename Named>
int find_name(const std::vector<Named>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return name_of(one) == name; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

double merged(EventKind kind, double a, double b) {
  return is_count(kind) ? a + b : std::max(a, b);
}

}  // namespace

const char* to_string(EventKind kind) {
  return info(kind).name;
}

std::optional<EventKind> parse_event_kind(const std::string& name) {
  for (int k = 0; k < kNumEventKinds; ++k)
    if (name == kKinds[static_cast<std::size_t>(k)].name) return static_cast<EventKind>(k);
  return std::nullopt;
}

std::size_t longest_event_name() {
  std::size_t length = 0;
  for (const KindInfo& kind : kKinds) length = std::max(length, std::strlen(kind.name));
  return length;
}

bool is_count(EventKind kind) {
  return info(kind).is_count;
}

bool is_warning(EventKind kind) {
  constexpr std::array kNotes = {EventKind::kDegenerateQuery, EventKind::kNativeAnswer,
                                 EventKind::kFallback,        EventKind::kDividedStep,
                                 EventKind::kOverlapJump,     EventKind::kUnsolvedAttempt,
                                 EventKind::kTurningAttempt,  EventKind::kInfiniteAttempt,
                                 EventKind::kPassingAttempt,  EventKind::kCornerAttempt,
                                 EventKind::kGainingAttempt,  EventKind::kPhase,
                                 EventKind::kFellAsleep,      EventKind::kWoke,
                                 EventKind::kBrokenConstraint};
  return std::find(kNotes.begin(), kNotes.end(), kind) == kNotes.end();
}

bool has_bodies(EventKind kind) {
  return info(kind).subject == Subject::kBody;
}

bool has_geometries(EventKind kind) {
  return info(kind).subject == Subject::kGeometry;
}

const std::string& subject_name(const Model& model, EventKind kind, int subject) {
  static const std::string none;
  if (subject < 0) return none;
  const auto i = static_cast<std::size_t>(subject);
  switch (info(kind).subject) {
    case Subject::kBody:
      return model.bodies[i].name;
    case Subject::kPhase:
      return model.phases[i].name;
    case Subject::kConstraint:
      return model.constraint_names[i];
    default:
      return model.geometries[i].name;
  }
}

int find_subject(const Model& model, EventKind kind, const std::string& name) {
  switch (info(kind).subject) {
    case Subject::kBody:
      return find_name(model.bodies, name);
    case Subject::kPhase:
      return find_name(model.phases, name);
    case Subject::kConstraint:
      return find_name(model.constraint_names, name);
    default:
      return find_name(model.geometries, name);
  }
}

void add_event(const Event& event, std::vector<Event>* events) {
  const auto same = std::find_if(events->begin(), events->end(), [&](const Event& e) {
    return e.kind == event.kind && e.subject_a == event.subject_a && e.subject_b == event.subject_b;
  });
  if (same == events->end()) {
    events->push_back(event);
  } else {
    same->value = merged(event.kind, same->value, event.value);
  }
}

void EventTotals::add(const Event& event, double time) {
  const auto add_to = [&](EventTotal* total) {
    if (total->count == 0) {
      total->first_time = time;
      total->first = event;
    }
    ++total->count;
    total->value = merged(event.kind, total->value, event.value);
  };
  add_to(&of_[static_cast<int>(event.kind)]);
  if (event.kind == EventKind::kFrictionLag) add_to(&lags_[{event.subject_a, event.subject_b}]);
}

EventTotal EventTotals::most_lagging_pair() const {
  EventTotal most;
  for (const auto& [pair, total] : lags_)
    if (total.count > most.count) most = total;
  return most;
}

}  // namespace csim
