// A quasistatic problem as the problems of its islands, which have nothing in common.
#pragma once

#include "problem/quasistatic_problem.h"

namespace csim {

/// Trees that share groups, as a problem of their own.
struct QuasistaticIsland {
  QuasistaticProblem problem;
  std::vector<int> trees, groups;  // in the whole problem, ascending
};

class QuasistaticIslands {
 public:
  /// Splits the problem; islands are numbered by their smallest tree. Trees without any group are one island
  /// together. Groups whose sides do not move join the first. Allocates where an island is larger than all
  /// before it of the same number.
  void split(const QuasistaticProblem& problem);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const QuasistaticIsland& operator[](int i) const { return islands_[i]; }

  /// Copies v [nv] and z [rows] of an island to their places in the whole problem.
  void put_back(const QuasistaticProblem& problem, int island, const std::vector<double>& v,
                const std::vector<double>& z, std::vector<double>* whole_v,
                std::vector<double>* whole_z) const;

 private:
  void append_tree(const QuasistaticProblem& problem, int tree, QuasistaticIsland* island);
  void append_group(const QuasistaticProblem& problem, int group, QuasistaticIsland* island);

  int count_ = 0;
  std::vector<QuasistaticIsland> islands_;  // never shrinks
  std::vector<int> parent_;                 // [T], forest of components
  std::vector<int> island_, place_;         // [T]: island, tree in it
};

}  // namespace csim
