#include "step/discrete/refusals.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/counted.h"
#include "step/discrete/step_constants.h"

namespace csim {
namespace {

/// " (contact of 'a' and 'b')" of the contact at which the solver failed.
std::string failed_contact(const PreparedStep& prepared, int contact) {
  if (contact < 0) return "";
  const ContactPair pair = prepared.contacts.pair(contact);
  return " (contact of '" + prepared.model.geometries[pair.geometry_a].name + "' and '" +
         prepared.model.geometries[pair.geometry_b].name + "')";
}

/// " for 'a', 'b' and 3 other bodies (12 contacts)" of the island at which the solver failed.
std::string failed_bodies(const PreparedStep& prepared, int failed_island) {
  constexpr int kNamed = 2;
  if (failed_island < 0) return "";
  const ConvexProblem& convex = prepared.data.problem;
  const Island& island = convex.islands[static_cast<std::size_t>(failed_island)];
  std::string text;
  int bodies = 0;
  for (int t = island.tree_begin; t < island.tree_end; ++t) {
    const int tree = convex.trees[static_cast<std::size_t>(t)].model_tree;
    for (const int body : bodies_of(prepared.model, prepared.model.trees[static_cast<std::size_t>(tree)])) {
      if (++bodies > kNamed) continue;
      text += std::string(bodies == 1 ? " for '" : ", '") +
              prepared.model.bodies[static_cast<std::size_t>(body)].name + "'";
    }
  }
  if (bodies > kNamed) text += " and " + counted(bodies - kNamed, "other body", "other bodies");
  return text + " (" + counted(island.contacts.end - island.contacts.begin, "contact") + ")";
}

/// The body and coordinate of the first velocity that cannot be squared; -1 when all can be.
std::pair<int, int> first_infinite(const Model& model, const VectorX& v) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Joint& joint = model.bodies[b].joint;
    for (int i = 0; i < joint.nv; ++i) {
      const double speed = v[joint.v_begin + i];
      if (!std::isfinite(speed * speed)) return {static_cast<int>(b), i};
    }
  }
  return {-1, -1};
}

/// ": body 'name', coordinate i = v".
std::string infinite_velocity(const Model& model, const VectorX& v) {
  const auto [body, coordinate] = first_infinite(model, v);
  if (body < 0) return "";
  const Body& its = model.bodies[static_cast<std::size_t>(body)];
  std::ostringstream text;
  text << ": body '" << its.name << "', coordinate " << coordinate << " = "
       << v[its.joint.v_begin + coordinate];
  return text.str();
}

Refusal find_fault(const PreparedStep& p, const SolvedStep& s) {
  if (p.unsettled_tree >= 0)
    return {RefusalKind::kTurning, bodies_of(p.model, p.model.trees[p.unsettled_tree]).front()};
  if (!is_usable(p.options, s.report)) {
    Refusal refusal{RefusalKind::kNotConverged, -1, -1, s.report.residual,
                    p.options.newton.relative_tolerance};
    if (s.report.failed_contact < 0) return refusal;
    const ContactPair pair = p.contacts.pair(s.report.failed_contact);
    refusal.subject_a = pair.geometry_a;
    refusal.subject_b = pair.geometry_b;
    return refusal;
  }
  // Squares, so that energies stay finite too.
  if (!std::isfinite(s.v.squaredNorm())) return {RefusalKind::kNotFinite, first_infinite(p.model, s.v).first};
  return {};
}

}  // namespace

Refusal judge_solution(const PreparedStep& prepared, const SolvedStep& solved, std::string* message) {
  const PreparedStep& p = prepared;
  const Refusal refusal = find_fault(p, solved);
  message->clear();
  if (!refusal) return refusal;
  std::ostringstream text;
  text << "step " << p.state.step + 1 << " at t = " << p.state.time << " s: " << describe(p.model, refusal);
  if (refusal.kind == RefusalKind::kNotConverged)
    text << failed_bodies(p, solved.report.failed_island) << ": " << solved.report.message
         << failed_contact(p, solved.report.failed_contact);
  if (refusal.kind == RefusalKind::kNotFinite) text << infinite_velocity(p.model, solved.v);
  *message = text.str();
  return refusal;
}

int unsolved_body(const PreparedStep& prepared, const SolvedStep& solved, const Refusal& refusal) {
  if (refusal.kind != RefusalKind::kNotConverged) return refusal.subject_a;
  const int island = solved.report.failed_island;
  if (island < 0) return -1;
  const ConvexProblem& problem = prepared.data.problem;
  const int tree =
      problem.trees[static_cast<std::size_t>(problem.islands[static_cast<std::size_t>(island)].tree_begin)]
          .model_tree;
  return bodies_of(prepared.model, prepared.model.trees[static_cast<std::size_t>(tree)]).front();
}

Refusal judge_velocity_terms(const Model& model, const SolvedStep& solved) {
  if (!(solved.velocity_residual > kUnsettled)) return {};
  const auto tree = static_cast<std::size_t>(solved.unsettled_tree);
  return {RefusalKind::kUnsettled, bodies_of(model, model.trees[tree]).front(), -1, solved.velocity_residual,
          kUnsettled};
}

Refusal judge_path(const Passages& passages) {
  if (passages.too_long.empty()) return {};
  return {RefusalKind::kPassage, passages.pairs.geometry_a, passages.pairs.geometry_b,
          static_cast<double>(passages.pairs.count)};
}

Refusal judge_corners(const Model& model, const TreeSet& trees, const ContactSet& start,
                      const ContactSet& end, std::vector<std::pair<int, int>>* lost) {
  lost->clear();
  for (const auto& [a, b] : end.unheld)
    if (has_either(trees, model, model.geometries[a].body, model.geometries[b].body) &&
        !std::binary_search(start.unheld.begin(), start.unheld.end(), std::pair(a, b)))
      lost->emplace_back(a, b);
  if (lost->empty()) return {};
  return {RefusalKind::kFreeCorner, lost->front().first, lost->front().second,
          static_cast<double>(lost->size())};
}

Refusal judge_gain(const IslandGain& gain) {
  if (!gain.is_refused()) return {};
  return {RefusalKind::kOverlapGain, gain.body_a, gain.body_b, gain.energy, gain.allowed, -1, gain.gained};
}

}  // namespace csim
