// A form against the writer on the whole tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

class Trees {
 public:
  explicit Trees(unsigned seed) : random_(seed) {}

  int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
  std::string number() { return std::string(static_cast<std::size_t>(1 + below(24)), '7'); }

  YamlNode tree(int depth) {
    const int kind = depth == 0 ? 0 : below(4);
    if (kind == 0)
      return below(4) == 0 ? yaml_text(std::string(static_cast<std::size_t>(below(130)), 'x'))
                           : yaml_word(number());
    YamlNode node;
    node.kind = kind == 1 ? YamlNode::Kind::kSequence : YamlNode::Kind::kMapping;
    const int count = below(5);
    for (int i = 0; i < count; ++i) {
      if (kind == 1) {
        node.items.push_back(tree(depth - 1));
      } else {
        node.entries.push_back({"key" + std::to_string(i), {}, tree(depth - 1)});
      }
    }
    return node;
  }

  void find_numbers(YamlNode* node, std::vector<YamlNode*>* found) {
    if (node->kind == YamlNode::Kind::kScalar && node->text[0] == '7' && below(3) == 0)
      found->push_back(node);
    for (YamlEntry& entry : node->entries) find_numbers(&entry.value, found);
    for (YamlNode& item : node->items) find_numbers(&item, found);
  }

  std::mt19937& random() { return random_; }

 private:
  std::mt19937 random_;
};

TEST(YamlForm, WritesWhatTheWriterWrites) {
  int lines_of_both_kinds = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Trees trees(seed);
    YamlNode root;
    for (int i = 0; i < 4; ++i) add_entry(&root, "top" + std::to_string(i), trees.tree(4));
    std::vector<YamlNode*> places;
    trees.find_numbers(&root, &places);
    std::shuffle(places.begin(), places.end(), trees.random());  // not in the order of the text
    const YamlForm form(&root, places);
    std::string first;
    for (int round = 0; round < 5; ++round) {
      std::vector<std::string> values;
      for (YamlNode* place : places) values.push_back(place->text = trees.number());
      const std::string text = write_yaml(root);
      ASSERT_EQ(form.text(values), text) << seed;
      const auto num_lines = [](const std::string& of) { return std::count(of.begin(), of.end(), '\n'); };
      if (round == 0) first = text;
      lines_of_both_kinds += num_lines(text) != num_lines(first) ? 1 : 0;
    }
  }
  EXPECT_GT(lines_of_both_kinds, 100);  // values so long that a line is broken, and not
}

}  // namespace
}  // namespace csim
