// The field table: consistency, the reader, the committed schema and the committed reference page.
#include "scene/format/fields.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "scene/format/field_check.h"
#include "scene/format/schema.h"
#include "support/source_folder.h"

namespace csim {
namespace {

TEST(Fields, HaveDescriptionsAndUnits) {
  for (const Section* section : all_sections()) {
    EXPECT_FALSE(section->title.empty() || section->description.empty()) << section->name;
    for (const Field& field : section->fields) {
      const std::string where = section->name + "." + field.key;
      EXPECT_GT(field.description.size(), 5u) << where;
      EXPECT_EQ(field.description.back(), '.') << where;
      EXPECT_FALSE(field.example.empty()) << where;
      EXPECT_FALSE(field.required && !field.default_text.empty()) << where;
      EXPECT_EQ(field.type == FieldType::kText || field.type == FieldType::kAny, !field.expects.empty())
          << where;
    }
  }
}

TEST(Fields, HaveUniqueKeysAndSectionNames) {
  std::set<std::string> names;
  for (const Section* section : all_sections()) {
    EXPECT_TRUE(names.insert(section->name).second) << section->name;
    std::set<std::string> keys;
    for (const Field& field : section->fields)
      EXPECT_TRUE(keys.insert(field.key).second) << section->name << "." << field.key;
  }
}

TEST(Fields, NameOnlyValuesOfTheirDiscriminator) {
  for (const Section* section : all_sections()) {
    const Field* discriminator = section->find(section->discriminator);
    EXPECT_EQ(discriminator == nullptr, section->discriminator.empty()) << section->name;
    for (const Field& field : section->fields) {
      for (const std::vector<std::string>* kinds : {&field.only_for, &field.required_for}) {
        for (const std::string& kind : *kinds) {
          ASSERT_NE(discriminator, nullptr) << section->name << "." << field.key;
          EXPECT_GE(discriminator->choice_index(kind), 0) << section->name << "." << field.key << " " << kind;
        }
      }
    }
  }
}

TEST(Fields, AcceptTheirOwnDefaultsAndExamples) {
  for (const Section* section : all_sections()) {
    for (const Field& field : section->fields) {
      Field supported = field;
      supported.supported = true;
      for (Choice& choice : supported.choices) choice.supported = true;
      for (const std::string& text : {field.default_text, field.example}) {
        if (text.empty()) continue;
        SceneSource source("table", text);
        YamlParse parse = parse_yaml(text);
        ASSERT_TRUE(parse.errors.empty()) << section->name << "." << field.key;
        ProblemSink sink(source);
        const bool number =
            field.type == FieldType::kSection && field.number && parse.root.kind == YamlNode::Kind::kScalar;
        EXPECT_TRUE(number || check_value(supported, parse.root, field.key, &sink))
            << format_diagnostics(sink.sorted());
        if (field.section == nullptr || parse.root.kind != YamlNode::Kind::kMapping ||
            field.type != FieldType::kSection)
          continue;
        for (const YamlEntry& entry : parse.root.entries)
          EXPECT_NE(field.section->find(entry.key), nullptr) << field.key << "." << entry.key;
      }
    }
  }
}

std::string read_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// CSIM_UPDATE=1 writes the files anew.
void expect_committed(const std::string& name, const std::string& text) {
  const std::string file = test::source_folder() + "/schemas/" + name;
  if (std::getenv("CSIM_UPDATE") != nullptr) std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(read_text(file), text) << name
                                   << " is not what `csim schema` prints: run this test with CSIM_UPDATE=1";
}

TEST(Schema, IsTheCommittedOne) {
  expect_committed("scene.schema.json", scene_schema_json());
}
TEST(ReferencePage, IsTheCommittedOne) {
  expect_committed("scene.md", scene_reference_markdown());
}

}  // namespace
}  // namespace csim
