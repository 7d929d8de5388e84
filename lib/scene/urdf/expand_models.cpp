#include "scene/urdf/expand_models.h"

#include <algorithm>
#include <set>

#include "core/file_bytes.h"
#include "geometry/load_shape.h"
#include "scene/format/field_rows.h"
#include "scene/format/rows_io.h"
#include "scene/read/scene_reading.h"
#include "scene/urdf/model_items.h"
#include "scene/yaml/strict_values.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

namespace fs = std::filesystem;
using Kind = YamlNode::Kind;

/// The value of a key of a mapping, which is added where it is missing.
YamlNode& value_at(YamlNode* mapping, const std::string& key, Kind kind, const Mark& mark) {
  if (YamlNode* value = mapping->find(key)) return *value;
  YamlNode fresh;
  fresh.kind = kind;
  fresh.mark = mark;
  mapping->entries.push_back({key, mark, std::move(fresh)});
  return mapping->entries.back().value;
}

/// Appends to a list of the tree; where something else stands under its key, the reader of the scene reports
/// it.
void append(YamlNode* list, std::vector<YamlNode> items) {
  if (list->kind != Kind::kSequence) return;
  std::move(items.begin(), items.end(), std::back_inserter(list->items));
}

class Expander {
 public:
  Expander(const fs::path& folder, SceneSource* source, ProblemSink* sink)
      : folder_(folder), source_(source), sink_(sink) {
    reading_.sink = sink;
    reading_.folder = folder;
    if (const YamlNode* bodies = source->root.find("bodies")) {
      for (const YamlNode& body : bodies->items) {
        const YamlNode* name = body.find("name");
        if (name != nullptr && name->kind == Kind::kScalar) bases_.insert(name->text);
      }
    }
  }

  /// One model; `node` outlives the expansion.
  void expand(const YamlNode& node, std::size_t index) {
    const std::string path = element_path("models", node, index);
    if (node.kind != Kind::kMapping) {
      sink_->report(node.mark, path, describe(node) + ", expected a model as a mapping of keys");
      return;
    }
    const SectionReader reader(&node, model_section(), path, sink_);
    ModelSpec spec;
    read_rows(reader, &reading_, &spec);
    if (!reader.has("file") || !fs::is_regular_file(spec.resolved_file)) return;  // reported
    std::optional<RobotFile> file = open(reader, "file", spec.file, spec.resolved_file);
    if (!file) return;
    Robot robot = read_urdf(&*file, options_of(spec, reader));
    name_model(reader, robot, &spec);
    check_base(reader, spec);
    check_keys(reader, spec);
    drop_unreadable_visuals(&robot);
    std::vector<LinkPair> excluded = read_excluded(reader, spec, robot);
    if (!spec.srdf.empty() && fs::is_regular_file(spec.resolved_srdf)) {  // what is none is reported
      if (std::optional<RobotFile> srdf = open(reader, "srdf", spec.srdf, spec.resolved_srdf)) {
        for (LinkPair& pair : read_srdf(&*srdf, robot)) excluded.push_back(std::move(pair));
        srdf->send_notes();
      }
    }
    set_start(reader, spec, &*file, &robot);
    file->send_notes();
    for (const RobotLink& link : robot.links) bases_.insert(spec.name + "::" + link.body.name);
    if (sink_->num_problems() > 0) return;
    add(model_items(reader, spec, robot, excluded), robot.mark);
    for (const RobotJoint& joint : robot.joints) {
      if (joint.effort && spec.limits)
        expansion_.efforts.emplace(spec.name + "::" + joint.joint.name, *joint.effort);
    }
  }

  [[nodiscard]] ModelExpansion take() { return std::move(expansion_); }

 private:
  std::optional<RobotFile> open(const SectionReader& reader, const char* key, const std::string& file,
                                const std::string& resolved) {
    std::string bytes;
    if (const std::string wrong = read_file_bytes(resolved, &bytes); !wrong.empty()) {
      reader.report(key, "'" + file + "', " + wrong);
      return std::nullopt;
    }
    expansion_.files.push_back(resolved);
    return std::optional<RobotFile>(std::in_place, (folder_ / file).string(), std::move(bytes), "robot",
                                    source_, sink_);
  }

  [[nodiscard]] RobotOptions options_of(const ModelSpec& spec, const SectionReader& reader) const {
    RobotOptions options;
    options.folder = fs::path(spec.resolved_file).parent_path().string();
    options.mesh = spec.mesh;
    options.inertia = spec.inertia;
    options.collisions = spec.geometry == ModelGeometry::kCollision;
    for (const YamlEntry& entry : spec.packages.entries) {
      const fs::path folder = fs::absolute(folder_ / entry.value.text);
      const bool good = entry.value.kind == Kind::kScalar && fs::is_directory(folder);
      if (!good)
        sink_->report(entry.value.mark, reader.path("packages") + "." + entry.key,
                      describe(entry.value) + ", expected a folder, relative to the scene file");
      options.packages.emplace(entry.key, folder.lexically_normal().string());
    }
    return options;
  }

  void name_model(const SectionReader& reader, const Robot& robot, ModelSpec* spec) {
    const bool own = spec->name.empty();
    if (own) spec->name = robot.name;
    if (reader.bad("name")) return;
    const std::string found = "'" + spec->name + "', ";
    if (spec->name.empty() && robot.mark.source > 0) {
      reader.report_missing("name", "missing, expected a name, which the robot's file does not give either");
    } else if (spec->name.find("::") != std::string::npos || spec->name == "world") {
      reader.report("name", found + (own ? "the robot's own name, " : "") +
                                "expected one without '::' other than world");
    } else if (!names_.insert(spec->name).second) {
      reader.report("name", found + "the name of another model, expected a unique name");
    }
  }

  void check_base(const SectionReader& reader, const ModelSpec& spec) {
    const bool world = spec.base == "world", free = spec.base == "free";
    if (!world && !free && !reader.bad("base") && bases_.count(spec.base) == 0) {
      std::vector<std::string> known(bases_.begin(), bases_.end());
      known.insert(known.begin(), {"world", "free"});
      reader.report("base", unknown_name(spec.base, "body", known));
    }
    if (!free && reader.given("velocity"))
      reader.report("velocity", "a velocity of a root that is welded, expected it with base: free");
  }

  void check_keys(const SectionReader& reader, const ModelSpec& spec) {
    if (spec.inertia == ModelInertia::kGeometry && spec.geometry == ModelGeometry::kNone)
      reader.report("inertia", "'geometry' beside geometry: none, expected geometry: collision");
    const YamlNode* materials = source_->root.find("materials");
    if (!reader.has("material") || (materials != nullptr && materials->find(spec.material) != nullptr))
      return;
    std::vector<std::string> known;
    for (const YamlEntry& entry : materials != nullptr ? materials->entries : std::vector<YamlEntry>{})
      known.push_back(entry.key);
    reader.report("material", unknown_name(spec.material, "material", known));
  }

  /// Visuals are the viewer's: what it cannot show is a note.
  void drop_unreadable_visuals(Robot* robot) {
    for (RobotLink& link : robot->links) {
      std::erase_if(link.visuals, [&](const RobotGeometry& visual) {
        const ShapeSpec& shape = visual.geometry.shape;
        if (shape.resolved_file.empty()) return false;
        const auto [entry, fresh] = wrong_visuals_.try_emplace(shape.resolved_file);
        if (fresh)
          entry->second =
              load_triangle_mesh(shape.resolved_file, shape.scale, nullptr, SurfaceUse::kSeen).error;
        if (entry->second.empty()) return false;
        sink_->note(visual.mark, "robot/link[" + link.body.name + "]/visual", "not seen: " + entry->second);
        return true;
      });
    }
  }

  std::vector<LinkPair> read_excluded(const SectionReader& reader, const ModelSpec& spec,
                                      const Robot& robot) {
    std::vector<LinkPair> pairs;
    for (const YamlNode& item : spec.exclude.items) {
      const bool pair = item.kind == Kind::kSequence && item.items.size() == 2;
      if (!pair)
        sink_->report(item.mark, reader.path("exclude"),
                      describe(item) + ", expected a pair of links: [a, b]");
      for (std::size_t k = 0; pair && k < 2; ++k) {
        if (robot.links.empty() || robot.link_index.count(item.items[k].text) > 0) continue;
        sink_->report(item.items[k].mark, reader.path("exclude"),
                      unknown_name(item.items[k].text, "link", names(robot.link_index)));
      }
      if (pair) pairs.emplace_back(item.items[0].text, item.items[1].text);
    }
    return pairs;
  }

  void add(ModelItems items, const Mark& mark) {
    YamlNode& root = source_->root;
    if (YamlNode* bodies = root.find("bodies")) append(bodies, std::move(items.bodies));
    append(&value_at(&root, "joints", Kind::kSequence, mark), std::move(items.joints));
    if (!items.constraints.empty())
      append(&value_at(&root, "constraints", Kind::kSequence, mark), std::move(items.constraints));
    if (!items.materials.empty()) {
      YamlNode& materials = value_at(&root, "materials", Kind::kMapping, mark);
      for (YamlEntry& entry : items.materials) materials.entries.push_back(std::move(entry));
    }
    if (!items.exclude.empty()) {
      YamlNode& contact = value_at(&root, "contact", Kind::kMapping, mark);
      if (contact.kind == Kind::kMapping)
        append(&value_at(&contact, "exclude", Kind::kSequence, mark), std::move(items.exclude));
    }
  }

  fs::path folder_;
  SceneSource* source_;
  ProblemSink* sink_;
  SceneReading reading_;                              // for reading the rows of models
  std::set<std::string> names_, bases_;               // of models; bodies that one can be welded to
  std::map<std::string, std::string> wrong_visuals_;  // by file: why it cannot be read, or ""
  ModelExpansion expansion_;
};

}  // namespace

ModelExpansion expand_models(const fs::path& folder, SceneSource* source, ProblemSink* sink) {
  const YamlNode* found = source->root.find("models");
  if (found == nullptr || found->kind != Kind::kSequence) return {};
  const YamlNode models = *found;  // the tree grows
  Expander expander(folder, source, sink);
  for (std::size_t i = 0; i < models.items.size(); ++i) expander.expand(models.items[i], i);
  return expander.take();
}

}  // namespace csim
