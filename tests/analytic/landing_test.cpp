// Triangle meshes that land, tumble and roll on a plane: no vertex penetrates, not even one that was not
// offered at the start of a step.
#include <algorithm>
#include <limits>
#include <sstream>

#include <Eigen/Dense>

#include "support/simulation.h"
#include "support/source_folder.h"

namespace csim::testing_support {
namespace {

// At 5 ms the bound below is, with 64 springs of a flat side, above all the energy there is.
constexpr double kStep = 2.5e-3, kStiffness = 1e6, kGravity = 9.81;  // s; N/m, of the pair; m/s^2

/// A mesh of scenes/mesh_pile above a plane that is turned about y.
struct Landing {
  std::string name, mesh;
  double slope;                      // rad
  Vector3 position, velocity, spin;  // m, m/s, rad/s
};

void PrintTo(const Landing& landing, std::ostream* out) {
  *out << landing.name;
}

std::string scene_of(const Landing& landing) {
  std::ostringstream text;
  text.precision(17);
  const auto list = [](const Vector3& x) {
    std::ostringstream out;
    out.precision(17);
    out << "[" << x[0] << ", " << x[1] << ", " << x[2] << "]";
    return out.str();
  };
  text << "csim: 1\ngravity: [0, 0, -" << kGravity << "]\ntime: {step: " << kStep << ", end: 10}\n"
       << "materials:\n"
       << "  body: {friction: 0.5, stiffness: " << kStiffness
       << ", hunt_crossley_dissipation: 0, relaxation_time: 0}\n"
       << "  wall: {friction: 0.5, stiffness: rigid, hunt_crossley_dissipation: 0, relaxation_time: 0}\n"
       << "solver: {tolerance: 1.0e-10}\nbodies:\n"
       << "  - {name: ground, fixed: true, pose: {rpy: [0, " << landing.slope
       << ", 0]}, geometry: [{shape: half_space, material: wall}]}\n"
       << "  - name: it\n    density: 1000\n    pose: {xyz: " << list(landing.position)
       << ", rpy_deg: [35, 20, 10]}\n    velocity: {linear: " << list(landing.velocity)
       << ", angular: " << list(landing.spin)
       << "}\n    geometry: [{shape: mesh, file: " << test::source_folder() << "/scenes/mesh_pile/"
       << landing.mesh << ".obj, material: body}]\n";
  return text.str();
}

class LandingMesh : public testing::TestWithParam<std::tuple<Landing, const char*>> {};

// The contacts of a step promise gaps at its end. A vertex that none of them stands for ends no deeper than
// the deepest of these, D, but for delta:
//  - how much deeper a point may be left, a twentieth of twice h^2 g, and
//  - the way of a point at r from the centre in a step beside the straight line of its velocity: a turn by
//    2 atan(wh/2) about w ends within 1/2 (wh)^2 r of it.
// Energy comes from nothing, then, where the next step finds springs, N of depth D + delta at most, with more
// in them than this one has left there; and from the gyroscopic moment b = w x I w, which is that of the
// start of the step: M (v - v0) = f - h b adds 1/2 h^2 b I^-1 b, and takes 1/2 f M^-1 f.
TEST_P(LandingMesh, NoVertexEntersUnforeseenAndNoEnergyComesFromNothing) {
  const auto& [landing, model] = GetParam();
  Simulation s(scene_of(landing), {std::string("contact.model=") + model});
  const int it = s.body("it");
  const MassProperties& mass = s.model.bodies[it].mass;
  const auto& vertices = std::get<Mesh>(s.model.geometries.back().shape).mesh->vertices;
  double radius = 0.0;
  for (const Vector3& p : vertices) radius = std::max(radius, p.norm());
  const Vector3 up(std::sin(landing.slope), 0, std::cos(landing.slope));
  const double start = s.frame.energy.total + mass.mass * kGravity;  // above any energy a metre below
  const double left = 0.1 * kStep * kStep * kGravity;
  const auto off_the_line = [&](const Vector3& w) { return 0.5 * kStep * kStep * w.squaredNorm() * radius; };
  const auto gained = [](const EnergyRow& e) {
    return e.normal_overlap_gain + e.scheme_mass_matrix + e.balance_error;
  };
  double deepest = 0.0, largest_bound = 0.0;
  int landed = 0;
  for (int n = 0; n < 600; ++n) {
    const double before = gained(s.frame.energy), springs = s.frame.energy.elastic;
    const Vector3 center = s.position("it");
    const Matrix3 R = s.frame.quaternion[it].toRotationMatrix();
    const Vector3 w0 = s.angular_velocity("it");
    const double promised_before = deepest;
    ASSERT_NO_FATAL_FAILURE(s.step());
    const Vector3 v = s.velocity("it"), w = s.angular_velocity("it");
    deepest = 0.0;
    for (const PointContact& c : s.stepper->contacts().points)
      deepest = std::min(deepest, c.phi + kStep * c.normal.dot(v + w.cross(c.p_b - center)));
    double end = 0.0;
    for (const Vector3& p : vertices)
      end = std::min(end, up.dot(s.position("it") + s.frame.quaternion[it].toRotationMatrix() * p));
    // Rounding: 1e-12 m, of a metre.
    EXPECT_GE(end, deepest - left - off_the_line(w) - 1e-12) << "step " << n + 1;
    landed += end < 0.0 ? 1 : 0;

    const double depth = left + off_the_line(w0) - promised_before;  // that this step may have found
    const Matrix3 I = R * mass.inertia * R.transpose();
    const Vector3 b = w0.cross(I * w0);
    const double num_contacts = s.stepper->contacts().size();
    const double from_springs = std::max(0.0, 0.5 * kStiffness * num_contacts * depth * depth - springs);
    const double bound = from_springs + 0.5 * kStep * kStep * b.dot(I.ldlt().solve(b));
    // The solver's tolerance, 1e-10 of the momentum, with a hundred to spare.
    EXPECT_LE(gained(s.frame.energy) - before, bound + 1e-8 * start) << "step " << n + 1;
    if (num_contacts > 0) largest_bound = std::max(largest_bound, bound);
    EXPECT_LE(num_contacts, 64);  // the corners of a flat side
  }
  EXPECT_GT(landed, 20);
  EXPECT_GT(start, largest_bound);  // or it would hold nothing
}

INSTANTIATE_TEST_SUITE_P(
    All, LandingMesh,
    testing::Combine(testing::Values(Landing{"gear", "gear", 0.0, {0, 0, 0.15}, {1, 0, -2}, {2, 9, 3}},
                                     Landing{"bone", "bone", 0.0, {0, 0, 0.15}, {1, 0, -2}, {15, 20, 3}},
                                     Landing{"blob", "blob", 0.35, {0, 0, 0.08}, {0, 0, 0}, {0, 0, 0}},
                                     Landing{"ring", "ring", 0.2, {0, 0, 0.1}, {0.5, 0, -1}, {0, 8, 4}}),
                     testing::Values("lagged", "similar", "sap")),
    [](const auto& info) { return std::get<0>(info.param).name + "_" + std::get<1>(info.param); });

}  // namespace
}  // namespace csim::testing_support
