// The layout `csim-trajectory/1` as a table: what a file may hold, in which shape. docs/audit.md says what
// the numbers mean.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace csim::audit {

inline constexpr const char* kFormat = "csim-trajectory/1";

/// What the leading axes of a dataset count: F rows, B bodies, N contacts, R pairs.
enum class Axes { kNone, kRows, kBodies, kRowsBodies, kContactOffsets, kContacts, kPairOffsets, kPairs };

enum class Element { kReal, kIndex, kText };

/// kWithGroup: where another dataset of its group is there.
enum class Need { kNever, kWithGroup, kAlways };

struct Dataset {
  const char* path;
  Axes axes;
  long width;  // length of the last axis; 0: there is none
  Element element = Element::kReal;
  Need need = Need::kNever;
  bool may_be_nan = false;  // NaN: unknown
};

[[nodiscard]] std::span<const Dataset> layout();

/// The dataset of the path; null where the layout has none.
[[nodiscard]] const Dataset* find_dataset(const std::string& path);

/// A dataset in memory, row-major. One of texts has no numbers.
struct Array {
  std::vector<long> shape;  // empty: scalar
  std::vector<double> values = {};
  std::vector<std::string> texts = {};
  bool is_text = false;
};

/// What a file holds, by path.
struct Arrays {
  std::string file;          // for messages
  std::string program = {};  // who made it; "" if it does not say
  std::map<std::string, Array> arrays = {};
};

/// Reads an HDF5 file of the layout. Throws what open_hdf5 throws, InvalidResultError for another format.
[[nodiscard]] Arrays read_hdf5_arrays(const std::string& file);

/// Reads a folder of CSV files: bodies.csv, motion.csv, and contacts.csv, pairs.csv, energy.csv, settings.csv
/// where they are there. Throws InvalidResultError with file, line and column's name.
[[nodiscard]] Arrays read_csv_arrays(const std::string& folder);

}  // namespace csim::audit
