// FCLIB's format: one problem a file, in the group fclib_local or fclib_global (with _rolling: five rows a
// contact). A matrix is a group of m, n (sizes), nz, nzmax, p, i, x: with nz >= 0 triplets (row i, column p),
// with nz = -1 compressed columns, with nz = -2 compressed rows (p: begins, i: indices).
#include <algorithm>
#include <array>

#include "core/number_format.h"
#include "record/errors.h"
#include "record/friction/friction_file.h"
#include "record/hdf5_output.h"
#include "record/output_file.h"

namespace csim {
namespace {

/// The datasets of a file, with errors that name them.
class Datasets {
 public:
  explicit Datasets(const hdf5::File& file) : file_(file) {}

  [[noreturn]] void refuse(const std::string& part, const std::string& what) const {
    throw InvalidResultError(file_.path() + ": " + part + ": " + what);
  }
  [[nodiscard]] bool has(const std::string& part) const { return file_.exists(part); }

  [[nodiscard]] std::vector<double> real(const std::string& part) const {
    return file_.read_real(part, 0, length(part));
  }
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& part) const {
    const long count = length(part);
    if (file_.info(part).type == hdf5::Type::kReal) refuse(part, "holds reals, expected integers");
    return file_.read_integer(part, 0, count);
  }
  [[nodiscard]] std::int64_t integer(const std::string& part) const {
    const auto values = integers(part);
    if (values.size() != 1) refuse(part, format_text("has %zu entries, expected one", values.size()));
    return values.front();
  }
  [[nodiscard]] VectorX vector(const std::string& part) const {
    const std::vector<double> values = real(part);
    return VectorX::Map(values.data(), static_cast<long>(values.size()));
  }
  /// A matrix of that size: what the lengths of the vectors ask for, so that no file's numbers make one that
  /// is larger than the file.
  [[nodiscard]] SparseMatrix matrix(const std::string& part, long rows, long columns) const;

 private:
  [[nodiscard]] long length(const std::string& part) const {
    if (!file_.exists(part)) refuse(part, "is missing");
    const hdf5::ObjectInfo info = file_.info(part);
    if (info.is_group) refuse(part, "is a group, expected numbers");
    if (info.type == hdf5::Type::kText) refuse(part, "holds text, expected numbers");
    if (info.shape.size() > 1) refuse(part, format_text("has %zu axes, expected one", info.shape.size()));
    return info.shape.empty() ? 1 : info.shape[0];
  }
  void check_size(const std::string& part, std::int64_t size, long expected) const {
    if (size != expected)
      refuse(part, format_text("is %lld, expected %ld, as the vectors have it", static_cast<long long>(size),
                               expected));
  }
  void check_range(const std::string& part, const std::vector<std::int64_t>& indices, std::size_t count,
                   std::int64_t limit) const {
    for (std::size_t k = 0; k < count; ++k)
      if (indices[k] < 0 || indices[k] >= limit)
        refuse(part, format_text("entry %zu is %lld, expected 0 to %lld", k,
                                 static_cast<long long>(indices[k]), static_cast<long long>(limit) - 1));
  }
  /// Begins of `lines` compressed rows or columns -> the line of each entry.
  [[nodiscard]] std::vector<std::int64_t> lines(const std::string& part,
                                                const std::vector<std::int64_t>& begin, std::int64_t count,
                                                std::size_t entries) const {
    if (static_cast<std::int64_t>(begin.size()) != count + 1)
      refuse(part, format_text("has %zu entries, expected %lld, one a line and the end", begin.size(),
                               static_cast<long long>(count) + 1));
    if (begin.front() != 0 || !std::is_sorted(begin.begin(), begin.end()) ||
        begin.back() > static_cast<std::int64_t>(entries))
      refuse(part, format_text("expected ascending from 0 to at most %zu, the entries of x", entries));
    std::vector<std::int64_t> line;
    for (std::int64_t k = 0; k < count; ++k)
      line.insert(line.end(), static_cast<std::size_t>(begin[k + 1] - begin[k]), k);
    return line;
  }

  const hdf5::File& file_;
};

SparseMatrix Datasets::matrix(const std::string& part, long rows, long columns) const {
  if (!has(part)) refuse(part, "is missing");
  const std::int64_t m = integer(part + "/m"), n = integer(part + "/n"), nz = integer(part + "/nz");
  check_size(part + "/m", m, rows);
  check_size(part + "/n", n, columns);
  if (nz < -2)
    refuse(
        part + "/nz",
        format_text("is %lld, expected a number of triplets, -1 (compressed columns) or -2 (compressed rows)",
                    static_cast<long long>(nz)));
  const std::vector<double> x = real(part + "/x");
  std::vector<std::int64_t> i = integers(part + "/i"), p = integers(part + "/p");
  std::size_t count = static_cast<std::size_t>(nz);
  if (nz < 0) {
    p = lines(part + "/p", p, nz == -1 ? n : m, x.size());
    count = p.size();
  } else if (p.size() < count) {
    refuse(part + "/p", format_text("has %zu entries, expected %zu", p.size(), count));
  }
  if (x.size() < count) refuse(part + "/x", format_text("has %zu entries, expected %zu", x.size(), count));
  if (i.size() < count) refuse(part + "/i", format_text("has %zu entries, expected %zu", i.size(), count));
  if (nz == -2) std::swap(i, p);
  check_range(part + (nz == -2 ? "/p" : "/i"), i, count, m);
  check_range(part + (nz == -2 ? "/i" : "/p"), p, count, n);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < count; ++k)
    entries.emplace_back(static_cast<int>(i[k]), static_cast<int>(p[k]), x[k]);
  SparseMatrix matrix(m, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// The group of the problem.
std::string group_of(const hdf5::File& file) {
  constexpr std::array<const char*, 4> kGroups = {"/fclib_local", "/fclib_global", "/fclib_local_rolling",
                                                  "/fclib_global_rolling"};
  std::string found;
  for (const char* group : kGroups) {
    if (!file.exists(group)) continue;
    if (!found.empty())
      throw InvalidResultError(file.path() + ": holds " + found + " and " + group + ", expected one problem");
    found = group;
  }
  if (found.empty())
    throw InvalidResultError(file.path() +
                             ": holds no problem of FCLIB: expected a group /fclib_local or /fclib_global");
  return found;
}

int read_dimension(const Datasets& data, const std::string& group) {
  const std::string part = group + "/spacedim";
  const std::int64_t dimension = data.integer(part);
  const bool rolling = group.ends_with("_rolling");
  if (rolling ? dimension != 5 : dimension != 2 && dimension != 3)
    data.refuse(part, format_text("is %lld, expected %s", static_cast<long long>(dimension),
                                  rolling ? "5" : "2 or 3"));
  return static_cast<int>(dimension);
}

void refuse_bilateral(const Datasets& data, const std::string& part) {
  if (data.has(part) && data.integer(part + "/n") > 0)
    data.refuse(part, "bilateral constraints are not supported, expected contacts alone");
}

template <typename Problem>
void read_friction(const Datasets& data, const std::string& group, Problem* problem) {
  problem->dimension = read_dimension(data, group);
  problem->mu = data.vector(group + "/vectors/mu");
  if (problem->dimension == 5) problem->mu_rolling = data.vector(group + "/vectors/mu_r");
}

std::string title_of(const hdf5::File& file, const std::string& group) {
  const std::string part = group + "/info/title";
  if (!file.exists(part) || file.info(part).type != hdf5::Type::kText) return "";
  return file.read_text(part);
}

// Writing.

void write_integers(hdf5::File* file, const std::string& part, const std::vector<std::int32_t>& values) {
  file->write_array(part, {static_cast<long>(values.size())}, values, {"1"});
}

// Units are those of the problem, which the format does not say.
void write_vector(hdf5::File* file, const std::string& part, const VectorX& values) {
  file->write_array(part, {values.size()}, std::vector<double>(values.begin(), values.end()), {""});
}

void write_matrix(hdf5::File* file, const std::string& part, const SparseMatrix& matrix) {
  std::vector<std::int32_t> i, p;
  std::vector<double> x;
  for (int row = 0; row < matrix.rows(); ++row)
    for (SparseMatrix::InnerIterator entry(matrix, row); entry; ++entry) {
      i.push_back(row);
      p.push_back(static_cast<std::int32_t>(entry.col()));
      x.push_back(entry.value());
    }
  const auto count = static_cast<std::int32_t>(x.size());
  write_integers(file, part + "/m", {static_cast<std::int32_t>(matrix.rows())});
  write_integers(file, part + "/n", {static_cast<std::int32_t>(matrix.cols())});
  write_integers(file, part + "/nz", {count});
  write_integers(file, part + "/nzmax", {count});
  write_integers(file, part + "/i", i);
  write_integers(file, part + "/p", p);
  file->write_array(part + "/x", {static_cast<long>(x.size())}, x, {""});
}

template <typename Problem, typename Write>
void write_problem(const std::string& path, std::string group, const Problem& problem,
                   const FrictionInfo& info, bool force, const Write& write) {
  check_output(path, force);
  if (problem.dimension == 5) group += "_rolling";
  write_hdf5_file(path, force, [&](hdf5::File* file) {
    write_integers(file, group + "/spacedim", {problem.dimension});
    write(file, group);
    write_vector(file, group + "/vectors/mu", problem.mu);
    if (problem.dimension == 5) write_vector(file, group + "/vectors/mu_r", problem.mu_rolling);
    file->write_text(group + "/info/title", info.title);
    file->write_text(group + "/info/description", info.description);
    file->write_text(group + "/info/math_info", "");
  });
}

}  // namespace

FrictionFile read_fclib_file(const std::string& path) {
  const hdf5::File file = hdf5::File::open_read(path);
  const Datasets data(file);
  const std::string group = group_of(file);
  FrictionFile result;
  result.format = group.substr(1);
  result.title = title_of(file, group);
  if (group.starts_with("/fclib_global")) {
    GlobalFrictionProblem& global = result.global.emplace();
    read_friction(data, group, &global);
    refuse_bilateral(data, group + "/G");
    global.f = data.vector(group + "/vectors/f");
    global.w = data.vector(group + "/vectors/w");
    global.M = data.matrix(group + "/M", global.f.size(), global.f.size());
    global.H = data.matrix(group + "/H", global.f.size(), global.w.size());
    check_friction_problem(global, path, group);
    return result;
  }
  read_friction(data, group, &result.problem);
  refuse_bilateral(data, group + "/V");
  result.problem.q = data.vector(group + "/vectors/q");
  const long rows = result.problem.dimension * result.problem.mu.size();
  result.problem.W = data.matrix(group + "/W", rows, rows);
  check_friction_problem(result.problem, path, group);
  return result;
}

void write_fclib_file(const std::string& path, const GlobalFrictionProblem& problem, const FrictionInfo& info,
                      bool force) {
  write_problem(path, "/fclib_global", problem, info, force, [&](hdf5::File* file, const std::string& group) {
    write_matrix(file, group + "/M", problem.M);
    write_matrix(file, group + "/H", problem.H);
    write_vector(file, group + "/vectors/f", problem.f);
    write_vector(file, group + "/vectors/w", problem.w);
  });
}

void write_fclib_file(const std::string& path, const FrictionProblem& problem, const FrictionInfo& info,
                      bool force) {
  write_problem(path, "/fclib_local", problem, info, force, [&](hdf5::File* file, const std::string& group) {
    write_matrix(file, group + "/W", problem.W);
    write_vector(file, group + "/vectors/q", problem.q);
  });
}

}  // namespace csim
