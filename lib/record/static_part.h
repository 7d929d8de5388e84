// What a result file says once: scene, provenance, bodies, geometries, joints, meshes.
#pragma once

#include "model/model.h"
#include "record/hdf5/hdf5_file.h"
#include "record/provenance.h"
#include "record/recorder.h"
#include "scene/scene.h"

namespace csim {

/// Writes /scene, /bodies, /geometries, /joints, /meshes, and what does not change with time of /actuator,
/// /constraint, /force and /sequence.
void write_static_part(hdf5::File* file, const Scene& scene, const Model& model, const SceneText& text);

/// Creates the group and writes the attributes of a run's origin.
void write_provenance(hdf5::File* file, const std::string& group, const Provenance& provenance);

[[nodiscard]] Provenance read_provenance(const hdf5::File& file, const std::string& group);

}  // namespace csim
