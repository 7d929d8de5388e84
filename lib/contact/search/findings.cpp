#include "contact/search/findings.h"

#include "patch/divide_faces.h"

namespace csim {
namespace {

template <typename T>
void append_all(const std::vector<T>& next, std::vector<T>* all) {
  all->insert(all->end(), next.begin(), next.end());
}

void add(const PairCount& next, PairCount* count) {
  count->add(next.geometry_a, next.geometry_b, next.count);
}

}  // namespace

void clear(Findings* findings) {
  findings->seen.clear();
  findings->left_out.clear();
  findings->reduced.clear();
  findings->fast_fields.clear();
  findings->placed.clear();
  findings->left.clear();
  findings->swept.clear();
  findings->closest.clear();
  findings->passages.pairs = {};
  findings->passages.too_long.clear();
}

void clear(ContactSet* contacts) {
  contacts->points.clear();
  contacts->patches.clear();
  clear_faces(&contacts->surface);
  contacts->face_points.clear();
  contacts->patch_of_point.clear();
  contacts->degenerate = contacts->fallback = contacts->unanswered = {};
  contacts->unheld.clear();
}

void append(const Findings& next, Findings* findings) {
  Findings& all = *findings;
  append_all(next.seen, &all.seen);
  for (ReducedPair pair : next.reduced) {
    pair.begin += all.left_out.size();
    pair.end += all.left_out.size();
    all.reduced.push_back(pair);
  }
  append_all(next.left_out, &all.left_out);
  append_all(next.fast_fields, &all.fast_fields);
  for (SweptPoints pair : next.swept) {
    pair.placed_begin += all.placed.size();
    pair.placed_end += all.placed.size();
    pair.left_begin += all.left.size();
    pair.left_end += all.left.size();
    all.swept.push_back(pair);
  }
  append_all(next.placed, &all.placed);
  append_all(next.left, &all.left);
  append_all(next.closest, &all.closest);
  add(next.passages.pairs, &all.passages.pairs);
  append_all(next.passages.too_long, &all.passages.too_long);
}

void append(const ContactSet& next, ContactSet* contacts) {
  ContactSet& all = *contacts;
  append_all(next.points, &all.points);
  const int faces = all.surface.num_faces(), points = static_cast<int>(all.face_points.size()),
            patches = static_cast<int>(all.patches.size());
  if (!next.patches.empty()) append_faces(next.surface, &all.surface);
  for (FacePoint point : next.face_points) {
    point.face += faces;
    all.face_points.push_back(point);
  }
  for (ContactPatch patch : next.patches) {
    patch.face_begin += faces;
    patch.face_end += faces;
    patch.point_begin += points;
    patch.point_end += points;
    all.patches.push_back(patch);
  }
  for (const int patch : next.patch_of_point) all.patch_of_point.push_back(patches + patch);
  append_all(next.unheld, &all.unheld);
  add(next.degenerate, &all.degenerate);
  add(next.fallback, &all.fallback);
  add(next.unanswered, &all.unanswered);
}

}  // namespace csim
