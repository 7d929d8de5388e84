#include "synthetic_run.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include <unistd.h>

#include "core/sha256.h"
#include "support/source_folder.h"

namespace csim::test {
namespace {

Joint joint(JointType type, int scene_joint, int parent, int* q, int* v) {
  const int nq = type == JointType::kFree       ? 7
                 : type == JointType::kBall     ? 4
                 : type == JointType::kRevolute ? 1
                                                : 0;
  const int nv = type == JointType::kFree       ? 6
                 : type == JointType::kBall     ? 3
                 : type == JointType::kRevolute ? 1
                                                : 0;
  Joint result;
  result.type = type;
  result.scene_joint = scene_joint;
  result.parent = parent;
  result.q_begin = *q, result.nq = nq;
  result.v_begin = *v, result.nv = nv;
  *q += nq, *v += nv;
  return result;
}

std::shared_ptr<const ConvexPolytope> tetrahedron() {
  auto polytope = std::make_shared<ConvexPolytope>();
  polytope->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  polytope->face_begin = {0, 3, 6, 9, 12};
  polytope->face_vertices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return polytope;
}

void add_body(Model* model, const std::string& name, const Joint& joint, const Shape& shape) {
  const int index = static_cast<int>(model->bodies.size());
  Body body;
  body.name = name;
  body.joint = joint;
  body.mass = {1.0 + index, Vector3(0.1, 0.2, 0.3), Vector3(1, 2, 3).asDiagonal()};
  model->bodies.push_back(body);
  Geometry geometry;
  geometry.name = name + "/shell";
  geometry.body = index;
  geometry.shape = shape;
  geometry.X_BG.p = Vector3(0, 0, 1);
  model->geometries.push_back(geometry);
}

std::shared_ptr<const CompliantMesh> one_tet() {
  auto field = std::make_shared<CompliantMesh>();
  field->mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  field->mesh.tets = {{0, 1, 2, 3}};
  field->pressure = {0, 0, 0, 1e5};
  return field;
}

double value(long index, int quantity) {
  return std::sin(0.1 * static_cast<double>(index) + quantity) / 3.0;
}

void fill_patches(long index, PatchRows* rows) {
  rows->resize(static_cast<std::size_t>(index % 3));
  if (rows->size() > 0) rows->vertex_begin.push_back(0);
  for (std::size_t p = 0; p < rows->size(); ++p) {
    const int k = static_cast<int>(p);
    rows->geometry_a[p] = 0, rows->geometry_b[p] = 1 + k, rows->num_faces[p] = 1 + k;
    rows->num_vertices[p] = 3 * (1 + k), rows->area[p] = 0.5, rows->max_pressure[p] = value(index, 40 + k);
    for (auto* column :
         {&rows->centroid, &rows->elastic_force, &rows->elastic_moment, &rows->force, &rows->moment}) {
      (*column)[p] = Vector3(value(index, 41), value(index, 42), value(index, 43));
    }
    for (int face = 0; face <= k; ++face) {
      for (auto* column :
           {&rows->face_area, &rows->face_pressure, &rows->face_gradient_a, &rows->face_gradient_b}) {
        column->push_back(value(index, 44 + face));
      }
      rows->face_element_a.push_back(face);
      rows->face_element_b.push_back(-1);
      rows->face_centroid.push_back(Vector3(value(index, 45), face, 0));
      rows->face_normal.push_back(Vector3::UnitZ());
      for (int corner = 0; corner < 3; ++corner) {
        rows->vertex.push_back(Vector3(value(index, 46), face, corner));
        rows->vertex_pressure.push_back(value(index, 47 + corner));
      }
      rows->vertex_begin.push_back(static_cast<int>(rows->vertex.size()));
    }
  }
}

}  // namespace

SyntheticRun::SyntheticRun(int num_balls, bool with_joints) {
  scene.name = "synthetic";
  add_body(&model, "ground", joint(JointType::kWeld, -1, -1, &model.nq, &model.nv), HalfSpace{});
  for (int i = 0; i < num_balls; ++i) {
    add_body(&model, "ball_" + std::to_string(i), joint(JointType::kFree, -1, -1, &model.nq, &model.nv),
             Sphere{0.5});
  }
  if (with_joints) {
    const int link = static_cast<int>(model.bodies.size());
    add_body(&model, "link", joint(JointType::kRevolute, 0, -1, &model.nq, &model.nv), Convex{tetrahedron()});
    auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh->triangles = {{0, 1, 2}};
    add_body(&model, "hand", joint(JointType::kBall, 1, link, &model.nq, &model.nv), Mesh{mesh});
    JointSpec shoulder, wrist;
    shoulder.name = "shoulder", shoulder.type = JointType::kRevolute;
    wrist.name = "wrist", wrist.type = JointType::kBall;
    scene.joints = {shoulder, wrist};
  }
  ForceSpec push;
  push.name = "push", push.body = 0;
  scene.forces = {push};
  model.trees.resize(2);  // each has a history, and nothing else that is read here
  for (const Geometry& geometry : model.geometries) {  // the scene's geometries are the model's, in its order
    GeometrySpec spec;
    spec.shape.type = std::holds_alternative<Mesh>(geometry.shape) ? ShapeType::kMesh : ShapeType::kSphere;
    scene.bodies.emplace_back().geometry.push_back(spec);
  }
  text.source = "csim: 1\nname: synthetic  # \xC3\xA9\n";
  text.resolved = "csim: 1\nname: synthetic\ntime: {step: 0.001, end: 1}\n";
  text.identity = sha256_hex("csim: 1\nname: synthetic\n");
  provenance.version = "0.0.0";
  provenance.revision = "abc";
  provenance.libraries = {"HDF5 1.10.8"};
  provenance.argv = {"csim", "run", "synthetic.yaml"};
  provenance.inputs = {{"synthetic.yaml", sha256_hex(text.source)}};
  provenance.start = "2026-01-31T12:00:00Z";
  options.iterations = true;
  options.gradients = num_balls < 100;  // square matrices
  options.patches = PatchOutput::kFull;
  if (model.geometries.size() > 1) model.geometries[1].pressure = one_tet();
}

Frame SyntheticRun::frame(long index) const {
  Frame frame;
  frame.time = 0.01 * static_cast<double>(index);
  frame.q = VectorX::LinSpaced(model.nq, value(index, 0), value(index, 1) + 2.0);
  frame.v = VectorX::LinSpaced(model.nv, value(index, 2), value(index, 3) - 2.0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    frame.position.emplace_back(value(index, body), value(index, body + 1), value(index, body + 2));
    frame.velocity.emplace_back(value(index, body + 3), value(index, body + 4), value(index, body + 5));
    frame.angular_velocity.emplace_back(value(index, body + 6), value(index, body + 7),
                                        value(index, body + 8));
    frame.quaternion.emplace_back(Quaternion(1.0, value(index, body), 0.25, -0.5).normalized());
  }
  int k = 70;
  for (const auto account : kEnergyAccounts) frame.energy.*account = value(index, k++);
  frame.energy.total = value(index, 10);
  frame.energy.dissipated_normal = value(index, 11);
  frame.energy.dissipated = value(index, 12);
  frame.energy.work = value(index, 13);
  frame.energy.balance_error = value(index, 14);
  frame.energy.turned_over = value(index, 15);
  if (options.gradients) {
    frame.gradients.q.setConstant(model.nq, model.nq, value(index, 64));
    frame.gradients.command.resize(model.nq, 0);
    frame.gradients.num_kinks = static_cast<int>(index % 2);
  }
  frame.force_applied = VectorX::LinSpaced(6, value(index, 23), 1.0);
  if (!scene.joints.empty()) {
    frame.joint_position = VectorX::LinSpaced(5, value(index, 20), 1.0);
    frame.joint_velocity = VectorX::LinSpaced(4, value(index, 21), 1.0);
    frame.joint_effort = VectorX::LinSpaced(4, value(index, 22), 1.0);
  }
  ContactRows& c = frame.contacts;
  c.resize(static_cast<std::size_t>(index % 5 * 3));
  for (std::size_t i = 0; i < c.size(); ++i) {
    const int k = static_cast<int>(i);
    c.geometry_a[i] = 0, c.geometry_b[i] = (1 + k) % static_cast<int>(model.geometries.size());
    c.kind[i] = 0, c.mode[i] = k % 3;
    c.point[i] = Vector3(value(index, k), value(index, k + 1), value(index, k + 2));
    c.normal[i] = Vector3::UnitZ();
    c.force[i] = Vector3(value(index, k + 3), value(index, k + 4), 100.0);
    c.slip_velocity[i] = Vector3(value(index, k + 5), 0, 0);
    c.phi[i] = value(index, k + 6), c.stiffness[i] = 1e6, c.area[i] = 0, c.pressure[i] = 0;
    c.normal_force[i] = 100.0, c.slip_speed[i] = std::abs(value(index, k + 5));
  }
  fill_patches(index, &frame.patches);
  return frame;
}

StepStatistics SyntheticRun::step(long index) const {
  StepStatistics step;
  step.time = 0.001 * static_cast<double>(index);
  step.iterations = static_cast<int>(index % 4);
  step.line_search_iterations = 2 * step.iterations;
  step.factorizations = step.iterations;
  step.residual = std::abs(value(index, 30)) * 1e-6;
  step.cost = value(index, 31);
  step.condition = 1e3 + value(index, 32);
  step.num_contacts = index % 7;
  step.num_constraints = 3 * step.num_contacts;
  step.num_islands = 1;
  step.factor_nonzeros = 100 + index;
  step.status = step.iterations == 0 ? StepStatus::kNoContact : StepStatus::kConverged;
  step.seconds = {{1e-4, 1e-4, 3e-4, 1e-4}, 1e-3, 2e-4, 5e-5};
  step.gliding_distance = std::abs(value(index, 33)) * 1e-5;
  step.stiction_tolerance = 1e-4;
  step.momentum_residual = step.residual * (1.0 + 1e-9);
  for (int i = 0; i < step.iterations; ++i) {
    step.iteration_cost.push_back(value(index, i));
    step.iteration_gradient_norm.push_back(std::pow(10.0, -i));
    step.iteration_step_length.push_back(1.0);
  }
  return step;
}

State SyntheticRun::state(long step) const {
  State state;
  state.step = step;
  state.time = 0.001 * static_cast<double>(step);
  state.q = VectorX::LinSpaced(model.nq, value(step, 40), 2.0);
  state.v = VectorX::LinSpaced(model.nv, value(step, 41), 2.0);
  int k = 42;
  for (const auto account : kEnergyAccounts) state.energy.*account = value(step, k++);
  state.tree_gain = VectorX::LinSpaced(static_cast<Eigen::Index>(model.trees.size()), value(step, 39), 2.0);
  state.tree_dissipated =
      VectorX::LinSpaced(static_cast<Eigen::Index>(model.trees.size()), 3.0, value(step, 40));
  for (int pair = 0; pair < step % 3; ++pair)
    state.pair_energies.push_back({pair, pair + 1, value(step, 37), value(step, 38), value(step, 36)});
  return state;
}

SolverMemory SyntheticRun::memory(long step) const {
  SolverMemory memory;
  for (std::size_t k = 0; k < memory.v_before.size(); ++k)
    memory.v_before[k] = VectorX::LinSpaced(model.nv, value(step, 44), 2.0 + static_cast<double>(k));
  for (std::size_t t = 0; t < model.trees.size(); ++t)
    memory.history.push_back(step / 10 + static_cast<long>(t));
  return memory;
}

std::vector<Event> SyntheticRun::events(long step) {
  std::vector<Event> events;
  if (step % 5 == 0)
    events.push_back({EventKind::kFastSpin, static_cast<int>(1 + step % 2), -1, value(step, 50)});
  if (step % 7 == 0) events.push_back({EventKind::kPassage, 0, 1, 2.0});
  if (step % 11 == 0) events.push_back({EventKind::kInexactStep, -1, -1, value(step, 51)});
  return events;
}

long SyntheticRun::events_before(long steps) {
  long sum = 0;
  for (long n = 1; n <= steps; ++n) sum += static_cast<long>(events(n).size());
  return sum;
}

PairList SyntheticRun::pairs(long step) {
  PairList pairs = {{0, static_cast<int>(1 + step % 2), {value(step, 60), 1.0, -2.0}, value(step, 61), 1e-3}};
  if (step % 2 == 0) pairs.push_back({3, 4, {0.0, value(step, 62), 0.5}, value(step, 63), 1e-3});
  return pairs;
}

/// Steps of both parities lie between two frames.
long SyntheticRun::pairs_before(long frames) {
  static_assert(kStepsPerFrame == 3);
  return frames > 0 ? 3 * (frames - 1) : 0;
}

long SyntheticRun::patches_before(long frames) {
  long sum = 0;
  for (long f = 0; f < frames; ++f) sum += f % 3;
  return sum;
}

long SyntheticRun::faces_before(long frames) {
  long sum = 0;
  for (long f = 0; f < frames; ++f) sum += (f % 3) * (f % 3 + 1) / 2;
  return sum;
}

long SyntheticRun::contacts_before(long frames) {
  long count = 0;
  for (long i = 0; i < frames; ++i) count += i % 5 * 3;
  return count;
}

long SyntheticRun::iterations_before(long steps) {
  long count = 0;
  for (long i = 1; i <= steps; ++i) count += i % 4;
  return count;
}

void SyntheticRun::record(Recorder* recorder, long first, long last) const {
  if (first == 0) recorder->record_frame(frame(0));
  for (long n = first + 1; n <= last; ++n) record_step(recorder, n);
}

void SyntheticRun::record_step(Recorder* recorder, long n) const {
  recorder->record_events(step(n).time, events(n));
  recorder->record_pairs(pairs(n));
  recorder->record_step(step(n));
  if (n % kStepsPerFrame == 0) recorder->record_frame(frame(n / kStepsPerFrame));
}

std::unique_ptr<Recorder> SyntheticRun::create(const std::string& path) const {
  return std::make_unique<Recorder>(path, scene, model, text, provenance, options);
}

std::string fresh_folder(const std::string& name) {
  // All folders of this process go when it ends (children of the crash tests leave by _exit).
  struct Root {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("csim_record_tests_" + std::to_string(::getpid()));
    ~Root() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Root root;
  const std::filesystem::path folder = root.path / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string() + "/";
}

std::string run_python(const std::string& program, const std::string& argument) {
  const std::string script = fresh_folder("python") + "program.py";
  std::ofstream(script) << program;
  FILE* pipe = popen((python_interpreter() + " " + script + " " + argument + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), n);
  pclose(pipe);
  return output;
}

}  // namespace csim::test
