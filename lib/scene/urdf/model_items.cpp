#include "scene/urdf/model_items.h"

#include <algorithm>

#include "scene/format/field_rows.h"
#include "scene/format/rows_io.h"
#include "scene/joint_coordinates.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

void set_marks(const Mark& mark, YamlNode* node) {
  node->mark = mark;
  for (YamlNode& item : node->items) set_marks(mark, &item);
  for (YamlEntry& entry : node->entries) {
    entry.key_mark = mark;
    set_marks(mark, &entry.value);
  }
}

void set_marks_at(const char* key, const Mark& mark, YamlNode* mapping) {
  if (YamlNode* value = mapping->find(key)) set_marks(mark, value);
}

/// The same solid in the same place: what is seen of it is the collision.
bool is_same(const GeometrySpec& a, const GeometrySpec& b) {
  const ShapeSpec &s = a.shape, &t = b.shape;
  return s.type == t.type && s.radius == t.radius && s.length == t.length && s.size == t.size &&
         s.semi_axes == t.semi_axes && s.resolved_file == t.resolved_file && s.scale == t.scale &&
         a.pose.xyz == b.pose.xyz && a.pose.rotation.coeffs() == b.pose.rotation.coeffs();
}

class ItemMaker {
 public:
  ItemMaker(const SectionReader& reader, const ModelSpec& spec, const Robot& robot)
      : reader_(reader), spec_(spec), robot_(robot) {}

  ModelItems make(const std::vector<LinkPair>& excluded) {
    add_links();
    add_joints();
    add_base();
    write();
    exclude_pairs(excluded);
    return std::move(items_);
  }

 private:
  [[nodiscard]] std::string name_of(const std::string& item) const { return spec_.name + "::" + item; }
  [[nodiscard]] std::string group() const { return name_of("links"); }

  /// A material of the part, written among the scene's, under its index there.
  int add_material(const MaterialSpec& material, const Mark& mark) {
    YamlNode node = write_rows(material_section(), &material, {&part_, {}, {}});
    set_marks(mark, &node);
    items_.materials.push_back({material.name, mark, std::move(node)});
    return name_material(material.name);
  }
  int name_material(const std::string& name) {
    part_.materials.emplace_back().name = name;
    return static_cast<int>(part_.materials.size()) - 1;
  }

  /// Of collisions without properties of their own.
  int plain_material() {
    if (plain_material_ >= 0) return plain_material_;
    if (!spec_.material.empty()) return plain_material_ = name_material(spec_.material);
    MaterialSpec material;
    material.name = name_of("default");
    return plain_material_ = add_material(material, reader_.mark());
  }

  GeometrySpec collision(const RobotLink& link, const RobotGeometry& collision) {
    GeometrySpec geometry = collision.geometry;
    if (spec_.geometry == ModelGeometry::kNone) {
      geometry.contact = ContactKind::kNone;
      return geometry;
    }
    if (collision.material) {
      MaterialSpec material = *collision.material;
      material.name = name_of(link.body.name + "/" + geometry.name);
      geometry.material = add_material(material, collision.mark);
    } else {
      geometry.material = plain_material();
    }
    if (!spec_.self_collision) geometry.groups = {group()};
    return geometry;
  }

  void add_links() {
    for (const RobotLink& link : robot_.links) {
      BodySpec body = link.body;
      body.name = name_of(body.name);
      body.gravity_compensation = spec_.gravity_compensation;
      std::vector<Mark>& marks = geometry_marks_.emplace_back();
      for (const RobotGeometry& own : link.collisions) {
        body.geometry.push_back(collision(link, own));
        marks.push_back(own.mark);
      }
      for (const RobotGeometry& visual : link.visuals) {
        const auto twin = std::find_if(body.geometry.begin(), body.geometry.end(), [&](const auto& geometry) {
          return is_same(geometry, visual.geometry);
        });
        if (twin != body.geometry.end()) {
          twin->color = visual.geometry.color;
          continue;
        }
        body.geometry.push_back(visual.geometry);
        marks.push_back(visual.mark);
      }
      hide_behind_visuals(link.collisions.size(), &body.geometry);
      part_.bodies.push_back(std::move(body));
    }
  }

  /// Where a link has visuals, its collisions are not seen.
  static void hide_behind_visuals(std::size_t num_collisions, std::vector<GeometrySpec>* geometries) {
    if (geometries->size() == num_collisions) return;
    for (std::size_t i = 0; i < num_collisions; ++i) {
      if ((*geometries)[i].color.empty()) (*geometries)[i].color = {0.5, 0.5, 0.5, 0.0};
    }
  }

  void add_joints() {
    for (const RobotJoint& robot_joint : robot_.joints) {
      JointSpec joint = robot_joint.joint;
      joint.name = name_of(joint.name);
      if (robot_joint.mimic) {
        ConstraintSpec follower;
        follower.name = joint.name;
        follower.joint_a = static_cast<int>(part_.joints.size());
        follower.joint_b = robot_joint.mimic->joint;
        follower.ratio = robot_joint.mimic->multiplier;
        follower.offset = robot_joint.mimic->offset;
        part_.constraints.push_back(follower);
      }
      part_.joints.push_back(std::move(joint));
    }
  }

  /// The root: welded to the world, free, or welded to a body, which stands behind the links for its name.
  void add_base() {
    BodySpec& root = part_.bodies[robot_.root];
    if (spec_.base == "world") {
      root.fixed = true;
      root.pose = spec_.pose;
    } else if (spec_.base == "free") {
      root.pose = spec_.pose;
      root.linear_velocity = spec_.linear_velocity;
      root.angular_velocity = spec_.angular_velocity;
    } else {
      JointSpec weld;
      weld.name = name_of("base_weld");
      weld.type = JointType::kWeld;
      weld.parent = static_cast<int>(part_.bodies.size());
      weld.child = robot_.root;
      weld.pose = spec_.pose;
      part_.joints.push_back(weld);
      part_.bodies.emplace_back().name = spec_.base;
    }
  }

  void write() {
    const SceneWriting writing = writing_of(part_);
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      YamlNode node = write_rows(body_section(), &part_.bodies[i], writing);
      set_marks(robot_.links[i].mark, &node);
      for (const char* key : {"mass", "inertia", "com"})
        set_marks_at(key, robot_.links[i].inertial_mark, &node);
      if (YamlNode* geometries = node.find("geometry")) {
        for (std::size_t g = 0; g < geometries->items.size(); ++g)
          set_marks(geometry_marks_[i][g], &geometries->items[g]);
      }
      items_.bodies.push_back(std::move(node));
    }
    for (std::size_t j = 0; j < part_.joints.size(); ++j) {
      const RobotJoint* own = j < robot_.joints.size() ? &robot_.joints[j] : nullptr;
      YamlNode node = write_rows(joint_section(), &part_.joints[j], writing);
      set_marks(own != nullptr ? own->mark : reader_.mark(), &node);
      if (own != nullptr) set_marks_at("limits", own->limit_mark, &node);
      items_.joints.push_back(std::move(node));
    }
    for (const ConstraintSpec& follower : part_.constraints) {
      YamlNode node = write_rows(constraint_section(), &follower, writing);
      set_marks(robot_.joints[follower.joint_a].mimic->mark, &node);
      items_.constraints.push_back(std::move(node));
    }
  }

  void exclude(const std::string& a, const std::string& b) {
    YamlNode node;
    node.kind = YamlNode::Kind::kMapping;
    add_entry(&node, "a", yaml_text(a));
    add_entry(&node, "b", yaml_text(b));
    set_marks(reader_.mark(), &node);
    items_.exclude.push_back(std::move(node));
  }

  void exclude_pairs(const std::vector<LinkPair>& pairs) {
    const auto collides = [&](const std::string& link) {
      return !robot_.links[robot_.link_index.at(link)].collisions.empty();
    };
    if (spec_.geometry == ModelGeometry::kNone) return;
    if (!spec_.self_collision) {
      const bool any = std::any_of(robot_.links.begin(), robot_.links.end(),
                                   [](const RobotLink& link) { return !link.collisions.empty(); });
      if (any) exclude("group:" + group(), "group:" + group());
      return;
    }
    for (const auto& [a, b] : pairs) {
      if (collides(a) && collides(b)) exclude(name_of(a), name_of(b));
    }
  }

  const SectionReader& reader_;
  const ModelSpec& spec_;
  const Robot& robot_;
  Scene part_;  // the robot under the scene's names
  std::vector<std::vector<Mark>> geometry_marks_;
  int plain_material_ = -1;
  ModelItems items_;
};

}  // namespace

ModelItems model_items(const SectionReader& reader, const ModelSpec& spec, const Robot& robot,
                       const std::vector<LinkPair>& excluded) {
  return ItemMaker(reader, spec, robot).make(excluded);
}

}  // namespace csim
