// `csim help KEY`: every row of the table is found, by its key and by its path.
#include "scene/format/key_help.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

const std::vector<HelpFormat>& formats() {
  static const std::vector<HelpFormat> scene{{"scene", {}, &scene_section()}};
  return scene;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

int blocks(const std::string& text) {
  int count = 0;
  for (size_t at = text.find("  (scene)\n"); at != std::string::npos; at = text.find("  (scene)\n", at + 1))
    ++count;
  return count;
}

TEST(KeyHelp, FindsEveryKeyOfTheTable) {
  for (const Section* section : all_sections()) {
    for (const Field& field : section->fields)
      EXPECT_NE(key_help(formats(), field.key).find("Example: " + field.key + ": "), std::string::npos)
          << section->name << "." << field.key;
  }
}

TEST(KeyHelp, FindsEveryWordThatItOffers) {
  const std::vector<std::string> words = key_help_words(formats());
  EXPECT_GT(words.size(), 200u);
  for (const std::string& word : words) EXPECT_NE(key_help(formats(), word), "") << word;
}

TEST(KeyHelp, OfAPathIsThatRowAlone) {
  const std::string text = key_help(formats(), "contact.pairs.friction");
  EXPECT_EQ(first_line(text), "contact.pairs.friction  (scene)");
  EXPECT_EQ(blocks(text), 1);
  EXPECT_NE(text.find("a number >= 0"), std::string::npos);
}

TEST(KeyHelp, OfAKeyIsEveryPlace) {
  const std::string text = key_help(formats(), "friction");
  for (const char* place :
       {"materials.friction", "joints.friction", "models.friction", "contact.pairs.friction"})
    EXPECT_NE(text.find(std::string(place) + "  (scene)\n"), std::string::npos) << place;
  EXPECT_EQ(blocks(text), 4);
}

TEST(KeyHelp, SkipsNamesAndIndicesOfElements) {
  const std::string text = key_help(formats(), "geometry.material");
  EXPECT_EQ(first_line(text), "bodies.geometry.material  (scene)");
  EXPECT_EQ(key_help(formats(), "bodies.box.geometry.0.material"), text);
  EXPECT_EQ(key_help(formats(), "bodies.box.mass"), key_help(formats(), "bodies.mass"));
  EXPECT_EQ(key_help(formats(), "contact.box.model"), "");  // no list of elements
  EXPECT_EQ(key_help(formats(), "box.mass"), "");           // a name of nothing
}

TEST(KeyHelp, OfAShapeHasTheKeysThatItTakes) {
  const std::string text = key_help(formats(), "capsule");
  EXPECT_EQ(first_line(text), "bodies.geometry.shape: capsule  (scene)");
  for (const char* key : {"\n  radius\n", "\n  length\n"})
    EXPECT_NE(text.find(key), std::string::npos) << key;
  EXPECT_EQ(text.find("\n  size\n"), std::string::npos);
  EXPECT_EQ(key_help(formats(), "shape.capsule"), text);
}

TEST(KeyHelp, OfTheNameOfAMappingListsItsKeys) {
  const std::string text = key_help(formats(), "joint");  // also a key of actuators
  EXPECT_NE(text.find("actuators.joint  (scene)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("joints  (scene)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Keys of a joint: name, type, parent, child"), std::string::npos) << text;
}

TEST(KeyHelp, OfAWordIsThatOfTheKeysWithIt) {
  const std::string text = key_help(formats(), "sleep");
  EXPECT_NE(text.find("integrator.sleep_speed  (scene)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("integrator.sleep_time  (scene)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("friction"), std::string::npos) << text;
  EXPECT_EQ(key_help(formats(), "slee"), "");
}

TEST(KeyHelp, NamesTheNearest) {
  const auto nearest = [](const char* query) { return nearest_key_help(formats(), query, {"run"}); };
  EXPECT_EQ(key_help(formats(), "frction"), "");
  EXPECT_EQ(nearest("frction"), " (did you mean 'friction'?)");
  EXPECT_EQ(nearest("contact.modle"), " (did you mean 'contact.model'?)");
  EXPECT_EQ(nearest("contact.law"), " (did you mean 'contact.model'?)");
  EXPECT_EQ(nearest("bodies.box.geometry.0.matrial"), " (did you mean 'bodies.box.geometry.0.material'?)");
  EXPECT_EQ(nearest("contcat.model"), " (did you mean 'contact.model'?)");
  EXPECT_EQ(nearest("plane"), " (did you mean 'half_space'?)");
  EXPECT_EQ(nearest("rnu"), " (did you mean 'run'?)");
  EXPECT_EQ(nearest("xylophone"), "");
}

}  // namespace
}  // namespace csim
