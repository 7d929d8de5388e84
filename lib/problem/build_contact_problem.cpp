#include "problem/build_contact_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require.h"
#include "problem/components.h"
#include "scene/joint_coordinates.h"

namespace csim {
namespace {

/// The contacts of the first pair of bodies from `point` and `patch` on; num_contacts -1 at the end.
StepData::Run next_run(const ContactSet& contacts, int point, int patch) {
  const int num_points = static_cast<int>(contacts.points.size());
  const int num_patches = static_cast<int>(contacts.patches.size());
  using Bodies = std::pair<int, int>;
  const Bodies none(std::numeric_limits<int>::max(), 0);
  const auto bodies_of_point = [&](int i) {
    return i < num_points ? Bodies(contacts.points[i].body_a, contacts.points[i].body_b) : none;
  };
  const auto bodies_of_patch = [&](int i) {
    return i < num_patches ? Bodies(contacts.patches[i].body_a, contacts.patches[i].body_b) : none;
  };
  const Bodies first = std::min(bodies_of_point(point), bodies_of_patch(patch));
  StepData::Run run{first.first, first.second, point, point, patch, patch, first == none ? -1 : 0, -1};
  if (first == none) return run;
  while (bodies_of_point(run.point_end) == first) ++run.point_end;
  run.num_contacts = run.point_end - run.point_begin;
  for (; bodies_of_patch(run.patch_end) == first; ++run.patch_end) {
    const ContactPatch& p = contacts.patches[run.patch_end];
    run.num_contacts += p.point_end - p.point_begin;
  }
  return run;
}

/// Every tree by itself, none in the problem.
void separate_trees(const Model& model, StepData* data) {
  const int num_trees = static_cast<int>(model.trees.size());
  data->tree_root.resize(num_trees);
  for (int t = 0; t < num_trees; ++t) data->tree_root[t] = t;
  data->problem_tree.assign(num_trees, -1);
}

/// Cuts the contact set into runs of one pair of bodies each, leaves out pairs that do not move, and joins
/// the trees they touch.
void find_runs(const Model& model, const ContactSet& contacts, StepData* data) {
  data->runs.clear();
  for (int point = 0, patch = 0;;) {
    const StepData::Run run = next_run(contacts, point, patch);
    if (run.num_contacts < 0) break;
    point = run.point_end;
    patch = run.patch_end;
    const int tree_a = model.bodies[run.body_a].tree, tree_b = model.bodies[run.body_b].tree;
    if (run.num_contacts == 0 || (tree_a < 0 && tree_b < 0)) continue;
    if (is_outside(data->trees, model, run.body_a) || is_outside(data->trees, model, run.body_b)) continue;
    data->runs.push_back(run);
    for (const int tree : {tree_a, tree_b}) {
      if (tree >= 0) data->problem_tree[tree] = 0;  // in the problem; numbered below
    }
    if (tree_a >= 0 && tree_b >= 0) join_components(tree_a, tree_b, &data->tree_root);
  }
}

/// Joins the trees of each row. Those of optional rows alone stay out.
void join_row_trees(StepData* data) {
  const RowOffers& offers = data->row_offers;
  for (const RowOffer& offer : offers.rows) {
    if (offer.is_optional || !contains(data->trees, offers.terms[offer.term_begin].tree)) continue;
    for (int k = offer.term_begin; k < offer.term_end; ++k) {
      data->problem_tree[offers.terms[k].tree] = 0;
      join_components(offers.terms[offer.term_begin].tree, offers.terms[k].tree, &data->tree_root);
    }
  }
}

/// Numbers islands by their smallest tree, then lays out the trees island by island.
void lay_out_trees(const Model& model, StepData* data) {
  ConvexProblem& problem = data->problem;
  const int num_trees = static_cast<int>(model.trees.size());
  problem.islands.clear();
  data->tree_island.assign(num_trees, -1);
  for (int t = 0; t < num_trees; ++t) {
    if (data->problem_tree[t] < 0) continue;
    const int root = find_root(&data->tree_root, t);
    if (root == t) {
      data->tree_island[t] = static_cast<int>(problem.islands.size());
      problem.islands.emplace_back();
    } else {
      data->tree_island[t] = data->tree_island[root];  // the root is smaller and has its number
    }
    ++problem.islands[data->tree_island[t]].tree_end;  // count
  }
  int tree_begin = 0;
  for (Island& island : problem.islands) {
    const int count = island.tree_end;
    island.tree_begin = island.tree_end = tree_begin;
    tree_begin += count;
  }
  problem.trees.resize(tree_begin);
  for (int t = 0; t < num_trees; ++t) {
    if (data->problem_tree[t] < 0) continue;
    const int slot = problem.islands[data->tree_island[t]].tree_end++;
    data->problem_tree[t] = slot;
    problem.trees[slot] = {t, model.trees[t].nv, 0, model.trees[t].v_begin, 0};
  }
  int v_begin = 0, A_begin = 0;
  for (Island& island : problem.islands) {
    island.v_begin = v_begin;
    for (int t = island.tree_begin; t < island.tree_end; ++t) {
      ProblemTree& tree = problem.trees[t];
      tree.v_begin = v_begin;
      tree.A_begin = A_begin;
      v_begin += tree.nv;
      A_begin += tree.nv * tree.nv;
    }
    island.v_end = v_begin;
  }
  problem.A.resize(A_begin);
  problem.scale.resize(v_begin);
  if (problem.v_star.size() < v_begin) problem.v_star.resize(v_begin);
}

/// Sorts runs by island (order within an island stays) and gives every island its ranges of clusters and
/// contacts.
void lay_out_clusters(const Model& model, StepData* data) {
  ConvexProblem& problem = data->problem;
  for (StepData::Run& run : data->runs) {
    const int tree_a = model.bodies[run.body_a].tree;
    run.island = data->tree_island[tree_a >= 0 ? tree_a : model.bodies[run.body_b].tree];
    ++problem.islands[run.island].cluster_end;
  }
  int cluster = 0;
  for (Island& island : problem.islands) {
    const int count = island.cluster_end;
    island.cluster_begin = island.cluster_end = cluster;
    cluster += count;
  }
  const int num_runs = static_cast<int>(data->runs.size());
  data->order.resize(num_runs);
  for (int r = 0; r < num_runs; ++r) data->order[problem.islands[data->runs[r].island].cluster_end++] = r;
  problem.clusters.resize(num_runs);
  int contact = 0;
  for (Island& island : problem.islands) {
    island.contacts.begin = contact;
    for (int k = island.cluster_begin; k < island.cluster_end; ++k) {
      const StepData::Run& run = data->runs[data->order[k]];
      problem.clusters[k] = ContactCluster{};
      problem.clusters[k].contacts.begin = contact;
      contact += run.num_contacts;
      problem.clusters[k].contacts.end = contact;
    }
    island.contacts.end = contact;
  }
  problem.contacts.resize(contact);
  problem.source.resize(contact);
}

/// [nv of the model]: the first of the three coordinates of an angular velocity of which each is one; -1: of
/// none.
void find_turns(const Model& model, std::vector<int>* first_of_turn) {
  first_of_turn->assign(static_cast<std::size_t>(model.nv), -1);
  for (const Body& body : model.bodies)
    for (int k = 0; has_quaternion(body.joint.type) && k < 3; ++k)
      (*first_of_turn)[static_cast<std::size_t>(body.joint.v_begin + k)] = body.joint.v_begin;
}

/// Copies the rows that are taken into the problem, island by island, with the problem's trees and
/// velocities.
void lay_out_rows(const Model& model, StepData* data) {
  ConvexProblem& problem = data->problem;
  const RowOffers& offers = data->row_offers;
  if (data->first_of_turn.empty()) find_turns(model, &data->first_of_turn);
  data->row_order.clear();
  for (std::size_t r = 0; r < offers.rows.size(); ++r) {
    if (data->problem_tree[offers.terms[offers.rows[r].term_begin].tree] >= 0)
      data->row_order.push_back(static_cast<int>(r));
  }
  const auto island_of = [&](int r) {
    return data->tree_island[offers.terms[offers.rows[r].term_begin].tree];
  };
  std::sort(data->row_order.begin(), data->row_order.end(),
            [&](int r, int s) { return island_of(r) != island_of(s) ? island_of(r) < island_of(s) : r < s; });
  RowColumns& rows = problem.rows;
  rows.resize(data->row_order.size());
  rows.terms.clear();
  rows.turning.clear();
  rows.term_begin.assign(1, 0);
  for (int i = 0; i < rows.size(); ++i) {
    const int r = data->row_order[i];
    const RowOffer& offer = offers.rows[r];
    rows.law[i] = offer.law;
    rows.source[i] = r;
    const bool is_single = offer.term_end - offer.term_begin == 1;  // no direction but its own
    for (int k = offer.term_begin; k < offer.term_end; ++k) {
      RowTerm term = offers.terms[k];
      const Tree& model_tree = model.trees[term.tree];
      const int turning = is_single ? -1 : data->first_of_turn[static_cast<std::size_t>(term.v)];
      term.tree = data->problem_tree[term.tree];
      const int shift = problem.trees[term.tree].v_begin - model_tree.v_begin;
      term.v += shift;
      rows.terms.push_back(term);
      rows.turning.push_back(turning < 0 ? -1 : turning + shift);
    }
    rows.term_begin.push_back(static_cast<int>(rows.terms.size()));
    ++problem.islands[island_of(r)].rows.end;  // count
  }
  int row = 0;
  for (Island& island : problem.islands) {
    island.rows.begin = row;
    row += island.rows.end;
    island.rows.end = row;
  }
}

/// Adds sign * J of the body, moved to the point O, to a 6 x nv block.
void add_shifted_jacobian(const Kinematics& kinematics, int body, int nv, const Vector3& p_WO, double sign,
                          double* block) {
  Eigen::Map<Matrix6X> out(block, 6, nv);
  const Vector3 p = p_WO - kinematics.X_WB[body].p;
  const int begin = kinematics.jacobian_begin[body];
  CSIM_REQUIRE(begin >= 0, body);
  const Eigen::Map<const Matrix6X> J(kinematics.jacobians.data() + begin, 6, nv);
  for (int column = 0; column < nv; ++column) {
    const Vector3 w = J.col(column).head<3>();
    out.col(column).head<3>() += sign * w;
    out.col(column).tail<3>() += sign * (J.col(column).tail<3>() + w.cross(p));
  }
}

/// The endpoint of one body: a shift for a free body, the Jacobian about O otherwise.
ClusterEndpoint make_endpoint(const Model& model, const Kinematics& kinematics, int body, const Vector3& p_WO,
                              double sign, StepData* data) {
  ConvexProblem& problem = data->problem;
  const int model_tree = model.bodies[body].tree;
  ClusterEndpoint endpoint;
  if (model_tree < 0) return endpoint;
  endpoint.tree = data->problem_tree[model_tree];
  if (kinematics.jacobian_begin[body] < 0) {
    endpoint.p = p_WO - kinematics.X_WB[body].p;
    return endpoint;
  }
  const int nv = model.trees[model_tree].nv;
  endpoint.jacobian_begin = static_cast<int>(problem.jacobians.size());
  problem.jacobians.resize(problem.jacobians.size() + 6 * nv, 0.0);
  add_shifted_jacobian(kinematics, body, nv, p_WO, sign, problem.jacobians.data() + endpoint.jacobian_begin);
  return endpoint;
}

Vector3 point_position(const PointContact& point, double weight_a) {
  return weight_a * point.p_a + (1.0 - weight_a) * point.p_b;
}

const PairRule& rule_of(const Model& model, int geometry_a, int geometry_b) {
  return model.pairs.rule(model.geometries[geometry_a].pair_class, model.geometries[geometry_b].pair_class);
}

/// Where the first contact of a run acts.
Vector3 first_point(const Model& model, const StepData::Run& run, const ContactSet& contacts) {
  if (run.point_begin < run.point_end) {
    const PointContact& point = contacts.points[run.point_begin];
    return point_position(point, rule_of(model, point.geometry_a, point.geometry_b).weight_a);
  }
  for (int k = run.patch_begin; k < run.patch_end; ++k) {
    const ContactPatch& patch = contacts.patches[k];
    if (patch.point_begin < patch.point_end) return contacts.face_points[patch.point_begin].point;
  }
  CSIM_REQUIRE(false, run.body_a, run.body_b);
}

/// Endpoints of a cluster about the reference point O: the origin of a free body of the pair (no shift for
/// that side), else the first contact point.
Vector3 fill_endpoints(const Model& model, const Kinematics& kinematics, const StepData::Run& run,
                       const ContactSet& contacts, StepData* data, ContactCluster* cluster) {
  const auto is_free = [&](int body) {
    return model.bodies[body].tree >= 0 && kinematics.jacobian_begin[body] < 0;
  };
  const Vector3 p_WO = is_free(run.body_b)   ? kinematics.X_WB[run.body_b].p
                       : is_free(run.body_a) ? kinematics.X_WB[run.body_a].p
                                             : first_point(model, run, contacts);
  const int tree_a = model.bodies[run.body_a].tree, tree_b = model.bodies[run.body_b].tree;
  cluster->b = make_endpoint(model, kinematics, run.body_b, p_WO, 1.0, data);
  if (tree_a >= 0 && tree_a == tree_b) {
    // Two bodies of one tree: the relative Jacobian stands in endpoint b.
    add_shifted_jacobian(kinematics, run.body_a, model.trees[tree_a].nv, p_WO, -1.0,
                         data->problem.jacobians.data() + cluster->b.jacobian_begin);
  } else {
    cluster->a = make_endpoint(model, kinematics, run.body_a, p_WO, -1.0, data);
  }
  return p_WO;
}

/// Velocity of a body's surface at a point that does not come from v: prescribed motion, and the belt's
/// velocity without its part along the normal.
Vector3 surface_bias(const Kinematics& kinematics, int body, const Vector3& p_WC, const Vector3& n) {
  const Vector3& belt = kinematics.surface_velocity_W[body];
  return kinematics.bias_twist[body].at(p_WC - kinematics.X_WB[body].p) + (belt - belt.dot(n) * n);
}

/// What the chords of prescribed motions add to the velocity of b minus a, m/s. A body that sticks to a
/// support that turns goes with it when the velocity of its centre of mass O is that of the chord of the
/// support's material point at O. For two that prescribed motions carry one O serves for both, so that bodies
/// on one support see none of it.
Vector3 chord_bias(const Model& model, const Kinematics& kinematics, const StepData::Run& run) {
  const auto turns = [&](int body) { return !kinematics.bias_twist[body].w.isZero(0.0); };
  if (!turns(run.body_a) && !turns(run.body_b)) return Vector3::Zero();
  const bool takes_b =
      model.bodies[run.body_b].tree >= 0 && (model.bodies[run.body_a].tree < 0 || !turns(run.body_b));
  const int partner = takes_b ? run.body_b : run.body_a;
  const Vector3 p_WO = kinematics.X_WB[partner] * model.bodies[partner].mass.com;
  return chord_velocity(kinematics, run.body_b, p_WO) - chord_velocity(kinematics, run.body_a, p_WO);
}

/// What the points of all kinds share. The chord's part along the normal is left out: the gap is measured
/// again in each step, and the surface of a spinning roller does not move along its normal.
void fill_contact(const Kinematics& kinematics, const StepData::Run& run, const PairRule& rule,
                  const Vector3& p_WC, const Vector3& normal, const Vector3& p_WO, const Vector3& chord,
                  int source, int i, ConvexProblem* problem) {
  ContactColumns& c = problem->contacts;
  c.normal.set(i, normal);
  c.arm.set(i, p_WC - p_WO);
  c.bias.set(i, surface_bias(kinematics, run.body_b, p_WC, normal) -
                    surface_bias(kinematics, run.body_a, p_WC, normal) + chord - chord.dot(normal) * normal);
  c.friction[i] = rule.friction;
  c.dissipation[i] = rule.dissipation;
  c.relaxation_time[i] = rule.relaxation_time;
  c.hertz_stiffness[i] = rule.hertz_stiffness;
  problem->source[i] = source;
}

void fill_contacts(const Model& model, const Kinematics& kinematics, const StepData::Run& run,
                   const ContactSet& contacts, const Vector3& p_WO, const ContactCluster& cluster,
                   bool takes_chords, ConvexProblem* problem) {
  ContactColumns& c = problem->contacts;
  const Vector3 chord = takes_chords ? chord_bias(model, kinematics, run) : Vector3::Zero();
  int i = cluster.contacts.begin;
  for (int k = run.point_begin; k < run.point_end; ++k, ++i) {
    const PointContact& point = contacts.points[k];
    const PairRule& rule = rule_of(model, point.geometry_a, point.geometry_b);
    fill_contact(kinematics, run, rule, point_position(point, rule.weight_a), point.normal, p_WO, chord, k, i,
                 problem);
    c.phi0[i] = point.phi;
    c.stiffness[i] = rule.stiffness;
    c.elastic_force0[i] = point.phi == 0.0 ? 0.0 : -rule.stiffness * point.phi;
  }
  const int num_points = static_cast<int>(contacts.points.size());
  for (int p = run.patch_begin; p < run.patch_end; ++p) {
    const ContactPatch& patch = contacts.patches[p];
    const PairRule& rule = rule_of(model, patch.geometry_a, patch.geometry_b);
    for (int k = patch.point_begin; k < patch.point_end; ++k, ++i) {
      const FacePoint& point = contacts.face_points[k];
      const double g = contacts.surface.gradient[point.face];
      fill_contact(kinematics, run, rule, point.point, contacts.surface.normal[point.face], p_WO, chord,
                   num_points + k, i, problem);
      c.phi0[i] = g == 0.0 ? 0.0 : -point.pressure / g;
      c.stiffness[i] = g * point.area;
      c.elastic_force0[i] = point.area * point.pressure;
    }
  }
}

/// The island's unique pairs of trees, sorted by (col, row), and each cluster's place among them.
void fill_edges(Island* island, ConvexProblem* problem) {
  const auto edge_of = [&](const ContactCluster& cluster) {
    const int a = cluster.a.tree - island->tree_begin, b = cluster.b.tree - island->tree_begin;
    return BlockEdge{std::max(a, b), std::min(a, b)};
  };
  std::vector<BlockEdge>& edges = problem->edges;
  island->edge_begin = static_cast<int>(edges.size());
  for (int k = island->cluster_begin; k < island->cluster_end; ++k) {
    const ContactCluster& cluster = problem->clusters[k];
    if (cluster.a.tree >= 0 && cluster.b.tree >= 0) edges.push_back(edge_of(cluster));
  }
  const auto& terms = problem->rows.terms;
  for_each_row_edge(*problem, *island, [&](int, TermRange p, TermRange q) {
    edges.push_back({terms[p.begin].tree - island->tree_begin, terms[q.begin].tree - island->tree_begin});
  });
  std::sort(edges.begin() + island->edge_begin, edges.end());
  edges.erase(std::unique(edges.begin() + island->edge_begin, edges.end()), edges.end());
  island->edge_end = static_cast<int>(edges.size());
  for (int k = island->cluster_begin; k < island->cluster_end; ++k) {
    ContactCluster& cluster = problem->clusters[k];
    if (cluster.a.tree < 0 || cluster.b.tree < 0) continue;
    const auto begin = edges.begin() + island->edge_begin;
    cluster.edge = static_cast<int>(std::lower_bound(begin, edges.end(), edge_of(cluster)) - begin);
    cluster.b_is_row = cluster.b.tree > cluster.a.tree;
  }
}

/// Normal velocities at the start of the step.
void fill_start_velocities(const State& state, StepData* data) {
  ConvexProblem& problem = data->problem;
  gather_velocities(problem, state.v, &problem.v0);
  ContactVelocities& v_c = data->start_velocities;
  v_c.resize(problem.num_contacts());
  constexpr double kCost = 0.33;  // us, of an island of a few contacts
  for_shares(data->workers, static_cast<int>(problem.islands.size()), kCost, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) contact_velocities(problem, problem.islands[k], problem.v0, true, &v_c);
  });
  std::copy(v_c.normal.begin(), v_c.normal.end(), problem.contacts.v_n0.begin());
}

}  // namespace

Vector3 contact_position(const Model& model, const ContactSet& contacts, int k) {
  const int num_points = static_cast<int>(contacts.points.size());
  if (k >= num_points) return contacts.face_points[k - num_points].point;
  const PointContact& point = contacts.points[k];
  return point_position(point, rule_of(model, point.geometry_a, point.geometry_b).weight_a);
}

void choose_contact_law(const ContactSpec& spec, ConvexProblem* problem) {
  problem->law = find_contact_law(spec.model, spec.normal);
  CSIM_REQUIRE(problem->law != nullptr, static_cast<int>(spec.model), static_cast<int>(spec.normal));
  problem->law_parameters = {spec.stiction_tolerance,  spec.sigma,
                             spec.regularise_stiction, spec.near_rigid,
                             spec.barrier_stiffness,   spec.barrier_thickness};
}

void build_contact_problem(const Model& model, const Kinematics& kinematics, const State& state,
                           const ContactSet& contacts, StepData* data) {
  ConvexProblem& problem = data->problem;
  CSIM_REQUIRE(problem.law != nullptr);
  separate_trees(model, data);
  find_runs(model, contacts, data);
  join_row_trees(data);
  lay_out_trees(model, data);
  lay_out_clusters(model, data);
  lay_out_rows(model, data);
  problem.jacobians.clear();
  problem.edges.clear();
  data->path_bias.clear();
  data->support_bias.clear();
  const int num_clusters = static_cast<int>(problem.clusters.size());
  data->reference.resize(num_clusters);
  const auto run = [&](int k) -> const StepData::Run& { return data->runs[data->order[k]]; };
  for (int k = 0; k < num_clusters; ++k)
    data->reference[k] = fill_endpoints(model, kinematics, run(k), contacts, data, &problem.clusters[k]);
  constexpr double kCost = 0.2;  // us, of a pair of bodies
  for_shares(data->workers, num_clusters, kCost, [&](int begin, int end) {
    for (int k = begin; k < end; ++k)
      fill_contacts(model, kinematics, run(k), contacts, data->reference[k], problem.clusters[k],
                    data->takes_chords, &problem);
  });
  for (Island& island : problem.islands) fill_edges(&island, &problem);
  fill_start_velocities(state, data);
}

void set_step(double h, const FreeMotion& free_motion, const Model& model, StepData* data) {
  ConvexProblem& problem = data->problem;
  for (const ProblemTree& tree : problem.trees) {
    const double* const block = free_motion.A.data() + model.trees[tree.model_tree].block_begin;
    std::copy(block, block + tree.nv * tree.nv, problem.A.begin() + tree.A_begin);
    problem.v_star.segment(tree.v_begin, tree.nv) = free_motion.v_star.segment(tree.model_v_begin, tree.nv);
  }
  prepare_step(h, &problem, data->workers);
}

}  // namespace csim
