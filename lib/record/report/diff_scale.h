// Against what the size of a difference is told: numbers of the same kind.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace csim {

/// An entry of a dataset, counted row after row, that differs.
struct Difference {
  long entry;  // of the first file
  double a, b;
  [[nodiscard]] double size() const { return std::abs(a - b); }
};

/// Numbers with the same one share a scale: those of a unit in the tables of the motion. Pure numbers mean
/// other things in each dataset, and sizes of bodies say nothing of how they move: they have that of their
/// dataset.
[[nodiscard]] std::string scale_name(const std::string& path, const std::string& unit);

/// The columns of a dataset that share a scale.
struct ScaleGroup {
  std::string name;
  double largest = 0.0;             // finite |a| or |b|
  std::optional<Difference> worst;  // the largest |a - b|

  void see(double a, double b) {
    for (const double size : {std::abs(a), std::abs(b)})
      if (size > largest && std::isfinite(size)) largest = size;
  }
};

/// The groups of a dataset, and that of each of its columns.
class ScaleGroups {
 public:
  /// `units`: one for all entries of the dataset, or one a column.
  ScaleGroups(const std::string& path, const std::vector<std::string>& units);

  /// That of an entry of a row.
  [[nodiscard]] ScaleGroup& of(std::size_t entry) { return groups_[of_column_[entry % of_column_.size()]]; }
  [[nodiscard]] const std::vector<ScaleGroup>& all() const { return groups_; }

 private:
  std::vector<ScaleGroup> groups_;
  std::vector<std::size_t> of_column_;
};

}  // namespace csim
