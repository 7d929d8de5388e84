#include "core/nearest_name.h"

#include <algorithm>
#include <cctype>

namespace csim {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// The first candidate that contains `name` or is contained in it, the shorter of at least 4 letters
/// ("resolution_hint" and "resolution"); "" if there is none.
std::string overlapping_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr size_t kShortest = 4;
  const std::string wanted = lower_case(name);
  for (const std::string& candidate : candidates) {
    const std::string known = lower_case(candidate);
    const bool contains = wanted.size() >= kShortest && known.find(wanted) != std::string::npos;
    const bool contained = known.size() >= kShortest && wanted.find(known) != std::string::npos;
    if (contains || contained) return candidate;
  }
  return "";
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // row[j] is the distance between the first i letters of a and the first j of b; two rows back for
  // transpositions.
  const size_t n = b.size();
  std::vector<int> two_back(n + 1), back(n + 1), row(n + 1);
  for (size_t j = 0; j <= n; ++j) row[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_back, back);
    std::swap(back, row);
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= n; ++j) {
      row[j] = std::min({back[j] + 1, row[j - 1] + 1, back[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_back[j - 2] + 1);
      }
    }
  }
  return row[n];
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string wanted = lower_case(name);
  std::string nearest;
  int smallest = 3;
  for (const std::string& candidate : candidates) {
    const std::string known = lower_case(candidate);
    const int distance = edit_distance(wanted, known);
    const bool meant = 2 * distance < static_cast<int>(std::max(wanted.size(), known.size()));
    if (distance < smallest && meant) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates,
                         const std::string& prefix) {
  std::string meant = nearest_name(name, candidates);
  if (meant.empty()) meant = overlapping_name(name, candidates);
  return meant.empty() ? "" : " (did you mean '" + prefix + meant + "'?)";
}

}  // namespace csim
