// A result as CSV files, one a table.
#pragma once

#include <vector>

#include "export/output_folder.h"
#include "record/reader.h"

namespace csim {

/// Writes, for the frames `rows` (rows of /trajectory, ascending, at least one):
///   trajectory/BODY.csv  pose and velocity of a body (`::` in its name becomes `.`)
///   energy.csv           /energy
///   joints.csv, actuators.csv, constraints.csv   a column a coordinate, with the name of its item
///   contacts.csv         /contact, a row a contact, with the frame's time
///   patches.csv, patch_faces.csv   /patch and /patch/face likewise
///   steps.csv            /stats/step and /artefact, every step from the first frame's time to the last one's
///   events.csv           /event likewise; none without events
/// Tables without a row in the whole file, and those without a column, are left out. Throws IoError.
void export_csv(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder);

}  // namespace csim
