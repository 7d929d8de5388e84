#include "record/report/diff_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/counted.h"
#include "core/number_format.h"
#include "record/tables.h"

namespace csim {
namespace {

constexpr double kTimeTolerance = 1e-9;  // s, of times that are meant to be equal

/// Rows up to a time.
long num_until(const std::vector<double>& times, double until) {
  return std::upper_bound(times.begin(), times.end(), until + kTimeTolerance) - times.begin();
}

/// The columns of a ragged table that say what a row is of.
class RowKeys {
 public:
  RowKeys(const ResultFile& result, const ResultFile& other, const std::string& group) {
    const std::array names{"/geometry_a", "/geometry_b", "/body_a", "/body_b", "/kind"};
    for (const char* name : names) {
      if (result.has(group + name) && other.has(group + name))
        columns_.push_back(result.integer(group + name));
    }
    if (result.has(group + "/mode")) modes_ = result.integer(group + "/mode");
  }

  using Key = std::vector<std::int64_t>;
  [[nodiscard]] Key key(long row) const {
    Key key;
    for (const auto& column : columns_) key.push_back(column.at(static_cast<std::size_t>(row)));
    return key;
  }

  /// key(row) == other.key(other_row), without a vector for each.
  [[nodiscard]] bool is_same(long row, const RowKeys& other, long other_row) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].at(static_cast<std::size_t>(row)) !=
          other.columns_[i].at(static_cast<std::size_t>(other_row)))
        return false;
    }
    return true;
  }

  /// A contact that was offered to the step, and has no force.
  [[nodiscard]] bool is_idle(long row) const {
    return !modes_.empty() && modes_.at(static_cast<std::size_t>(row)) == 0;
  }

 private:
  std::vector<std::vector<std::int64_t>> columns_;
  std::vector<std::int64_t> modes_;
};

/// Rows [begin, end) of a file.
struct Range {
  long begin = 0, end = 0;
  [[nodiscard]] long count() const { return end - begin; }
};

bool same_keys(const RowKeys& keys_a, Range a, const RowKeys& keys_b, Range b) {
  if (a.count() != b.count()) return false;
  for (long i = 0; i < a.count(); ++i)
    if (!keys_a.is_same(a.begin + i, keys_b, b.begin + i)) return false;
  return true;
}

using Groups = std::map<RowKeys::Key, std::vector<long>>;

Groups by_key(const RowKeys& keys, Range range) {
  Groups groups;
  for (long row = range.begin; row < range.end; ++row) groups[keys.key(row)].push_back(row);
  return groups;
}

/// Appends the rows of the same things of one owner; false when some that act have no counterpart.
bool match_range(const RowKeys& keys_a, Range a, const RowKeys& keys_b, Range b, MatchedRows* matched) {
  if (same_keys(keys_a, a, keys_b, b)) {
    for (long i = 0; i < a.count(); ++i) matched->rows.push_back({a.begin + i, b.begin + i});
    return true;
  }
  const Groups groups_a = by_key(keys_a, a), groups_b = by_key(keys_b, b);
  const auto idle = [](const RowKeys& keys, const std::vector<long>& rows) {
    return std::all_of(rows.begin(), rows.end(), [&](long row) { return keys.is_idle(row); });
  };
  bool complete = true;
  std::vector<RowPair> pairs;
  for (const auto& [key, rows] : groups_a) {
    const auto other = groups_b.find(key);
    if (other != groups_b.end() && other->second.size() == rows.size()) {
      for (std::size_t i = 0; i < rows.size(); ++i) pairs.push_back({rows[i], other->second[i]});
    } else {
      complete = complete && idle(keys_a, rows) && (other == groups_b.end() || idle(keys_b, other->second));
    }
  }
  for (const auto& [key, rows] : groups_b)
    complete = complete && (groups_a.contains(key) || idle(keys_b, rows));
  std::sort(pairs.begin(), pairs.end(), [](const RowPair& p, const RowPair& q) { return p.a < q.a; });
  matched->rows.insert(matched->rows.end(), pairs.begin(), pairs.end());
  return complete;
}

const char* owner_name(Table owner) {
  return owner == Table::kFrames    ? "frames"
         : owner == Table::kSteps   ? "steps"
         : owner == Table::kPatches ? "patches"
                                    : "rows";
}

}  // namespace

MatchedRows match_times(const std::vector<double>& a, const std::vector<double>& b, double until) {
  const long num_a = num_until(a, until), num_b = num_until(b, until);
  MatchedRows matched;
  for (long i = 0, j = 0; i < num_a && j < num_b;) {
    const double lead = a[i] - b[j];
    if (std::abs(lead) <= kTimeTolerance) {
      matched.rows.push_back({i++, j++});
    } else {
      lead < 0.0 ? ++i : ++j;
    }
  }
  const long count = static_cast<long>(matched.rows.size());
  matched.complete = count == num_a && count == num_b;
  return matched;
}

RowMatch::RowMatch(const ResultFile& a, const ResultFile& b, double until) : a_(a), b_(b), until_(until) {
  match_timed(Table::kFrames, "/trajectory");
  match_timed(Table::kSteps, "/stats/step");
  match_events();
  for (const RaggedTable& ragged : kRaggedTables) match_ragged(ragged);
}

const MatchedRows* RowMatch::find(Table table) const {
  const auto found = matched_.find(table);
  return found == matched_.end() ? nullptr : &found->second;
}

void RowMatch::match_timed(Table table, const std::string& group) {
  const std::vector<double> a = a_.real(group + "/time"), b = b_.real(group + "/time");
  const MatchedRows& matched = matched_[table] = match_times(a, b, until_);
  if (matched.complete) return;
  const long num_a = num_until(a, until_), num_b = num_until(b, until_);
  const long count = static_cast<long>(matched.rows.size());
  const std::string counts = group + ": " + counted(num_a, "row") + " against " + std::to_string(num_b) +
                             ", " + std::to_string(count) + " at common times";
  const auto end = [&](const std::vector<double>& times) {
    return times.empty() ? -1.0 : std::min(times.back(), until_);
  };
  if (std::abs(end(a) - end(b)) > kTimeTolerance) {
    mismatches_.push_back(
        {table, counts + format_text("; one ends at t = %.9g s, the other at %.9g s",
                                     a.empty() ? 0.0 : a.back(), b.empty() ? 0.0 : b.back())});
  } else if (count <= 1 && std::max(num_a, num_b) > 1) {
    mismatches_.push_back({table, counts + ": nothing but the start can be compared"});
  } else {
    notes_.push_back({table, counts});
  }
}

void RowMatch::match_events() {
  if (!a_.has("/event/time") || !b_.has("/event/time")) return;  // one file is older than the group
  MatchedRows& matched = matched_[Table::kEvents];
  if (!matched_.at(Table::kSteps).complete) {
    notes_.push_back({Table::kEvents, "/event: not compared, the files have other steps"});
    return;
  }
  const long num_a = num_until(a_.real("/event/time"), until_),
             num_b = num_until(b_.real("/event/time"), until_);
  for (long row = 0; row < std::min(num_a, num_b); ++row) matched.rows.push_back({row, row});
  matched.complete = num_a == num_b;
  if (!matched.complete)
    mismatches_.push_back(
        {Table::kEvents, "/event: " + counted(num_a, "row") + " against " + std::to_string(num_b)});
}

void RowMatch::match_ragged(const RaggedTable& ragged) {
  const MatchedRows* owners = find(ragged.owner);
  if (owners == nullptr || !a_.has(ragged.offsets) || !b_.has(ragged.offsets)) return;
  const std::vector<std::int64_t> a = a_.integer(ragged.offsets), b = b_.integer(ragged.offsets);
  const RowKeys keys_a(a_, b_, ragged.group), keys_b(b_, a_, ragged.group);
  MatchedRows matched;
  long others = 0, left_out = 0;
  RowPair first{}, before{-1, -1};
  for (const RowPair& owner : owners->rows) {
    const bool follows = owner.a == before.a + 1 && owner.b == before.b + 1;
    before = owner;
    if (ragged.table == Table::kPairs && !follows) {
      ++left_out;
      continue;
    }
    const Range range_a{a.at(owner.a), a.at(owner.a + 1)}, range_b{b.at(owner.b), b.at(owner.b + 1)};
    if (!match_range(keys_a, range_a, keys_b, range_b, &matched) && others++ == 0) first = owner;
  }
  matched.complete = others == 0 && left_out == 0;
  matched_[ragged.table] = std::move(matched);
  if (left_out > 0)
    notes_.push_back({ragged.table, std::string(ragged.group) + ": not compared in " +
                                        counted(left_out, "frame") + ": they tell of other intervals"});
  if (others == 0) return;
  std::string text = std::string(ragged.group) + ": others in " + std::to_string(others) + " of " +
                     std::to_string(owners->rows.size()) + " " + owner_name(ragged.owner);
  if (ragged.owner == Table::kFrames)
    text += format_text(", first at t = %.9g s", a_.real("/trajectory/time", first.a, 1).at(0));
  if (ragged.owner == Table::kSteps)
    text += format_text(", first at t = %.9g s", a_.real("/stats/step/time", first.a, 1).at(0));
  text += " (" + counted(a.at(first.a + 1) - a.at(first.a), "row") + " against " +
          std::to_string(b.at(first.b + 1) - b.at(first.b)) + ")";
  mismatches_.push_back({ragged.table, text});
}

}  // namespace csim
