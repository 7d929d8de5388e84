#include "core/version.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(Version, NamesVersionRevisionCompilerAndLibraries) {
  EXPECT_EQ(version().version.find_first_not_of("0123456789."), std::string::npos);
  EXPECT_TRUE(version().revision == "unknown" || version().revision.size() == 40) << version().revision;
  EXPECT_NE(version().compiler.find("-march="), std::string::npos);
  bool has_hdf5 = false;
  for (const std::string& library : version().libraries) has_hdf5 |= library.starts_with("HDF5 1.");
  EXPECT_TRUE(has_hdf5);
}

TEST(Version, DirtyTreesAreMarked) {
  EXPECT_EQ(
      revision_text({.version = "1", .revision = "abc", .dirty = true, .compiler = "", .libraries = {}}),
      "abc+dirty");
  EXPECT_EQ(
      revision_text({.version = "1", .revision = "abc", .dirty = false, .compiler = "", .libraries = {}}),
      "abc");
}

}  // namespace
}  // namespace csim
