// What a result holds without its numbers: the names of its things and its columns. A scene has the layout of
// the result it will give, so that what asks for a number can be checked before anything runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/reader.h"
#include "scene/scene.h"

namespace csim {

/// Things that own the columns of a row: thing i has the columns offsets[i] to offsets[i + 1] - 1.
struct ColumnOwners {
  std::vector<std::string> names;
  std::vector<std::int64_t> offsets;  // one more than names
};

struct ResultLayout {
  ColumnOwners body_q, body_v;              // of /trajectory/{q,v}; their names are the bodies
  ColumnOwners joint_q, joint_v;            // of /joint/position; of /joint/{velocity,effort}
  ColumnOwners actuators, constraints;      // of /actuator/*; of /constraint/*
  ColumnOwners forces;                      // of /force/*
  std::vector<std::string> geometries;      // body/geometry
  std::vector<std::int64_t> geometry_body;  // index of the body of each

  /// A dataset that grows along its first axis.
  struct Column {
    Table table = Table::kFrames;
    std::vector<long> row_shape;     // without the first axis
    std::vector<std::string> units;  // one for all, or one per column
    bool is_text = false;
  };
  std::map<std::string, Column> columns;  // by absolute path, without the offsets of ragged tables

  /// Whose columns `path` holds, with their numbers of columns; nothing when its rows have no owners, as
  /// those of /energy and /contact.
  [[nodiscard]] std::optional<ColumnOwners> owners(const std::string& path) const;
};

[[nodiscard]] ResultLayout layout_of(const ResultFile& result);

/// Of the result that the scene will give; `model` is built from it.
[[nodiscard]] ResultLayout layout_of(const Scene& scene, const Model& model);

}  // namespace csim
