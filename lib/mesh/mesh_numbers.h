// What the vertices and tets of a mesh are called in the file they come from, for complaints.
#pragma once

#include <string>
#include <vector>

namespace csim {

struct MeshNumbers {
  std::string vertex_word = "vertex", tet_word = "tet";
  std::vector<long> vertex_number, tet_number;  // empty: the index, from 0

  [[nodiscard]] std::string vertex(std::size_t v) const {
    return vertex_word + " " +
           std::to_string(v < vertex_number.size() ? vertex_number[v] : static_cast<long>(v));
  }
  [[nodiscard]] std::string tet(std::size_t t) const {
    return tet_word + " " + std::to_string(t < tet_number.size() ? tet_number[t] : static_cast<long>(t));
  }
};

}  // namespace csim
