#include "view/page_data.h"

#include <bit>
#include <cmath>

#include "core/require.h"
#include "view/color_map.h"

namespace csim {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays go into the page as they are");

template <typename T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<float> = "float32";
template <>
constexpr const char* kTypeName<std::int32_t> = "int32";
template <>
constexpr const char* kTypeName<std::int16_t> = "int16";
template <>
constexpr const char* kTypeName<std::uint16_t> = "uint16";
template <>
constexpr const char* kTypeName<std::uint8_t> = "uint8";
template <>
constexpr const char* kTypeName<double> = "float64";

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

void write_vector(JsonWriter* json, const char* name, const Vector3& v) {
  json->key(name).begin_array();
  for (int axis = 0; axis < 3; ++axis) json->value(v[axis]);
  json->end_array();
}

void write_pose(JsonWriter* json, const RigidTransform& X) {
  const Quaternion q(X.R);
  write_vector(json, "position", X.p);
  json->key("quaternion").begin_array().value(q.w()).value(q.x()).value(q.y()).value(q.z()).end_array();
}

void write_framing(const Framing& framing, ArrayBlock* block, JsonWriter* json) {
  json->key("framing").begin_object();
  write_vector(json, "lower", framing.lower);
  write_vector(json, "upper", framing.upper);
  write_vector(json, "target", framing.target);
  write_vector(json, "direction", framing.direction);
  json->member("zoom", framing.zoom);
  json->member("radius", framing.radius);
  json->member("grid", framing.grid);
  json->member("fieldOfView", kFieldOfView);
  json->member("largestForce", framing.largest_force);
  json->member("largestMoment", framing.largest_moment);
  std::vector<float> points;
  for (const Vector3& p : framing.points) push(&points, p);
  json->key("points");
  block->add(json, points);
  json->end_object();
}

void write_bodies(const ViewScene& scene, JsonWriter* json) {
  const std::vector<char> with_polygons = bodies_with_polygons(scene);
  json->key("bodies").begin_array();
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    json->begin_object().member("name", scene.bodies[b].name).member("moves", scene.bodies[b].moves);
    json->member("hasPolygons", with_polygons[b] != 0);
    write_pose(json, scene.frames.front().X_WB[b]);
    json->end_object();
  }
  json->end_array();
}

void write_surfaces(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  json->key("surfaces").begin_array();
  for (const Surface& surface : scene.surfaces) {
    std::vector<float> vertices, normals;
    std::vector<std::int32_t> triangles;
    for (const Vector3& v : surface.vertices) push(&vertices, v);
    for (const Vector3& n : surface.normals) push(&normals, n);
    for (const auto& t : surface.triangles) triangles.insert(triangles.end(), t.begin(), t.end());
    json->begin_object().member("round", surface.round);
    json->key("vertices");
    block->add(json, vertices);
    json->key("normals");
    block->add(json, normals);
    json->key("triangles");
    block->add(json, triangles);
    json->end_object();
  }
  json->end_array();
}

void write_parts(const ViewScene& scene, JsonWriter* json) {
  json->key("parts").begin_array();
  for (const ViewPart& part : scene.parts) {
    json->begin_object().member("name", part.name).member("body", part.body);
    json->member("surface", part.surface);
    write_pose(json, part.X_BG);
    write_vector(json, "scale", part.scale);
    json->end_object();
  }
  json->end_array();
  json->key("planes").begin_array();
  for (const ViewPlane& plane : scene.planes) {
    json->begin_object().member("name", plane.name).member("body", plane.body);
    write_pose(json, plane.X_BG);
    json->end_object();
  }
  json->end_array();
}

void write_frames(const ViewScene& scene, ArrayBlock* block, JsonWriter* json) {
  std::vector<double> time;
  std::vector<float> position;
  std::vector<std::int16_t> quaternion;
  for (const ViewFrame& frame : scene.frames) {
    time.push_back(frame.time);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      if (!scene.bodies[b].moves) continue;
      push(&position, frame.X_WB[b].p);
      push(&quaternion, frame.X_WB[b].R);
    }
  }
  json->key("frames").begin_object().key("time");
  block->add(json, time);
  json->key("position");
  block->add(json, position);
  json->key("quaternion");
  block->add(json, quaternion);
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
  json->begin_object().key("offset");
  block->add(json, offset);
  json->key("point");
  block->add(json, point);
  json->key("force");
  block->add(json, force);
  json->key("bodies");
  block->add(json, bodies);
  json->key("slips");
  block->add(json, slips);
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
      Vector3 low = patch.centroid, high = patch.centroid;
      for (const Vector3& corner : polygons.corners) {
        low = low.cwiseMin(corner);
        high = high.cwiseMax(corner);
      }
      push(&lower, low);
      push(&size, high - low);
      for (const Vector3& corner : polygons.corners) {
        for (int axis = 0; axis < 3; ++axis) {
          const double extent = high[axis] - low[axis];
          const double u = extent > 0.0 ? (corner[axis] - low[axis]) / extent : 0.0;
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
  const auto add = [&](const char* name, const auto& values) {
    json->key(name);
    block->add(json, values);
  };
  add("faceOffset", face_offset);
  add("cornerOffset", corner_offset);
  add("cornersOfFace", corners_of_face);
  add("lower", lower);
  add("size", size);
  add("place", place);
  add("color", color);
  json->end_object();
}

void write_color_bar(const ColorBar& bar, ArrayBlock* block, JsonWriter* json) {
  json->key("bar").begin_object().member("unit", bar.unit).member("top", bar.top);
  json->member("beyond", bar.beyond).key("ticks").begin_array();
  for (const ColorBar::Tick& tick : bar.ticks) {
    json->begin_object().member("at", tick.at).member("label", tick.label).end_object();
  }
  json->end_array();
  std::vector<std::uint8_t> colors;
  for (const Rgb8& color : color_map()) colors.insert(colors.end(), color.begin(), color.end());
  json->key("colors");
  block->add(json, colors);
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
  const auto add = [&](const char* name, const auto& values) {
    json->key(name);
    block->add(json, values);
  };
  add("offset", offset);
  add("centroid", centroid);
  add("force", force);
  add("moment", moment);
  add("bodies", bodies);
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
    json->begin_object().member("title", plot.title).member("unit", plot.unit);
    json->member("logarithmic", plot.logarithmic);
    json->key("curves").begin_array();
    for (const ViewCurve& curve : plot.curves) {
      json->begin_object().member("name", curve.name).key("time");
      block->add(json, curve.time);
      json->key("value");
      block->add(json, curve.value);
      json->end_object();
    }
    json->end_array().end_object();
  }
  json->end_array();
}

}  // namespace

template <typename T>
void ArrayBlock::add(JsonWriter* json, const std::vector<T>& values) {
  bytes_.resize((bytes_.size() + 7) / 8 * 8);
  json->begin_object().member("type", kTypeName<T>);
  json->member("offset", static_cast<std::int64_t>(bytes_.size()));
  json->member("count", static_cast<std::int64_t>(values.size())).end_object();
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  bytes_.insert(bytes_.end(), first, first + values.size() * sizeof(T));
}

template void ArrayBlock::add(JsonWriter*, const std::vector<float>&);
template void ArrayBlock::add(JsonWriter*, const std::vector<double>&);
template void ArrayBlock::add(JsonWriter*, const std::vector<std::int32_t>&);
template void ArrayBlock::add(JsonWriter*, const std::vector<std::int16_t>&);
template void ArrayBlock::add(JsonWriter*, const std::vector<std::uint16_t>&);
template void ArrayBlock::add(JsonWriter*, const std::vector<std::uint8_t>&);

PageData page_data(const ViewScene& scene, const Framing& framing) {
  ArrayBlock block;
  JsonWriter json(0);
  json.begin_object().member("name", scene.name).member("file", scene.file);
  json.member("status", scene.status).member("message", scene.message).member("version", scene.version);
  json.key("notes").begin_array();
  for (const std::string& note : scene.notes) json.value(note);
  json.end_array();
  write_framing(framing, &block, &json);
  write_bodies(scene, &json);
  write_surfaces(scene, &block, &json);
  write_parts(scene, &json);
  write_frames(scene, &block, &json);
  write_contacts(scene, &block, &json);
  write_patches(scene, &block, &json);
  write_plots(scene, &block, &json);
  json.end_object();
  PageData data;
  // A name may hold what ends a script element.
  for (const char c : json.text()) {
    if (c == '<') {
      data.json += "\\u003c";
    } else {
      data.json += c;
    }
  }
  data.base64 = base64(block.bytes());
  return data;
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
