#include "scene/yaml/strict_values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace csim {
namespace {

YamlNode plain(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.text = text;
  return node;
}

std::optional<double> number(const std::string& text) {
  std::string fault;
  return parse_number(plain(text), &fault);
}

std::string fault(const std::string& text) {
  std::string why;
  EXPECT_FALSE(parse_number(plain(text), &why)) << text;
  return why;
}

TEST(ParseNumber, ReadsTheNumbersOfYaml12) {
  EXPECT_EQ(number("0"), 0.0);
  EXPECT_EQ(number("-12"), -12.0);
  EXPECT_EQ(number("+3"), 3.0);
  EXPECT_EQ(number("1."), 1.0);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("-0.25e2"), -25.0);
  EXPECT_EQ(number("1e6"), 1e6);
  EXPECT_EQ(number("1E-3"), 1e-3);
  EXPECT_EQ(number("1.0e+06"), 1e6);
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("4.9e-324"), 4.9e-324);
  EXPECT_TRUE(std::signbit(*number("-0")));
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text :
       {"", "-", "+", ".", "e5", "1e", "1e+", "--1", "1.2.3", "abc", "1 2", " 1", "1 ", "½", "1/2", "(1)"}) {
    EXPECT_FALSE(number(text)) << text;
  }
  EXPECT_EQ(fault("010"), "010 with a leading zero");
  EXPECT_EQ(fault("-00.5"), "-00.5 with a leading zero");
  EXPECT_EQ(fault("0x10"), "0x10 is not decimal");
  EXPECT_EQ(fault("0o17"), "0o17 is not decimal");
  EXPECT_EQ(fault("1_000"), "1_000 with underscores");
  EXPECT_EQ(fault("0,5"), "0,5 with a comma for the decimal point");
  EXPECT_EQ(fault(".nan"), ".nan is not finite");
  EXPECT_EQ(fault("-.Inf"), "-.Inf is not finite");
  EXPECT_EQ(fault("infinity"), "infinity is not finite");
  EXPECT_EQ(fault("\xE2\x88\x92"
                  "0.1"),
            "\xE2\x88\x92"
            "0.1 with the minus sign U+2212 in place of '-'");
  EXPECT_EQ(fault("${MASS}"),
            "${MASS} is not replaced by a value (a scene has no variables; --set KEY=VALUE sets a key)");
  EXPECT_EQ(fault("5 kg"), "5 kg is not a plain number");
  EXPECT_EQ(fault("10ms"), "10ms is not a plain number");
  EXPECT_EQ(fault("1e400"), "1e400 is out of the range of a double");
  EXPECT_EQ(fault("1e-400"), "1e-400 is out of the range of a double");
  EXPECT_EQ(fault("word"), "'word'");
}

TEST(ParseNumber, RefusesQuotedNumbers) {
  YamlNode node = plain("1");
  node.quoted = true;
  std::string why;
  EXPECT_FALSE(parse_number(node, &why));
  EXPECT_EQ(why, "the text '1'");
}

TEST(ParseWholeNumber, AcceptsWholeReals) {
  std::string why;
  EXPECT_EQ(parse_whole_number(plain("1e6"), &why), 1e6);
  EXPECT_EQ(parse_whole_number(plain("2.0"), &why), 2.0);
  EXPECT_FALSE(parse_whole_number(plain("1.5"), &why));
  EXPECT_EQ(why, "1.5");
}

TEST(ParseBoolean, KnowsTrueAndFalseOnly) {
  std::string why;
  EXPECT_EQ(parse_boolean(plain("true"), &why), true);
  EXPECT_EQ(parse_boolean(plain("false"), &why), false);
  for (const char* text : {"yes", "no", "on", "off", "True", "TRUE", "1", "0", "y"})
    EXPECT_FALSE(parse_boolean(plain(text), &why)) << text;
}

TEST(IsName, TakesLettersDigitsAndThreeSigns) {
  for (const char* name : {"a", "A1", "left-arm", "a_b", "+", "1a", "2+"}) EXPECT_TRUE(is_name(name)) << name;
  for (const char* name : {"", "12", "a b", "a.b", "a/b", "a:b", "é", "a\n"})
    EXPECT_FALSE(is_name(name)) << name;
}

TEST(Describe, ShortensLongTextAtACharacter) {
  const std::string text = describe(plain(std::string(59, 'a') + "éé"));
  EXPECT_EQ(text, "'" + std::string(59, 'a') + "…'");
}

}  // namespace
}  // namespace csim
