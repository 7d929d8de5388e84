// Which rows of two results stand for the same: of the same time, and in ragged tables of the same pair.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "record/reader.h"

namespace csim {

struct RowPair {
  long a = 0, b = 0;  // rows of the two files
};

/// Rows with counterparts, ascending in both files.
struct MatchedRows {
  std::vector<RowPair> rows;
  bool complete = false;  // no row is without a counterpart, of those up to the time asked for
};

/// Pairs rows of equal times, to 1e-9 s, up to `until`.
[[nodiscard]] MatchedRows match_times(const std::vector<double>& a, const std::vector<double>& b,
                                      double until = std::numeric_limits<double>::infinity());

/// The rows of all tables of two results that can be compared. Frames and steps: of the same time. Events:
/// one after the other, in files of the same steps. Rows of ragged tables: within owners that have
/// counterparts those of the same things (geometries, bodies, kind), where both have as many of them; /pair
/// in frames whose row before has a counterpart too, since its rows tell of the time between.
class RowMatch {
 public:
  RowMatch(const ResultFile& a, const ResultFile& b, double until);

  /// nullptr for a table that one of the files does not have.
  [[nodiscard]] const MatchedRows* find(Table table) const;

  struct Remark {
    Table table;
    std::string text;  // begins with the group
  };
  /// What keeps the files from being equal: a motion that goes on in one file alone, others that touch.
  [[nodiscard]] const std::vector<Remark>& mismatches() const { return mismatches_; }
  /// What is left out without that: other periods, other steps.
  [[nodiscard]] const std::vector<Remark>& notes() const { return notes_; }

 private:
  void match_timed(Table table, const std::string& group);
  void match_events();
  void match_ragged(const RaggedTable& ragged);

  const ResultFile &a_, &b_;
  double until_;
  std::map<Table, MatchedRows> matched_;
  std::vector<Remark> mismatches_, notes_;
};

}  // namespace csim
