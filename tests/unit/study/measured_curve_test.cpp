// Curves of other programs: reading, and results between their rows.
#include "study/measured_curve.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "record/errors.h"
#include "record/hdf5_output.h"
#include "unit/record/synthetic_run.h"

namespace csim::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Curve line(const std::vector<double>& time, const std::vector<double>& values) {
  Curve curve;
  curve.time = time;
  curve.values = values;
  curve.width = static_cast<long>(values.size() / time.size());
  return curve;
}

TEST(CurveAt, IsLinearBetweenRows) {
  const Curve curve = line({0.0, 1.0, 3.0}, {0.0, 1.0, 2.0, 3.0, 6.0, -1.0});
  EXPECT_THAT(curve_at(curve, {0.5, 1.0, 2.5}).values, ElementsAre(1.0, 2.0, 2.0, 3.0, 5.0, 0.0));
  // A row within 1e-9 s is taken as it is, at the ends too.
  EXPECT_THAT(curve_at(curve, {-5e-10, 3.0 + 5e-10}).values, ElementsAre(0.0, 1.0, 6.0, -1.0));
  for (const double beyond : {-0.1, 3.1})
    EXPECT_TRUE(std::isnan(curve_at(curve, {beyond}).values[0])) << beyond;
}

TEST(CurveAt, TurnsAtConstantSpeedBetweenQuaternions) {
  const auto about_z = [](double angle) {
    return std::vector<double>{std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2)};
  };
  for (const double total : {0.0, 1e-7, 1.0, 3.0}) {
    for (const double sign : {1.0, -1.0}) {  // q and -q are the same rotation
      std::vector<double> values = about_z(0.2);
      for (const double value : about_z(0.2 + total)) values.push_back(sign * value);
      Curve curve = line({0.0, 1.0}, values);
      curve.is_quaternion = true;
      Curve expected = line({0.25}, about_z(0.2 + 0.25 * total));
      expected.is_quaternion = true;
      // Rounding of values of order 1.
      EXPECT_LT(curve_difference(curve_at(curve, {0.25}), expected), 1e-15) << total;
    }
  }
}

TEST(CurveResiduals, HaveTheDifferenceAsTheirNorm) {
  const Curve a = line({0.0, 1.0}, {1.0, 2.0, 3.0, 5.0}), b = line({0.0, 1.0}, {1.0, 0.0, 0.0, 1.0});
  const std::vector<double> all = curve_residuals(a, b);
  EXPECT_THAT(all, ElementsAre(0.0, 2.0 / std::sqrt(2.0), 3.0 / std::sqrt(2.0), 4.0 / std::sqrt(2.0)));
  EXPECT_DOUBLE_EQ(curve_difference(a, b), std::sqrt((4.0 + 9.0 + 16.0) / 2.0));
  EXPECT_TRUE(std::isnan(curve_residuals(a, line({0.0, 2.0}, {0, 0, 0, 0})).at(0)));
}

TEST(CurveResiduals, OfQuaternionsAreTheRotationBetweenThem) {
  // Half a radian about y, then from there to a turn about x by 0.1: in the axes of b, and small ones
  // exactly.
  Curve b = line({0.0}, {std::cos(0.25), 0.0, std::sin(0.25), 0.0});
  b.is_quaternion = true;
  for (const double angle : {0.1, 1e-9}) {
    const double w = std::cos(angle / 2), x = std::sin(angle / 2);
    Curve a = line({0.0}, {w * std::cos(0.25), x * std::cos(0.25), w * std::sin(0.25), -x * std::sin(0.25)});
    a.is_quaternion = true;
    const std::vector<double> all = curve_residuals(a, b);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_NEAR(all[0], angle, 1e-12 * angle + 1e-16);
    EXPECT_NEAR(std::hypot(all[1], all[2]), 0.0, 1e-16);
  }
}

class MeasuredFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder("measured_curve");
    measure_.name = "path";
  }
  std::string write(const std::string& text) {
    const std::string file = folder_ + "toss.csv";
    std::ofstream(file) << text;
    return file;
  }
  std::string fault(const Measured& measured, const RowShape& shape = {2, false}) {
    try {
      static_cast<void>(MeasuredReader().read(measured, measure_, shape));
    } catch (const InvalidResultError& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_;
  Measure measure_;
};

TEST_F(MeasuredFile, OfCsvHasRowsOfOneToss) {
  Measured measured;
  measured.file = write("toss,t,x,y\n1,0,1,2\n2,0,7,7\n\n1,0.5,3,4\n1,1,5,6\n");
  measured.time = "t";
  measured.columns["path"] = {"y", "x"};
  const YamlNode one = parse_yaml("1.0").root;
  measured.where = {{"toss", one, {}}};
  const Curve curve = MeasuredReader().read(measured, measure_, {2, false});
  EXPECT_THAT(curve.time, ElementsAre(0.0, 0.5, 1.0));
  EXPECT_THAT(curve.values, ElementsAre(2, 1, 4, 3, 6, 5));
  measure_.spec.window = {0.4, 0.6};
  EXPECT_THAT(MeasuredReader().read(measured, measure_, {2, false}).values, ElementsAre(4, 3));
  measure_.spec.window = {0.6, 0.7};
  EXPECT_THAT(fault(measured), HasSubstr("has no row in the window with toss: 1.0"));
}

TEST_F(MeasuredFile, FaultsHaveTheirLine) {
  Measured measured;
  measured.columns["path"] = {"x", "y"};
  measured.name = "toss.csv";
  const auto fault_of = [&](const std::string& text) {
    measured.file = write(text);
    return fault(measured);
  };
  const auto source_line_of = [&](const std::string& text) -> std::string {
    measured.file = write(text);
    try {
      static_cast<void>(MeasuredReader().read(measured, measure_, {2, false}));
    } catch (const MeasuredFieldError& error) {
      return error.diagnostic.source_line;
    }
    return "none";
  };
  EXPECT_EQ(fault_of("time,x,y\n0,1,2\n"), "");
  EXPECT_EQ(fault_of("time,x,z\n0,1,2\n"), "toss.csv:1:1: y: no such column");
  EXPECT_EQ(fault_of("tme,x,y\n0,1,2\n"), "toss.csv:1:1: time: no such column (did you mean 'tme'?)");
  EXPECT_EQ(fault_of("time,x,y\n0,1,2\n1,a,3\n"), "toss.csv:3:3: x: 'a', expected a number");
  EXPECT_EQ(fault_of("time,x,y\n0,1,\n"), "toss.csv:2:5: y: nothing, expected a number");
  EXPECT_EQ(fault_of("time,x,y\n0,1,nan\n"), "toss.csv:2:5: y: 'nan', expected a number");
  EXPECT_EQ(fault_of("time,x,y\n0,1,2\n1,2\n"), "toss.csv:3:3: line: has 2 fields, expected 3");
  EXPECT_EQ(fault_of("time,x,y\n0,1,2\n0,1,2\n"), "toss.csv:3:1: time: '0', expected times that rise");
  EXPECT_EQ(fault_of("time,x,y\n"), "toss.csv: has no row");
  EXPECT_EQ(source_line_of("time,x,y\n0,1,2\n1,a,3\n"), "1,a,3");
  measured.file = write("time,x,y\n0,1,2\n");
  EXPECT_EQ(fault(measured, {3, false}), "toss.csv: 2 numbers a row, expected 3 of measure path");
  measured.file = folder_ + "none.csv";
  measured.name = "none.csv";
  EXPECT_THAT(fault(measured), HasSubstr("none.csv: cannot be opened"));
}

TEST_F(MeasuredFile, OfHdf5HasDatasetsOfAGroup) {
  Measured measured;
  measured.is_hdf5 = true;
  measured.file = folder_ + "toss.h5";
  write_hdf5_file(measured.file, true, [](hdf5::File* file) {
    file->create_group("/toss_3");
    file->write_array("/toss_3/time", {2}, std::vector<double>{0.0, 0.1}, {"s"});
    file->write_array("/toss_3/xy", {2, 2}, std::vector<double>{1, 2, 3, 4}, {"m"});
    file->write_array("/toss_3/short", {1, 2}, std::vector<double>{1, 2}, {"m"});
  });
  measured.group = "toss_3";
  measured.columns["path"] = {"xy"};
  const Curve curve = MeasuredReader().read(measured, measure_, {2, false});
  EXPECT_THAT(curve.time, ElementsAre(0.0, 0.1));
  EXPECT_THAT(curve.values, ElementsAre(1, 2, 3, 4));
  measured.columns["path"] = {"short"};
  EXPECT_THAT(fault(measured), HasSubstr("short has 1 rows, expected 2 as of time"));
  measured.group = "/toss_4";
  EXPECT_THAT(fault(measured), HasSubstr("has no dataset /toss_4/time"));
}

}  // namespace
}  // namespace csim::test
