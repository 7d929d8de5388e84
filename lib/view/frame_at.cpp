#include "view/frame_at.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

RigidTransform between(const RigidTransform& a, const RigidTransform& b, double share) {
  const Quaternion q = Quaternion(a.R).slerp(share, Quaternion(b.R));
  return {q, a.p + share * (b.p - a.p)};
}

}  // namespace

std::size_t nearest_frame(const ViewScene& scene, double time) {
  std::size_t nearest = 0;
  for (std::size_t f = 0; f < scene.frames.size(); ++f) {
    if (std::abs(scene.frames[f].time - time) < std::abs(scene.frames[nearest].time - time)) nearest = f;
  }
  return nearest;
}

ViewFrame frame_at(const ViewScene& scene, double time) {
  const std::vector<ViewFrame>& frames = scene.frames;
  const auto after =
      std::find_if(frames.begin(), frames.end(), [&](const ViewFrame& f) { return f.time >= time; });
  if (after == frames.end()) return frames.back();
  if (after == frames.begin() || after->time == time) return *after;
  const ViewFrame& a = *(after - 1);
  const ViewFrame& b = *after;
  const double share = (time - a.time) / (b.time - a.time);
  ViewFrame frame = share > 0.5 ? b : a;
  frame.time = time;
  for (std::size_t body = 0; body < frame.X_WB.size(); ++body)
    frame.X_WB[body] = between(a.X_WB[body], b.X_WB[body], share);
  return frame;
}

std::vector<Vector3> path_until(const ViewScene& scene, int body, double time) {
  std::vector<Vector3> path;
  for (const ViewFrame& frame : scene.frames) {
    if (frame.time >= time) break;
    path.push_back(frame.X_WB[body] * scene.bodies[body].com);
  }
  path.push_back(frame_at(scene, time).X_WB[body] * scene.bodies[body].com);
  return path;
}

}  // namespace csim
