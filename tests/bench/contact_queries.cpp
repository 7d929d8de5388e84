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

/// A box pressed into the face, edge or vertex of a box, the latter as a mesh of 768 triangles: FCL's deepest
/// contact of the two, and csim's.
void judge_mesh(int count, JsonWriter* json) {
  Random random(92);
  int coarse = 0, wrong_normal = 0, coarse_csim = 0;
  MeshQuery query;
  std::vector<ManifoldPoint> points;
  for (int trial = 0; trial < count; ++trial) {
    const PlacedPair pair =
        place_pair("box", "box", 1.0, -std::pow(10.0, uniform(&random, -5.0, -3.0)), &random);
    const auto mesh = std::make_shared<const TriangleMesh>(
        testing::subdivided(testing::box_mesh(std::get<Box>(pair.a).size), 3));
    fcl::BVHModel<fcl::OBBRSSd> model;
    model.beginModel();
    for (const auto& [i, j, k] : mesh->triangles)
      model.addTriangle(mesh->vertices[i], mesh->vertices[j], mesh->vertices[k]);
    model.endModel();
    const fcl::Boxd box(std::get<Box>(pair.b).size);
    const auto pose = [](const RigidTransform& X) {
      fcl::Transform3d T = fcl::Transform3d::Identity();
      T.linear() = X.R;
      T.translation() = X.p;
      return T;
    };
    fcl::CollisionRequestd request;
    request.enable_contact = true;
    request.num_max_contacts = 1000;
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::CollisionResultd result;
    fcl::collide(&model, pose(pair.X_A), &box, pose(pair.X_B), request, result);
    double depth = 0.0;
    Vector3 normal = Vector3::Zero();
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      if (result.getContact(i).penetration_depth <= depth) continue;
      depth = result.getContact(i).penetration_depth;
      normal = result.getContact(i).normal;
    }
    coarse += std::abs(depth + pair.phi) > 0.1 * std::abs(pair.phi) ? 1 : 0;
    wrong_normal += (normal - pair.normal).norm() > 0.1 ? 1 : 0;
    query.find(MeshSurface(mesh), pair.X_A, pair.b, pair.X_B, kMaxPhi, &points);
    double least = 1.0;
    for (const ManifoldPoint& point : points) least = std::min(least, point.phi);
    coarse_csim += std::abs(least - pair.phi) > 0.1 * std::abs(pair.phi) ? 1 : 0;
  }
  json->member("poses", count).member("coarse", coarse).member("wrong_normal", wrong_normal);
  json->member("coarse_csim", coarse_csim);
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
