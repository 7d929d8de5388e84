#include "export/csv_export.h"

#include <algorithm>
#include <string>

#include "export/csv_table.h"
#include "record/block_reader.h"
#include "run/signals.h"

namespace csim {
namespace {

using Header = std::vector<std::string>;

void append(Header* header, const Header& more) {
  header->insert(header->end(), more.begin(), more.end());
}

std::string last_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// Tables with one row a frame or a step: `columns` beside the time.
class PlainTable {
 public:
  PlainTable(const ResultFile& result, const std::string& time_path)
      : result_(result), time_(result, time_path) {}

  /// All columns of a dataset, named after it or as given.
  void add(const std::string& path) {
    columns_.emplace_back(result_, path);
    append(&header_, column_names(last_name(path), columns_.back().width(), result_.units(path)));
  }
  void add(const std::string& path, const Header& names) {
    const std::vector<std::string> units = result_.units(path);
    for (std::size_t k = 0; k < names.size(); ++k)
      header_.push_back(names[k] + " [" + units.at(units.size() == 1 ? 0 : k) + "]");
    columns_.emplace_back(result_, path);
  }

  /// Writes the rows, unless there is no column.
  void write(const std::vector<long>& rows, const std::string& name, OutputFolder* folder) {
    if (header_.empty()) return;
    Header header = {"time [s]"};
    append(&header, header_);
    CsvTable table(folder->place(name), header);
    for (const long row : rows) {
      stop_when_asked();
      table.numbers(time_.row(row));
      for (BlockReader& column : columns_) table.numbers(column.row(row));
      table.end_row();
    }
    table.close();
  }

 private:
  const ResultFile& result_;
  BlockReader time_;
  Header header_;
  std::vector<BlockReader> columns_;
};

void write_trajectories(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder) {
  const std::vector<std::string> bodies = result.texts("/bodies/name");
  BlockReader time(result, "/trajectory/time");
  std::vector<BlockReader> columns;
  Header header = {"time [s]"};
  for (const char* name : {"position", "quaternion", "velocity", "angular_velocity"}) {
    const std::string path = std::string("/trajectory/") + name;
    columns.emplace_back(result, path);
    append(&header, column_names(name, result.dataset(path).shape.at(2), result.units(path)));
  }
  if (const std::string path = "/trajectory/asleep"; result.has(path)) {
    columns.emplace_back(result, path);
    header.emplace_back("asleep [1]");
  }
  // One body after the other: never more than one file is open.
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::string name = bodies[b];
    for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::"))
      name.replace(at, 2, ".");
    CsvTable table(folder->place("trajectory/" + name + ".csv"), header);
    for (const long row : rows) {
      stop_when_asked();
      table.numbers(time.row(row));
      for (BlockReader& column : columns) {
        const long width = column.width() / static_cast<long>(bodies.size());
        table.numbers(column.row(row).subspan(b * width, width));
      }
      table.end_row();
    }
    table.close();
  }
}

/// "shoulder.position", or "shoulder.position_0", … of a joint with several coordinates.
Header coordinate_names(const std::vector<std::string>& names, const std::vector<std::int64_t>& offset,
                        const std::string& quantity) {
  Header header;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::int64_t count = offset[j + 1] - offset[j];
    for (std::int64_t k = 0; k < count; ++k)
      header.push_back(names[j] + "." + quantity + (count > 1 ? "_" + std::to_string(k) : ""));
  }
  return header;
}

void write_joints(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder) {
  const auto joints = result.texts("/joints/name"), actuators = result.texts("/actuator/name"),
             constraints = result.texts("/constraint/name");
  if (!joints.empty()) {
    const auto offsets = [&](const char* path, const char* columns) {
      return result.offsets(path, joints.size(), result.dataset(columns).shape.at(1));
    };
    const auto q_offset = offsets("/joints/q_offset", "/joint/position"),
               v_offset = offsets("/joints/v_offset", "/joint/velocity");
    PlainTable table(result, "/trajectory/time");
    table.add("/joint/position", coordinate_names(joints, q_offset, "position"));
    table.add("/joint/velocity", coordinate_names(joints, v_offset, "velocity"));
    table.add("/joint/effort", coordinate_names(joints, v_offset, "effort"));
    table.write(rows, "joints.csv", folder);
  }
  const auto write = [&](const std::string& group, const std::vector<std::string>& items,
                         std::initializer_list<const char*> quantities, const char* file) {
    if (items.empty()) return;
    PlainTable table(result, "/trajectory/time");
    for (const std::string quantity : quantities) {
      Header names;
      for (const std::string& item : items) names.push_back(item + "." + quantity);
      table.add(group + "/" + quantity, names);
    }
    table.write(rows, file, folder);
  };
  write("/actuator", actuators, {"command", "effort"}, "actuators.csv");
  if (!constraints.empty()) {
    const auto offsets = result.offsets("/constraint/row_offset", constraints.size(),
                                        result.dataset("/constraint/force").shape.at(1));
    PlainTable table(result, "/trajectory/time");
    for (const std::string quantity : {"violation", "force"})
      table.add("/constraint/" + quantity, coordinate_names(constraints, offsets, quantity));
    table.write(rows, "constraints.csv", folder);
  }
}

/// A table with any number of rows a frame; none when it has no row at all. Contacts and patches name their
/// geometries, pairs their bodies, faces their patch (row of /patch).
void write_ragged(const ResultFile& result, const std::vector<long>& rows, const std::string& group,
                  const std::string& name, OutputFolder* folder) {
  const bool faces = group == "/patch/face";
  const std::string offset = faces ? "/patch/row_offset" : group + "/row_offset";
  const std::string subject = group == "/pair" ? "body" : "geometry";
  std::vector<std::string> paths = columns_of(result, group);
  const RowCounts& counts = result.rows();
  const long count = faces               ? counts.faces
                     : group == "/patch" ? counts.patches
                     : group == "/pair"  ? counts.pairs
                                         : counts.contacts;
  if (count == 0) return;
  const auto names = result.texts(group == "/pair" ? "/bodies/name" : "/geometries/name");
  std::erase_if(paths, [&](const std::string& path) {
    return path == group + "/" + subject + "_a" || path == group + "/" + subject + "_b";
  });
  Header header = {"time [s]"};
  if (faces) {
    header.emplace_back("patch [1]");
  } else {
    append(&header, {subject + "_a", subject + "_b"});
  }
  for (const std::string& path : paths)
    append(&header, column_names(last_name(path), BlockReader(result, path).width(), result.units(path)));
  CsvTable table(folder->place(name), header);
  BlockReader time(result, "/trajectory/time");
  for (const long row : rows) {
    stop_when_asked();
    const RowSpan owners = ragged_rows(result, offset, {row, row + 1});
    const RowSpan span = faces ? ragged_rows(result, "/patch/face_offset", owners) : owners;
    if (span.count() == 0) continue;
    std::vector<std::int64_t> a, b, face_offset;
    if (faces) {
      face_offset = result.integer("/patch/face_offset", owners.begin, owners.count() + 1);
    } else {
      a = result.index(group + "/" + subject + "_a", span.begin, span.count(), names.size());
      b = result.index(group + "/" + subject + "_b", span.begin, span.count(), names.size());
    }
    std::vector<std::vector<double>> columns;
    columns.reserve(paths.size());
    for (const std::string& path : paths) columns.push_back(result.real(path, span.begin, span.count()));
    long patch = 0;  // of the frame
    for (long i = 0; i < span.count(); ++i) {
      table.numbers(time.row(row));
      if (faces) {
        while (face_offset[patch + 1] <= span.begin + i) ++patch;
        table.number(static_cast<double>(owners.begin + patch));
      } else {
        table.text(names[a[i]]).text(names[b[i]]);
      }
      for (const std::vector<double>& column : columns) {
        const std::size_t width = column.size() / span.count();
        table.numbers(std::span(column).subspan(i * width, width));
      }
      table.end_row();
    }
  }
  table.close();
}

void write_steps(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder) {
  const std::vector<double> steps = result.real("/stats/step/time");
  BlockReader time(result, "/trajectory/time");
  const double first = time.row(rows.front())[0], last = time.row(rows.back())[0];
  std::vector<long> chosen;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] >= first && steps[i] <= last) chosen.push_back(static_cast<long>(i));
  }
  PlainTable table(result, "/stats/step/time");
  for (const char* group : {"/stats/step", "/artefact"}) {
    for (const std::string& path : columns_of(result, group)) {
      if (path != "/stats/step/time") table.add(path);
    }
  }
  table.write(chosen, "steps.csv", folder);
}

/// Of the chosen frames' time; of all of it when they reach the last frame, so that a failed step is there.
void write_events(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder) {
  if (result.rows().events == 0) return;
  const std::vector<double> times = result.real("/event/time"), values = result.real("/event/value");
  const auto kinds = result.texts("/event/kind"), a = result.texts("/event/subject_a"),
             b = result.texts("/event/subject_b");
  BlockReader time(result, "/trajectory/time");
  const bool to_end = rows.back() + 1 == result.rows().frames;
  const double first = time.row(rows.front())[0], last = time.row(rows.back())[0];
  CsvTable table(folder->place("events.csv"), {"time [s]", "kind", "subject_a", "subject_b", "value [1]"});
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < first || (!to_end && times[i] > last)) continue;
    table.number(times[i]).text(kinds.at(i)).text(a.at(i)).text(b.at(i)).number(values[i]).end_row();
  }
  table.close();
}

}  // namespace

void export_csv(const ResultFile& result, const std::vector<long>& rows, OutputFolder* folder) {
  write_trajectories(result, rows, folder);
  PlainTable energy(result, "/trajectory/time");
  for (const std::string& path : columns_of(result, "/energy")) energy.add(path);
  energy.write(rows, "energy.csv", folder);
  write_joints(result, rows, folder);
  write_ragged(result, rows, "/contact", "contacts.csv", folder);
  write_ragged(result, rows, "/pair", "pairs.csv", folder);
  write_ragged(result, rows, "/patch", "patches.csv", folder);
  write_ragged(result, rows, "/patch/face", "patch_faces.csv", folder);
  write_steps(result, rows, folder);
  write_events(result, rows, folder);
}

}  // namespace csim
