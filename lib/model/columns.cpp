#include "model/columns.h"

namespace csim {
namespace {

void append_range(int begin, int count, std::vector<int>* columns) {
  for (int i = 0; i < count; ++i) columns->push_back(begin + i);
}

}  // namespace

StateColumns make_state_columns(const Model& model) {
  StateColumns columns;
  std::vector<int> child_of(model.num_joints, -1);
  columns.body_q_offset.push_back(0);
  columns.body_v_offset.push_back(0);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Joint& joint = model.bodies[i].joint;
    append_range(joint.q_begin, joint.nq, &columns.q);
    append_range(joint.v_begin, joint.nv, &columns.v);
    columns.body_q_offset.push_back(static_cast<int>(columns.q.size()));
    columns.body_v_offset.push_back(static_cast<int>(columns.v.size()));
    if (joint.scene_joint >= 0) child_of[joint.scene_joint] = static_cast<int>(i);
  }
  columns.joint_q_offset.push_back(0);
  columns.joint_v_offset.push_back(0);
  for (int child : child_of) {
    const Joint& joint = model.bodies[child].joint;
    append_range(joint.q_begin, joint.nq, &columns.joint_q);
    append_range(joint.v_begin, joint.nv, &columns.joint_v);
    columns.joint_q_offset.push_back(static_cast<int>(columns.joint_q.size()));
    columns.joint_v_offset.push_back(static_cast<int>(columns.joint_v.size()));
  }
  return columns;
}

void gather_columns(const std::vector<int>& columns, const VectorX& state, VectorX* recorded) {
  recorded->resize(static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) (*recorded)[i] = state[columns[i]];
}

}  // namespace csim
