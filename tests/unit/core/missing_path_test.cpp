#include "core/missing_path.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace csim {
namespace {

namespace fs = std::filesystem;

/// A folder with "results/", "scene.yaml" and nothing else.
class MissingPath : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "results");
    std::ofstream(folder_ / "scene.yaml") << "csim: 1\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const char* name) const { return (folder_ / name).string(); }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("missing_path_" + std::to_string(::getpid()));
};

TEST_F(MissingPath, NamesTheTopmostFolderThatIsNotThere) {
  EXPECT_EQ(missing_folder(at("results/x.h5")), "");
  EXPECT_EQ(missing_folder(at("x.h5")), "");
  EXPECT_EQ(missing_folder("x.h5"), "");
  EXPECT_EQ(missing_folder(at("result/a/b/x.h5")),
            "no such folder '" + at("result") + "' (did you mean '" + at("results") + "'?)");
  EXPECT_EQ(missing_folder(at("results/deep/x.h5")), "no such folder '" + at("results/deep") + "'");
  EXPECT_EQ(missing_folder(at("scene.yaml/x.h5")), "'" + at("scene.yaml") + "' is a file, expected a folder");
}

TEST_F(MissingPath, OffersTheNearestFile) {
  EXPECT_EQ(missing_file_hint(at("scen.yaml")), " (did you mean '" + at("scene.yaml") + "'?)");
  EXPECT_EQ(missing_file_hint("scen.yaml", folder_), " (did you mean 'scene.yaml'?)");
  EXPECT_EQ(missing_file_hint("results/../scen.yaml", folder_), " (did you mean 'results/../scene.yaml'?)");
  EXPECT_EQ(missing_file_hint("results.h5", folder_), "");  // a folder is no file
  EXPECT_EQ(missing_file_hint("reslts/a.h5", folder_), ": no such folder 'reslts' (did you mean 'results'?)");
}

}  // namespace
}  // namespace csim
