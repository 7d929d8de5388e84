#include "view/page_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/require.h"
#include "geometry/bounds.h"
#include "view/color_map.h"

namespace csim {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays go into the page as they are");

void push(std::vector<float>* values, const Vector3& v) {
  for (int axis = 0; axis < 3; ++axis) values->push_back(static_cast<float>(v[axis]));
}

/// (w,x,y,z) times 32767.
void push(std::vector<std::int16_t>* values, const Matrix3& R) {
  const Quaternion q(R);
  for (const double x : {q.w(), q.x(), q.y(), q.z()}) {
    values->push_back(static_cast<std::int16_t>(std::lround(32767.0 * x)));
  }
}

std::vector<float> packed(const std::vector<Vector3>& vectors) {
  std::vector<float> values;
  for (const Vector3& v : vectors) push(&values, v);
  return values;
}

void write_pose(JsonWriter* json, const RigidTransform& X) {
  const Quaternion q(X.R);
  json->member("position", X.p, "quaternion", std::array{q.w(), q.x(), q.y(), q.z()});
}

void write_framing(const Framing& framing, ArrayBlock* block, JsonWriter* json) {
  json->key("framing").begin_object();
  json->member("lower", framing.lower, "upper", framing.upper, "target", framing.target, "direction",
               framing.direction, "zoom", framing.zoom, "radius", framing.radius, "grid", framing.grid);
  json->member("fieldOfView", kFieldOfView, "largestForce", framing.largest_force, "largestMoment",
               framing.largest_moment);
  block->members(json, "points", packed(framing.points));
  json->end_object();
}

void write_bodies(const ViewScene& scene, JsonWriter* json) {
  const std::vector<char> with_polygons = bodies_with_polygons(scene);
  json->key("bodies").begin_array();
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    json->begin_object().member("name", scene.bodies[b].name, "moves", scene.bodies[b].moves);
    json->member("hasPolygons", with_polygons[b] != 0, "mass", scene.bodies[b].mass, "com",
                 scene.bodies[b].com);
    write_pose(json, scene.frames.front().X_WB[b]);
    json->end_object();
  }
  json->end_array();
}

/// The surfaces of a scene and of its overlay, which mostly are the same.
struct AllSurfaces {
  std::vector<const Surface*> surfaces;
  std::vector<int> of_overlay;  // its surfaces among these
};

AllSurfaces all_surfaces(const ViewScene& scene) {
  AllSurfaces all;
  for (const Surface& surface : scene.surfaces) all.surfaces.push_back(&surface);
  if (!scene.overlay) return all;
  for (const Surface& surface : scene.overlay->surfaces) {
    const auto same = std::find_if(all.surfaces.begin(), all.surfaces.end(), [&](const Surface* other) {
      return other->vertices == surface.vertices && other->triangles == surface.triangles;
    });
    all.of_overlay.push_back(static_cast<int>(same - all.surfaces.begin()));
    if (same == all.surfaces.end()) all.surfaces.push_back(&surface);
  }
  return all;
}

void write_surfaces(const AllSurfaces& all, ArrayBlock* block, JsonWriter* json) {
  json->key("surfaces").begin_array();
  for (const Surface* surface : all.surfaces) {
    std::vector<std::int32_t> triangles;
    for (const auto& t : surface->triangles) triangles.insert(triangles.end(), t.begin(), t.end());
    json->begin_object().member("round", surface->round);
    block->members(json, "vertices", packed(surface->vertices), "normals", packed(surface->normals),
                   "triangles", triangles);
    json->end_object();
  }
  json->end_array();
}

/// `surface_rows`: of the scene's surfaces among those of the page; empty: the same.
void write_parts(const ViewScene& scene, const std::vector<int>& surface_rows, JsonWriter* json) {
  json->key("parts").begin_array();
  for (const ViewPart& part : scene.parts) {
    const int surface = surface_rows.empty() ? part.surface : surface_rows[part.surface];
    json->begin_object().member("name", part.name, "body", part.body, "surface", surface);
    write_pose(json, part.X_BG);
    json->member("scale", part.scale, "color", part.color).end_object();
  }
  json->end_array().key("planes").begin_array();
  for (const ViewPlane& plane : scene.planes) {
    json->begin_object().member("name", plane.name, "body", plane.body);
    write_pose(json, plane.X_BG);
    json->member("color", plane.color).end_object();
  }
  json->end_array();
}

void write_frames(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  std::vector<double> time;
  std::vector<float> position;
  std::vector<std::int16_t> quaternion;
  std::vector<std::int32_t> phase;
  std::vector<std::uint8_t> asleep, broken;
  for (const ViewFrame& frame : scene.frames) {
    time.push_back(frame.time);
    phase.push_back(frame.phase);
    broken.insert(broken.end(), frame.broken.begin(), frame.broken.end());
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      if (!scene.bodies[b].moves) continue;
      push(&position, frame.X_WB[b].p);
      push(&quaternion, frame.X_WB[b].R);
      if (!frame.asleep.empty()) asleep.push_back(frame.asleep[b] != 0 ? 1 : 0);
    }
  }
  json->key("frames").begin_object();
  block->members(json, "time", time, "position", position, "quaternion", quaternion, "phase", phase, "asleep",
                 asleep, "broken", broken);
  json->end_object();
}

void write_contacts(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  json->key("contacts");
  if (!scene.has_contacts) {
    json->null();
    return;
  }
  std::vector<std::int32_t> offset{0}, bodies;
  std::vector<float> point, force;
  std::vector<std::uint8_t> slips;
  for (const ViewFrame& frame : scene.frames) {
    for (const ViewContact& contact : frame.contacts) {
      push(&point, contact.point);
      push(&force, contact.force);
      bodies.insert(bodies.end(), {contact.body_a, contact.body_b});
      slips.push_back(contact.slips ? 1 : 0);
    }
    offset.push_back(static_cast<std::int32_t>(slips.size()));
  }
  json->begin_object();
  block->members(json, "offset", offset, "point", point, "force", force, "bodies", bodies, "slips", slips);
  json->end_object();
}

/// Constraints, and forces on bodies in each frame.
void write_links(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  json->key("links").begin_array();
  for (const ViewLink& link : scene.links) {
    json->begin_object().member("name", link.name, "type", link.type);
    json->key("places").begin_array();
    for (const auto& [body, point] : link.places)
      json->begin_object().member("body", body, "point", point).end_object();
    json->end_array().end_object();
  }
  json->end_array().key("forces");
  if (!scene.has_forces) {
    json->null();
    return;
  }
  std::vector<std::int32_t> offset{0}, body;
  std::vector<float> point, force;
  for (const ViewFrame& frame : scene.frames) {
    for (const ViewForce& applied : frame.forces) {
      push(&point, applied.point);
      push(&force, applied.force);
      body.push_back(applied.body);
    }
    offset.push_back(static_cast<std::int32_t>(body.size()));
  }
  json->begin_object();
  block->members(json, "offset", offset, "point", point, "force", force, "body", body);
  json->end_object();
}

/// Corners of a patch as 16-bit places in its box, and pressures as indices of colours.
void write_polygons(const ViewScene& scene, double top, ArrayBlock* block, JsonWriter* json) {
  std::vector<std::int32_t> face_offset{0}, corner_offset{0};
  std::vector<std::uint8_t> corners_of_face, color;
  std::vector<float> lower, size;
  std::vector<std::uint16_t> place;
  for (const ViewFrame& frame : scene.frames) {
    for (const ViewPatch& patch : frame.patches) {
      const ViewPolygons& polygons = patch.polygons;
      Aabb box{patch.centroid, patch.centroid};
      for (const Vector3& corner : polygons.corners) box.add(corner);
      const Vector3 sides = box.upper - box.lower;
      push(&lower, box.lower);
      push(&size, sides);
      for (const Vector3& corner : polygons.corners) {
        for (int axis = 0; axis < 3; ++axis) {
          const double u = sides[axis] > 0.0 ? (corner[axis] - box.lower[axis]) / sides[axis] : 0.0;
          place.push_back(static_cast<std::uint16_t>(std::lround(65535.0 * u)));
        }
      }
      for (const double pressure : polygons.pressure) color.push_back(color_index(pressure, top));
      int begin = 0;
      for (const int end : polygons.end) {
        CSIM_REQUIRE(end - begin < 256, end - begin);
        corners_of_face.push_back(static_cast<std::uint8_t>(end - begin));
        begin = end;
      }
      face_offset.push_back(static_cast<std::int32_t>(corners_of_face.size()));
      corner_offset.push_back(static_cast<std::int32_t>(color.size()));
    }
  }
  json->key("polygons").begin_object();
  block->members(json, "faceOffset", face_offset, "cornerOffset", corner_offset, "cornersOfFace",
                 corners_of_face, "lower", lower, "size", size, "place", place, "color", color);
  json->end_object();
}

void write_color_bar(const ColorBar& bar, ArrayBlock* block, JsonWriter* json) {
  json->key("bar").begin_object().member("unit", bar.unit, "top", bar.top, "beyond", bar.beyond);
  json->key("ticks").begin_array();
  for (const ColorBar::Tick& tick : bar.ticks)
    json->begin_object().member("at", tick.at, "label", tick.label).end_object();
  json->end_array();
  std::vector<std::uint8_t> colors;
  for (const Rgb8& color : color_map()) colors.insert(colors.end(), color.begin(), color.end());
  block->members(json, "colors", colors);
  json->end_object();
}

void write_patches(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  json->key("patches");
  if (!scene.has_patches) {
    json->null();
    return;
  }
  std::vector<std::int32_t> offset{0}, bodies;
  std::vector<float> centroid, force, moment;
  for (const ViewFrame& frame : scene.frames) {
    for (const ViewPatch& patch : frame.patches) {
      push(&centroid, patch.centroid);
      push(&force, patch.force);
      push(&moment, patch.moment);
      bodies.insert(bodies.end(), {patch.body_a, patch.body_b});
    }
    offset.push_back(static_cast<std::int32_t>(bodies.size() / 2));
  }
  json->begin_object();
  block->members(json, "offset", offset, "centroid", centroid, "force", force, "moment", moment, "bodies",
                 bodies);
  if (scene.has_polygons) {
    const ColorBar bar = make_color_bar(scene.pressure);
    write_polygons(scene, bar.top, block, json);
    write_color_bar(bar, block, json);
  } else {
    json->key("polygons").null();
  }
  json->end_object();
}

void write_plots(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  json->key("plots").begin_array();
  for (const ViewPlot& plot : scene.plots) {
    json->begin_object().member("title", plot.title, "unit", plot.unit, "logarithmic", plot.logarithmic);
    json->key("curves").begin_array();
    for (const ViewCurve& curve : plot.curves) {
      json->begin_object().member("name", curve.name);
      block->members(json, "time", curve.time, "value", curve.value);
      json->end_object();
    }
    json->end_array().end_object();
  }
  json->end_array();
}

void write_joints(const ViewScene& scene, JsonWriter* json) {
  json->key("joints").begin_array();
  for (const ViewJoint& joint : scene.joints) {
    json->begin_object().member("name", joint.name, "type", joint.type, "parent", joint.parent);
    json->member("child", joint.child, "axis", joint.axis);
    write_pose(json, joint.X_PJ);
    json->end_object();
  }
  json->end_array();
}

const char* kind_name(ViewColumnItem::Kind kind) {
  return kind == ViewColumnItem::Kind::kBody    ? "body"
         : kind == ViewColumnItem::Kind::kJoint ? "joint"
                                                : "actuator";
}

/// Most items have the groups of the one before them: `groups` is null then.
void write_columns(const ViewColumns& columns, ArrayBlock* block, JsonWriter* json) {
  json->key("columns").begin_object();
  block->members(json, "time", columns.time);
  json->key("items").begin_array();
  const std::vector<ViewColumnGroup>* before = nullptr;
  for (const ViewColumnItem& item : columns.items) {
    json->begin_object().member("kind", kind_name(item.kind), "name", item.name, "row", item.row);
    json->key("groups");
    if (before != nullptr && *before == item.groups) {
      json->null();
    } else {
      json->begin_array();
      for (const ViewColumnGroup& group : item.groups)
        json->begin_object()
            .member("title", group.title, "unit", group.unit, "curves", group.curves)
            .end_object();
      json->end_array();
    }
    before = &item.groups;
    block->members(json, "values", item.values);
    json->end_object();
  }
  json->end_array().end_object();
}

void write_overlaps(const ViewScene& scene, JsonWriter* json) {
  json->member("beforeRunning", scene.before_running).key("overlaps").begin_array();
  for (const ViewOverlap& overlap : scene.overlaps) {
    json->begin_object().member("a", overlap.geometry_a, "b", overlap.geometry_b, "depth", overlap.depth);
    json->member("point", overlap.point).end_object();
  }
  json->end_array();
}

void write_pairs(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  block->members(json, "rowTimes", scene.row_times);
  json->key("pairs").begin_array();
  for (const ViewPair& pair : scene.pairs) {
    json->begin_object().member("bodies", std::array{pair.body_a, pair.body_b});
    block->members(json, "row", pair.row, "force", pair.force, "peak", pair.peak_normal_force, "share",
                   pair.contact_share);
    json->end_object();
  }
  json->end_array();
}

/// What is drawn and plotted of a second result.
void write_overlay(const ViewScene& scene, const std::vector<int>& surface_rows, ArrayBlock* block,
                   JsonWriter* json) {
  json->key("overlay");
  if (!scene.overlay) {
    json->null();
    return;
  }
  const ViewScene& overlay = *scene.overlay;
  json->begin_object().member("name", overlay.name, "file", overlay.file);
  write_bodies(overlay, json);
  write_parts(overlay, surface_rows, json);
  write_frames(overlay, block, json);
  write_plots(overlay, block, json);
  write_columns(overlay.columns, block, json);
  write_pairs(overlay, block, json);
  json->end_object();
}

}  // namespace

PageData page_data(const ViewScene& scene, const Framing& framing) {
  ArrayBlock block;
  JsonWriter json(0);
  json.begin_object().member("name", scene.name, "file", scene.file, "status", scene.status);
  json.member("message", scene.message, "version", scene.version, "notes", scene.notes);
  json.member("gravity", scene.gravity);
  write_framing(framing, &block, &json);
  write_bodies(scene, &json);
  const AllSurfaces surfaces = all_surfaces(scene);
  write_surfaces(surfaces, &block, &json);
  write_parts(scene, {}, &json);
  write_frames(scene, &block, &json);
  write_contacts(scene, &block, &json);
  write_patches(scene, &block, &json);
  json.member("phases", scene.phases);
  write_links(scene, &block, &json);
  write_plots(scene, &block, &json);
  write_joints(scene, &json);
  write_columns(scene.columns, &block, &json);
  write_pairs(scene, &block, &json);
  write_overlaps(scene, &json);
  write_overlay(scene, surfaces.of_overlay, &block, &json);
  json.end_object();
  PageData data;
  // A name may hold what ends a script element.
  data.json = replaced(json.text(), '<', "\\u003c");
  data.base64 = base64(block.bytes());
  return data;
}

std::string replaced(const std::string& text, char letter, const char* by) {
  std::string result;
  for (const char c : text) c == letter ? result.append(by) : result.append(1, c);
  return result;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t group = static_cast<std::uint32_t>(bytes[i]) << 16 |
                                static_cast<std::uint32_t>(left > 1 ? bytes[i + 1] : 0) << 8 |
                                static_cast<std::uint32_t>(left > 2 ? bytes[i + 2] : 0);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += left > 1 ? kDigits[group >> 6 & 63] : '=';
    text += left > 2 ? kDigits[group & 63] : '=';
  }
  return text;
}

}  // namespace csim
