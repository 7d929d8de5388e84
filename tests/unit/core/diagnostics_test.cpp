#include "core/diagnostics.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(FormatDiagnostics, PutsTheCaretUnderTheColumn) {
  const Diagnostic mass{"a.yaml", 3, 7, "bodies.ball.mass", "-1, expected a number >= 0 (kg)", "mass: -1"};
  EXPECT_EQ(format_diagnostics({mass}),
            "a.yaml:3:7: error: bodies.ball.mass: -1, expected a number >= 0 (kg)\n"
            "mass: -1\n"
            "      ^\n");
}

TEST(FormatDiagnostics, CountsCharactersAndKeepsTabs) {
  const Diagnostic accents{"a", 1, 8, "x", "m", "é\tü: [1"};
  EXPECT_EQ(format_diagnostics({accents}), "a:1:8: error: x: m\né\tü: [1\n \t     ^\n");
}

TEST(FormatDiagnostics, NamesTheSceneWhereThereIsNoPath) {
  EXPECT_EQ(format_diagnostics({{"a", 1, 1, "", "an empty file", ""}}),
            "a:1:1: error: scene: an empty file\n");
  EXPECT_EQ(format_diagnostics({}), "");
}

TEST(FormatDiagnostics, BeginsAtTheFirstColumnShown) {
  const Diagnostic far{"f", 1, 402, "p", "m", "…aX…", 400};
  EXPECT_EQ(format_diagnostics({far}), "f:1:402: error: p: m\n…aX…\n  ^\n");
}

TEST(DiagnosticsJson, HoldsTheFiveFields) {
  const std::string json = diagnostics_json({{"a \"b\".yaml", 3, 7, "x", "m", "source"}});
  EXPECT_NE(json.find("\"file\": \"a \\\"b\\\".yaml\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"line\": 3"), std::string::npos);
  EXPECT_NE(json.find("\"column\": 7"), std::string::npos);
  EXPECT_NE(json.find("\"path\": \"x\""), std::string::npos);
  EXPECT_NE(json.find("\"message\": \"m\""), std::string::npos);
  EXPECT_EQ(json.find("source"), std::string::npos);
  EXPECT_EQ(diagnostics_json({}), "[]\n");
}

}  // namespace
}  // namespace csim
