// Files of the layout csim-trajectory/1: what is wrong with them is told by dataset, file and line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "audit/audit.h"
#include "audit/read_trajectory.h"
#include "record/errors.h"

namespace csim::audit {
namespace {

Array numbers(const std::vector<long>& shape, const std::vector<double>& values) {
  return {.shape = shape, .values = values};
}

/// A ball at rest on the world, two steps of 0.1 s.
Arrays resting_ball() {
  Arrays all{.file = "ball.h5"};
  all.arrays["/time"] = numbers({3}, {0.0, 0.1, 0.2});
  all.arrays["/gravity"] = numbers({3}, {0.0, 0.0, -10.0});
  all.arrays["/body/name"] = {.shape = {1}, .texts = {"ball"}, .is_text = true};
  all.arrays["/body/mass"] = numbers({1}, {2.0});
  all.arrays["/body/inertia"] = numbers({1, 6}, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0});
  all.arrays["/trajectory/position"] = numbers({3, 1, 3}, std::vector<double>(9, 0.0));
  all.arrays["/trajectory/velocity"] = numbers({3, 1, 3}, std::vector<double>(9, 0.0));
  all.arrays["/trajectory/angular_velocity"] = numbers({3, 1, 3}, std::vector<double>(9, 0.0));
  all.arrays["/trajectory/quaternion"] = numbers({3, 1, 4}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  all.arrays["/contact/row_offset"] = numbers({4}, {0, 0, 1, 2});
  all.arrays["/contact/body_a"] = numbers({2}, {-1, -1});
  all.arrays["/contact/body_b"] = numbers({2}, {0, 0});
  all.arrays["/contact/point"] = numbers({2, 3}, {0, 0, -1, 0, 0, -1});
  all.arrays["/contact/normal"] = numbers({2, 3}, {0, 0, 1, 0, 0, 1});
  all.arrays["/contact/impulse"] = numbers({2, 3}, {0, 0, 2, 0, 0, 2});
  return all;
}

std::string fault_of(const Arrays& arrays) {
  try {
    (void)make_trajectory(arrays);
  } catch (const InvalidResultError& error) {
    return error.what();
  }
  return "";
}

TEST(Layout, ATrajectoryIsWhatTheFileHolds) {
  const Trajectory t = make_trajectory(resting_ball());
  ASSERT_EQ(t.rows(), 3u);
  EXPECT_EQ(t.bodies[0].inertia.diagonal(), Vector3(0.1, 0.2, 0.3));
  ASSERT_EQ(t.contacts[1].size(), 1u);
  EXPECT_EQ(t.contacts[2][0].impulse, Vector3(0.0, 0.0, 2.0));
  EXPECT_TRUE(std::isnan(t.contacts[2][0].gap));
  EXPECT_TRUE(audit(t, {}).holds());
}

// What the contacts are is not told, that there are some is: the pairs judge the momentum of every step.
TEST(Layout, PairsWithoutContactsTellTheMomentum) {
  Arrays arrays = resting_ball();
  for (const char* name : {"row_offset", "body_a", "body_b", "impulse"})
    arrays.arrays[std::string("/pair/") + name] = arrays.arrays[std::string("/contact/") + name];
  std::erase_if(arrays.arrays, [](const auto& entry) { return entry.first.starts_with("/contact/"); });
  const Trajectory t = make_trajectory(arrays);
  const Report report = audit(t, {});
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(report.verdicts[0].findings.judged, 2);  // linear_momentum, of two steps
  EXPECT_EQ(report.verdicts[1].why_not, "the file holds no contacts (/contact)");
}

struct Fault {
  const char* name;
  void (*change)(Arrays*);
  const char* message;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

class LayoutFault : public testing::TestWithParam<Fault> {};

TEST_P(LayoutFault, IsNamed) {
  Arrays arrays = resting_ball();
  GetParam().change(&arrays);
  EXPECT_EQ(fault_of(arrays), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LayoutFault,
    testing::Values(
        Fault{"Missing", [](Arrays* a) { a->arrays.erase("/body/mass"); },
              "ball.h5: /body/mass: is missing, expected by csim-trajectory/1"},
        Fault{"MissingOfAGroup", [](Arrays* a) { a->arrays.erase("/contact/normal"); },
              "ball.h5: /contact/normal: is missing, expected by csim-trajectory/1"},
        Fault{"Shape",
              [](Arrays* a) {
                a->arrays["/trajectory/velocity"].shape = {3, 3};
              },
              "ball.h5: /trajectory/velocity: has the shape [3, 3], expected [3, 1, 3]"},
        Fault{"Text", [](Arrays* a) { a->arrays["/body/mass"].is_text = true; },
              "ball.h5: /body/mass: is text, expected numbers"},
        Fault{"NaN", [](Arrays* a) { a->arrays["/trajectory/velocity"].values[4] = NAN; },
              "ball.h5: /trajectory/velocity: entry 4 is .nan, expected a number"},
        Fault{"Body", [](Arrays* a) { a->arrays["/contact/body_b"].values[1] = 1.0; },
              "ball.h5: /contact/body_b: entry 1 is 1, expected -1 (world) to 0"},
        Fault{"Same", [](Arrays* a) { a->arrays["/contact/body_a"].values[1] = 0.0; },
              "ball.h5: /contact/body_b: entry 1 is 0, as body_a: a body has no contact with itself"},
        Fault{"Whole", [](Arrays* a) { a->arrays["/contact/body_a"].values[1] = -0.5; },
              "ball.h5: /contact/body_a: entry 1 is -0.5, expected a whole number"},
        Fault{"Offsets",
              [](Arrays* a) {
                a->arrays["/contact/row_offset"].values = {0, 0, 3, 2};
              },
              "ball.h5: /contact/row_offset: entry 2 is 3, expected ascending numbers up to 2"},
        Fault{
            "RowZero",
            [](Arrays* a) {
              a->arrays["/contact/row_offset"].values = {0, 1, 1, 2};
            },
            "ball.h5: /contact/row_offset: entry 1 is 1, expected 0: the initial state, row 0, ends no step"},
        Fault{"Normal", [](Arrays* a) { a->arrays["/contact/normal"].values[5] = 2.0; },
              "ball.h5: /contact/normal: row 1 has the length 2, expected a unit vector, or NaN"},
        Fault{"Time", [](Arrays* a) { a->arrays["/time"].values[2] = 0.1; },
              "ball.h5: /time: row 2 is 0.1 after 0.1, expected ascending times (s)"},
        Fault{"Mass", [](Arrays* a) { a->arrays["/body/mass"].values[0] = -2.0; },
              "ball.h5: /body/mass: of body 'ball' is -2, expected > 0 (kg)"},
        Fault{
            "Motion",
            [](Arrays* a) { a->arrays["/body/motion"] = {.shape = {1}, .texts = {"fre"}, .is_text = true}; },
            "ball.h5: /body/motion: entry 0 is 'fre', expected free, held or prescribed (did you mean "
            "'free'?)"}),
    [](const auto& info) { return std::string(info.param.name); });

class CsvFolder : public testing::Test {
 protected:
  CsvFolder()
      : folder_(std::filesystem::temp_directory_path() / ("csim_audit_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    write("bodies.csv",
          "name,mass,inertia_xx,inertia_yy,inertia_zz,inertia_xy,inertia_xz,inertia_yz\nball,2,0.1,0.2,0.3,0,"
          "0,0\n");
    write("settings.csv", "gravity_x,gravity_y,gravity_z,program\n0,0,-10,\"mine, 1.0\"\n");
    write("motion.csv",
          "time,body,position_x,position_y,position_z,quaternion_w,quaternion_x,quaternion_y,quaternion_z,"
          "velocity_x,"
          "velocity_y,velocity_z,angular_velocity_x,angular_velocity_y,angular_velocity_z\n"
          "0,ball,0,0,0,1,0,0,0,0,0,0,0,0,0\n0.1,ball,0,0,0,1,0,0,0,0,0,0,0,0,0\n");
    write("contacts.csv",
          "time,body_a,body_b,point_x,point_y,point_z,normal_x,normal_y,normal_z,impulse_x,impulse_y,impulse_"
          "z\n"
          "0.1,world,ball,0,0,-1,0,0,1,0,0,2\n");
  }
  ~CsvFolder() override { std::filesystem::remove_all(folder_); }
  void write(const char* name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  [[nodiscard]] std::string fault() const {
    try {
      (void)make_trajectory(read_csv_arrays(folder_.string()));
    } catch (const InvalidResultError& error) {
      return std::string(error.what()).substr(folder_.string().size() + 1);
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(CsvFolder, IsReadAsTheSame) {
  const Trajectory t = read_trajectory(folder_.string());
  EXPECT_EQ(t.program, "mine, 1.0");
  EXPECT_EQ(t.bodies[0].mass, 2.0);
  EXPECT_EQ(t.gravity, Vector3(0.0, 0.0, -10.0));
  ASSERT_EQ(t.contacts[1].size(), 1u);
  EXPECT_EQ(t.contacts[1][0].a, kWorld);
  EXPECT_TRUE(audit(t, {}).holds());
}

TEST_F(CsvFolder, NamesWhatIsWrong) {
  write("contacts.csv", "time,body_a,body_b,point_x\n0.1,world,bal,0\n");
  EXPECT_EQ(fault(),
            "contacts.csv:2: body_b: 'bal' is no body of bodies.csv, nor world (did you mean 'ball'?)");
  write("contacts.csv", "time,body_a,body_b,point_x\n0.3,world,ball,0\n");
  EXPECT_EQ(fault(), "contacts.csv:2: time: 0.3 is no time of motion.csv");
  write("contacts.csv", "time,body_a,body_b,pont_x\n");
  EXPECT_EQ(fault(), "contacts.csv:1: 'pont_x' is no column of it (did you mean 'point_x'?)");
  write("contacts.csv", "time,body_a,body_b,gap\n0.1,world,ball\n");
  EXPECT_EQ(fault(), "contacts.csv:2: has 3 fields, expected 4");
  write("contacts.csv", "time,body_a,body_b,gap\n0.1,world,ball,no\n");
  EXPECT_EQ(fault(), "contacts.csv:2: gap: 'no', expected a number");
  write("contacts.csv", "time,body_a,body_b,gap\n\n0.1,world,ball,0\n\n\n0.1,world,ball,no\n");
  EXPECT_EQ(fault(), "contacts.csv:6: gap: 'no', expected a number");
}

TEST_F(CsvFolder, NamesTellBodiesApart) {
  const std::string inertia = "mass,inertia_xx,inertia_yy,inertia_zz,inertia_xy,inertia_xz,inertia_yz\n";
  const std::string numbers = ",2,0.1,0.2,0.3,0,0,0\n";
  write("bodies.csv", "name," + inertia + "ball" + numbers + "\nbox" + numbers + "ball" + numbers);
  EXPECT_EQ(fault(), "bodies.csv:5: name: 'ball' is that of the body of line 2, expected another name");
  write("bodies.csv", "name," + inertia + "ball" + numbers + "world" + numbers);
  EXPECT_EQ(fault(), "bodies.csv:3: name: 'world' is that of the world, expected another name");
  write("bodies.csv", inertia + numbers.substr(1));
  EXPECT_EQ(fault(), "bodies.csv:1: has no column 'name'");
}

TEST_F(CsvFolder, TwoQuotesWithinQuotesAreOne) {
  write("settings.csv", "program,step\n\"\"\"mine\"\", 1.0\",\"\"\n");
  EXPECT_EQ(fault(), "settings.csv:2: step: '', expected a number");
  write("settings.csv", "program\n\"\"\"mine\"\", 1.0\"\n");
  EXPECT_EQ(read_trajectory(folder_.string()).program, "\"mine\", 1.0");
}

}  // namespace
}  // namespace csim::audit
