// schemas/results.md and a fresh file must name the same datasets, with the same types, shapes and units, and
// the same attributes.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "record/reader.h"
#include "record/recorder.h"
#include "support/source_folder.h"
#include "synthetic_run.h"

namespace csim::test {
namespace {

struct DocumentedDataset {
  std::string shape, type, units, when;
};

struct Documentation {
  std::map<std::string, DocumentedDataset> datasets;  // by path
  std::map<std::string, std::set<std::string>>
      attributes;  // by the group that the text above the table names
};

/// A cell without the blanks and the back quotes around it.
std::string strip(const std::string& cell) {
  const std::size_t begin = cell.find_first_not_of(" `"), end = cell.find_last_not_of(" `");
  return begin == std::string::npos ? std::string() : cell.substr(begin, end - begin + 1);
}

Documentation read_documentation() {
  std::ifstream file(test::source_folder() + "/schemas/results.md");
  Documentation documentation;
  constexpr char kRoot = '/';
  std::string group;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Root:")) group.assign(1, kRoot);
    if (line.starts_with("`/") && line.find("`", 1) != std::string::npos)
      group = line.substr(1, line.find("`", 1) - 1);
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(strip(cell));
    if (cells[0].starts_with("/")) {
      documentation.datasets[cells[0]] = {std::regex_replace(cells[1], std::regex("\\\\"), ""), cells[2],
                                          cells[3], cells[4]};
    } else {
      documentation.attributes[group].insert(cells[0]);
    }
  }
  return documentation;
}

/// The path as the page spells it.
std::string pattern_of(const std::string& path) {
  std::string pattern =
      std::regex_replace(path, std::regex("^/meshes/[^/]+/[^/]+/"), "/meshes/<body>/<geometry>/");
  return std::regex_replace(pattern, std::regex("^/checkpoint/slot_[0-9]+/"), "/checkpoint/slot_<i>/");
}

/// "[F,B,3]" with the file's sizes against a shape; "scalar" is no axis at all.
bool shape_fits(const std::string& documented, const std::vector<long>& shape,
                const std::map<std::string, long>& sizes) {
  if (documented == "scalar") return shape.empty();
  std::istringstream axes(documented.substr(1, documented.size() - 2));
  std::size_t axis = 0;
  for (std::string symbol; std::getline(axes, symbol, ','); ++axis) {
    if (axis >= shape.size()) return false;
    if (symbol == "*") continue;
    const bool one_more = symbol.ends_with("+1");
    if (one_more) symbol.resize(symbol.size() - 2);
    const auto known = sizes.find(symbol);
    const long size = (known == sizes.end() ? std::stol(symbol) : known->second) + (one_more ? 1 : 0);
    if (shape[axis] != size) return false;
  }
  return axis == shape.size();
}

TEST(ResultsDocumentation, FreshFileAndPageNameTheSame) {
  const SyntheticRun run;
  const std::string path = fresh_folder("documentation") + "run.h5";
  {
    const auto recorder = run.create(path);
    run.record(recorder.get(), 0, 50);
    recorder->finish(RunStatus::kInterrupted, 75, "", run.state(50), run.memory(50));
    const auto point = read_resume_point(path, run.model, run.text, run.options);
    Recorder resumed(path, run.scene, run.model, run.text, run.provenance, run.options, *point);
    resumed.finish(RunStatus::kComplete, 0, "", run.state(50), run.memory(50));
  }
  Documentation documentation = read_documentation();
  const ResultFile result(path);
  const std::map<std::string, long> sizes = {{"F", 17},
                                             {"S", 50},
                                             {"E", SyntheticRun::events_before(50)},
                                             {"N", SyntheticRun::contacts_before(17)},
                                             {"P", SyntheticRun::patches_before(17)},
                                             {"Q", SyntheticRun::faces_before(17)},
                                             {"C", 3 * SyntheticRun::faces_before(17)},
                                             {"I", SyntheticRun::iterations_before(50)},
                                             {"B", 5},
                                             {"G", 5},
                                             {"J", 2},
                                             {"n", 0},
                                             {"K", 0},
                                             {"L", 1},
                                             {"H", 0},
                                             {"R", SyntheticRun::pairs_before(17)},
                                             {"rows", 0},
                                             {"nq", 19},
                                             {"nv", 16},
                                             {"nqj", 5},
                                             {"nvj", 4},
                                             {"trees", 2}};

  std::set<std::string> seen;
  for (const hdf5::ObjectInfo& dataset : result.datasets()) {
    const std::string name = pattern_of(dataset.path);
    seen.insert(name);
    const auto documented = documentation.datasets.find(name);
    if (documented == documentation.datasets.end()) {
      ADD_FAILURE() << dataset.path << " is not documented";
      continue;
    }
    EXPECT_EQ(documented->second.type, to_string(dataset.type)) << name;
    EXPECT_TRUE(shape_fits(documented->second.shape, dataset.shape, sizes))
        << name << " documented as " << documented->second.shape << ", has "
        << testing::PrintToString(dataset.shape);
    const std::vector<std::string> units = result.units(dataset.path);
    if (documented->second.units == "per column") {
      EXPECT_EQ(static_cast<long>(units.size()), dataset.shape.back()) << name;
    } else {
      std::string joined;
      for (const std::string& unit : units) joined.append(joined.empty() ? "" : ", ").append(unit);
      EXPECT_EQ(documented->second.units, joined) << name;
    }
  }
  const std::set<std::string> of_other_scenes = {"quasistatic", "integrator.sleep_speed", "breaking_load",
                                                 "integrator.type: error_controlled"};
  for (const auto& [name, entry] : documentation.datasets)
    EXPECT_EQ(seen.contains(name), !of_other_scenes.contains(entry.when)) << name << " is documented so";

  for (const auto& [group, names] : documentation.attributes) {
    std::set<std::string> expected = names;
    // An earlier run has all of /provenance, and more.
    if (group.starts_with("/provenance/")) expected.merge(std::set(documentation.attributes["/provenance"]));
    const auto there = result.file().attribute_names(std::regex_replace(group, std::regex("<i>"), "0"));
    EXPECT_EQ(expected, std::set<std::string>(there.begin(), there.end())) << group;
  }
  EXPECT_EQ(documentation.attributes.size(), 4u);
}

}  // namespace
}  // namespace csim::test
