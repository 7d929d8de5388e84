// What is drawn on a picture, by its pixels.
#include "view/canvas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

const Color kBlack = color_of(0x000000);

Picture white(int width, int height) {
  return {width, height, std::vector<std::uint32_t>(1UL * width * height, 0xffffff)};
}

/// Red of a pixel, 0 to 255.
int red(const Picture& picture, int i, int j) {
  return static_cast<int>(picture.pixels[static_cast<std::size_t>(j) * picture.width + i] >> 16 & 255);
}

/// The box around all pixels that are not white: left, right, top, bottom, all included.
struct Extent {
  int left, right, top, bottom;
};
Extent extent_of(const Picture& picture) {
  Extent box{picture.width, -1, picture.height, -1};
  for (int j = 0; j < picture.height; ++j) {
    for (int i = 0; i < picture.width; ++i) {
      if (red(picture, i, j) == 255) continue;
      box = {std::min(box.left, i), std::max(box.right, i), std::min(box.top, j), std::max(box.bottom, j)};
    }
  }
  return box;
}

Extent drawn(const std::string& text, double x, double y, double height, bool from_right = false) {
  Picture picture = white(200, 40);
  Canvas(&picture).text(x, y, height, text, kBlack, from_right);
  return extent_of(picture);
}

TEST(Canvas, ABoxCoversItsPixels) {
  Picture picture = white(20, 10);
  Canvas canvas(&picture);
  canvas.box(3, 2, 7, 5, color_of(0x1d2733));
  canvas.box(10, 2, 12, 5, kBlack, 0.25);
  canvas.box(18, 8, 99, 99, kBlack);  // beyond the picture: cut off
  for (int j = 0; j < 10; ++j) {
    for (int i = 0; i < 20; ++i) {
      const bool first = i >= 3 && i < 7 && j >= 2 && j < 5, second = i >= 10 && i < 12 && j >= 2 && j < 5;
      const int expected = first ? 0x1d : i >= 18 && j >= 8 ? 0 : 255;
      if (second)
        EXPECT_NEAR(red(picture, i, j), 0.75 * 255, 1.0);
      else
        EXPECT_EQ(red(picture, i, j), expected) << i << " " << j;
    }
  }
}

TEST(Canvas, APolygonCoversItsArea) {
  Picture picture = white(40, 40);
  Canvas(&picture).polygon({{5.5, 7.25}, {33.0, 12.0}, {11.0, 30.5}}, kBlack);
  double area = 0.0;
  for (int j = 0; j < 40; ++j) {
    for (int i = 0; i < 40; ++i) area += 1.0 - red(picture, i, j) / 255.0;
  }
  // Half the cross product of two sides. cairo rounds rows to 1/15 of a pixel: half of that along a rim of 75
  // pixels.
  EXPECT_NEAR(area, 0.5 * (27.5 * 23.25 - 5.5 * 4.75), 2.5);
}

TEST(Canvas, CapitalsAreAsHighAsAskedFor) {
  for (const double height : {8.0, 18.0}) {
    const Extent box = drawn("HEX", 10, 30, height);
    EXPECT_EQ(box.bottom, 29);
    EXPECT_NEAR(box.bottom + 1 - box.top, height, 1.0);
    EXPECT_GE(box.left, 10);
  }
}

TEST(Canvas, TextIsAsWideAsItSaysAndEndsAtXFromTheRight) {
  Picture picture = white(200, 40);
  const double width = Canvas(&picture).text_width("20 kPa", 18);
  const Extent right = drawn("20 kPa", 150, 30, 18, true);
  // A letter's space on both sides is at most a fifth of its height.
  EXPECT_NEAR(right.right, 150, 4);
  EXPECT_NEAR(right.left, 150 - width, 4);
  EXPECT_NEAR(drawn("20 kPa", 20, 30, 18).right, 20 + width, 4);
}

TEST(Canvas, LettersDiffer) {
  std::vector<std::vector<std::uint32_t>> seen;
  for (const char letter :
       std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:-+=/()_")) {
    Picture picture = white(40, 40);
    Canvas(&picture).text(10, 30, 18, std::string(1, letter), kBlack);
    EXPECT_GE(extent_of(picture).right, 0) << letter;
    for (const auto& other : seen) EXPECT_NE(picture.pixels, other) << letter;
    seen.push_back(picture.pixels);
  }
}

TEST(Canvas, TextThatIsNotUtf8SpoilsNothingElse) {
  Picture picture = white(200, 40);
  Canvas canvas(&picture);
  canvas.text(10, 30, 18, "\xff\xfe", kBlack);
  EXPECT_EQ(canvas.text_width("\xff", 18), 0.0);
  const Extent before = extent_of(picture);
  canvas.text(100, 30, 18, "H", kBlack);
  EXPECT_GT(extent_of(picture).right, std::max(before.right, 100));
}

TEST(Canvas, APngHoldsThePixels) {
  Picture picture = white(3, 2);
  const std::string bytes = png_bytes(picture);
  EXPECT_TRUE(bytes.starts_with("\x89PNG\r\n\x1a\n"));
  picture.pixels[0] |= 0xff000000U;  // the byte that means nothing
  EXPECT_EQ(png_bytes(picture), bytes);
  picture.pixels[0] = 0xfffffe;
  EXPECT_NE(png_bytes(picture), bytes);
}

}  // namespace
}  // namespace csim
