#include "core/sha256.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace csim {
namespace {

// Known answers of FIPS 180-4 / NIST CAVP.
TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Lengths around the block boundaries; the tool sha256sum is the truth.
TEST(Sha256, TextAndFileAgreeWithSha256sum) {
  for (const std::size_t length : {55u, 56u, 57u, 63u, 64u, 65u, 119u, 120u, 128u, 1000u}) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * 37 + 11);
    const std::string path = testing::TempDir() + "sha256_test.bin";
    std::ofstream(path, std::ios::binary) << text;
    ASSERT_EQ(sha256_of_file(path), sha256_hex(text));
    FILE* pipe = popen(("sha256sum " + path).c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    char digest[65] = {};
    ASSERT_EQ(std::fread(digest, 1, 64, pipe), 64u);
    pclose(pipe);
    EXPECT_EQ(sha256_hex(text), digest) << length;
  }
}

TEST(Sha256, MissingFileHasNoDigest) {
  EXPECT_FALSE(sha256_of_file("/nonexistent/file").has_value());
}

}  // namespace
}  // namespace csim
