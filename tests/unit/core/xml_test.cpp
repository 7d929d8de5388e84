#include "core/xml.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(Xml, ElementsAttributesAndText) {
  const std::string text =
      "<?xml version=\"1.0\"?>\n<!-- <no/> -->\n<a b='1' c=\"x &lt; y\">one<d/><!-- -->two\n  <e>5</e> <d "
      "f=\"2\"/></a>";
  const XmlDocument document(text);
  EXPECT_EQ(document.error(), "");
  const XmlElement a = document.root();
  EXPECT_EQ(a.name(), "a");
  EXPECT_EQ(a.attribute("b"), "1");
  EXPECT_EQ(a.attribute("c"), "x < y");
  EXPECT_EQ(a.attribute("d"), "");
  EXPECT_EQ(a.text(), "onetwo\n  ");
  std::string names;
  for (XmlElement e = a.first_child(); e; e = e.next()) names += e.name();
  EXPECT_EQ(names, "ded");
  EXPECT_EQ(a.child("e").text(), "5");
  EXPECT_EQ(a.child("d").next().name(), "e");
}

TEST(Xml, PlacesAreThoseOfTheFile) {
  const XmlDocument document("<a>\r\n  text &amp; more\n <b/>  <c\n/></a>");
  EXPECT_EQ(document.place(document.root()).prefix(), "line 1, column 1: ");
  EXPECT_EQ(document.place(document.root().child("b")).prefix(), "line 3, column 2: ");
  EXPECT_EQ(document.place(document.root().child("c")).prefix(), "line 3, column 8: ");
}

TEST(Xml, NoElementHasNothing) {
  const XmlDocument document("<a/>");
  const XmlElement none = document.root().child("b").child("c");
  EXPECT_FALSE(none);
  EXPECT_FALSE(none.next());
  EXPECT_FALSE(none.first_child());
  EXPECT_EQ(none.name(), "");
  EXPECT_EQ(none.attribute("d"), "");
  EXPECT_EQ(none.text(), "");
}

TEST(Xml, ErrorsHaveTheirPlace) {
  EXPECT_EQ(XmlDocument("<a\nb>").error(), "line 2, column 2: XML: Error parsing element attribute");
  EXPECT_EQ(XmlDocument("<a>\n<b></a>").error(), "line 2, column 6: XML: Start-end tags mismatch");
  EXPECT_EQ(XmlDocument("").error(), "line 1, column 1: XML: no element in the file");
  EXPECT_NE(XmlDocument(std::string_view("<a>\0</a>", 8)).error(), "");
}

// Parsing and reading do not recurse: a file cannot overflow the stack.
TEST(Xml, DeepNestingIsNoTrouble) {
  constexpr int kDepth = 1000000;
  std::string text;
  for (int k = 0; k < kDepth; ++k) text += "<a>";
  EXPECT_NE(XmlDocument(text).error(), "");
  for (int k = 0; k < kDepth; ++k) text += "</a>";
  const XmlDocument document(text);
  EXPECT_EQ(document.error(), "");
  int depth = 0;
  for (XmlElement e = document.root(); e; e = e.first_child()) ++depth;
  EXPECT_EQ(depth, kDepth);
}

}  // namespace
}  // namespace csim
