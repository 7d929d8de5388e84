// The study file: expansion of `vary`, the committed schema and reference page.
#include "study/read_study.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "study/study_fields.h"
#include "support/source_folder.h"

namespace csim {
namespace {

Study read(const std::string& vary) {
  Diagnostics diagnostics;
  const auto study =
      read_study_text("csim_study: 1\nscene: scene.yaml\nvary:\n" + vary, "study.yaml", {}, &diagnostics);
  EXPECT_EQ(format_diagnostics(diagnostics), "");
  return study.value_or(Study{});
}

std::vector<double> values(const Vary& entry, std::size_t column = 0) {
  std::vector<double> numbers;
  for (const Assignment& row : entry.rows) numbers.push_back(number_of(row[column].value).value());
  return numbers;
}

TEST(Vary, RangesHaveTwelveDigits) {
  const Study study =
      read("  - time.step: {geometric: [8.0e-3, 1.25e-4, 7]}\n  - a.b: {linear: [0, 1, 4]}\n");
  EXPECT_THAT(values(study.vary[0]), testing::ElementsAre(8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4));
  EXPECT_THAT(values(study.vary[1]), testing::ElementsAre(0, 0.333333333333, 0.666666666667, 1));
}

TEST(Vary, ZipGoesInLockstep) {
  const Study study = read("  - zip: {a.b: [1, 2], c: {linear: [3, 4, 2]}}\n");
  ASSERT_EQ(study.vary.size(), 1u);
  EXPECT_THAT(study.vary[0].keys, testing::ElementsAre("a.b", "c"));
  EXPECT_THAT(values(study.vary[0], 1), testing::ElementsAre(3, 4));
}

TEST(Vary, ProblemsHaveTheirPlaces) {
  const std::string head = "csim_study: 1\nscene: scene.yaml\nvary:\n";
  for (const auto& [vary, problem] : std::vector<std::pair<std::string, std::string>>{
           {"  - a: 3\n", "s.yaml:4:8: error: vary.a: 3, expected a list of values"},
           {"  - a: {geometrc: [1, 2, 3]}\n", "did you mean 'geometric'?"},
           {"  - a: {geometric: [1, -2, 3]}\n", "expected two numbers of one sign"},
           {"  - a: {linear: [1, 2, 1]}\n", "expected a whole number >= 2"},
           {"  - zip: {a: [1, 2], b: [1]}\n", "s.yaml:4:25: error: vary.zip.b: 1 values, expected 2 as of a"},
           {"  - a: [1]\n  - a: [2]\n", "s.yaml:5:5: error: vary.a: varied twice"},
           {"  - \"a[0]\": [1]\n  - a.0: [2]\n", "varied twice"},
           {"  - sample: {count: 2, seed: 1, of: {a: {unifrom: [0, 1]}}}\n", "did you mean 'uniform'?"},
           {"  - a: [1]\nmeasure: {x: {dataset: d, reduce: fnal}}\n", "did you mean 'final'?"},
           {"  - a: [1]\ngates: [{measure: y, max: 1}]\n", "'y', unknown measure"}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_study_text(head + vary, "s.yaml", {}, &diagnostics));
    EXPECT_THAT(format_diagnostics(diagnostics), testing::HasSubstr(problem)) << vary;
  }
}

// What refers to a section that is wrong as a whole needs no word of its own.
TEST(Study, ASectionThatIsWrongIsToldAlone) {
  const std::string text =
      "csim_study: 1\nscene: scene.yaml\nvary: {time.step: [1, 2]}\nmeasures:\n  z: {dataset: d, reduce: "
      "final}\n"
      "analyses: [{type: plot, x: time.step, y: z}, {type: table, measures: [z]}]\n"
      "gates: [{measure: z, max: 1, where: {time.step: 1}}]\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(read_study_text(text, "s.yaml", {}, &diagnostics));
  ASSERT_EQ(diagnostics.size(), 2u) << format_diagnostics(diagnostics);
  EXPECT_THAT(diagnostics[0].message, testing::HasSubstr("did you mean '- time.step: ..', a dash for each?"));
  EXPECT_THAT(diagnostics[1].message, testing::HasSubstr("did you mean 'measure'?"));
}

// What is wrong elsewhere is no reason to leave out what refers to nothing.
TEST(Study, AnUnrelatedProblemHidesNoOther) {
  const std::string head = "csim_study: 1\nscene: scene.yaml\nkep: all\n";
  for (const auto& [rest, problem] : std::vector<std::pair<std::string, std::string>>{
           {"vary: [{time.step: [1, 2]}]\ngates: [{measure: y, max: 1}]\n", "'y', unknown measure"},
           {"vary: [{time.step: [1, 2]}]\nmeasure: {}\ngates: [{measure: y, max: 1}]\n",
            "'y', unknown measure"},
           {"vary: [{time.step: [1, 2]}]\nanalyses: [{type: plot, x: time.step, y: z}]\n",
            "'z', unknown measure"},
           {"skip: [{time.step: 1}]\n", "'time.step', not varied"}}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_study_text(head + rest, "s.yaml", {}, &diagnostics));
    const std::string told = format_diagnostics(diagnostics);
    EXPECT_THAT(told, testing::HasSubstr("did you mean 'keep'?")) << rest;
    EXPECT_THAT(told, testing::HasSubstr(problem)) << rest;
  }
}

TEST(Study, AMeasureOfWhichThereIsNone) {
  Diagnostics diagnostics;
  EXPECT_FALSE(
      read_study_text("csim_study: 1\nscene: scene.yaml\nvary: [{time.step: [1, 2]}]\nmeasure: {}\n"
                      "gates: [{measure: y, max: 1}]\n",
                      "s.yaml", {}, &diagnostics));
  EXPECT_THAT(format_diagnostics(diagnostics),
              testing::HasSubstr("'y', unknown measure, of which the study has none"));
}

TEST(Values, AreComparedAsNumbers) {
  const auto node = [](const char* text) { return parse_yaml(text).root; };
  EXPECT_TRUE(is_same_value(node("8.0e-3"), node("0.008")));
  EXPECT_TRUE(is_same_value(node("1"), node("1.0000000005")));
  EXPECT_FALSE(is_same_value(node("1"), node("1.000000005")));
  EXPECT_FALSE(is_same_value(node("sap"), node("similar")));
  EXPECT_TRUE(is_same_value(node("[0, 1]"), node("[0.0, 1.0]")));
}

std::string read_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// CSIM_UPDATE=1 writes the files anew.
void expect_committed(const std::string& name, const std::string& text) {
  const std::string file = test::source_folder() + "/schemas/" + name;
  if (std::getenv("CSIM_UPDATE") != nullptr) std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(read_file(file), text) << name << " is not what `csim schema study` prints";
}

TEST(StudySchema, IsTheCommittedOne) {
  expect_committed("study.schema.json", study_schema_json());
  expect_committed("study.md", study_reference_markdown());
}

}  // namespace
}  // namespace csim
