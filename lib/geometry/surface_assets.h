// Surfaces in assets, scenes of meshes in nodes: DAE, glTF, 3MF. Read by Assimp.
#pragma once

#include "geometry/surface_files.h"

namespace csim {

/// Whether a file is an asset by its extension: dae, gltf, glb, 3mf.
[[nodiscard]] bool is_asset(const std::string& file);

/// Reads the triangles of an asset, all its nodes at their places, and the files that it refers to. Lengths
/// are metres: a DAE's unit and a 3MF's count; a glTF's y axis becomes z, a DAE's axes stay as they are, as
/// robots' files expect them. Returns what is wrong, without the file's name, or "".
[[nodiscard]] std::string read_asset(const std::string& file, SurfaceData* surface);

}  // namespace csim
