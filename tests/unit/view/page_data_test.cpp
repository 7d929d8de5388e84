// The page's text: encoding, and no external resources.
#include "view/page_data.h"

#include <gtest/gtest.h>

#include "view/page.h"
#include "view_scenes.h"

namespace csim {
namespace {

std::string encoded(const std::string& text) {
  return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(PageDataTest, Base64AsInRfc4648) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xff\xfe\xfb"), "//77");
}

TEST(PageDataTest, ANameCannotEndTheScript) {
  ViewScene scene = rolling_ball();
  scene.message = "</script><script>alert(1)</script>";
  scene.name = "<b>&";
  const PageData data = page_data(scene, frame_scene(scene));
  EXPECT_EQ(data.json.find('<'), std::string::npos);
  EXPECT_NE(page_html(scene).find("<title>&lt;b>&amp; "), std::string::npos);
}

TEST(PageDataTest, ArraysStandOnTheirPlaces) {
  ArrayBlock block;
  JsonWriter json(0);
  json.begin_array();
  block.add(&json, std::vector<std::uint8_t>{1, 2, 3});
  block.add(&json, std::vector<double>{1.0});
  json.end_array();
  EXPECT_EQ(block.bytes().size(), 16U);
  EXPECT_EQ(json.text(),
            R"([{"type": "uint8", "offset": 0, "count": 3}, {"type": "float64", "offset": 8, "count": 1}])"
            "\n");
}

TEST(PageDataTest, ThePageIsCompleteAndAsksForNothing) {
  const std::string page = page_html(rolling_ball());
  EXPECT_EQ(page.find("{{"), std::string::npos);
  for (const char* outside :
       {"<link", " src=", "@import", "url(", "XMLHttpRequest(", "fetch(", "WebSocket("}) {
    // three.js has loaders, which nothing calls: its text is left out of the search.
    const std::string own = page.substr(0, page.find("three.js r111"));
    const std::string behind = page.substr(page.find("function loadData()"));
    EXPECT_EQ(own.find(outside), std::string::npos) << outside;
    EXPECT_EQ(behind.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

}  // namespace
}  // namespace csim
