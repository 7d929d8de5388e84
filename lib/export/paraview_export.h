// A result as time series that ParaView and VTK open.
#pragma once

#include <vector>

#include "export/output_folder.h"
#include "record/reader.h"

namespace csim {

/// Writes a .pvd file for each of these, with the times of the frames `rows` (rows of /trajectory, ascending,
/// at least one), and beside it a file a frame, named after the row:
///   bodies       surfaces where the bodies are (bodies that never move: one file, named at every time)
///   contacts     points with force, normal, phi, …: every column of /contact
///   patches      centroids with force, moment, …: every column of /patch
///   patch_faces  polygons with pressure at points and cells: /patch/polygon and every column of /patch/face
///   fields       tets of compliant geometries with pressure at points
/// Files hold the names of bodies and geometries as field data. What the result does not hold is left out.
/// Throws IoError.
void export_paraview(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder);

}  // namespace csim
