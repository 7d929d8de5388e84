#include "record/friction/friction_file.h"

#include <cmath>
#include <filesystem>

#include "core/missing_path.h"
#include "core/number_format.h"
#include "record/errors.h"
#include "record/hdf5/hdf5_file.h"
#include "solver/friction/reduce_friction.h"

namespace csim {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& part, const std::string& what) {
  throw InvalidResultError(path + ": " + part + ": " + what);
}

std::string sizes(const SparseMatrix& matrix) {
  return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols());
}

void check_vector(const VectorX& values, long size, const std::string& path, const std::string& part,
                  const char* expected) {
  if (values.size() != size)
    refuse(
        path, part,
        format_text("has %ld entries, expected %ld, %s", static_cast<long>(values.size()), size, expected));
  for (long i = 0; i < size; ++i)
    if (!std::isfinite(values[i])) refuse(path, part, format_text("entry %ld is not finite", i));
}

void check_matrix(const SparseMatrix& matrix, long rows, long columns, const std::string& path,
                  const std::string& part, const char* expected) {
  if (matrix.rows() != rows || matrix.cols() != columns)
    refuse(path, part,
           "is " + sizes(matrix) + format_text(", expected %ld x %ld, %s", rows, columns, expected));
  for (long row = 0; row < rows; ++row)
    for (SparseMatrix::InnerIterator entry(matrix, row); entry; ++entry)
      if (!std::isfinite(entry.value()))
        refuse(path, part,
               format_text("entry (%ld, %ld) is not finite", row, static_cast<long>(entry.col())));
}

template <typename Problem>
void check_friction(const Problem& problem, const std::string& path, const std::string& group) {
  const auto check = [&](const VectorX& mu, const std::string& part) {
    check_vector(mu, problem.mu.size(), path, part, "one a contact");
    for (long c = 0; c < mu.size(); ++c)
      if (mu[c] < 0.0)
        refuse(path, part, format_text("contact %ld has %g, expected a number >= 0", c, mu[c]));
  };
  check(problem.mu, group + "/vectors/mu");
  if (problem.dimension == 5) check(problem.mu_rolling, group + "/vectors/mu_r");
}

}  // namespace

void check_friction_problem(const FrictionProblem& problem, const std::string& path,
                            const std::string& group) {
  check_friction(problem, path, group);
  const long rows = problem.num_rows();
  check_matrix(problem.W, rows, rows, path, group + "/W", "rows of all contacts");
  check_vector(problem.q, rows, path, group + "/vectors/q", "rows of all contacts");
}

void check_friction_problem(const GlobalFrictionProblem& problem, const std::string& path,
                            const std::string& group) {
  check_friction(problem, path, group);
  const long rows = problem.dimension * problem.mu.size(), nv = problem.M.rows();
  check_matrix(problem.M, nv, nv, path, group + "/M", "a square matrix");
  check_matrix(problem.H, nv, rows, path, group + "/H", "velocities x rows of all contacts");
  check_vector(problem.f, nv, path, group + "/vectors/f", "one a velocity");
  check_vector(problem.w, rows, path, group + "/vectors/w", "rows of all contacts");
}

FrictionFile read_friction_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw InvalidResultError(path + ": no such file" + missing_file_hint(path));
  if (!std::filesystem::is_regular_file(path, error)) throw InvalidResultError(path + ": is not a file");
  if (std::filesystem::file_size(path, error) == 0) throw InvalidResultError(path + ": is empty");
  return hdf5::File::is_hdf5(path) ? read_fclib_file(path) : read_siconos_text(path);
}

void reduce_to_contacts(const std::string& path, FrictionFile* file) {
  if (!file->global) return;
  std::optional<FrictionProblem> reduced = reduce(*file->global);
  const bool is_text = file->format.starts_with("siconos");
  if (!reduced)
    refuse(path, (is_text ? "" : "/" + file->format + "/") + std::string("M"),
           "is singular, expected a regular matrix");
  file->problem = std::move(*reduced);
}

}  // namespace csim
