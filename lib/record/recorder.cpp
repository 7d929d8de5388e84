#include "record/recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>

#include "core/require.h"
#include "record/checkpoint.h"
#include "record/column.h"
#include "record/output_file.h"
#include "record/same_layout.h"
#include "record/static_part.h"
#include "record/stray_files.h"
#include "record/tables.h"

namespace csim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long kRowsPerFlush = 64;                           // rows of a table that may be in memory alone
constexpr double kSecondsPerFlush = 5.0;                     // and for how long
constexpr long kRaggedChunkRows = 1024;                      // of the tables with many rows a frame or step
constexpr std::size_t kLargestChunk = std::size_t{4} << 20;  // bytes

/// Rows of a chunk: as many as are flushed at a time, fewer where rows are huge.
long chunk_rows(const ColumnSpec& spec, long rows) {
  std::size_t row_bytes = hdf5::size_of(spec.type);
  for (const long n : spec.row_shape) row_bytes *= static_cast<std::size_t>(n);
  while (rows > 1 && row_bytes * static_cast<std::size_t>(rows) > kLargestChunk) rows /= 2;
  return rows;
}

/// Moves `from` to `to`; an existing `to` is an error unless `replace`.
void move_file(const std::string& from, const std::string& to, bool replace) {
  int failed = replace ? std::rename(from.c_str(), to.c_str())
                       : ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  if (failed != 0 && !replace && (errno == EINVAL || errno == ENOSYS)) {
    // File systems without that flag (some network ones): a hard link is refused in the same way.
    failed = ::link(from.c_str(), to.c_str());
    if (failed == 0) ::unlink(from.c_str());
    if (failed != 0 && errno != EEXIST) failed = std::rename(from.c_str(), to.c_str());
  }
  if (failed == 0) return;
  const std::string reason = std::strerror(errno);
  if (errno == EEXIST) throw OutputExistsError(to + ": exists already");
  throw IoError(from + ": cannot be renamed to " + to + ": " + reason);
}

/// Bytes of the longest name that a subject of an event can have, at least 1.
std::size_t longest_subject(const Model& model) {
  std::size_t length = 1;
  for (const Body& body : model.bodies) length = std::max(length, body.name.size());
  for (const Geometry& geometry : model.geometries) length = std::max(length, geometry.name.size());
  return length;
}

template <typename Source>
struct TableColumn {
  Column column;
  const void* (*data)(const Source&);
};

}  // namespace

const char* to_string(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning:
      return "running";
    case RunStatus::kComplete:
      return "complete";
    case RunStatus::kFailed:
      return "failed";
    case RunStatus::kInterrupted:
      break;
  }
  return "interrupted";
}

RunStatus parse_run_status(const std::string& word) {
  for (const RunStatus status : {RunStatus::kComplete, RunStatus::kFailed, RunStatus::kInterrupted}) {
    if (word == to_string(status)) return status;
  }
  return RunStatus::kRunning;
}

RecorderOptions recorder_options(const OutputSpec& output, bool force) {
  RecorderOptions options;
  options.contacts = output.contacts;
  options.patches = output.patches != PatchOutput::kNone;
  options.faces = output.patches == PatchOutput::kFull;
  options.iterations = output.iterations;
  options.force = force;
  return options;
}

OutputPaths output_paths(const std::string& path) {
  constexpr std::string_view kPart = ".part";
  const std::string name = path.ends_with(kPart) ? path.substr(0, path.size() - kPart.size()) : path;
  return {name, name + std::string(kPart)};
}

struct Recorder::Impl {
  OutputPaths paths;
  RecorderOptions options;
  hdf5::File file;
  OutputLock lock;  // of `file`, for as long as it is written
  ChunkCodec codec;
  std::vector<TableColumn<FrameSource>> frame_columns;
  std::vector<TableColumn<StepSource>> step_columns;
  std::vector<TableColumn<ContactRows>> contact_columns;
  std::vector<TableColumn<StepStatistics>> iteration_columns;
  std::vector<TableColumn<PatchSource>> patch_columns, face_columns, corner_columns;
  std::vector<TableColumn<EventSource>> event_columns;
  EventSource event_source;
  EventTotals events;
  const Model& model;
  std::size_t subject_length;  // bytes
  std::size_t num_bodies = 0;
  Eigen::Index nq = 0, nv = 0;
  RowCounts rows;
  FrameSource frame_source;
  StepSource step_source;
  PatchSource patch_source;
  int next_slot = 0;    // of the checkpoint
  bool broken = false;  // a write failed: the file stays as its last flush left it
  bool finished = false;
  RowCounts flushed;
  Clock::time_point last_flush = Clock::now(), last_step = Clock::now();
  Clock::duration step_interval{};  // between the last two steps

  Impl(const OutputPaths& output, const RecorderOptions& run_options, hdf5::File new_file,
       const Model& run_model)
      : paths(output),
        options(run_options),
        file(std::move(new_file)),
        model(run_model),
        subject_length(longest_subject(model)),
        num_bodies(model.bodies.size()),
        nq(model.nq),
        nv(model.nv) {
    frame_source.quaternion.resize(4 * num_bodies);
  }

  template <typename Source>
  void create_columns(const std::vector<BoundColumn<Source>>& bound, long rows_per_chunk,
                      std::vector<TableColumn<Source>>* columns) {
    for (const auto& [spec, data] : bound) {
      columns->push_back({Column(create_dataset(spec, rows_per_chunk), &codec), data});
    }
  }

  hdf5::GrowingDataset create_dataset(const ColumnSpec& spec, long rows_per_chunk) {
    return file.create_growing(spec.path, spec.type, spec.row_shape, chunk_rows(spec, rows_per_chunk),
                               spec.units, spec.text_length);
  }

  void create_file(const Scene& scene, const Model& model, const SceneText& text,
                   const Provenance& provenance);
  void for_each_column(const std::function<void(Column*)>& visit);
  void start_offsets();
  void copy_rows(const hdf5::File& source, const RowCounts& kept);
  void append_patches(const PatchRows& patches);
  void write_tails_of_frames();
  void write_tails_of_steps();
  void write_tails_of_events();
  void flush_file();
  void flush_when_due();
  void write_end(RunStatus status, int exit_code, const std::string& message);

  /// Runs a writing action; after a failure the file is only ever closed as it is on disk.
  template <typename Action>
  void write(Action&& action) {
    CSIM_REQUIRE(!finished);
    if (broken) throw IoError(paths.part_path + ": cannot be written any more after an earlier error");
    try {
      action();
    } catch (const IoError&) {
      broken = true;
      throw;
    }
  }
};

// ---- Creation ----

void Recorder::Impl::create_file(const Scene& scene, const Model& model, const SceneText& text,
                                 const Provenance& provenance) {
  file.set_attribute("/", "csim_schema", "csim-result/1");
  file.set_attribute("/", "status", to_string(RunStatus::kRunning));
  file.set_attribute("/", "exit_code", std::int64_t{-1});
  file.set_attribute("/", "message", "");
  write_provenance(&file, "/provenance", provenance);
  write_static_part(&file, scene, model, text);
  create_checkpoint(&file, model, text.identity);
  create_columns(csim::frame_columns(scene, model, options.contacts, options.patches), kRowsPerFlush,
                 &frame_columns);
  create_columns(csim::step_columns(options.iterations), kRowsPerFlush, &step_columns);
  create_columns(csim::event_columns(subject_length), kRowsPerFlush, &event_columns);
  if (options.contacts) create_columns(csim::contact_columns(), kRaggedChunkRows, &contact_columns);
  if (options.iterations) create_columns(csim::iteration_columns(), kRaggedChunkRows, &iteration_columns);
  if (options.patches) {
    create_columns(csim::patch_columns(options.faces), kRaggedChunkRows, &patch_columns);
  }
  if (options.faces) {
    create_columns(csim::face_columns(), kRaggedChunkRows, &face_columns);
    create_columns(csim::corner_columns(), kRaggedChunkRows, &corner_columns);
  }
}

void Recorder::Impl::for_each_column(const std::function<void(Column*)>& visit) {
  for (auto& entry : frame_columns) visit(&entry.column);
  for (auto& entry : step_columns) visit(&entry.column);
  for (auto& entry : event_columns) visit(&entry.column);
  for (auto& entry : contact_columns) visit(&entry.column);
  for (auto& entry : iteration_columns) visit(&entry.column);
  for (auto* columns : {&patch_columns, &face_columns, &corner_columns}) {
    for (auto& entry : *columns) visit(&entry.column);
  }
}

/// The 0 at the start of each offset.
void Recorder::Impl::start_offsets() {
  for_each_column([](Column* column) {
    TablePlace place;
    const std::int64_t zero = 0;
    if (find_table(column->path(), &place) && place.is_offset) column->append(&zero, 1);
  });
}

void Recorder::Impl::copy_rows(const hdf5::File& source, const RowCounts& kept) {
  rows = kept;
  if (options.contacts) rows.contacts = source.read_integer("/contact/row_offset", kept.frames, 1).at(0);
  if (options.patches) rows.patches = source.read_integer("/patch/row_offset", kept.frames, 1).at(0);
  if (options.faces) {
    rows.faces = source.read_integer("/patch/face_offset", rows.patches, 1).at(0);
    rows.corners = source.read_integer("/patch/polygon/vertex_offset", rows.faces, 1).at(0);
  }
  frame_source.contact_end = rows.contacts;
  frame_source.patch_end = rows.patches;
  step_source.iteration_end = rows.iterations;
  for_each_column([&](Column* column) {
    TablePlace place;
    CSIM_REQUIRE(find_table(column->path(), &place), column->path());
    column->copy_from(source, table_rows(rows, place.table) + (place.is_offset ? 1 : 0));
  });
}

Recorder::Recorder(const std::string& path, const Scene& scene, const Model& model, const SceneText& text,
                   const Provenance& provenance, const RecorderOptions& options) {
  const OutputPaths paths = output_paths(path);
  check_output(paths.final_path, options.force);
  if (!options.force && std::filesystem::exists(paths.part_path))
    throw OutputExistsError(paths.part_path + ": exists already: another run is writing it, or was killed");
  const OutputLock replaced(paths.part_path);
  remove_strays(paths.part_path);
  // A file of its own takes the name .part when it is complete so far, so that .part opens at any moment.
  const std::string fresh = fresh_name(paths.part_path);
  impl_ = std::make_unique<Impl>(paths, options, hdf5::File::create(fresh), model);
  try {
    impl_->lock = OutputLock(fresh);
    impl_->create_file(scene, model, text, provenance);
    impl_->start_offsets();
    flush();
    move_file(fresh, paths.part_path, options.force);
    impl_->file.set_name(paths.part_path);
  } catch (...) {
    impl_->file.discard();
    ::unlink(fresh.c_str());
    throw;
  }
}

Recorder::Recorder(const std::string& path, const Scene& scene, const Model& model, const SceneText& text,
                   const Provenance& provenance, const RecorderOptions& options, const ResumePoint& point) {
  const OutputPaths paths = output_paths(path);
  remove_strays(paths.part_path);
  const std::string fresh = fresh_name(paths.part_path);
  impl_ = std::make_unique<Impl>(paths, options, hdf5::File::create(fresh), model);
  try {
    impl_->lock = OutputLock(fresh);
    hdf5::File source = hdf5::File::open_read(find_resumable(path));
    impl_->create_file(scene, model, text, provenance);
    if (const std::string what = layout_difference(source, impl_->file); !what.empty())
      throw another_version(source.path(), read_provenance(source, "/provenance"), what);
    // The origins of the runs before this one.
    int segment = 0;
    for (; source.exists("/provenance/run_" + std::to_string(segment)); ++segment) {
      const std::string group = "/provenance/run_" + std::to_string(segment);
      write_provenance(&impl_->file, group, read_provenance(source, group));
    }
    write_provenance(&impl_->file, "/provenance/run_" + std::to_string(segment),
                     read_provenance(source, "/provenance"));
    impl_->copy_rows(source, point.rows);
    impl_->events = point.events;
    write_checkpoint(point.state, point.memory);
    source.discard();
    move_file(fresh, paths.part_path, /*replace=*/true);
    impl_->file.set_name(paths.part_path);
    ::unlink(paths.final_path.c_str());
  } catch (...) {
    impl_->file.discard();
    ::unlink(fresh.c_str());
    throw;
  }
}

Recorder::~Recorder() {
  if (impl_ == nullptr) return;
  if (!impl_->finished && !impl_->broken) {
    try {
      flush();
      impl_->file.close();
    } catch (const IoError&) {  // nobody is left to hear it; the last flush stands
    }
  }
  impl_->file.discard();
}

// ---- Rows ----

void Recorder::Impl::write_tails_of_frames() {
  for (auto& entry : frame_columns) entry.column.write_tail();
  for (auto& entry : contact_columns) entry.column.write_tail();
  for (auto* columns : {&patch_columns, &face_columns, &corner_columns}) {
    for (auto& entry : *columns) entry.column.write_tail();
  }
  flushed.frames = rows.frames;
}

void Recorder::Impl::write_tails_of_steps() {
  for (auto& entry : step_columns) entry.column.write_tail();
  for (auto& entry : iteration_columns) entry.column.write_tail();
  flushed.steps = rows.steps;
}

void Recorder::Impl::write_tails_of_events() {
  for (auto& entry : event_columns) entry.column.write_tail();
  flushed.events = rows.events;
}

void Recorder::Impl::flush_file() {
  write_tails_of_frames();
  write_tails_of_steps();
  write_tails_of_events();
  file.flush();
  last_flush = Clock::now();
}

/// Whole chunks of one table leave the others alone, so that these compress theirs too. Waiting for the next
/// row must not break the promise of kSecondsPerFlush, so the time of one more step counts.
void Recorder::Impl::flush_when_due() {
  const double age = std::chrono::duration<double>(Clock::now() - last_flush + step_interval).count();
  if (age >= kSecondsPerFlush) {
    flush_file();
    return;
  }
  // At whole chunks, also after a flush in between: a chunk that is flushed before it is whole stays
  // uncompressed.
  const bool frames_due = rows.frames / kRowsPerFlush > flushed.frames / kRowsPerFlush;
  const bool steps_due = rows.steps / kRowsPerFlush > flushed.steps / kRowsPerFlush;
  const bool events_due = rows.events / kRowsPerFlush > flushed.events / kRowsPerFlush;
  if (frames_due) write_tails_of_frames();
  if (steps_due) write_tails_of_steps();
  if (events_due) write_tails_of_events();
  if (frames_due || steps_due || events_due) file.flush();
}

void Recorder::Impl::append_patches(const PatchRows& patches) {
  PatchSource& source = patch_source;
  source.rows = &patches;
  const long num_patches = static_cast<long>(patches.size());
  if (options.faces) {
    const long num_faces = static_cast<long>(patches.face_area.size());
    source.face_end.clear();
    std::int64_t end = rows.faces;
    for (const int count : patches.num_faces) source.face_end.push_back(end += count);
    CSIM_REQUIRE(end == rows.faces + num_faces, end, num_faces);
    source.corner_end.clear();
    for (long i = 1; i <= num_faces; ++i)
      source.corner_end.push_back(rows.corners + patches.vertex_begin[static_cast<std::size_t>(i)]);
    const long num_corners = static_cast<long>(patches.vertex.size());
    for (auto& [column, data] : face_columns) column.append(data(source), num_faces);
    for (auto& [column, data] : corner_columns) column.append(data(source), num_corners);
    rows.faces += num_faces;
    rows.corners += num_corners;
  }
  for (auto& [column, data] : patch_columns) column.append(data(source), num_patches);
  rows.patches += num_patches;
}

void Recorder::record_frame(const Frame& frame) {
  Impl& r = *impl_;
  CSIM_REQUIRE(frame.position.size() == r.num_bodies && frame.quaternion.size() == r.num_bodies,
               frame.position.size(), r.num_bodies);
  CSIM_REQUIRE(frame.velocity.size() == r.num_bodies && frame.angular_velocity.size() == r.num_bodies,
               frame.velocity.size());
  CSIM_REQUIRE(frame.q.size() == r.nq && frame.v.size() == r.nv, frame.q.size(), frame.v.size());
  r.write([&] {
    FrameSource& source = r.frame_source;
    source.frame = &frame;
    for (std::size_t b = 0; b < r.num_bodies; ++b) {
      const Quaternion& q = frame.quaternion[b];
      double* row = source.quaternion.data() + 4 * b;
      row[0] = q.w(), row[1] = q.x(), row[2] = q.y(), row[3] = q.z();
    }
    if (r.options.contacts) {
      const long count = static_cast<long>(frame.contacts.size());
      for (auto& [column, data] : r.contact_columns) column.append(data(frame.contacts), count);
      r.rows.contacts += count;
      source.contact_end = r.rows.contacts;
    }
    if (r.options.patches) {
      r.append_patches(frame.patches);
      source.patch_end = r.rows.patches;
    }
    for (auto& [column, data] : r.frame_columns) column.append(data(source), 1);
    ++r.rows.frames;
    r.flush_when_due();
  });
}

void Recorder::record_step(const StepStatistics& statistics) {
  Impl& r = *impl_;
  CSIM_REQUIRE(statistics.iteration_cost.size() == statistics.iteration_gradient_norm.size() &&
                   statistics.iteration_cost.size() == statistics.iteration_step_length.size(),
               statistics.iteration_cost.size());
  const Clock::time_point now = Clock::now();
  r.step_interval = now - r.last_step;
  r.last_step = now;
  r.write([&] {
    StepSource& source = r.step_source;
    source.step = &statistics;
    source.num_contacts = statistics.num_contacts;
    source.num_constraints = statistics.num_constraints;
    source.num_patches = statistics.num_patches;
    source.num_faces = statistics.num_faces;
    source.factor_nonzeros = statistics.factor_nonzeros;
    source.status = static_cast<std::int32_t>(statistics.status);
    if (r.options.iterations) {
      const long count = static_cast<long>(statistics.iteration_cost.size());
      for (auto& [column, data] : r.iteration_columns) column.append(data(statistics), count);
      r.rows.iterations += count;
      source.iteration_end = r.rows.iterations;
    }
    for (auto& [column, data] : r.step_columns) column.append(data(source), 1);
    ++r.rows.steps;
    r.flush_when_due();
  });
}

void Recorder::record_events(double time, const std::vector<Event>& events) {
  Impl& r = *impl_;
  if (events.empty()) return;
  r.write([&] {
    EventSource& source = r.event_source;
    const std::size_t kind_length = longest_event_name();
    for (const Event& event : events) {
      source.time = time;
      source.value = event.value;
      source.kind = to_string(event.kind);
      source.subject_a = subject_name(r.model, event.kind, event.subject_a);
      source.subject_b = subject_name(r.model, event.kind, event.subject_b);
      source.kind.resize(kind_length);
      source.subject_a.resize(r.subject_length);
      source.subject_b.resize(r.subject_length);
      for (auto& [column, data] : r.event_columns) column.append(data(source), 1);
      r.events.add(event, time);
    }
    r.rows.events += static_cast<long>(events.size());
    r.flush_when_due();
  });
}

void Recorder::flush() {
  impl_->write([&] { impl_->flush_file(); });
}

void Recorder::write_checkpoint(const State& state, const SolverMemory& memory) {
  impl_->write([&] {
    impl_->flush_file();
    write_checkpoint_slot(&impl_->file, impl_->next_slot, state, memory, impl_->rows);
    impl_->next_slot = 1 - impl_->next_slot;
    impl_->file.sync();
  });
}

// ---- The end ----

void Recorder::Impl::write_end(RunStatus status, int exit_code, const std::string& message) {
  file.set_attribute("/", "status", to_string(status));
  file.set_attribute("/", "exit_code", std::int64_t{exit_code});
  file.set_attribute("/", "message", message);
  file.set_attribute("/provenance", "end", utc_now());
  file.sync();
  file.close();
}

void Recorder::finish(RunStatus status, int exit_code, const std::string& message, const State& state,
                      const SolverMemory& memory) {
  Impl& r = *impl_;
  CSIM_REQUIRE(!r.finished);
  if (!r.broken) {
    try {
      // Both slots alike: what the file holds must not depend on how many checkpoints there were on the way.
      write_checkpoint(state, memory);
      write_checkpoint(state, memory);
      r.write([&] { r.write_end(status, exit_code, message); });
    } catch (const IoError&) {
      r.file.discard();
      throw;
    }
  } else {
    // What is on disk is the file of the last flush; its attributes are written over in place.
    r.file.discard();
    r.file = hdf5::File::open_write(r.paths.part_path);
    try {
      r.write_end(status, exit_code, message);
    } catch (const IoError&) {
      r.file.discard();
      throw;
    }
  }
  r.finished = true;
  move_file(r.paths.part_path, r.paths.final_path, r.options.force);
  r.lock = OutputLock();
}

RowCounts Recorder::rows() const {
  return impl_->rows;
}

const EventTotals& Recorder::events() const {
  return impl_->events;
}

const OutputPaths& Recorder::paths() const {
  return impl_->paths;
}

}  // namespace csim
