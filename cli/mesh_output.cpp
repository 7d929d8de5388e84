#include "cli/mesh_output.h"

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "cli/file_errors.h"
#include "record/output_file.h"

namespace csim::cli {

Option scale_option(std::vector<double>* scale) {
  return {.name = "--scale",
          .value = scale,
          .help = "factor, or one per axis: 0.001 or 1,1,-1",
          .type = "S",
          .check = number(),
          .one_each = true,
          .delimiter = ','};
}

Option mesh_output_option(std::string* output) {
  return {"-o,--output", output, ".vtk: tetrahedra with pressure; .obj: the surface", "FILE"};
}

Option mesh_modulus_option(double* modulus) {
  return with_default({"--modulus", modulus, "pressure at the deepest place, Pa", "E", number()});
}

int complain(const std::string& text, int code) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) std::fprintf(stderr, "csim: error: %s\n", line.c_str());
  return code;
}

std::optional<Vector3> scale_of(const std::vector<double>& numbers) {
  if (numbers.empty()) return Vector3::Ones();
  if (numbers.size() == 1) return Vector3::Constant(numbers[0]);
  if (numbers.size() != 3) return std::nullopt;
  return Vector3(numbers[0], numbers[1], numbers[2]);
}

bool is_obj(const std::string& file) {
  return std::filesystem::path(file).extension() == ".obj";
}

int check_mesh_output(const std::string& file, bool force, const std::string& input) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension != ".vtk" && extension != ".obj") {
    return complain(file + ": unknown extension '" + extension +
                        "', expected .vtk (tetrahedra with pressure) or .obj (surface)",
                    kInvalidInput);
  }
  try {
    check_output(file, force, input.empty() ? std::vector<std::string>{} : std::vector{input});
    return kDone;
  } catch (...) {
    return report_file_error("; give another name with -o, or --force to overwrite it");
  }
}

int write_output(const std::string& file, const std::string& text) {
  try {
    write_file(file, text, true);
    return kDone;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace csim::cli
