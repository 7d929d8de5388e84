// Tables: names of columns, and numbers that read back to the same bits.
#include "export/csv_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "record/errors.h"

namespace csim {
namespace {

using ::testing::ElementsAre;

std::string file_in_tests_folder(const std::string& name) {
  return ::testing::TempDir() + name;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(CsvTableTest, NamesOfColumns) {
  EXPECT_THAT(column_names("phi", 1, {"m"}), ElementsAre("phi [m]"));
  EXPECT_THAT(column_names("force", 3, {"N"}), ElementsAre("force_x [N]", "force_y [N]", "force_z [N]"));
  EXPECT_THAT(column_names("q", 4, {"1"}), ElementsAre("q_w [1]", "q_x [1]", "q_y [1]", "q_z [1]"));
  EXPECT_THAT(column_names("v", 2, {"rad/s", "m/s"}), ElementsAre("v_0 [rad/s]", "v_1 [m/s]"));
}

TEST(CsvTableTest, NumbersReadBackToTheSameBits) {
  const std::string path = file_in_tests_folder("csim_numbers.csv");
  std::vector<double> values = {
      0.0, -0.0, 0.1, 1.0 / 3.0, 1e23, 5e-324, std::numeric_limits<double>::max(), 1e-5, 123456, 2e9, -1e100};
  std::mt19937_64 rng(3);
  while (values.size() < 2000) {
    const double value = std::bit_cast<double>(rng());
    if (std::isfinite(value)) values.push_back(value);
  }
  CsvTable table(path, {"value [1]", "name"});
  for (const double value : values) {
    table.number(value).text("a");
    table.end_row();
  }
  table.close();
  EXPECT_EQ(table.num_rows(), static_cast<long>(values.size()));
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), values.size() + 1);
  EXPECT_EQ(lines[0], "value [1],name");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& line = lines[i + 1];
    char* rest = nullptr;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(line.c_str(), &rest)),
              std::bit_cast<std::uint64_t>(values[i]))
        << line;
    EXPECT_STREQ(rest, ",a");
  }
  std::filesystem::remove(path);
}

TEST(CsvTableTest, WhatIsNoNumberIsAsPythonReadsIt) {
  const std::string path = file_in_tests_folder("csim_no_numbers.csv");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CsvTable table(path, {"a", "b", "c"});
  table.numbers(std::vector{std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity});
  table.end_row();
  table.close();
  EXPECT_THAT(lines_of(path), ElementsAre("a,b,c", "nan,inf,-inf"));
  std::filesystem::remove(path);
}

TEST(CsvTableTest, WithoutCloseThereIsNoFile) {
  const std::string path = file_in_tests_folder("csim_unfinished.csv");
  {
    CsvTable table(path, {"a"});
    table.number(1.0).end_row();
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(CsvTable(file_in_tests_folder("no_such_folder/a.csv"), {"a"}), IoError);
}

}  // namespace
}  // namespace csim
