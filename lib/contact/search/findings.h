// What a query finds at the pairs of geometries that it looks at, in their order: of a share of them, or of
// all.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "contact/contact_set.h"
#include "contact/mesh/mesh_reduce.h"
#include "core/types.h"
#include "model/pair_table.h"

namespace csim {

/// A contact point that was seen, and the rule of its pair.
struct SeenPoint {
  PointContact contact;
  const PairRule* rule = nullptr;
  bool is_placed = false;  // by `foresee`: it is of where the pair meets
};

/// A pair of geometries, one a surface, of whose contacts the reduction has left some out, those of a range
/// of Findings::left_out.
struct ReducedPair {
  std::size_t begin, end;
  const PairRule* rule;
  double same_face;  // rad
  Matrix3 R_WS;      // of the surface
};

/// Two geometries with pressure fields that come far in the step: indices in Model::geometries.
struct FastFields {
  int a, b;
};

/// The points of a pair of geometries that foresee looked at: [begin, end) of those given, and what became
/// of them in Findings::placed and left.
struct SweptPoints {
  std::size_t begin, end, placed_begin, placed_end, left_begin, left_end;
};

/// A contact point and its gap (m) at the end of the step, as its velocity foresees it.
struct ClosestPoint {
  std::pair<int, int> pair;  // of geometries
  double end_gap;
  const PointContact* contact;
};

struct Findings {
  std::vector<SeenPoint> seen;           // within a pair's bound, not offered
  std::vector<SurfaceContact> left_out;  // by the reduction, offered or not
  std::vector<ReducedPair> reduced;
  std::vector<FastFields> fast_fields;  // by the velocities V0 and V_star
  // Of foresee: what is a contact, and what is none.
  std::vector<SeenPoint> placed, left;
  std::vector<SweptPoints> swept;
  // Of find_passages, whose pairs turn or close far.
  std::vector<ClosestPoint> closest;
  Passages passages;
};

/// Empties them; memory is kept.
void clear(Findings* findings);
void clear(ContactSet* contacts);

/// Adds those of the next pairs.
void append(const Findings& next, Findings* findings);
/// The same of contacts, which may come out of order.
void append(const ContactSet& next, ContactSet* contacts);

}  // namespace csim
