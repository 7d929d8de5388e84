#include "core/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/require.h"

namespace csim {
namespace {

TEST(JsonWriter, NestsObjectsAndArrays) {
  JsonWriter json(2);
  json.begin_object()
      .member("name", "ball")
      .key("values")
      .begin_array()
      .value(1)
      .value(2.5)
      .null()
      .end_array();
  json.key("empty").begin_object().end_object().member("ok", true).end_object();
  EXPECT_EQ(json.text(), R"({
  "name": "ball",
  "values": [
    1,
    2.5,
    null
  ],
  "empty": {},
  "ok": true
}
)");
}

TEST(JsonWriter, OneLineWithoutIndent) {
  JsonWriter json(0);
  json.begin_array().value(1).begin_object().member("a", "b").member("c", std::int64_t{1} << 60).end_object();
  json.end_array();
  EXPECT_EQ(json.text(), "[1, {\"a\": \"b\", \"c\": 1152921504606846976}]\n");
}

TEST(JsonWriter, EscapesStrings) {
  JsonWriter json(0);
  json.value("a\"b\\c\n\t\r\x01 \xC3\xA9 \xF0\x9F\x98\x80 \xFF \xC0\xAF \xED\xA0\x80");
  const std::string bad = "\xEF\xBF\xBD";  // U+FFFD, one for each byte that begins no valid sequence
  EXPECT_EQ(json.text(), "\"a\\\"b\\\\c\\n\\t\\r\\u0001 \xC3\xA9 \xF0\x9F\x98\x80 " + bad + " " + bad + bad +
                             " " + bad + bad + bad + "\"\n");
}

TEST(JsonWriter, RealsReadBackToTheSameBitsAndNonFiniteIsNull) {
  for (const double number : {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 123456789.0}) {
    JsonWriter json(0);
    json.value(number);
    const double back = std::strtod(json.text().c_str(), nullptr);
    EXPECT_EQ(back, number);
    EXPECT_EQ(std::signbit(back), std::signbit(number));
  }
  JsonWriter json(0);
  json.begin_array().value(std::nan("")).value(std::numeric_limits<double>::infinity()).end_array();
  EXPECT_EQ(json.text(), "[null, null]\n");
}

TEST(JsonWriter, BrokenNestingIsAnInternalError) {
  EXPECT_THROW(JsonWriter().begin_object().value(1), InternalError);
  EXPECT_THROW(JsonWriter().begin_array().key("a"), InternalError);
  EXPECT_THROW(JsonWriter().begin_array().end_object(), InternalError);
  EXPECT_THROW(static_cast<void>(JsonWriter().begin_array().text()), InternalError);
  EXPECT_THROW(JsonWriter().value(1).value(2), InternalError);
}

}  // namespace
}  // namespace csim
