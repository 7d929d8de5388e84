#include "record/friction/friction_result.h"

#include <utility>
#include <vector>

#include "core/counted.h"
#include "core/json_writer.h"
#include "core/number_format.h"
#include "core/timer.h"
#include "record/errors.h"
#include "record/hdf5_output.h"
#include "record/output_file.h"
#include "solver/friction/reduce_friction.h"

namespace csim {
namespace {

/// Contacts that are apart, stick, and slip: r_N = 0; |r_T| < mu r_N; else.
struct Modes {
  int apart = 0, stick = 0, slip = 0;
};

Modes count_modes(const FrictionProblem& problem, const VectorX& r) {
  // Round-off of the impulses that the projection on the cone leaves.
  constexpr double kInside = 1e-9;
  const double largest = r.size() > 0 ? r.lpNorm<Eigen::Infinity>() : 0.0;
  Modes modes;
  for (int c = 0; c < problem.num_contacts(); ++c) {
    const auto r_c = r.segment(problem.dimension * c, problem.dimension);
    if (r_c[0] <= 1e-12 * largest) {
      ++modes.apart;
      continue;
    }
    bool slips = false;
    for (int k = 0; k < num_frictions(problem.dimension); ++k) {
      const FrictionRows rows = friction_rows(problem.dimension, k);
      slips = slips || r_c.segment(rows.first, rows.count).stableNorm() >=
                           (1.0 - kInside) * coefficient(problem, c, k) * r_c[0];
    }
    ++(slips ? modes.slip : modes.stick);
  }
  return modes;
}

std::string_view name(FrictionMethod method) {
  return kFrictionMethodNames[static_cast<std::size_t>(method)];
}

std::string methods(const FrictionSolution& solution) {
  std::string text;
  for (const FrictionPart& part : solution.parts)
    text +=
        (text.empty() ? "" : ", ") + std::string(name(part.method)) + " " + std::to_string(part.iterations);
  return text.empty() ? "none needed" : text;
}

void check_method(const std::string& path, const FrictionFile& file, FrictionMethod method) {
  const int rows = file.global ? file.global->dimension : file.problem.dimension;
  if (method == FrictionMethod::kGaussSeidel && rows == 5)
    throw InvalidResultError(path +
                             ": has five rows a contact (rolling friction), for which gauss_seidel has no "
                             "solution of one contact; expected another method");
}

void fill_file(const FrictionResult& result, hdf5::File* file) {
  const FrictionSolution& s = result.solution;
  const FrictionProblem& problem = result.file.problem;
  const auto values = [](const VectorX& v) { return std::vector<double>(v.begin(), v.end()); };
  const std::vector<long> shape{problem.num_contacts(), problem.dimension};
  // Units are those of the problem, which FCLIB does not give.
  file->write_array("/reaction", shape, values(s.r), {""});
  file->write_array("/velocity", shape, values(s.u), {""});
  if (result.file.global) file->write_array("/motion", {result.motion.size()}, values(result.motion), {""});
  file->write_array("/residual/natural_map", {}, std::vector<double>{s.residual.natural_map}, {"1"});
  file->write_array("/residual/scaled", {}, std::vector<double>{s.residual.scaled}, {"1"});
  file->write_array("/residual/motion", {}, std::vector<double>{result.motion_residual}, {"1"});
  std::vector<std::string> method;
  std::vector<double> residual;
  for (const FrictionPart& part : s.parts) {
    method.insert(method.end(), part.residuals.size() - 1, std::string(name(part.method)));
    residual.insert(residual.end(), part.residuals.begin() + 1, part.residuals.end());
  }
  file->write_texts("/history/method", method);
  file->write_array("/history/residual", {static_cast<long>(residual.size())}, residual, {"1"});
  file->set_attribute("/", "problem", result.path);
  file->set_attribute("/", "format", result.file.format);
  file->set_attribute("/", "converged", std::int64_t{s.converged});
  file->set_attribute("/", "message", s.message);
}

}  // namespace

FrictionResult solve_friction_file(const std::string& path, FrictionFile file,
                                   const FrictionOptions& options) {
  check_method(path, file, options.method);
  FrictionResult result;
  result.path = path;
  result.file = std::move(file);
  reduce_to_contacts(path, &result.file);
  {
    const ScopedTimer timer(&result.seconds);
    result.solution = solve_friction(result.file.problem, options);
  }
  if (result.file.global) {
    result.motion = motion(*result.file.global, result.solution.r);
    result.motion_residual = motion_residual(*result.file.global, result.motion, result.solution.r);
  }
  return result;
}

std::string friction_text(const FrictionResult& result) {
  const FrictionSolution& s = result.solution;
  const FrictionProblem& problem = result.file.problem;
  const Modes modes = count_modes(problem, s.r);
  std::string text = result.path + ": " + result.file.format +
                     (result.file.title.empty() ? "" : ", " + result.file.title) + ", " +
                     counted(problem.num_contacts(), "contact") + " of " + counted(problem.dimension, "row");
  if (result.file.global) text += ", " + counted(result.file.global->M.rows(), "velocity", "velocities");
  text += "\n" + std::string(s.converged ? "converged" : "not converged: " + s.message) + "\n";
  text += "iterations: " + methods(s) + format_text("; %.3g s\n", result.seconds);
  text += format_text("residual: natural map %.3g, scaled %.3g", s.residual.natural_map, s.residual.scaled);
  if (result.file.global) text += format_text(", motion %.3g", result.motion_residual);
  text += format_text("\ncontacts: %d apart, %d stick, %d slip\n", modes.apart, modes.stick, modes.slip);
  return text;
}

std::string friction_json(const FrictionResult& result) {
  const FrictionSolution& s = result.solution;
  const FrictionProblem& problem = result.file.problem;
  const Modes modes = count_modes(problem, s.r);
  JsonWriter json;
  json.begin_object().member("file", result.path, "format", result.file.format, "title", result.file.title,
                             "dimension", problem.dimension, "contacts", problem.num_contacts());
  if (result.file.global) json.member("velocities", std::int64_t{result.file.global->M.rows()});
  json.member("converged", s.converged, "message", s.message, "iterations", s.iterations(), "seconds",
              result.seconds);
  json.key("parts").begin_array();
  for (const FrictionPart& part : s.parts)
    json.begin_object()
        .member("method", name(part.method), "iterations", part.iterations, "residual", part.residuals.back())
        .end_object();
  json.end_array();
  json.key("residual")
      .begin_object()
      .member("natural_map", s.residual.natural_map, "scaled", s.residual.scaled);
  if (result.file.global) json.member("motion", result.motion_residual);
  json.end_object().member("worst_contact", s.residual.worst_contact);
  json.object("modes", "apart", modes.apart, "stick", modes.stick, "slip", modes.slip);
  return json.end_object().text();
}

void write_friction_result(const std::string& path, const FrictionResult& result, bool force) {
  check_output(path, force, {result.path});
  write_hdf5_file(path, force, [&](hdf5::File* file) { fill_file(result, file); });
}

}  // namespace csim
