#include "run/explain.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/counted.h"
#include "core/json_writer.h"
#include "core/number_format.h"
#include "core/seconds_text.h"
#include "record/tables.h"
#include "run/frame_schedule.h"
#include "run/push_symmetry.h"
#include "run/run_notes.h"
#include "run/run_schedule.h"
#include "run/scene_advice.h"
#include "scene/integrator_kinds.h"
#include "step/make_stepper.h"

namespace csim {
namespace {

void count_parts(const Scene& scene, const Model& model, SceneExplanation* e) {
  e->name = scene.name;
  e->num_bodies = static_cast<int>(model.bodies.size());
  e->num_moving = static_cast<int>(std::count_if(model.bodies.begin(), model.bodies.end(),
                                                 [](const Body& body) { return body.tree >= 0; }));
  e->num_joints = model.num_joints;
  e->num_geometries = static_cast<int>(model.geometries.size());
  e->num_positions = model.nq;
  e->num_velocities = model.nv;
  e->step = scene.time.step;
  e->end = scene.time.end;
  e->stiction_tolerance = scene.contact.stiction_tolerance;
  const double periods = std::ceil(scene.time.end / scene.output.period * (1.0 - 1e-12));
  e->num_frames = 1 + static_cast<long>(periods);
  if (!integrator_kind(scene).has_constant_step) return;
  e->num_steps = num_steps(scene.time.step, scene.time.end);
  e->num_frames = std::min(e->num_frames, 1 + e->num_steps);
}

using Pair = SceneExplanation::Pair;
using Choice = SceneExplanation::Choice;

/// The name of a body, or of its geometry where the body has others that meet things in other ways.
std::string name_in_class(const Model& model, int geometry) {
  const Geometry& one = model.geometries[static_cast<std::size_t>(geometry)];
  const bool is_alone = std::all_of(model.geometries.begin(), model.geometries.end(), [&](const Geometry& g) {
    return g.body != one.body || g.pair_class < 0 || g.pair_class == one.pair_class;
  });
  return is_alone ? model.bodies[static_cast<std::size_t>(one.body)].name : one.name;
}

SceneExplanation::Side side_of(const Scene& scene, const Model& model, int pair_class) {
  SceneExplanation::Side side;
  std::vector<int> bodies;
  for (std::size_t g = 0; g < model.geometries.size(); ++g) {
    const Geometry& geometry = model.geometries[g];
    if (geometry.pair_class != pair_class) continue;
    if (bodies.empty()) {
      side = {geometry.material < 0 ? "" : scene.materials[geometry.material].name, geometry.name,
              name_in_class(model, static_cast<int>(g))};
    }
    if (std::find(bodies.begin(), bodies.end(), geometry.body) == bodies.end())
      bodies.push_back(geometry.body);
  }
  if (bodies.size() > 1) side.names += " and " + std::to_string(bodies.size() - 1) + " more";
  return side;
}

/// What stands beside the scale of a pair, once it has its bodies.
void name_bodies(const Model& model, Pair* pair) {
  const auto name = [&](int body) { return model.bodies[static_cast<std::size_t>(body)].name; };
  pair->body = name(pair->scale.body);
  pair->other = name(pair->scale.other);
}

void list_pairs(const Scene& scene, const Model& model, SceneExplanation* e) {
  std::vector<SceneExplanation::Side> sides;
  for (int c = 0; c < model.pairs.num_classes; ++c) sides.push_back(side_of(scene, model, c));
  for (const PairScale& scale : pair_scales(model)) {
    const double d = scale.rule.dissipation;
    Pair pair;
    pair.a = sides[static_cast<std::size_t>(scale.class_a)];
    pair.b = sides[static_cast<std::size_t>(scale.class_b)];
    pair.scale = scale;
    pair.largest_rebound = d > 0.0 ? 1.0 / d : std::numeric_limits<double>::infinity();
    name_bodies(model, &pair);
    e->pairs.push_back(std::move(pair));
  }
}

/// The listed pair of a contact, or nullptr.
Pair* find_pair(const Model& model, const ContactPair& contact, SceneExplanation* e) {
  const auto [low, high] = std::minmax(model.geometries[contact.geometry_a].pair_class,
                                       model.geometries[contact.geometry_b].pair_class);
  const auto found = std::find_if(e->pairs.begin(), e->pairs.end(), [&](const Pair& pair) {
    return pair.scale.class_a == low && pair.scale.class_b == high;
  });
  return found == e->pairs.end() ? nullptr : &*found;
}

/// Gives pairs the lightest of the bodies that have these contacts. Whether all pairs have bodies that touch.
bool choose_bodies(const Model& model, const ContactSet& contacts, Choice choice, SceneExplanation* e) {
  for (int k = 0; k < contacts.size(); ++k) {
    const ContactPair contact = contacts.pair(k);
    Pair* pair = find_pair(model, contact, e);
    if (pair == nullptr || pair->choice < choice) continue;
    PairScale scale = pair->scale;
    set_bodies(model, contact.body_a, contact.body_b, &scale);
    if (!std::isfinite(scale.mass) || (pair->choice == choice && !(scale.mass < pair->scale.mass))) continue;
    pair->scale = scale;
    pair->choice = choice;
    name_bodies(model, pair);
  }
  return std::all_of(e->pairs.begin(), e->pairs.end(),
                     [](const Pair& pair) { return pair.choice == Choice::kTouching; });
}

void list_springs(const Scene& scene, const LoadedScene& loaded, SceneExplanation* e) {
  if (!integrator_kind(scene).solves_contact) return;
  e->springs = spring_scales(scene, loaded.model, loaded.state, scene.time.step);
  if (scene.integrator.velocity_terms == VelocityTerms::kStart)
    for (SpringScale& spring : e->springs) spring.theta = 1.0;
}

/// Delassus weights of the pairs: the largest of their contacts in the first step, of those that have none of
/// contacts nearby.
void weigh_contacts(const LoadedScene& loaded, const ContactSet& contacts, const ContactSet& near,
                    SceneExplanation* e) {
  const Scene& scene = loaded.read.scene;
  const Model& model = loaded.model;
  const auto weigh = [&](const ContactSet& found, bool is_estimated) {
    const std::vector<double> weights = delassus_weights(scene, model, loaded.state, scene.time.step, found);
    for (int k = 0; k < found.size(); ++k) {
      Pair* pair = find_pair(model, found.pair(k), e);
      if (pair != nullptr && pair->is_estimated == is_estimated && weights[k] > pair->delassus)
        pair->delassus = weights[k];
    }
  };
  weigh(contacts, false);
  for (Pair& pair : e->pairs) pair.is_estimated = pair.delassus == 0.0;
  weigh(near, true);
  for (Pair& pair : e->pairs)
    if (pair.delassus == 0.0) pair.delassus = estimated_delassus(pair.scale.mass);
}

/// The effective stiction tolerances: of each pair by its load, and the largest to expect.
void predict_creep(const LoadedScene& loaded, const ContactSet& contacts, const ContactSet& near,
                   SceneExplanation* e) {
  const Scene& scene = loaded.read.scene;
  if (scene.integrator.type == IntegratorType::kQuasistatic) return;
  weigh_contacts(loaded, contacts, near, e);
  e->creep = std::max(scene.contact.model == ContactModel::kSap ? 0.0 : e->stiction_tolerance,
                      e->first_step.stiction_tolerance);
  for (Pair& pair : e->pairs) {
    pair.creep = creep_scale(scene, pair.scale.rule.friction, pair.delassus);
    if (pair.scale.rule.patch) continue;  // the load of a face is not known
    const double weight = loaded.model.bodies[pair.scale.body].mass.mass * loaded.model.gravity.norm();
    e->creep = std::max(e->creep, pair.creep.tolerance(weight));
  }
}

/// Bytes of the columns of a table, of one row each.
double table_bytes(const std::vector<ColumnSpec>& columns, Table table) {
  double bytes = 0.0;
  for (const ColumnSpec& column : columns)
    if (column.place.table == table) bytes += static_cast<double>(row_bytes(column));
  return bytes;
}

/// `one`: rows of a frame and of a step. The whole run has them again and again.
void estimate_sizes(const Scene& scene, const Model& model, const RowCounts& one, SceneExplanation* e) {
  const std::vector<ColumnSpec> columns = table_columns(scene, model, scene.output, 1);
  RowCounts all;
  for (int t = 0; t < kNumTables; ++t) {
    const auto table = static_cast<Table>(t);
    const bool is_of_step = owner_of(table) == Table::kSteps;
    const long rows = table_rows(one, table);
    (is_of_step ? e->step_bytes : e->frame_bytes) += static_cast<double>(rows) * table_bytes(columns, table);
    table_rows(&all, table) = rows * (is_of_step ? e->num_steps : e->num_frames);
  }
  RowCounts first;  // which is in fixed_bytes
  first.frames = 1;
  if (e->num_steps >= 0)
    e->file_bytes = e->fixed_bytes + bytes_of_rows(columns, all) - bytes_of_rows(columns, first);
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  e->memory_bytes = 1024.0 * static_cast<double>(used.ru_maxrss);
}

/// Rows of a frame and of a step as the first ones.
RowCounts rows_of(const Frame& frame, const StepOutcome& outcome) {
  RowCounts rows;
  rows.frames = rows.steps = 1;
  rows.iterations = static_cast<long>(outcome.statistics.iteration_cost.size());
  rows.contacts = static_cast<long>(frame.contacts.size());
  rows.patches = static_cast<long>(frame.patches.size());
  rows.faces = static_cast<long>(frame.patches.face_area.size());
  rows.corners = static_cast<long>(frame.patches.vertex.size());
  rows.pairs = static_cast<long>(outcome.pairs.size());
  return rows;
}

void try_step(LoadedScene* loaded, SceneExplanation* e) {
  const Scene& scene = loaded->read.scene;
  const auto stepper = make_stepper(loaded->model, scene, 1);
  stepper->start(&loaded->state);
  e->fixed_bytes = bytes_of_first_row(*loaded);
  e->start_contacts = stepper->contacts().size();
  e->overlaps = describe_deep_overlaps(loaded->model, loaded->state, stepper->contacts());
  const StepOutcome& outcome = stepper->attempt(loaded->state, RunSchedule(scene).step_limit());
  e->step_ok = outcome.ok;
  e->step_message = outcome.message;
  e->first_step = outcome.statistics;
  ContactSet near;
  if (!choose_bodies(loaded->model, stepper->contacts(), Choice::kTouching, e))
    near = near_contacts(loaded->model, loaded->state);
  choose_bodies(loaded->model, near, Choice::kNear, e);
  predict_creep(*loaded, stepper->contacts(), near, e);
  Frame frame;
  if (outcome.ok) {
    stepper->take(&loaded->state);
    stepper->fill_frame(loaded->state, true, &frame);
  }
  estimate_sizes(scene, loaded->model, rows_of(frame, outcome), e);
}

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; bytes >= 1000.0 && unit < 4; ++unit) bytes /= 1000.0;
  return format_text("%.3g %s", bytes, kUnits[unit]);
}

/// Of one contact that sticks, by its load.
std::string creep_text(const Pair& pair) {
  const CreepScale& creep = pair.creep;
  if (creep.per_load == 0.0) return "";
  const std::string about = pair.is_estimated ? "roughly " : "";  // no contact at the start tells its weight
  if (creep.floor == 0.0)
    return "    a sticking contact creeps at " + about +
           format_text("%.3g m/s per newton of its load\n", creep.per_load);
  return format_text("    a sticking contact creeps at %.3g m/s under loads of up to ", creep.floor) + about +
         format_text("%.3g N, under larger ones at %.3g m/s per newton\n", creep.floor / creep.per_load,
                     creep.per_load);
}

std::string heading(const Pair& pair) {
  const auto side = [](const SceneExplanation::Side& one) { return one.material + " (" + one.names + ")"; };
  return pair.scale.class_a == pair.scale.class_b ? side(pair.a) + " among themselves"
                                                  : side(pair.a) + " on " + side(pair.b);
}

const char* word(Choice choice) {
  return choice == Choice::kTouching ? "touching" : choice == Choice::kNear ? "near" : "lightest";
}

std::string pair_text(const Pair& pair, double step) {
  const PairRule& rule = pair.scale.rule;
  std::string text = "  " + heading(pair) + ": " + format_text("friction %.4g", rule.friction);
  if (rule.patch) return text + ", by pressure fields\n";
  text += format_text(", stiffness %.4g N/m, dissipation %.4g s/m", rule.stiffness, rule.dissipation);
  if (std::isfinite(pair.largest_rebound))
    text += format_text(" (rebound speed at most %.3g m/s)", pair.largest_rebound);
  text += format_text(", relaxation time %.4g s\n", rule.relaxation_time);
  if (std::isnan(pair.scale.contact_time)) return text;
  const char* when = pair.choice == Choice::kTouching ? "touching or about to touch at the start, "
                     : pair.choice == Choice::kNear   ? "near each other at the start, "
                                                      : "the lightest pair that may meet, ";
  text += std::string("    ") + when + "'" + pair.body + "' and '" + pair.other + "'" +
          format_text(": reduced mass %.3g kg; a contact lasts %s (%.3g steps)", pair.scale.mass,
                      seconds_text(pair.scale.contact_time).c_str(), pair.scale.contact_time / step);
  if (pair.scale.rest_overlap > 0.0)
    text += format_text("; overlap %.3g m with the whole weight on one point", pair.scale.rest_overlap);
  return text + "\n" + creep_text(pair);
}

std::string spring_text(const SpringScale& spring, double step) {
  const bool is_resolved = spring.theta == 0.0;
  return "  '" + spring.joint + "'[" + std::to_string(spring.coordinate) + "]: " +
         format_text("natural frequency %.4g rad/s, %.3g times 1/time.step: ", spring.frequency,
                     step * spring.frequency) +
         (is_resolved ? "resolved, keeps its energy\n" : "the step damps it\n");
}

std::string step_text(const SceneExplanation& e) {
  const StepStatistics& s = e.first_step;
  std::string text = "start: " + counted(e.start_contacts, "contact") + "\nfirst step: ";
  if (!e.step_ok) return text + "fails: " + e.step_message + "\n";
  return text + counted(s.num_contacts, "contact") + ", " +
         (s.num_faces > 0 ? counted(s.num_faces, "face") + ", " : "") +
         counted(s.num_constraints, "equation") + " in " + counted(s.num_islands, "island") + ", " +
         counted(s.iterations, "iteration") + format_text(", residual %.2g\n", s.residual);
}

std::string trial_text(const SizeTrial& trial) {
  const std::string head =
      "trial: " + counted(trial.rows, "row") + " in " + seconds_text(trial.seconds) + ": ";
  if (!trial.message.empty()) return head + trial.message + "\n";
  return head + bytes_text(trial.file_bytes) + " and " + seconds_text(trial.run_seconds) +
         " for the whole run, if the rest is like the second half of these rows\n";
}

}  // namespace

SceneExplanation explain(LoadedScene* loaded, long trial_rows) {
  SceneExplanation e;
  const Scene& scene = loaded->read.scene;
  count_parts(scene, loaded->model, &e);
  list_pairs(scene, loaded->model, &e);
  list_springs(scene, *loaded, &e);
  e.joints = list_joints(scene, loaded->model);
  e.advice = describe_skew_pushes(scene, loaded->model, loaded->state);
  if (trial_rows > 0) e.trial = try_rows(*loaded, trial_rows, e.num_frames);
  try_step(loaded, &e);
  e.notes = loaded->notes;
  for (std::string& text : advise(scene, loaded->model)) e.advice.push_back(std::move(text));
  return e;
}

std::string explanation_text(const SceneExplanation& e) {
  std::string text = e.name + ": " + counted(e.num_bodies, "body", "bodies") + " (" +
                     counted(e.num_moving, "moves", "move") + "), " + counted(e.num_joints, "joint") + ", " +
                     counted(e.num_geometries, "geometry", "geometries") + ", " +
                     counted(e.num_positions, "coordinate") + ", " +
                     counted(e.num_velocities, "velocity", "velocities") + "\n";
  text += format_text("time: %g s, ", e.end);
  text += e.num_steps < 0 ? "steps of any length"
                          : counted(e.num_steps, "step") + format_text(" of %g s", e.step);
  text += ", " + counted(e.num_frames, "row") + "\n";
  if (e.creep > 0.0)
    text += format_text(
        "sticking contacts creep at about %.3g m/s, %.3g m in this run; faster near the limit of friction "
        "and "
        "under a larger load\n",
        e.creep, e.creep * e.end);
  if (!e.joints.empty()) text += "joints:\n";
  for (const JointRow& joint : e.joints) text += "  " + joint_text(joint) + "\n";
  if (!e.pairs.empty()) text += "pairs:\n";
  for (const Pair& pair : e.pairs) text += pair_text(pair, e.step);
  if (!e.springs.empty()) text += "springs and position drives of joints:\n";
  for (const SpringScale& spring : e.springs) text += spring_text(spring, e.step);
  text += step_text(e);
  text += "result: ";
  if (!std::isnan(e.fixed_bytes)) text += "at least " + bytes_text(e.fixed_bytes) + "; ";
  text += "before compression " + bytes_text(e.frame_bytes) + " a row and " + bytes_text(e.step_bytes) +
          " a step";
  if (!std::isnan(e.file_bytes))
    text += ", " + bytes_text(e.file_bytes) +
            " in all if every step has the contacts and iterations of the first";
  text += "; memory: " + bytes_text(e.memory_bytes) + " after the first step\n";
  if (e.trial) text += trial_text(*e.trial);
  const auto add = [&](const char* kind, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) text += std::string(kind) + ": " + sentence + "\n";
  };
  add("warning", e.overlaps);
  for (const std::string& note : e.notes) text += note + "\n";  // each with its place
  add("advice", e.advice);
  return text;
}

std::string explanation_json(const SceneExplanation& e) {
  JsonWriter json;
  json.begin_object().member("name", e.name, "bodies", e.num_bodies, "moving_bodies", e.num_moving, "joints",
                             e.num_joints, "geometries", e.num_geometries, "nq", e.num_positions, "nv",
                             e.num_velocities, "step", e.step, "end", e.end);
  json.key("steps").value(e.num_steps < 0 ? std::nullopt : std::optional<std::int64_t>(e.num_steps));
  json.member("rows", std::int64_t{e.num_frames}, "stiction_tolerance", e.stiction_tolerance, "creep",
              e.creep);
  json.key("joint_list").begin_array();
  for (const JointRow& joint : e.joints) {
    json.begin_object().member("name", joint.name, "type", joint.type, "parent", joint.parent, "child",
                               joint.child, "position", joint.position, "limits", joint.limits);
    json.member("damping", joint.damping, "friction", joint.friction, "armature", joint.armature, "mass",
                joint.mass, "com", std::vector<double>(joint.com.begin(), joint.com.end()), "moments",
                std::vector<double>(joint.moments.begin(), joint.moments.end()))
        .end_object();
  }
  json.end_array();
  json.key("pairs").begin_array();
  for (const Pair& pair : e.pairs) {
    const PairRule& rule = pair.scale.rule;
    json.begin_object().member("material_a", pair.a.material, "material_b", pair.b.material, "geometry_a",
                               pair.a.example, "geometry_b", pair.b.example, "patch", rule.patch, "friction",
                               rule.friction, "stiffness", rule.stiffness, "dissipation", rule.dissipation,
                               "relaxation_time", rule.relaxation_time);
    json.member("largest_rebound", pair.largest_rebound, "body", pair.body, "other", pair.other, "bodies_are",
                word(pair.choice), "mass", pair.scale.mass, "contact_time", pair.scale.contact_time,
                "rest_overlap", pair.scale.rest_overlap, "delassus", pair.delassus, "delassus_estimated",
                pair.is_estimated, "creep_floor", pair.creep.floor, "creep_per_load", pair.creep.per_load)
        .end_object();
  }
  json.end_array();
  json.key("springs").begin_array();
  for (const SpringScale& spring : e.springs) {
    json.begin_object()
        .member("joint", spring.joint, "coordinate", spring.coordinate, "frequency", spring.frequency,
                "theta", spring.theta)
        .end_object();
  }
  json.end_array();
  const StepStatistics& s = e.first_step;
  json.object("first_step", "ok", e.step_ok, "message", e.step_message, "contacts",
              std::int64_t{s.num_contacts}, "faces", std::int64_t{s.num_faces}, "equations",
              std::int64_t{s.num_constraints}, "islands", s.num_islands, "iterations", s.iterations,
              "residual", s.residual);
  json.member("start_contacts", e.start_contacts, "overlaps", e.overlaps, "row_bytes", e.frame_bytes,
              "step_bytes", e.step_bytes, "fixed_bytes", e.fixed_bytes, "file_bytes", e.file_bytes,
              "memory_bytes", e.memory_bytes);
  json.key("trial");
  if (e.trial) {
    json.begin_object()
        .member("rows", std::int64_t{e.trial->rows}, "seconds", e.trial->seconds, "file_bytes",
                e.trial->file_bytes, "run_seconds", e.trial->run_seconds, "message", e.trial->message)
        .end_object();
  } else {
    json.null();
  }
  json.member("notes", e.notes, "advice", e.advice).end_object();
  return json.text();
}

}  // namespace csim
