#include "scene/yaml/yaml_document.h"

#include <gtest/gtest.h>

#include <chrono>

#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

YamlNode parse(const std::string& text) {
  YamlParse result = parse_yaml(text);
  for (const YamlError& error : result.errors) ADD_FAILURE() << error.message;
  return std::move(result.root);
}

std::string error_of(const std::string& text) {
  const YamlParse result = parse_yaml(text);
  if (result.errors.size() != 1) return std::to_string(result.errors.size()) + " errors";
  const YamlError& error = result.errors[0];
  return std::to_string(error.mark.line) + ":" + std::to_string(error.mark.column) + " " + error.message;
}

void expect_mark(const Mark& mark, int line, int column) {
  EXPECT_EQ(mark.line, line);
  EXPECT_EQ(mark.column, column);
}

TEST(YamlDocument, KeepsKeysValuesAndTheirPlaces) {
  const YamlNode root = parse("# comment\na: 1\nb:\n  - x\n  - {c: \"2\"}\n");
  ASSERT_EQ(root.entries.size(), 2u);
  expect_mark(root.mark, 2, 1);
  EXPECT_EQ(root.entries[0].key, "a");
  expect_mark(root.entries[0].key_mark, 2, 1);
  expect_mark(root.entries[0].value.mark, 2, 4);
  EXPECT_FALSE(root.entries[0].value.quoted);
  const YamlNode& list = root.entries[1].value;
  ASSERT_EQ(list.items.size(), 2u);
  expect_mark(list.items[0].mark, 4, 5);
  expect_mark(list.items[1].mark, 5, 5);
  expect_mark(list.items[1].entries[0].key_mark, 5, 6);
  expect_mark(list.items[1].entries[0].value.mark, 5, 9);
  EXPECT_TRUE(list.items[1].entries[0].value.quoted);
}

TEST(YamlDocument, CountsColumnsInCharacters) {
  const YamlNode root = parse("{é: [ü, x]}");
  expect_mark(root.entries[0].value.items[1].mark, 1, 9);
}

TEST(YamlDocument, CountsFromTheOffsetOfAnOverride) {
  const YamlParse value = parse_yaml("[1,\n 2]", 3, 11);
  expect_mark(value.root.items[0].mark, 1, 12);
  expect_mark(value.root.items[1].mark, 2, 2);  // only the first line is behind KEY=
  EXPECT_EQ(value.root.items[0].mark.source, 3);
}

TEST(YamlDocument, MarksEmptyValuesAtTheirKeys) {
  const YamlNode root = parse("a:\nb: ~\nc: null\nd:\n");
  for (const YamlEntry& entry : root.entries) EXPECT_EQ(entry.value.kind, Kind::kNull) << entry.key;
  expect_mark(root.entries[0].value.mark, 1, 1);
  expect_mark(root.entries[1].value.mark, 2, 4);
  expect_mark(root.entries[3].value.mark, 4, 1);
}

TEST(YamlDocument, KeepsDuplicateAndMergeKeysForTheReader) {
  const YamlNode root = parse("a: 1\na: 2\n<<: {b: 1}\n");
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_EQ(root.entries[2].key, "<<");
}

TEST(YamlDocument, ExpandsAliases) {
  const YamlNode root = parse("a: &p {x: [1, 2]}\nb: *p\n");
  EXPECT_EQ(root.find("b")->find("x")->items[1].text, "2");
  expect_mark(root.find("b")->find("x")->items[1].mark, 1, 15);  // where it is written
}

TEST(YamlDocument, TakesWindowsLineEndsAndMissingLastLineEnd) {
  const YamlNode root = parse("a: 1\r\nb: [2,\r\n 3]");
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_EQ(root.find("b")->items[1].text, "3");
}

TEST(YamlDocument, SaysWhatTheParserMeans) {
  EXPECT_EQ(
      error_of("a 1\nb: 2\n"),
      "2:2 not valid YAML: illegal map value (a second ':' on its line, or a line above without its ':')");
  EXPECT_EQ(
      error_of("a: b: c\n"),
      "1:5 not valid YAML: illegal map value (a second ':' on its line, or a line above without its ':')");
  EXPECT_EQ(error_of("a:\n  - b: 1\n   c: 2\n"),
            "3:4 not valid YAML: end of sequence not found (an indentation that is none of those above)");
  EXPECT_EQ(error_of("a:\n    b: 1\n  c: 2\n"),
            "3:3 not valid YAML: end of map not found (an indentation that is none of those above)");
  EXPECT_EQ(error_of("a: - 1\n"),
            "1:4 not valid YAML: illegal block entry (an element, '-', beside a key; expected below it)");
}

// What looks right and is not: the parser only meets a ':' too many below it.
TEST(YamlDocument, NamesTheLineAboveThatIsAtFault) {
  const std::string beginning = " not valid YAML: illegal map value (line ";
  EXPECT_EQ(error_of("a:\n  b:1\n  c: 2\n"), "3:4" + beginning + "2: no space behind the ':' of 'b:1')");
  EXPECT_EQ(error_of("a:\n  b: 1\n\xC2\xA0 c: 2\n  d: 3\n"),
            "4:4" + beginning + "3: a no-break space, U+00A0, in place of a space)");
  EXPECT_EQ(error_of("!include b.yaml\na: 1\n"),
            "2:2" + beginning + "1: the tag '!include', which a scene does not have)");
}

TEST(YamlDocument, SaysWhichEncodingAFileMayHave) {
  const std::string utf16 = "1:1 not text, expected YAML in UTF-8 (it is UTF-16: save it as UTF-8)";
  EXPECT_EQ(error_of(std::string("\xFF\xFE"
                                 "a\0:\0",
                                 6)),
            utf16);
  EXPECT_EQ(error_of(std::string("\xFE\xFF\0a\0:", 6)), utf16);
  EXPECT_EQ(error_of(std::string("\0a\0:", 4)), utf16);
  EXPECT_EQ(error_of("# K\xF6rper\na: 1\n"),
            "1:4 not text, expected YAML in UTF-8 (a letter in another encoding, such as Latin-1 or "
            "Windows-1252: save it as UTF-8)");
  EXPECT_EQ(error_of(std::string("\x89PNG\x1A\n\0", 7)), "1:1 not text, expected YAML in UTF-8");
}

TEST(YamlDocument, RefusesWhatIsNoPlainTree) {
  EXPECT_EQ(error_of("a: 1\n---\nb: 2\n"), "2:1 a second YAML document, expected one scene in a file");
  EXPECT_EQ(error_of("a: !!str 1\n"),
            "1:4 the YAML tag 'tag:yaml.org,2002:str', expected a value without a tag");
  EXPECT_EQ(error_of("? [a, b]\n: 1\n"), "1:3 a list or mapping as a key, expected a plain word");
  EXPECT_EQ(error_of("a: &x {b: *x}\n"), "1:11 an alias inside its own anchor");
  EXPECT_EQ(error_of("a: &x 1\n*x : 2\n"), "2:1 an alias as a key, expected a plain word");
  EXPECT_EQ(error_of("&x a: 1\n"), "1:1 an anchor on a key, expected it on a value");
  EXPECT_EQ(error_of(std::string("a: \0", 4)), "1:4 not text, expected YAML in UTF-8");
  EXPECT_EQ(error_of("a: b\nc: \xC3\x01"), "2:4 not text, expected YAML in UTF-8");
  EXPECT_EQ(error_of("a: \xED\x01"), "1:4 not text, expected YAML in UTF-8");
}

TEST(YamlDocument, RefusesAQuoteThatIsNeverClosed) {
  const std::string message = " not valid YAML: a quote that is never closed";
  EXPECT_EQ(error_of("a: 1\nb: \"c\nd: 2\n"), "2:4" + message);
  EXPECT_EQ(error_of("a: 'b # ''c\n"), "1:4" + message);
  EXPECT_EQ(error_of("a: &x 'b\n"), "1:4" + message);
  EXPECT_EQ(error_of("a: \"b\\\"\n"), "1:4" + message);
  for (const std::string text : {"a: \"b\\\"c\"\n", "a: 'b''c'\n", "a: &x\n  \"b\n  c\"\n", "'a': \"it's\"\n",
                                 "a: {b: '', c: \"\\\\\"}\n", "a: \"b\\\n  c\"\n", "a: |\n  it isn't\n",
                                 "a: >-\n  5\" wide\n", "a: &x |\n  don't\n", "a: &x # don't\n  'b'\n"}) {
    EXPECT_EQ(error_of(text), "0 errors") << text;
  }
}

TEST(YamlDocument, RefusesDeepAndExplodingDocuments) {
  EXPECT_EQ(error_of(std::string(100, '[') + std::string(100, ']')), "1:65 more than 64 levels of nesting");
  EXPECT_NE(error_of(std::string(20000, '[')), "0 errors");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int k = 0; k < 9; ++k) bomb += ", " + alias;
    bomb += "]\n";
  }
  EXPECT_NE(error_of(bomb).find("aliases that unfold to more than 1000000 nodes"), std::string::npos);
}

// A JSON of many bodies is one line: places are found in one pass over it, and in characters. A pass for each
// of the 200 000 nodes of these 2 MB would take minutes.
TEST(YamlDocument, ReadsALongLineInOnePass) {
  std::string text = "[\"\xC3\xA9\"";
  constexpr int kNumbers = 200000;
  for (int i = 0; i < kNumbers; ++i) text += ", 1234567";
  const auto start = std::chrono::steady_clock::now();
  const YamlNode list = parse(text + "]");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  ASSERT_EQ(list.items.size(), kNumbers + 1U);
  expect_mark(list.items.back().mark, 1, 7 + 9 * (kNumbers - 1));
}

TEST(YamlDocument, OfNothingIsNull) {
  EXPECT_EQ(parse("").kind, Kind::kNull);
  EXPECT_EQ(parse("# nothing\n").kind, Kind::kNull);
  EXPECT_EQ(parse("---\n").kind, Kind::kNull);
}

TEST(YamlWriter, QuotesWhatCouldBeReadOtherwise) {
  for (const char* text : {"ball", "_a", "a/b.c-d+e"})
    EXPECT_EQ(write_yaml(yaml_text(text)), std::string(text) + "\n");
  for (const char* text :
       {"1e5", "+5", "-", "true", "No", "null", "~", "", "a b", "a:b", "é", "12", ".nan", "a#b"}) {
    EXPECT_EQ(write_yaml(yaml_text(text)), "\"" + std::string(text) + "\"\n");
  }
}

TEST(YamlWriter, ReadsBackToTheSameTree) {
  const std::vector<std::string> texts{
      "plain", "with \"quotes\" and \\", "tab\tand\nline", "é", "\x01\x7F", "true", "0x10", "- x", "{"};
  YamlNode list = yaml_list(), root;
  for (const std::string& text : texts) list.items.push_back(yaml_text(text));
  for (const std::string& text : texts)
    add_entry(&root, text.substr(0, 8), yaml_list({list, yaml_numbers({1.0, -0.0, 1e-300})}));
  add_entry(&root, "empty", yaml_list());
  YamlNode nested;
  add_entry(&nested, "deep", root);
  add_entry(&nested, "list", yaml_list({root, yaml_list({list, list, list})}));
  const std::string written = write_yaml(nested);
  EXPECT_EQ(write_yaml(parse(written)), written);
  const YamlNode read = parse(written);
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(read.find("deep")->entries[0].value.items[0].items[i].text, texts[i]);
    EXPECT_EQ(read.find("deep")->entries[i].key, texts[i].substr(0, 8));
  }
}

}  // namespace
}  // namespace csim
