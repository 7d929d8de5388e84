// The text that Siconos' numerics write (fc2d, fc3d, gfc3d, rolling_fc3d, .._printInFile): numbers apart by
// white space,
//
//   rows a contact, contacts, M [local: Delassus' operator], q, mu            local problem
//   rows a contact, contacts, M [mass matrix], H, q [f], b [w], mu            global problem
//
// then, with five rows, mu_r; a flag may follow. Nothing says which of the two it is: the number of what
// follows M does. A matrix: storage, rows, columns, and with storage 0 (dense): rows, columns, entries column
// by column, whatever the lines say; 1 (blocks): their number, block rows, block columns, ends of both,
// lengths and entries of two index lists (begins of block rows; block columns), each block's index and
// entries column by column; 2 (sparse): CSparse's print of triplets or columns.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/file_bytes.h"
#include "core/number_format.h"
#include "record/errors.h"
#include "record/friction/friction_file.h"

namespace csim {
namespace {

struct Token {
  std::string_view text;
  int line;
};

std::vector<Token> split(std::string_view text) {
  std::vector<Token> tokens;
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n') ++line;
    if (std::string_view(" \t\r\n,:").find(text[i]) != std::string_view::npos) {
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \t\r\n,:", i), text.size());
    tokens.push_back({text.substr(i, end - i), line});
    i = end;
  }
  return tokens;
}

class Words {
 public:
  Words(std::string path, std::string_view text) : path_(std::move(path)), tokens_(split(text)) {}

  /// Of the next word.
  [[nodiscard]] int line() const {
    return tokens_.empty() ? 1 : tokens_[std::min(next_, tokens_.size() - 1)].line;
  }
  [[noreturn]] void refuse(int line, const std::string& part, const std::string& what) const {
    throw InvalidResultError(path_ + ":" + std::to_string(line) + ": " + part + ": " + what);
  }
  [[noreturn]] void refuse(const std::string& part, const std::string& what) const {
    refuse(line(), part, what);
  }
  [[nodiscard]] std::size_t left() const { return tokens_.size() - next_; }
  [[nodiscard]] bool at(std::string_view word) const { return left() > 0 && tokens_[next_].text == word; }
  void skip(std::size_t count) { next_ = std::min(next_ + count, tokens_.size()); }

  template <typename Number>
  Number number(const std::string& part) {
    const char* kind = std::is_integral_v<Number> ? "a whole number" : "a number";
    if (left() == 0) refuse(part, std::string("the file ends, expected ") + kind);
    std::string_view text = tokens_[next_].text;
    if (text.starts_with('+')) text.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && !std::isfinite(static_cast<double>(value))) kind = "a finite number";
    if (!whole || !std::isfinite(static_cast<double>(value)))
      refuse(part, "found '" + std::string(tokens_[next_].text.substr(0, 40)) + "', expected " + kind);
    ++next_;
    return value;
  }
  int count(const std::string& part) {
    const int value = number<int>(part);
    if (value < 0) {
      --next_;
      refuse(part, format_text("found %d, expected a number >= 0", value));
    }
    return value;
  }
  /// Before anything of that size is made.
  void need(const std::string& part, std::size_t size) const {
    if (size > left())
      refuse(part, format_text("%zu words are left in the file, expected %zu numbers", left(), size));
  }
  VectorX vector(const std::string& part, long size) {
    need(part, static_cast<std::size_t>(size));
    VectorX values(size);
    for (double& value : values) value = number<double>(part);
    return values;
  }
  VectorX coefficients(const std::string& part, long size) {
    need(part, static_cast<std::size_t>(size));
    VectorX values(size);
    for (double& value : values) {
      value = number<double>(part);
      if (value >= 0.0) continue;
      --next_;
      refuse(part, format_text("found %g, expected a number >= 0", value));
    }
    return values;
  }

 private:
  std::string path_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

using Triplets = std::vector<Eigen::Triplet<double>>;

void add(Words* words, const std::string& part, long row, long column, const SparseMatrix& matrix,
         double value, Triplets* entries) {
  if (row < 0 || row >= matrix.rows() || column < 0 || column >= matrix.cols())
    words->refuse(part, format_text("entry (%ld, %ld) is outside of %ld x %ld", row, column,
                                    static_cast<long>(matrix.rows()), static_cast<long>(matrix.cols())));
  entries->emplace_back(static_cast<int>(row), static_cast<int>(column), value);
}

void read_dense(Words* words, const std::string& part, const SparseMatrix& matrix, Triplets* entries) {
  words->skip(2);
  for (long column = 0; column < matrix.cols(); ++column) {
    const VectorX values = words->vector(part, matrix.rows());
    for (long row = 0; row < matrix.rows(); ++row)
      if (values[row] != 0.0) add(words, part, row, column, matrix, values[row], entries);
  }
}

std::vector<int> read_counts(Words* words, const std::string& part, int size) {
  words->need(part, static_cast<std::size_t>(size));
  std::vector<int> values(size);
  for (int& value : values) value = words->count(part);
  return values;
}

/// Ends of block rows or columns, which ascend to at most `limit`; a 0 before them.
std::vector<int> read_block_ends(Words* words, const std::string& part, int size, long limit) {
  std::vector<int> ends{0};
  words->need(part, static_cast<std::size_t>(size));
  for (int k = 0; k < size; ++k) {
    const int line = words->line(), end = words->count(part);
    if (end < ends.back() || end > limit)
      words->refuse(line, part,
                    format_text("a block ends at %d, expected %d to %ld", end, ends.back(), limit));
    ends.push_back(end);
  }
  return ends;
}

void read_blocks(Words* words, const std::string& part, const SparseMatrix& matrix, Triplets* entries) {
  words->count(part);  // blocks; the begins of rows say it again
  const int rows = words->count(part), columns = words->count(part);
  const std::vector<int> row_end = read_block_ends(words, part, rows, matrix.rows()),
                         column_end = read_block_ends(words, part, columns, matrix.cols());
  const int begins = words->count(part), indices = words->count(part);
  const std::vector<int> begin = read_counts(words, part, begins), index = read_counts(words, part, indices);
  for (int row = 0; row + 1 < begins; ++row)
    for (int k = begin[row]; k < begin[row + 1]; ++k) {
      if (row >= rows || k >= indices || index[k] >= columns)
        words->refuse(part, format_text("block %d of block row %d is outside of %d x %d blocks", k, row, rows,
                                        columns));
      words->count(part);
      for (int column = column_end[index[k]]; column < column_end[index[k] + 1]; ++column)
        for (int i = row_end[row]; i < row_end[row + 1]; ++i)
          add(words, part, i, column, matrix, words->number<double>(part), entries);
    }
}

/// "col J locations A to B".
constexpr std::size_t kColumnWords = 6;

void read_sparse(Words* words, const std::string& part, const SparseMatrix& matrix, Triplets* entries) {
  while (words->left() > 0 && !words->at("nnz")) words->skip(1);
  words->skip(1);
  const int count = words->count(part);
  const bool by_column = words->at("1-norm");
  if (by_column) words->skip(2);
  long column = 0;
  const auto next_column = [&] {
    while (words->at("col")) {
      words->skip(1);
      column = words->count(part);
      words->skip(kColumnWords - 2);
    }
  };
  for (int k = 0; k < count; ++k) {
    next_column();
    const long row = words->count(part);
    if (!by_column) column = words->count(part);
    add(words, part, row, column, matrix, words->number<double>(part), entries);
  }
  next_column();
}

/// What stands before a matrix' entries.
struct MatrixHead {
  int line = 0, storage = 0, rows = 0, columns = 0;
};

MatrixHead read_head(Words* words, const std::string& part) {
  MatrixHead head;
  head.line = words->line();
  head.storage = words->number<int>(part);
  if (head.storage < 0 || head.storage > 2)
    words->refuse(head.line, part,
                  format_text("storage is %d, expected 0 (dense), 1 (blocks) or 2 (sparse)", head.storage));
  head.rows = words->count(part);
  head.columns = words->count(part);
  // A vector of as many rows follows, and one of as many columns.
  words->need(part, static_cast<std::size_t>(std::max(head.rows, head.columns)));
  return head;
}

void check_sizes(const Words& words, const std::string& part, const MatrixHead& head, long rows, long columns,
                 const char* expected) {
  if (head.rows != rows || head.columns != columns)
    words.refuse(
        head.line, part,
        format_text("is %d x %d, expected %ld x %ld, %s", head.rows, head.columns, rows, columns, expected));
}

SparseMatrix read_entries(Words* words, const std::string& part, const MatrixHead& head) {
  SparseMatrix matrix(head.rows, head.columns);
  Triplets entries;
  if (head.storage == 0)
    read_dense(words, part, matrix, &entries);
  else if (head.storage == 1)
    read_blocks(words, part, matrix, &entries);
  else
    read_sparse(words, part, matrix, &entries);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

template <typename Problem>
void read_friction(Words* words, int contacts, Problem* problem) {
  problem->mu = words->coefficients("mu", contacts);
  if (problem->dimension == 5) problem->mu_rolling = words->coefficients("mu_r", contacts);
}

}  // namespace

FrictionFile read_siconos_text(const std::string& path) {
  std::string text;
  if (const std::string fault = read_file_bytes(path, &text); !fault.empty())
    throw ReadError(path + ": " + fault);
  Words words(path, text);
  const int dimension = words.number<int>("rows of a contact");
  if (dimension != 2 && dimension != 3 && dimension != 5)
    throw InvalidResultError(
        path +
        format_text(
            ":1: begins with %d; a problem of friction in Siconos' text begins with its rows a contact, 2, 3 "
            "or 5 (rolling)",
            dimension));
  const int contacts = words.count("contacts");
  const std::size_t rows = static_cast<std::size_t>(dimension) * static_cast<std::size_t>(contacts);
  const std::size_t tail = static_cast<std::size_t>(contacts) * (dimension == 5 ? 2 : 1);
  words.need("contacts", rows + tail);
  FrictionFile file;
  const MatrixHead head = read_head(&words, "M");
  check_sizes(words, "M", head, head.rows, head.rows, "a square matrix");
  SparseMatrix first = read_entries(&words, "M", head);
  const bool is_local = words.left() == rows + tail || words.left() == rows + tail + 1;
  if (is_local) {
    check_sizes(words, "M", head, static_cast<long>(rows), static_cast<long>(rows), "rows of all contacts");
    file.format = "siconos_local";
    file.problem.dimension = dimension;
    file.problem.W = std::move(first);
    file.problem.q = words.vector("q", static_cast<long>(rows));
    read_friction(&words, contacts, &file.problem);
    return file;
  }
  file.format = "siconos_global";
  GlobalFrictionProblem& global = file.global.emplace();
  global.dimension = dimension;
  global.M = std::move(first);
  const MatrixHead map = read_head(&words, "H");
  check_sizes(words, "H", map, head.rows, static_cast<long>(rows), "velocities x rows of all contacts");
  global.H = read_entries(&words, "H", map);
  global.f = words.vector("q", global.M.rows());
  global.w = words.vector("b", static_cast<long>(rows));
  read_friction(&words, contacts, &global);
  return file;
}

}  // namespace csim
