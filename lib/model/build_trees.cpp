#include <algorithm>
#include <numbers>
#include <numeric>

#include "model/build_stages.h"
#include "model/joint.h"

namespace csim {
namespace {

RigidTransform to_transform(const Pose& pose) {
  return {pose.rotation, pose.xyz};
}

// The joint that places each body: the scene's, else a weld for fixed bodies, else a free one on the world.
void place_bodies(const Scene& scene, Model* model, Problems* problems) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const JointSpec& spec = scene.joints[j];
    Joint& joint = model->bodies[spec.child].joint;
    const std::string path = "joints." + spec.name + ".child";
    const std::string child = "'" + scene.bodies[spec.child].name + "'";
    if (joint.scene_joint >= 0) {
      problems->push_back({path, "body " + child + " is already the child of joint '" +
                                     scene.joints[joint.scene_joint].name +
                                     "', expected one joint per child"});
      continue;
    }
    if (scene.bodies[spec.child].fixed) {
      problems->push_back(
          {path, "body " + child + " is fixed or prescribed, expected one that the joint can place"});
      continue;
    }
    joint.type = spec.type;
    joint.scene_joint = static_cast<int>(j);
    joint.parent = spec.parent;
    joint.X_PF = to_transform(spec.pose);
    joint.q_PF = spec.pose.rotation.normalized();
    joint.axis = spec.axis.normalized();
    joint.pitch = spec.pitch / (2.0 * std::numbers::pi);
  }
}

// Parents before children, otherwise the scene's order.
void order_bodies(const Scene& scene, Model* model, Problems* problems) {
  const int num_bodies = static_cast<int>(model->bodies.size());
  enum class Mark { kNew, kOpen, kDone };
  std::vector<Mark> marks(num_bodies, Mark::kNew);
  std::vector<int> path;
  for (int start = 0; start < num_bodies; ++start) {
    // Climb to the first ancestor that is placed already, then come back down.
    int i = start;
    while (i >= 0 && marks[i] == Mark::kNew) {
      marks[i] = Mark::kOpen;
      path.push_back(i);
      i = model->bodies[i].joint.parent;
    }
    if (i >= 0 && marks[i] == Mark::kOpen) {
      std::string loop;
      for (auto it = std::find(path.begin(), path.end(), i); it != path.end(); ++it)
        loop += scene.bodies[*it].name + ", ";
      problems->push_back(
          {"joints." + scene.joints[model->bodies[i].joint.scene_joint].name + ".parent",
           "the bodies " + loop.substr(0, loop.size() - 2) + " form a loop of joints, expected trees"});
    }
    for (; !path.empty(); path.pop_back()) {
      marks[path.back()] = Mark::kDone;
      model->topological_order.push_back(path.back());
    }
  }
}

void assign_weld_groups(Model* model) {
  int num_groups = 1;
  for (int i : model->topological_order) {
    Body& body = model->bodies[i];
    const int parent = body.joint.parent;
    if (body.motion >= 0 || body.joint.type != JointType::kWeld) {
      body.weld_group = num_groups++;
    } else {
      body.weld_group = parent >= 0 ? model->bodies[parent].weld_group : 0;
    }
  }
}

// Every joint with coordinates on an immovable or prescribed body opens a tree; its descendants belong to it.
void assign_trees(Model* model) {
  const auto& bodies = model->bodies;
  std::vector<int> first_body;  // of each tree, lowest index in the scene
  std::vector<int> tree_of(bodies.size(), -1);
  for (int i : model->topological_order) {
    const Joint& joint = bodies[i].joint;
    const int parent_tree = joint.parent >= 0 ? tree_of[joint.parent] : -1;
    if (bodies[i].motion >= 0) continue;
    if (parent_tree < 0 && joint.nv == 0) continue;
    tree_of[i] = parent_tree;
    if (parent_tree < 0) {
      tree_of[i] = static_cast<int>(first_body.size());
      first_body.push_back(i);
    }
    first_body[tree_of[i]] = std::min(first_body[tree_of[i]], i);
  }
  // Trees in the order of their first bodies.
  std::vector<int> rank(first_body.size());
  std::vector<int> sorted = first_body;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t t = 0; t < rank.size(); ++t) {
    rank[t] =
        static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), first_body[t]) - sorted.begin());
  }
  model->trees.resize(first_body.size());
  for (int i : model->topological_order) {
    if (tree_of[i] < 0) continue;
    model->bodies[i].tree = rank[tree_of[i]];
    model->tree_bodies.push_back(i);
  }
  const auto tree_of_body = [&](int i) { return model->bodies[i].tree; };
  std::stable_sort(model->tree_bodies.begin(), model->tree_bodies.end(),
                   [&](int i, int j) { return tree_of_body(i) < tree_of_body(j); });
  for (int k = 0; k < static_cast<int>(model->tree_bodies.size()); ++k) {
    Tree& tree = model->trees[tree_of_body(model->tree_bodies[k])];
    if (tree.bodies_end == 0) tree.bodies_begin = k;
    tree.bodies_end = k + 1;
  }
}

// Columns of q, v, the blocks and the Jacobians.
void assign_columns(Model* model) {
  for (Tree& tree : model->trees) {
    tree.q_begin = model->nq;
    tree.v_begin = model->nv;
    tree.block_begin = model->block_size;
    const std::span<const int> bodies = bodies_of(*model, tree);
    std::vector<int> scene_order(bodies.begin(), bodies.end());
    std::sort(scene_order.begin(), scene_order.end());
    for (int i : scene_order) {
      Joint& joint = model->bodies[i].joint;
      joint.q_begin = model->nq;
      joint.v_begin = model->nv;
      model->nq += joint.nq;
      model->nv += joint.nv;
    }
    tree.nq = model->nq - tree.q_begin;
    tree.nv = model->nv - tree.v_begin;
    model->block_size += tree.nv * tree.nv;
    const Joint& joint = model->bodies[bodies.front()].joint;
    tree.single_free_body = bodies.size() == 1 && joint.type == JointType::kFree && joint.parent < 0;
  }
  model->jacobian_begin.assign(model->bodies.size(), -1);
  for (std::size_t i = 0; i < model->bodies.size(); ++i) {
    const int t = model->bodies[i].tree;
    if (t < 0 || model->trees[t].single_free_body) continue;
    model->jacobian_begin[i] = model->jacobian_size;
    model->jacobian_size += 6 * model->trees[t].nv;
  }
}

/// Of a tree, parent coordinates by coordinate; empty where they do not stand parents first and branch by
/// branch.
std::vector<int> parents_of(const Model& model, const Tree& tree) {
  std::vector<int> parents(tree.nv);
  for (const int index : bodies_of(model, tree)) {
    const Joint& joint = model.bodies[index].joint;
    int ancestor = joint.parent;
    while (ancestor >= 0 && model.bodies[ancestor].tree >= 0 && model.bodies[ancestor].joint.nv == 0)
      ancestor = model.bodies[ancestor].joint.parent;  // welded
    int parent = -1;
    if (ancestor >= 0 && model.bodies[ancestor].tree >= 0) {
      const Joint& before = model.bodies[ancestor].joint;
      parent = before.v_begin + before.nv - 1 - tree.v_begin;
    }
    for (int k = joint.v_begin - tree.v_begin; k < joint.v_begin - tree.v_begin + joint.nv; parent = k++)
      parents[k] = parent;
  }
  for (int k = 0; k < tree.nv; ++k) {  // the parent is the one before, or on its way to the root
    int on_way = k - 1;
    while (on_way > parents[k]) on_way = parents[on_way];
    if (on_way != parents[k]) return {};
  }
  return parents;
}

void find_branches(Model* model) {
  model->parent.resize(model->nv);
  model->run_begin.resize(model->nv);
  model->branch_end.resize(model->nv);
  for (Tree& tree : model->trees) {
    std::vector<int> parents = parents_of(*model, tree);
    if (parents.empty()) {
      parents.resize(tree.nv);
      std::iota(parents.begin(), parents.end(), -1);
    }
    for (int k = 0; k < tree.nv; ++k) tree.is_chain = tree.is_chain && parents[k] == k - 1;
    int* const parent = model->parent.data() + tree.v_begin;
    int* const run_begin = model->run_begin.data() + tree.v_begin;
    int* const branch_end = model->branch_end.data() + tree.v_begin;
    std::copy(parents.begin(), parents.end(), parent);
    for (int k = 0; k < tree.nv; ++k) {
      run_begin[k] = k > 0 && parent[k] == k - 1 ? run_begin[k - 1] : k;
      branch_end[k] = k + 1;
    }
    for (int k = tree.nv - 1; k > 0; --k)
      if (parent[k] >= 0) branch_end[parent[k]] = std::max(branch_end[parent[k]], branch_end[k]);
  }
}

void list_springs(Model* model) {
  model->position_stiffness = model->stiffness;
  for (const Actuator& actuator : model->actuators)
    if (actuator.type == ActuatorType::kPosition) model->position_stiffness[actuator.v] += actuator.stiffness;
  for (std::size_t t = 0; t < model->trees.size(); ++t) {
    const Tree& tree = model->trees[t];
    if ((model->position_stiffness.segment(tree.v_begin, tree.nv).array() > 0.0).any())
      model->sprung_trees.push_back(static_cast<int>(t));
  }
}

void set_joint_constants(const Scene& scene, Model* model, std::vector<std::string>* notes) {
  for (VectorX* column : {&model->damping, &model->armature, &model->stiffness, &model->rest_position}) {
    column->setZero(model->nv);
  }
  build_actuators(scene, model);
  build_constraints(scene, model, notes);
  std::vector<bool> loaded(model->trees.size(), false);
  for (const Body& body : model->bodies) {
    if (body.joint.scene_joint < 0) continue;
    const JointSpec& spec = scene.joints[body.joint.scene_joint];
    for (int i = 0; i < body.joint.nv; ++i) {
      const int iv = body.joint.v_begin + i;
      model->damping[iv] = spec.damping[i];
      model->armature[iv] = spec.armature[i];
      if (body.joint.nq == body.joint.nv && spec.stiffness[i] != 0.0) {
        model->stiffness[iv] = spec.stiffness[i];
        model->rest_position[iv] = spec.rest_position[i];
        model->springs.emplace_back(body.joint.q_begin + i, iv);
      }
      if (model->damping[iv] != 0.0 || model->armature[iv] != 0.0 || model->stiffness[iv] != 0.0 ||
          model->drive_stiffness[iv] != 0.0 || model->drive_damping[iv] != 0.0) {
        loaded[body.tree] = true;
      }
    }
  }
  list_springs(model);
  for (std::size_t t = 0; t < loaded.size(); ++t) {
    if (loaded[t]) model->loaded_trees.push_back(static_cast<int>(t));
  }
}

void list_free_bodies(Model* model) {
  for (std::size_t t = 0; t < model->trees.size(); ++t) {
    Tree& tree = model->trees[t];
    if (!tree.single_free_body) {
      model->articulated_trees.push_back(static_cast<int>(t));
      continue;
    }
    FreeBody free;
    free.body = bodies_of(*model, tree).front();
    free.tree = static_cast<int>(t);
    free.q_begin = tree.q_begin;
    free.v_begin = tree.v_begin;
    free.block_begin = tree.block_begin;
    const Joint& joint = model->bodies[free.body].joint;
    free.placed = joint.scene_joint >= 0;
    free.plain = tree.is_plain =
        !std::binary_search(model->loaded_trees.begin(), model->loaded_trees.end(), free.tree);
    model->trees[free.tree].free_body = static_cast<int>(model->free_bodies.size());
    model->free_bodies.push_back(free);
  }
  for (int i : model->topological_order) {
    const int t = model->bodies[i].tree;
    if (t < 0 || !model->trees[t].single_free_body) model->articulated_order.push_back(i);
  }
}

void exclude_joint_pairs(const Scene& scene, Model* model, std::vector<std::string>* notes) {
  auto& excluded = model->pairs.excluded_bodies;
  for (const JointSpec& joint : scene.joints) {
    if (joint.type == JointType::kWeld && joint.collide) {
      notes->push_back("joints." + joint.name +
                       ".collide has no effect: bodies that are welded together never press on each other");
    }
    if (joint.type == JointType::kFree || joint.collide || joint.parent < 0) continue;
    excluded.emplace_back(std::min(joint.parent, joint.child), std::max(joint.parent, joint.child));
  }
  std::sort(excluded.begin(), excluded.end());
  excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
}

}  // namespace

void build_bodies(const Scene& scene, Model* model, Problems* problems) {
  model->num_joints = static_cast<int>(scene.joints.size());
  for (const BodySpec& spec : scene.bodies) {
    Body body;
    body.name = spec.name;
    body.surface_velocity = spec.surface_velocity;
    if (!spec.gravity_compensation) body.gravity = scene.gravity;
    if (spec.fixed) {
      body.joint.type = JointType::kWeld;
      body.joint.X_PF = to_transform(spec.pose);
      body.joint.q_PF = spec.pose.rotation.normalized();
    }
    if (spec.motion.type != MotionType::kNone) {
      body.motion = static_cast<int>(model->motions.size());
      model->motions.push_back(make_motion(spec.motion, spec.pose));
    }
    model->bodies.push_back(body);
  }
  place_bodies(scene, model, problems);
  for (Body& body : model->bodies) {
    body.joint.nq = num_positions(body.joint.type);
    body.joint.nv = num_velocities(body.joint.type);
  }
  order_bodies(scene, model, problems);
}

void build_trees(const Scene& scene, Model* model, std::vector<std::string>* notes) {
  assign_weld_groups(model);
  assign_trees(model);
  assign_columns(model);
  find_branches(model);
  set_joint_constants(scene, model, notes);
  list_free_bodies(model);
  exclude_joint_pairs(scene, model, notes);
}

}  // namespace csim
