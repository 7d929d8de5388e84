#include "solver/method/active_set_path.h"

#include <algorithm>

namespace csim {
namespace {

/// Where the contacts stand at the start of the path: those that press open when their impulse, linearised,
/// is used up, the others close when they reach the speed at which their law begins. Told by v_n: of the
/// impulse of an open contact that rubs, rounding of its friction may leave a part along the normal.
void start(const ConvexProblem& problem, ContactRange range, const ContactVelocities& v_c,
           const std::vector<double>& dv_n, ActiveSetPath* path) {
  const ConeColumns& normals = path->normals;
  problem.law->fill_normals(problem.contacts, range, &path->normals);
  for (int i = range.begin; i < range.end; ++i) {
    const double a = normals.a[i], b = normals.b[i];
    const double speed = normals.v_hat[i] - v_c.normal[i];  // at which the law is loaded
    const bool presses = speed > 0.0;
    path->side[i] = presses ? -normals.acts[i] : normals.acts[i];
    path->stiffness[i] = presses ? a + 2.0 * b * speed : a;
    path->threshold[i] = presses ? speed * (a + b * speed) / path->stiffness[i] : speed;
    path->moved[i] = 0.0;
    path->rate[i] = dv_n[i];
  }
}

struct Bend {
  int contact = -1;  // -1: none
  double length;     // from here, in t
};

/// The next contact to change within the length.
Bend next_bend(ContactRange range, double length, const ActiveSetPath& path) {
  Bend bend{-1, length};
  for (int i = range.begin; i < range.end; ++i) {
    if (!(path.side[i] * path.rate[i] < 0.0)) continue;
    const double to_bend = std::max(0.0, (path.threshold[i] - path.moved[i]) / path.rate[i]);
    if (to_bend < bend.length) bend = {i, to_bend};
  }
  return bend;
}

}  // namespace

void ActiveSetPath::resize(const ConvexProblem& problem) {
  const int nv = problem.nv(), num_contacts = problem.num_contacts();
  normals.resize(num_contacts);
  for (auto* column : {&rate, &moved, &threshold, &side, &stiffness}) column->resize(num_contacts);
  for (std::vector<double>& column : answer_rate) column.resize(num_contacts);
  if (direction.size() < nv) direction.resize(nv);
  for (VectorX& vector : answer) {
    if (vector.size() < nv) vector.resize(nv);
  }
}

int follow_active_set(const ConvexProblem& problem, const Island& island, const ContactVelocities& v_c,
                      const std::vector<double>& dv_n, LinearSolver* factor, ActiveSetPath* path,
                      VectorX* dv) {
  const int begin = island.contacts.begin, end = island.contacts.end, n = island.nv();
  start(problem, island.contacts, v_c, dv_n, path);
  Bend bend = next_bend(island.contacts, 1.0, *path);
  if (bend.contact < 0) return 0;
  double* const way = dv->data() + island.v_begin;
  double* const direction = path->direction.data() + island.v_begin;
  double* const rate = path->rate.data();
  std::copy_n(way, n, direction);
  std::fill_n(way, n, 0.0);
  double rest = 1.0;
  double weight[kMaxBends];  // the bend takes weight z z^T from H^-1
  int bends = 0;
  while (true) {
    const int contact = bend.contact;
    for (int i = 0; i < n; ++i) way[i] += bend.length * direction[i];
    for (int i = begin; i < end; ++i) path->moved[i] += bend.length * rate[i];
    rest -= bend.length;
    double* const z = path->answer[bends].data() + island.v_begin;
    double* const z_rate = path->answer_rate[bends].data();
    normal_impulse(problem, island, contact, &path->answer[bends]);
    factor->solve(z);
    normal_velocities(problem, island, path->answer[bends], z_rate);
    for (int j = 0; j < bends; ++j) {
      const double* const z_j = path->answer[j].data() + island.v_begin;
      const double* const z_rate_j = path->answer_rate[j].data();
      const double w = weight[j] * z_rate_j[contact];
      for (int i = 0; i < n; ++i) z[i] -= w * z_j[i];
      for (int i = begin; i < end; ++i) z_rate[i] -= w * z_rate_j[i];
    }
    const double D = path->side[contact] * path->stiffness[contact];
    const double denominator = 1.0 + D * z_rate[contact];
    if (!(denominator > 0.0)) break;  // a pivot that is not positive: rounding; straight on
    weight[bends] = D / denominator;
    const double w = weight[bends] * rate[contact];
    for (int i = 0; i < n; ++i) direction[i] -= w * z[i];
    for (int i = begin; i < end; ++i) rate[i] -= w * z_rate[i];
    path->side[contact] = -path->side[contact];
    if (++bends == kMaxBends) break;
    bend = next_bend(island.contacts, rest, *path);
    if (bend.contact < 0) break;
  }
  for (int i = 0; i < n; ++i) way[i] += rest * direction[i];
  return bends;
}

}  // namespace csim
