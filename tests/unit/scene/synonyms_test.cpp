// The table of other tools' words against the table of the scene format.
#include "scene/help/synonyms.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/nearest_name.h"

namespace csim {
namespace {

using Names = std::vector<std::string>;

/// Every list of names of which one is expected somewhere in a scene: the keys of each kind of mapping, the
/// words of each value.
std::vector<Names> places() {
  std::vector<Names> places{
      {"true", "false"}, {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"}, {"[0, 0, -9.81]"}, {"world", "free"}};
  for (const Section* section : all_sections()) {
    const Field* discriminator = section->find(section->discriminator);
    const auto kinds = discriminator != nullptr ? discriminator->choices : std::vector<Choice>{{"", true}};
    for (const Choice& kind : kinds) {
      Names keys;
      for (const Field& field : section->fields) {
        const Names& only = field.only_for;
        const bool known = only.empty() || std::find(only.begin(), only.end(), kind.name) != only.end();
        if (known && field.supported) keys.push_back(field.key);
      }
      places.push_back(keys);
    }
    for (const Field& field : section->fields) {
      Names words;
      for (const Choice& choice : field.choices) {
        if (choice.supported) words.push_back(choice.name);
      }
      if (!words.empty()) places.push_back(words);
    }
  }
  return places;
}

// A row that the format does not know, or that spelling or the word's own validity makes idle everywhere,
// says nothing.
TEST(Synonyms, EveryRowIsSaidSomewhere) {
  const std::vector<Names> all = places();
  for (const Synonym& row : synonym_table()) {
    const bool said = std::any_of(all.begin(), all.end(), [&](const Names& names) {
      const auto has = [&](std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
      };
      return has(row.name) && !has(row.word) && nearest_name(row.word, names) != row.name;
    });
    EXPECT_TRUE(said) << row.word << " for " << row.name;
  }
}

TEST(Synonyms, NoRowStandsTwice) {
  const std::vector<Synonym>& table = synonym_table();
  for (size_t i = 0; i < table.size(); ++i) {
    for (size_t k = 0; k < i; ++k)
      EXPECT_FALSE(table[i].word == table[k].word && table[i].name == table[k].name);
  }
}

TEST(Synonyms, OnlyNamesThatAreValidThere) {
  EXPECT_EQ(synonyms("plane", {"sphere", "half_space"}), Names{"half_space"});
  EXPECT_EQ(synonyms("Plane", {"sphere", "half_space"}), Names{"half_space"});
  EXPECT_EQ(synonyms("plane", {"sphere", "box"}), Names{});
  EXPECT_EQ(synonyms("rotation", {"xyz", "quaternion_wxyz", "rpy"}), (Names{"quaternion_wxyz", "rpy"}));
  EXPECT_EQ(did_you_mean_one_of({"a", "b"}), " (did you mean 'a' or 'b'?)");
  EXPECT_EQ(did_you_mean_one_of({}), "");
}

TEST(Synonyms, ComeBeforeSpellingAndCommonParts) {
  EXPECT_EQ(did_you_mean_value("stop", {"step", "end"}), " (did you mean 'end'?)");
  EXPECT_EQ(did_you_mean_value("plane", {"planar", "box"}), " (did you mean 'planar'?)");
  EXPECT_EQ(did_you_mean_value("center_of_mass", {"mass", "com"}), " (did you mean 'com'?)");
  EXPECT_EQ(did_you_mean_value("mesh_resolution_hint", {"resolution"}), " (did you mean 'resolution'?)");
}

TEST(Synonyms, KeysOfTheMappingBelow) {
  const Section& scene = scene_section();
  EXPECT_EQ(synonymous_keys("dt", scene, scene.keys()), Names{"time.step"});
  const Section& time = *scene.find("time")->section;
  EXPECT_EQ(synonymous_keys("dt", time, time.keys()), Names{"step"});
}

}  // namespace
}  // namespace csim
