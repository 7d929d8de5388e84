#include "contact/convex/gjk.h"

#include <cmath>
#include <limits>

namespace csim {

namespace {

// Smooth pairs need 10 to 30; the cap only bounds the work where rounding stops the progress first.
constexpr int kMaxIterations = 128;

// Below this fraction of the size of the pair the cores touch: a normal from the difference of the points
// would be noise.
constexpr double kTouching = 1e-14;

// A simplex with the weights of its point closest to the origin.
struct Simplex {
  int size = 0;
  std::array<MinkowskiVertex, 4> vertex;
  std::array<double, 4> weight;

  void keep(int i, double wi) {
    vertex[0] = vertex[i];
    weight[0] = wi;
    size = 1;
  }
};

// The closest point of a face to the origin: which vertices carry it, with which weights.
struct Candidate {
  int count = 0;
  std::array<int, 3> index;
  std::array<double, 3> weight;
  Vector3 point;
};

Candidate closest_on_segment(const Simplex& s, int i, int j) {
  const Vector3& p = s.vertex[i].w;
  const Vector3 d = s.vertex[j].w - p;
  const double length2 = d.squaredNorm();
  const double t = -p.dot(d);
  Candidate c;
  if (t <= 0.0 || length2 == 0.0) {
    c.count = 1;
    c.index[0] = i;
    c.weight[0] = 1.0;
    c.point = p;
  } else if (t >= length2) {
    c.count = 1;
    c.index[0] = j;
    c.weight[0] = 1.0;
    c.point = s.vertex[j].w;
  } else {
    const double u = t / length2;
    c.count = 2;
    c.index = {i, j, 0};
    c.weight = {1.0 - u, u, 0.0};
    c.point = p + u * d;
  }
  return c;
}

Candidate nearer(const Candidate& x, const Candidate& y) {
  return y.point.squaredNorm() < x.point.squaredNorm() ? y : x;
}

Candidate closest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vector3 &a = s.vertex[i].w, &b = s.vertex[j].w, &c = s.vertex[k].w;
  const Vector3 ab = b - a, ac = c - a;
  const Vector3 normal = ab.cross(ac);
  const double area2 = normal.squaredNorm();
  // Signed areas of the triangles that the origin's projection makes with the edges, times the area.
  const double wa = normal.dot(b.cross(c));
  const double wb = normal.dot(c.cross(a));
  const double wc = normal.dot(a.cross(b));
  if (area2 > 0.0 && wa > 0.0 && wb > 0.0 && wc > 0.0) {
    Candidate q;
    const double sum = wa + wb + wc;
    q.count = 3;
    q.index = {i, j, k};
    q.weight = {wa / sum, wb / sum, wc / sum};
    // The projection on the plane, from the vertex nearest to it in rounding.
    q.point = normal * (normal.dot(a) / area2);
    return q;
  }
  // The origin projects outside: the closest point lies on an edge seen from it (all of them for a sliver).
  Candidate best;
  bool found = false;
  const auto consider = [&](const Candidate& q) {
    best = found ? nearer(best, q) : q;
    found = true;
  };
  if (wa <= 0.0) consider(closest_on_segment(s, j, k));
  if (wb <= 0.0) consider(closest_on_segment(s, k, i));
  if (wc <= 0.0) consider(closest_on_segment(s, i, j));
  if (!found) {
    consider(closest_on_segment(s, j, k));
    consider(closest_on_segment(s, k, i));
    consider(closest_on_segment(s, i, j));
  }
  return best;
}

// The closest point of a tetrahedron; false when the origin is inside.
bool closest_on_tetrahedron(const Simplex& s, Candidate* best) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  bool found = false;
  for (const auto& f : kFaces) {
    const Vector3& a = s.vertex[f[0]].w;
    const Vector3 normal = (s.vertex[f[1]].w - a).cross(s.vertex[f[2]].w - a);
    const double opposite = normal.dot(s.vertex[f[3]].w - a);
    const double origin = -normal.dot(a);
    // Outside this face, or the tetrahedron is flat.
    if (origin * opposite < 0.0 || opposite == 0.0) {
      const Candidate q = closest_on_triangle(s, f[0], f[1], f[2]);
      *best = found ? nearer(*best, q) : q;
      found = true;
    }
  }
  return found;
}

// Reduces the simplex to the smallest face that holds its point closest to the origin, which is returned in
// *v; false when the origin is inside a tetrahedron.
bool reduce(Simplex* s, Vector3* v) {
  Candidate c;
  switch (s->size) {
    case 1:
      s->weight[0] = 1.0;
      *v = s->vertex[0].w;
      return true;
    case 2:
      c = closest_on_segment(*s, 0, 1);
      break;
    case 3:
      c = closest_on_triangle(*s, 0, 1, 2);
      break;
    default:
      if (!closest_on_tetrahedron(*s, &c)) return false;
  }
  std::array<MinkowskiVertex, 3> kept;
  for (int i = 0; i < c.count; ++i) kept[i] = s->vertex[c.index[i]];
  for (int i = 0; i < c.count; ++i) {
    s->vertex[i] = kept[i];
    s->weight[i] = c.weight[i];
  }
  s->size = c.count;
  *v = c.point;
  return true;
}

bool contains(const Simplex& s, const Vector3& w) {
  for (int i = 0; i < s.size; ++i) {
    if (s.vertex[i].w == w) return true;
  }
  return false;
}

}  // namespace

GjkResult gjk(const ConvexSupport& a, const ConvexSupport& b, const Vector3& guess, double max_distance,
              double tolerance) {
  GjkResult result;
  const double scale = a.extent() + b.extent() + (a.center() - b.center()).norm();
  const double touching = kTouching * scale;

  Simplex simplex;
  Vector3 v = -guess;
  if (v.squaredNorm() < 1e-300) v = Vector3(0.0, 0.0, -1.0);
  simplex.vertex[0] = minkowski_support(a, b, -v);
  simplex.size = 1;
  reduce(&simplex, &v);
  result.normal = guess.squaredNorm() < 1e-300 ? Vector3(0.0, 0.0, 1.0) : guess.normalized();
  result.separation = -result.normal.dot(v);

  double distance = v.norm();
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (distance <= touching) {
      result.status = GjkResult::Status::kOverlapping;
      break;
    }
    const MinkowskiVertex vertex = minkowski_support(a, b, -v);
    const double bound = v.dot(vertex.w) / distance;
    if (bound > result.separation || iteration == 0) {
      result.separation = bound;
      result.normal = -v / distance;
    }
    if (bound > max_distance) {
      result.status = GjkResult::Status::kBeyond;
      return result;
    }
    if (distance - result.separation <= tolerance * distance || contains(simplex, vertex.w)) break;
    const Simplex before = simplex;
    simplex.vertex[simplex.size++] = vertex;
    Vector3 next;
    if (!reduce(&simplex, &next)) {
      result.status = GjkResult::Status::kOverlapping;
      break;
    }
    const double next_distance = next.norm();
    if (next_distance >= distance) {  // no progress left in rounding
      simplex = before;
      break;
    }
    v = next;
    distance = next_distance;
  }

  // The last separation bound settles what rounding left open.
  result.size = simplex.size;
  result.simplex = simplex.vertex;
  result.p_a.setZero();
  result.p_b.setZero();
  if (result.status == GjkResult::Status::kSeparated) {
    for (int i = 0; i < simplex.size; ++i) {
      result.p_a += simplex.weight[i] * simplex.vertex[i].a;
      result.p_b += simplex.weight[i] * simplex.vertex[i].b;
    }
  }
  return result;
}

}  // namespace csim
