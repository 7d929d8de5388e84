// Folders that are there complete or not at all.
#include "export/output_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "record/errors.h"

namespace csim {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class OutputFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            (std::string("csim_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directory(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] std::string at(const std::string& name) const { return (root_ / name).string(); }

  /// All that is in a folder, below it too, without the list of files that an export leaves.
  [[nodiscard]] Names names(const std::string& folder = "") const {
    Names found;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / folder)) {
      if (entry.path().filename() != ".csim_export")
        found.insert(entry.path().lexically_relative(root_ / folder).string());
    }
    return found;
  }

  static void write(const std::string& path, const std::string& text = "text") {
    std::ofstream(path) << text;
  }

  void export_files(const std::string& folder, bool force, const Names& files) const {
    OutputFolder output(at(folder), force);
    for (const std::string& file : files) write(output.place(file));
    EXPECT_EQ(output.num_files(), files.size());
    EXPECT_EQ(output.bytes(), 4 * files.size());
    output.commit();
  }

  fs::path root_;
};

TEST_F(OutputFolderTest, IsThereAfterCommitAlone) {
  {
    OutputFolder output(at("out"), false);
    write(output.place("a/b.txt"));
    EXPECT_FALSE(fs::exists(at("out")));
  }
  EXPECT_EQ(names(), Names{});
  export_files("out", false, {"a/b.txt", "c.txt"});
  EXPECT_EQ(names("out"), (Names{"a", "a/b.txt", "c.txt"}));
  EXPECT_EQ(names(), (Names{"out", "out/a", "out/a/b.txt", "out/c.txt"}));
}

TEST_F(OutputFolderTest, ReplacesAnEarlierExportAndNothingElse) {
  export_files("out/", false, {"a/old.txt", "c.txt"});
  write(at("out/mine.txt"));
  EXPECT_THROW(OutputFolder(at("out"), false), OutputExistsError);
  { const OutputFolder unfinished(at("out"), true); }
  EXPECT_EQ(names("out"), (Names{"a", "a/old.txt", "c.txt", "mine.txt"}));
  export_files("out", true, {"b/new.txt", "c.txt"});
  EXPECT_EQ(names("out"), (Names{"b", "b/new.txt", "c.txt", "mine.txt"}));
}

TEST_F(OutputFolderTest, AListOfFilesCannotReachOutside) {
  write(at("outside.txt"));
  fs::create_directory(at("out"));
  write(at("out/.csim_export"), "../outside.txt\n" + at("outside.txt") + "\n");
  export_files("out", true, {"a.txt"});
  EXPECT_TRUE(fs::exists(at("outside.txt")));
}

TEST_F(OutputFolderTest, OneExportAtATime) {
  for (const bool in_place : {false, true}) {
    if (in_place) fs::create_directory(at("out"));
    {
      OutputFolder first(at("out"), false);
      EXPECT_THROW(OutputFolder(at("out"), true), OutputBusyError);
      write(first.place("a.txt"));
      first.commit();
    }
    EXPECT_EQ(names("out"), Names{"a.txt"});
    fs::remove_all(at("out"));
  }
}

TEST_F(OutputFolderTest, WhatAKilledExportLeftIsReplaced) {
  fs::create_directories(at("out.part/a"));
  write(at("out.part/a/half.txt"));
  EXPECT_THROW(OutputFolder(at("out"), true), OutputExistsError);  // no export's: nothing says so
  write(at("out.part/.csim_export"), "");
  export_files("out", false, {"b.txt"});
  EXPECT_EQ(names(), (Names{"out", "out/b.txt"}));
}

// A commit that ends between its files, here since one of them has no place: what has come and what has not
// yet gone belong to an export, which the next one replaces.
TEST_F(OutputFolderTest, WhatACommitLeavesWhenItEndsHalfWayIsReplaced) {
  export_files("out", false, {"a.txt", "old/z.txt"});
  write(at("out/mine.txt"));
  fs::create_directories(at("out/c.txt/mine"));
  EXPECT_THROW(export_files("out", true, {"b.txt", "c.txt", "d.txt"}), IoError);
  EXPECT_EQ(names("out"), (Names{"b.txt", "c.txt", "c.txt/mine", "mine.txt"}));
  fs::remove_all(at("out/c.txt"));
  export_files("out", true, {"e.txt"});
  EXPECT_EQ(names("out"), (Names{"e.txt", "mine.txt"}));
}

// Killed there, it leaves its folder inside the place as well, its list written.
TEST_F(OutputFolderTest, WhatAKilledCommitLeftIsReplaced) {
  export_files("out", false, {"a.txt"});
  write(at("out/b.txt"));
  write(at("out/.csim_export"), "b.txt\nc.txt\na.txt\n");
  fs::create_directory(at("out/.csim_export.part"));
  write(at("out/.csim_export.part/c.txt"));
  write(at("out/.csim_export.part/.csim_export"), "b.txt\nc.txt\n");
  export_files("out", true, {"e.txt"});
  EXPECT_EQ(names("out"), Names{"e.txt"});
}

TEST_F(OutputFolderTest, AnExportToAFolderOfThatNameIsNoUnfinishedOne) {
  export_files("out.part", false, {"a.txt"});
  EXPECT_THROW(OutputFolder(at("out"), true), OutputExistsError);
  EXPECT_EQ(names("out.part"), Names{"a.txt"});
}

TEST_F(OutputFolderTest, PlacesThatAreNoFolder) {
  write(at("file"));
  EXPECT_THROW(OutputFolder(at("file"), true), OutputExistsError);
  EXPECT_THROW(OutputFolder(at("nowhere/out"), false), IoError);
}

}  // namespace
}  // namespace csim
