#include "step/quasistatic/quasistatic_failure.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace csim {
namespace {

constexpr double kTakesPart = 1e-3;         // of the largest impulse of a certificate
constexpr double kUnsupported = 1e-6;       // of the largest missing force
constexpr double kRoundedDirection = 1e-9;  // of the largest part of a direction: told as 0
constexpr std::size_t kMostNames = 4;

/// "'a', 'b' and 2 more".
std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
  if (names.size() > kMostNames) text += " and " + std::to_string(names.size() - kMostNames) + " more";
  return text;
}

/// The body whose joint has a coordinate of the tree.
const Body& body_of(const Model& model, const JointCoordinate& coordinate) {
  const std::span<const int> bodies = bodies_of(model, model.trees[coordinate.tree]);
  const auto has_coordinate = [&](int index) {
    const Joint& joint = model.bodies[index].joint;
    return coordinate.v >= joint.v_begin && coordinate.v < joint.v_begin + joint.nv;
  };
  return model.bodies[*std::find_if(bodies.begin(), bodies.end(), has_coordinate)];
}

/// "contacts, constraint 'a' and 2 more".
std::string list(const std::vector<std::string>& things) {
  std::string text;
  for (std::size_t i = 0; i < std::min(things.size(), kMostNames); ++i)
    text += (i == 0 ? "" : ", ") + things[i];
  if (things.size() > kMostNames) text += " and " + std::to_string(things.size() - kMostNames) + " more";
  return text;
}

/// The name of the constraint that has a row, an index among those of all constraints.
const std::string& constraint_of(const Model& model, int row) {
  for (const BodyPair& pair : model.body_pairs)
    if (row >= pair.index && row < pair.index + static_cast<int>(pair.rows.size()))
      return model.constraint_names[static_cast<std::size_t>(pair.constraint)];
  const auto is_of = [&](const CoordinateRow& one) {
    return one.owner == RowOwner::kConstraint && one.index == row;
  };
  return model.constraint_names[static_cast<std::size_t>(
      std::find_if(model.rows.begin(), model.rows.end(), is_of)->constraint)];
}

/// "constraint 'name'" or "actuator 'name'".
std::string name_of(const Model& model, const QuasistaticGroup& group) {
  if (group.constraint >= 0) return "constraint '" + constraint_of(model, group.constraint) + "'";
  return "actuator '" + model.actuators[static_cast<std::size_t>(group.drive)].name + "'";
}

std::string describe_squeeze(const Model& model, const ContactSet& contacts,
                             const QuasistaticProblem& problem, const SqueezeCertificate& certificate,
                             bool by_friction, std::vector<Event>* events) {
  // The passive tree that the certificate presses most, and in it the body of the largest impulse; its
  // contacts, and those of the tree with others, name what it is squeezed between.
  std::vector<double> pressure(model.trees.size(), 0.0), impulse(problem.groups.size(), 0.0);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    impulse[i] = pressing_impulse(problem, group, certificate.y);
    for_each_tree(problem, group, [&](int tree, int /*jacobian*/) {
      pressure[tree] += impulse[i] * (has_passive(problem, tree) ? 1.0 : 1e-3);
    });
  }
  const auto tree = static_cast<int>(std::max_element(pressure.begin(), pressure.end()) - pressure.begin());
  const double least = kTakesPart * *std::max_element(impulse.begin(), impulse.end());
  int largest = -1;
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const bool is_of_tree = problem.groups[i].is_contact() && is_moved_by(problem, problem.groups[i], tree);
    if (is_of_tree && impulse[i] >= least && (largest < 0 || impulse[i] > impulse[largest]))
      largest = static_cast<int>(i);
  }
  int body = bodies_of(model, model.trees[tree]).front();
  if (largest >= 0) {
    const PointContact& contact = contacts.points[problem.groups[largest].contact];
    body = model.bodies[contact.body_a].tree == tree ? contact.body_a : contact.body_b;
  }
  std::vector<std::string> others;
  const auto add_other = [&](const std::string& name) {
    if (std::find(others.begin(), others.end(), name) == others.end()) others.push_back(name);
  };
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    if (impulse[i] < least || !is_moved_by(problem, group, tree)) continue;
    if (group.constraint >= 0) {
      add_other("constraint " + constraint_of(model, group.constraint));
      continue;
    }
    if (group.contact < 0) {
      add_other("limit of joint of body " + body_of(model, model.rows[group.limit].terms[0].coordinate).name);
      continue;
    }
    const PointContact& contact = contacts.points[group.contact];
    const bool a_is_of_tree = model.bodies[contact.body_a].tree == tree,
               b_is_of_tree = model.bodies[contact.body_b].tree == tree;
    if (a_is_of_tree && b_is_of_tree && contact.body_a != body && contact.body_b != body) continue;
    const bool is_a = b_is_of_tree ? contact.body_a == body : a_is_of_tree;
    add_other(model.geometries[is_a ? contact.geometry_b : contact.geometry_a].name);
  }
  Event event{EventKind::kSqueezed, -1, -1, certificate.overlap};
  if (largest >= 0) {
    const PointContact& contact = contacts.points[problem.groups[largest].contact];
    event.subject_a = contact.geometry_a;
    event.subject_b = contact.geometry_b;
  }
  add_event(event, events);
  std::ostringstream text;
  text << std::setprecision(3) << "body '" << model.bodies[body].name << "' is squeezed by "
       << certificate.overlap << " m between " << join(others)
       << (by_friction ? ": it is jammed by friction" : ": no motion of the step resolves the overlap");
  return text.str();
}

std::string describe_support(const Model& model, const QuasistaticProblem& problem,
                             const SupportCertificate& certificate, std::vector<Event>* events) {
  double most = 0.0;
  for (const double f : certificate.missing) most = std::max(most, std::abs(f));
  std::vector<std::string> names;
  const Body* worst = nullptr;
  double worst_force = 0.0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Joint& joint = model.bodies[b].joint;
    double force = 0.0;
    for (int k = joint.v_begin; k < joint.v_begin + joint.nv; ++k)
      force = std::max(force, std::abs(certificate.missing[k]));
    if (!(force > kUnsupported * most)) continue;
    names.push_back(model.bodies[b].name);
    add_event({EventKind::kUnsupported, static_cast<int>(b), -1, force}, events);
    if (force > worst_force) worst = &model.bodies[b], worst_force = force;
  }
  const int tree = worst->tree;
  std::vector<std::string> holders;  // contacts as one, constraints and drives by name
  for (const QuasistaticGroup& group : problem.groups) {
    if (!is_moved_by(problem, group, tree) || group.limit >= 0) continue;
    const std::string holder = group.is_contact() ? "contacts" : name_of(model, group);
    if (std::find(holders.begin(), holders.end(), holder) == holders.end()) holders.push_back(holder);
  }
  std::ostringstream text;
  text << std::setprecision(3);
  if (!holders.empty()) {
    VectorX direction =
        Eigen::Map<const VectorX>(certificate.direction.data() + worst->joint.v_begin, worst->joint.nv);
    direction /= direction.cwiseAbs().maxCoeff();
    direction = (direction.array().abs() < kRoundedDirection).select(0.0, direction);
    text << "body '" << worst->name << "' is pushed without limit along ("
         << direction.transpose().format(Eigen::IOFormat(3, Eigen::DontAlignCols, ", ", ", "))
         << ") of its velocities: its " << list(holders) << " leave " << worst_force
         << " N or N m of gravity unbalanced"
         << (holders.front() == "contacts" ? " within their friction" : "");
  } else {
    text << "body '" << worst->name
         << "' is unsupported: no contact within integrator.contact_threshold carries " << worst_force
         << " N or N m of gravity";
  }
  if (names.size() > 1) text << " (bodies without balance: " << join(names) << ")";
  text << "; integrator.mass: full or scaled gives it inertia";
  return text.str();
}

}  // namespace

std::string describe_ambiguity(const Model& model, const ContactSet& contacts,
                               const QuasistaticProblem& problem, const AmbiguousForce& ambiguous) {
  const QuasistaticGroup& group = problem.groups[ambiguous.group];
  const auto in_world = [&](const Vector3& force) {
    std::ostringstream text;
    text << std::setprecision(3) << "("
         << (group.axes * force).transpose().format(Eigen::IOFormat(3, Eigen::DontAlignCols, ", ", ", "))
         << ")";
    return text.str();
  };
  std::ostringstream text;
  text << std::setprecision(3) << "the commanded motion does not determine the contact forces: ";
  if (group.contact < 0) {
    text << "the limit of the joint of body '"
         << body_of(model, model.rows[group.limit].terms[0].coordinate).name << "'";
  } else {
    const PointContact& contact = contacts.points[group.contact];
    text << "'" << model.geometries[contact.geometry_a].name << "' and '"
         << model.geometries[contact.geometry_b].name << "'";
  }
  const bool presses = ambiguous.along == Vector3::UnitZ();
  text << (presses ? " may press with " : " may rub with ") << ambiguous.least << " to " << ambiguous.most
       << " N" << (presses ? "" : " along " + in_world(ambiguous.along)) << "; two solutions are "
       << in_world(ambiguous.first) << " and " << in_world(ambiguous.second)
       << " N; problem: lcp with stiffness of the joints determines them, on_ambiguous: flag takes the first";
  return text.str();
}

std::string describe_missing_support(const Model& model, const QuasistaticProblem& problem, double tolerance,
                                     QuasistaticExistence* existence, std::vector<Event>* events) {
  if (max_norm(problem.choice) == 0.0) return "";  // passive bodies have inertia: the cost is bounded
  SupportCertificate support;
  existence->find_missing_support(problem, tolerance, &support);
  return support.found ? describe_support(model, problem, support, events) : "";
}

std::string describe_missing_answer(const Model& model, const ContactSet& contacts,
                                    const QuasistaticProblem& problem, double tolerance,
                                    QuasistaticExistence* existence, std::vector<Event>* events) {
  SqueezeCertificate squeeze;
  existence->find_squeeze(problem, &squeeze);
  if (squeeze.found) return describe_squeeze(model, contacts, problem, squeeze, false, events);
  const std::string unsupported = describe_missing_support(model, problem, tolerance, existence, events);
  if (!unsupported.empty() || !problem.has_coulomb_friction) return unsupported;
  QuasistaticProblem cones = problem;
  cones.has_coulomb_friction = false;  // self-balanced impulses within the friction cones
  existence->find_squeeze(cones, &squeeze);
  return squeeze.found ? describe_squeeze(model, contacts, problem, squeeze, true, events) : "";
}

}  // namespace csim
