// Which cases a fit learns from, and which measurement each has.
#include "study/fit_candidates.h"

#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <cstdlib>

#include "run/signals.h"
#include "study/reference_keys.h"

namespace csim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

YamlNode node(const std::string& text) {
  return parse_yaml(text).root;
}

Cases six_cases() {
  Cases cases;
  for (int i = 0; i < 6; ++i) {
    Case one;
    one.index = i;
    one.values = {{"speed", node(std::to_string(i / 2)), {}}};
    cases.cases.push_back(one);
  }
  cases.num_varied = 5;  // the last is a reference
  return cases;
}

TEST(SplitCases, TrainsOnWhatIsNoTest) {
  FitOptions options;
  EXPECT_THAT(split_cases(options, six_cases()).train, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(split_cases(options, six_cases()).test, IsEmpty());
  options.test.is_given = true;
  options.test.every = 2;
  EXPECT_THAT(split_cases(options, six_cases()).test, ElementsAre(1, 3));
  EXPECT_THAT(split_cases(options, six_cases()).train, ElementsAre(0, 2, 4));
  options.train.is_given = true;
  options.train.where = {{"speed", node("1.0"), {}}};
  EXPECT_THAT(split_cases(options, six_cases()).train, ElementsAre(2, 3));
}

TEST(Candidate, HasTheMeanOfItsCasesWhereAllAreGood) {
  Candidate candidate;
  EXPECT_TRUE(std::isnan(candidate.mean_square()));
  candidate.cases.resize(2);
  for (CandidateCase& one : candidate.cases) one.is_good = true;
  candidate.cases[0].square = 1.0;
  candidate.cases[1].square = 4.0;
  EXPECT_EQ(candidate.mean_square(), 2.5);
  candidate.cases[0].is_good = false;
  EXPECT_TRUE(std::isnan(candidate.mean_square()));
}

TEST(FitCandidates, SayThatASignalBetweenTwoRunsInterruptedThem) {
  const auto evaluate_after_signal = [] {
    install_signal_handlers();
    std::raise(SIGUSR1);
    const Study study;
    const Cases cases = six_cases();
    const StudyFolder folder{"none"};
    const Analysis analysis;
    bool has_run = false;
    FitCandidates candidates(study, cases, folder, analysis, [&](const Cases&) {
      has_run = true;
      return RunCasesReport{};
    });
    const bool has_value = candidates.evaluate({{{"speed", node("7"), {}}}}, {0, 1}).has_value();
    const bool is_right = !has_value && !has_run && candidates.was_interrupted();
    std::_Exit(is_right && candidates.why_stopped() == "interrupted" ? 75 : 1);
  };
  // In a process of its own: a signal that came stays.
  EXPECT_EXIT(evaluate_after_signal(), testing::ExitedWithCode(75), "");
}

TEST(ReferenceOfCase, TakesWhatTheCaseSays) {
  Study study;
  study.file = "/studies/s.yaml";
  study.reference.path = "reference";
  study.reference.kind = ReferenceKind::kMeasured;
  study.reference.measured.where = {{"toss", node("1"), {}}, {"camera", node("left"), {}}};
  const Assignment values{{"speed", node("3"), {}},
                          {"reference.csv", node("data/../all.csv"), {}},
                          {"reference.where.toss", node("7"), {}}};
  const Measured own = reference_of_case(study, study.reference, values).measured;
  EXPECT_EQ(own.file, "/studies/all.csv");
  EXPECT_EQ(describe(own.where), "toss: 7, camera: left");
  EXPECT_EQ(describe(reference_values(values)), "reference.csv: data/../all.csv, reference.where.toss: 7");
  // What an analysis has of its own is no matter of the cases.
  Reference other = study.reference;
  other.path = "analyses.order.reference";
  EXPECT_EQ(reference_of_case(study, other, values).measured.file, "");
}

TEST(ReferenceKeys, AreThoseThatAReferenceHas) {
  for (const char* good : {"time.step", "reference.csv", "reference.h5", "reference.where.toss"})
    EXPECT_EQ(fault_of_reference_key(good), "") << good;
  for (const char* bad : {"reference.columns", "reference.where.", "reference.cvs"})
    EXPECT_NE(fault_of_reference_key(bad), "") << bad;
}

TEST(OverridesOf, LeaveOutWhatIsNoKeyOfTheScene) {
  Study study;
  study.set = {{"time.end", node("1"), {}}};
  EXPECT_THAT(overrides_of(study, {{"reference.csv", node("a.csv"), {}}, {"a.b", node("2"), {}}}),
              ElementsAre("time.end=1", "a.b=2"));
}

}  // namespace
}  // namespace csim
