// Reads a struct by the rows of its section, and writes it.
#pragma once

#include <string>
#include <vector>

#include "scene/read/scene_reading.h"

namespace csim {

/// What writing needs beside the struct.
struct SceneWriting {
  const Scene* scene = nullptr;  // whose names its indices stand for
  std::vector<bool> jointed;     // per body: the child of a joint
  std::vector<std::string> actuator_coordinates;
};

/// For all of a scene whose joints and bodies are known.
[[nodiscard]] SceneWriting writing_of(const Scene& scene);

/// Fills *object, a struct of the reader's section, with what the file gives; the rest keeps its initial
/// values. Problems go to the reader's sink.
void read_rows(const SectionReader& reader, SceneReading* reading, void* object);

/// The struct as a mapping: the rows that its kind knows, in their order.
[[nodiscard]] YamlNode write_rows(const Section& section, const void* object, const SceneWriting& writing);

}  // namespace csim
