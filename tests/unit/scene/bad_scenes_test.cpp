// Every file of tests/regression/bad_scenes gives exactly the diagnostics of its .expected file. A line `#
// set: KEY=VALUE` in a scene is an override of the command line. CSIM_UPDATE=1 writes the .expected files
// anew: read them before committing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scene/read_scene.h"
#include "support/source_folder.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(test::source_folder()) / "tests/regression/bad_scenes";

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> overrides_of(const std::string& scene) {
  const std::string mark = "# set: ";
  std::vector<std::string> overrides;
  std::istringstream stream(scene);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(mark, 0) == 0) overrides.push_back(line.substr(mark.size()));
  }
  return overrides;
}

std::vector<std::string> scene_files() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class BadScene : public testing::TestWithParam<std::string> {};

TEST_P(BadScene, GivesTheExpectedDiagnostics) {
  const fs::path file = kFolder / (GetParam() + ".yaml"), expected = kFolder / (GetParam() + ".expected");
  Diagnostics found = read_scene(file.string(), overrides_of(read_text(file))).diagnostics;
  for (Diagnostic& diagnostic : found) {
    const std::string folder = kFolder.string() + "/";
    if (diagnostic.file.starts_with(folder)) diagnostic.file = diagnostic.file.substr(folder.size());
  }
  const std::string text = format_diagnostics(found);
  EXPECT_FALSE(found.empty()) << "the scene is good";
  if (std::getenv("CSIM_UPDATE") != nullptr) std::ofstream(expected, std::ios::binary) << text;
  EXPECT_EQ(text, read_text(expected));
}

INSTANTIATE_TEST_SUITE_P(Corpus, BadScene, testing::ValuesIn(scene_files()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace csim
