// csim's own contact queries and FCL's side by side, as JSON for scripts/studies/contact_queries.py: accuracy
// over random pairs of known signed distance (placed_pairs.h), time of a query, broad phase of piles.
//
//   contact_queries [POSES]
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "contact/engine/load_fcl.h"
#include "contact/mesh/mesh_contacts.h"
#include "contact/search/broad_phase.h"
#include "core/json_writer.h"
#include "unit/contact/meshes_for_tests.h"
#include "unit/contact/placed_pairs.h"

namespace csim::test {
namespace {

constexpr double kMaxPhi = 0.02;  // m; shapes are 0.2 to 1 m

/// The least of a few measurements, s a call.
template <typename Work>
double seconds_per_call(int calls, const Work& work) {
  double least = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) work(i);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least / calls;
}

/// Gaps from 1e-6 to 1e-2 m, overlaps from 1e-6 to 1e-3 m.
std::vector<PlacedPair> make_pairs(const std::string& kind_a, const std::string& kind_b, bool overlap,
                                   int count) {
  Random random(91);
  std::vector<PlacedPair> pairs;
  for (int i = 0; i < count; ++i) {
    const double size = std::pow(10.0, uniform(&random, -6.0, overlap ? -3.0 : -2.0));
    pairs.push_back(place_pair(kind_a, kind_b, 1.0, overlap ? -size : size, &random));
  }
  return pairs;
}

/// What FCL says by itself.
void judge_alone(QueryEngine* engine, const std::vector<PlacedPair>& pairs, JsonWriter* json) {
  double worst = 0.0, worst_normal = 0.0;
  int none = 0, coarse = 0;
  for (const PlacedPair& pair : pairs) {
    const PairDirection found = engine->find_direction(pair.a, pair.X_A, pair.b, pair.X_B, kMaxPhi);
    const bool plane = std::holds_alternative<HalfSpace>(pair.b);
    const bool right_side = plane || (found.status == PairDirection::Status::kApart) == (pair.phi > 0.0);
    if (found.status == PairDirection::Status::kUnknown || !right_side) {
      ++none;
      continue;
    }
    const double error = std::abs(found.phi - pair.phi);
    worst = std::max(worst, error);
    coarse += error > 0.1 * std::abs(pair.phi) ? 1 : 0;
    worst_normal = std::max(worst_normal, (found.normal - pair.normal).norm());
  }
  json->member("none", none)
      .member("coarse", coarse)
      .member("worst", worst)
      .member("worst_normal", worst_normal);
}

/// What csim makes of it, or without it.
void judge_csim(QueryEngine* engine, const std::vector<PlacedPair>& pairs, JsonWriter* json) {
  double worst = 0.0;
  int unanswered = 0;
  Manifold manifold;
  for (const PlacedPair& pair : pairs) {
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, kMaxPhi, &manifold, engine);
    unanswered += manifold.unanswered ? 1 : 0;
    worst = std::max(worst, manifold.size == 0 ? 1.0 : std::abs(deepest(manifold).phi - pair.phi));
  }
  const double seconds = seconds_per_call(static_cast<int>(pairs.size()), [&](int i) {
    const PlacedPair& pair = pairs[i];
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, kMaxPhi, &manifold, engine);
  });
  json->member("unanswered", unanswered).member("worst", worst).member("seconds", seconds);
}

void judge_pairs(QueryEngine* engine, int count, JsonWriter* json) {
  std::vector<std::string> kinds = bounded_kinds();
  kinds.push_back("half_space");
  for (std::size_t i = 0; i + 1 < kinds.size(); ++i) {
    for (std::size_t j = i; j < kinds.size(); ++j) {
      for (const bool overlap : {false, true}) {
        const auto pairs = make_pairs(kinds[i], kinds[j], overlap, count);
        json->begin_object().member("a", kinds[i]).member("b", kinds[j]).member("overlap", overlap);
        json->key("alone").begin_object();
        judge_alone(engine, pairs, json);
        json->end_object().key("fcl").begin_object();
        judge_csim(engine, pairs, json);
        json->end_object().key("native").begin_object();
        judge_csim(nullptr, pairs, json);
        json->end_object().end_object();
      }
    }
  }
}

fcl::Transform3d to_fcl(const RigidTransform& X) {
  fcl::Transform3d T = fcl::Transform3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

/// All contacts that FCL has of a mesh and a box.
fcl::CollisionResultd collide_mesh(const TriangleMesh& mesh, const RigidTransform& X_WM, const Box& box,
                                   const RigidTransform& X_WB) {
  fcl::BVHModel<fcl::OBBRSSd> model;
  model.beginModel();
  for (const auto& [i, j, k] : mesh.triangles)
    model.addTriangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
  model.endModel();
  const fcl::Boxd shape(box.size);
  fcl::CollisionRequestd request;
  request.enable_contact = true;
  request.num_max_contacts = 100000;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  fcl::CollisionResultd result;
  fcl::collide(&model, to_fcl(X_WM), &shape, to_fcl(X_WB), request, result);
  return result;
}

/// A box that rests, 10 um to 1 mm deep, on a face of a box given as 768 triangles: what share of the
/// contacts has another normal than the face, or another depth; FCL's, and csim's own.
void judge_mesh(int count, JsonWriter* json) {
  Random random(92);
  int contacts = 0, wrong_normal = 0, coarse = 0, csim_contacts = 0, csim_wrong = 0;
  MeshQuery query;
  std::vector<ManifoldPoint> points;
  const auto mesh =
      std::make_shared<const TriangleMesh>(testing::subdivided(testing::box_mesh(Vector3(1.0, 1.0, 0.5)), 3));
  const MeshSurface surface(mesh);
  for (int trial = 0; trial < count; ++trial) {
    const Box box{
        Vector3(uniform(&random, 0.1, 0.4), uniform(&random, 0.1, 0.4), uniform(&random, 0.1, 0.4))};
    const double depth = std::pow(10.0, uniform(&random, -5.0, -3.0));
    const RigidTransform X_WM(random_rotation(&random), random_unit(&random));
    const RigidTransform X_MB(
        Eigen::AngleAxisd(uniform(&random, 0.0, 2.0 * M_PI), Vector3::UnitZ()).toRotationMatrix(),
        Vector3(uniform(&random, -0.2, 0.2), uniform(&random, -0.2, 0.2), 0.25 + 0.5 * box.size.z() - depth));
    const Vector3 up = X_WM.R.col(2);
    const auto is_wrong_depth = [&](double found) { return std::abs(found - depth) > 0.1 * depth; };
    const fcl::CollisionResultd result = collide_mesh(*mesh, X_WM, box, X_WM * X_MB);
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      ++contacts;
      wrong_normal += (result.getContact(i).normal - up).norm() > 0.01 ? 1 : 0;
      coarse += is_wrong_depth(result.getContact(i).penetration_depth) ? 1 : 0;
    }
    query.find(surface, X_WM, box, X_WM * X_MB, 0.0, &points);
    for (const ManifoldPoint& point : points) {
      ++csim_contacts;
      csim_wrong += is_wrong_depth(-point.phi) || (point.normal - up).norm() > 0.01 ? 1 : 0;
    }
  }
  json->member("poses", count, "contacts", contacts, "wrong_normal", wrong_normal, "coarse", coarse);
  json->member("csim_contacts", csim_contacts, "csim_wrong", csim_wrong);
}

/// A pile at rest: n boxes of 0.1 m on a jittered grid, shaking by 1 mm from query to query, over a floor.
std::vector<Aabb> pile(int n, std::mt19937* rng) {
  std::vector<Aabb> boxes(1);
  boxes[0].add(Vector3(-20, -20, -0.1));
  boxes[0].add(Vector3(20, 20, 0));
  const int side = std::max(1, static_cast<int>(std::cbrt(n)));
  for (int i = 0; i < n; ++i) {
    const Vector3 center = 0.11 * Vector3(i % side, (i / side) % side, i / (side * side)) +
                           Vector3(0, 0, 0.06) + testing::random_vector(rng, 1e-3);
    boxes.emplace_back();
    boxes.back().add(Vector3(center - Vector3::Constant(0.07)));
    boxes.back().add(Vector3(center + Vector3::Constant(0.07)));
  }
  return boxes;
}

void time_broad_phases(JsonWriter* json) {
  for (const int n : {40, 400, 4000, 32000}) {
    std::vector<int> groups(n + 1);
    std::iota(groups.begin(), groups.end(), 0);
    std::mt19937 rng(93);
    std::vector<std::vector<Aabb>> frames;
    for (int k = 0; k < 4; ++k) frames.push_back(pile(n, &rng));
    const std::unique_ptr<QueryEngine> engine = make_fcl_engine();
    BroadPhase ours(groups), theirs(groups, engine.get());
    const int calls = std::max(4, 40000 / n);
    json->begin_object().member("bodies", n).member("pairs", static_cast<long>(ours.find(frames[0]).size()));
    json->member("same", ours.find(frames[1]) == theirs.find(frames[1]));
    json->member("native", seconds_per_call(calls, [&](int i) { ours.find(frames[i % 4]); }));
    json->member("fcl", seconds_per_call(calls, [&](int i) { theirs.find(frames[i % 4]); })).end_object();
  }
}

}  // namespace
}  // namespace csim::test

int main(int argc, char** argv) {
  using namespace csim;
  if (const std::string missing = load_fcl(); !missing.empty()) {
    std::fprintf(stderr, "contact_queries: %s\n", missing.c_str());
    return 1;
  }
  const int poses = argc > 1 ? std::atoi(argv[1]) : 1000;
  const std::unique_ptr<QueryEngine> engine = make_fcl_engine();
  JsonWriter json;
  json.begin_object().member("poses", poses);
  json.key("pairs").begin_array();
  test::judge_pairs(engine.get(), poses, &json);
  json.end_array().key("mesh").begin_object();
  test::judge_mesh(std::min(poses, 300), &json);
  json.end_object().key("broad_phase").begin_array();
  test::time_broad_phases(&json);
  json.end_array().end_object();
  std::printf("%s\n", json.text().c_str());
}
