#include "geometry/surface_components.h"

#include <cmath>
#include <numbers>

#include "core/counted.h"
#include "geometry/triangle_sides.h"

namespace csim {

namespace {

/// A triangle across an edge that the two have alone.
struct Neighbour {
  int triangle = -1;
  bool same_sense = false;  // the two run the same way along the edge: one of them is to be turned
};

struct Component {
  std::vector<int> triangles;
  long turned = 0;      // triangles, to run like the first
  bool sound = true;    // it has two sides
  bool closed = true;   // no open edge
  double volume = 0.0;  // m^3, signed, of a closed one
};

void turn(std::array<int, 3>* triangle) {
  std::swap((*triangle)[1], (*triangle)[2]);
}

std::vector<std::array<Neighbour, 3>> find_neighbours(const SurfaceData& surface,
                                                      std::vector<bool>* at_border) {
  std::vector<std::array<Neighbour, 3>> across(surface.triangles.size());
  at_border->assign(surface.triangles.size(), false);
  for_each_edge(surface.triangles, [&](std::span<const TriangleSide> sides) {
    if (sides.size() == 2) {
      const bool same = sides[0].forward == sides[1].forward;
      across[sides[0].triangle][sides[0].side] = {sides[1].triangle, same};
      across[sides[1].triangle][sides[1].side] = {sides[0].triangle, same};
    } else if (sides.size() % 2 == 1) {
      for (const TriangleSide& side : sides) (*at_border)[side.triangle] = true;
    }
  });
  return across;
}

/// The component around the triangle `seed`; turn_it[t] becomes 1 for triangles to be turned, 0 for others.
Component grow(const std::vector<std::array<Neighbour, 3>>& across, const std::vector<bool>& at_border,
               int seed, std::vector<int>* turn_it) {
  Component component;
  component.triangles.push_back(seed);
  (*turn_it)[seed] = 0;
  for (std::size_t k = 0; k < component.triangles.size(); ++k) {
    const int t = component.triangles[k];
    component.closed = component.closed && !at_border[t];
    component.turned += (*turn_it)[t];
    for (const Neighbour& next : across[t]) {
      if (next.triangle < 0) continue;
      const int wanted = (*turn_it)[t] ^ (next.same_sense ? 1 : 0);
      int& state = (*turn_it)[next.triangle];
      if (state < 0) {
        state = wanted;
        component.triangles.push_back(next.triangle);
      } else if (state != wanted) {
        component.sound = false;
      }
    }
  }
  return component;
}

double signed_volume(const SurfaceData& surface, const Component& component) {
  double six_volumes = 0.0;
  const Vector3 origin = surface.vertices[surface.triangles[component.triangles[0]][0]];
  for (const int t : component.triangles) {
    const auto& [a, b, c] = surface.triangles[t];
    six_volumes += (surface.vertices[a] - origin)
                       .dot((surface.vertices[b] - origin).cross(surface.vertices[c] - origin));
  }
  return six_volumes / 6.0;
}

/// How often the component winds around p: the sum of the solid angles of its triangles over 4 pi
/// [Van Oosterom & Strackee 1983, The solid angle of a plane triangle].
double winding(const SurfaceData& surface, const Component& component, const Vector3& p) {
  double angle = 0.0;
  for (const int t : component.triangles) {
    const Vector3 a = surface.vertices[surface.triangles[t][0]] - p,
                  b = surface.vertices[surface.triangles[t][1]] - p,
                  c = surface.vertices[surface.triangles[t][2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle +=
        2.0 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return angle / (4.0 * std::numbers::pi);
}

}  // namespace

std::vector<std::string> orient_components(SurfaceData* surface) {
  std::vector<bool> at_border;
  const auto across = find_neighbours(*surface, &at_border);
  std::vector<int> turn_it(surface->triangles.size(), -1);
  std::vector<Component> components;
  for (std::size_t t = 0; t < turn_it.size(); ++t)
    if (turn_it[t] < 0) components.push_back(grow(across, at_border, static_cast<int>(t), &turn_it));

  long turned = 0, reversed = 0, cavities = 0, one_sided = 0;
  for (Component& component : components) {
    if (!component.sound) {
      ++one_sided;
      continue;
    }
    // Of an open one, which has no outside, the most stay.
    const bool turn_others =
        !component.closed && 2 * component.turned > static_cast<long>(component.triangles.size());
    for (const int t : component.triangles)
      if ((turn_it[t] == 1) != turn_others) turn(&surface->triangles[t]);
    if (turn_others) component.turned = static_cast<long>(component.triangles.size()) - component.turned;
    if (component.closed) component.volume = signed_volume(*surface, component);
  }
  for (const Component& component : components) {
    if (!component.sound) continue;
    const Vector3 p = surface->vertices[surface->triangles[component.triangles[0]][0]];
    const bool is_cavity = component.volume < 0.0 && component.turned == 0 &&
                           std::any_of(components.begin(), components.end(), [&](const Component& other) {
                             return &other != &component && other.sound &&
                                    std::abs(other.volume) > std::abs(component.volume) &&
                                    std::abs(winding(*surface, other, p)) > 0.5;
                           });
    if (component.volume < 0.0 && !is_cavity) {
      for (const int t : component.triangles) turn(&surface->triangles[t]);
      ++reversed;
    }
    turned += component.turned;
    cavities += is_cavity ? 1 : 0;
  }
  std::vector<std::string> done;
  if (turned > 0)
    done.push_back("turned " + counted(turned, "triangle") + " to run like " +
                   (turned == 1 ? "its" : "their") + " neighbours");
  if (reversed > 0)
    done.push_back("turned " + counted(reversed, "closed component") + " of " +
                   std::to_string(components.size()) + " outwards");
  if (cavities > 0)
    done.push_back("kept " + counted(cavities, "cavity", "cavities") + ", whose triangles face inwards");
  if (one_sided > 0)
    done.push_back("left " + counted(one_sided, "component") + " as " +
                   (one_sided == 1 ? "it is" : "they are") +
                   ": with one side only (a Moebius strip), it cannot be oriented");
  return done;
}

}  // namespace csim
