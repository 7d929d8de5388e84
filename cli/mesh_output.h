// What the commands of `csim mesh` share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "core/types.h"

namespace csim::cli {

/// Meshes a shape, summarises the mesh and writes it.
[[nodiscard]] Command mesh_make_command();

[[nodiscard]] Option scale_option(std::vector<double>* scale);
[[nodiscard]] Option mesh_output_option(std::string* output);
[[nodiscard]] Option mesh_modulus_option(double* modulus);

/// `csim: error: TEXT` on stderr, a line each for texts of several lines; returns `code`.
int complain(const std::string& text, int code);

/// One number for all axes, or three; none: 1. Two are an error (none is returned).
[[nodiscard]] std::optional<Vector3> scale_of(const std::vector<double>& numbers);

/// Says why a file cannot be written under that name, and returns the exit code: an extension other than .vtk
/// or .obj, the file `input` that is read (empty: none), a folder, an existing file without `force`. kDone
/// when it can.
int check_mesh_output(const std::string& file, bool force, const std::string& input);

/// Writes a whole file or nothing; kOutputFailed with a message when it cannot.
int write_output(const std::string& file, const std::string& text);

[[nodiscard]] bool is_obj(const std::string& file);

}  // namespace csim::cli
