#include "record/recorder.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "core/require.h"
#include "record/checkpoint.h"
#include "record/column.h"
#include "record/output_file.h"
#include "record/same_layout.h"
#include "record/static_part.h"
#include "record/stray_files.h"
#include "record/tables.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSecondsPerFlush = 5.0;  // that rows of a table may be in memory alone, as kRowsPerFlush
// Flushed with all they own.
constexpr Table kOwners[] = {Table::kFrames, Table::kSteps, Table::kEvents, Table::kWarnings};

/// Bytes of the longest name that a subject of an event can have, at least 1.
std::size_t longest_subject(const Model& model) {
  std::size_t length = 1;
  for (const Body& body : model.bodies) length = std::max(length, body.name.size());
  for (const Geometry& geometry : model.geometries) length = std::max(length, geometry.name.size());
  for (const Phase& phase : model.phases) length = std::max(length, phase.name.size());
  for (const std::string& name : model.constraint_names) length = std::max(length, name.size());
  return length;
}

/// At most `length` bytes of a text in UTF-8, whole characters; ".." where something is left out.
std::string cut_text(std::string text, std::size_t length) {
  if (text.size() <= length) return text;
  std::size_t end = length - 2;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "..";
}

/// What an earlier file says of a run before it.
void copy_earlier_run(const hdf5::File& earlier, const std::string& group, hdf5::File* file) {
  write_provenance(file, group, read_provenance(earlier, group));
  if (!earlier.has_attribute(group, "solver")) return;  // of a build that did not tell them
  file->set_attribute(group, "solver", earlier.text_attribute(group, "solver").at(0));
  file->set_attribute(group, "steps", earlier.integer_attribute(group, "steps"));
}

/// Where the rows of the earlier file come from; its keys of `solver` may be others than those of this run.
void write_earlier_run(const hdf5::File& earlier, const std::string& group, long steps, hdf5::File* file) {
  write_provenance(file, group, read_provenance(earlier, "/provenance"));
  const YamlNode scene = parse_yaml(earlier.read_text("/scene/resolved")).root;
  const YamlNode* solver = scene.find("solver");
  file->set_attribute(group, "solver", solver != nullptr ? write_flow(*solver) : "");
  file->set_attribute(group, "steps", std::int64_t{steps});
}

struct TableColumn {
  Column column;
  const void* (*data)(const RowSource&);
  bool is_offset;
};

}  // namespace

const char* to_string(RunStatus status) {
  constexpr const char* kNames[] = {"running", "complete", "failed", "interrupted"};
  return kNames[static_cast<int>(status)];
}

RunStatus parse_run_status(const std::string& word) {
  for (const RunStatus status : {RunStatus::kComplete, RunStatus::kFailed, RunStatus::kInterrupted}) {
    if (word == to_string(status)) return status;
  }
  return RunStatus::kRunning;
}

struct Recorder::Impl {
  OutputPaths paths;
  RecorderOptions options;
  hdf5::File file;
  OutputLock lock;  // of `file`, for as long as it is written
  ChunkCodec codec;
  std::array<std::vector<TableColumn>, kNumTables> columns;  // by Table
  EventTotals events;
  PairSums pairs;
  const Model& model;
  std::size_t subject_length;  // bytes
  RowSource source;
  int next_slot = 0;     // of the checkpoint
  bool is_last = false;  // the last one is written
  bool broken = false;   // a write failed: the file stays as its last flush left it
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
        subject_length(longest_subject(model)) {
    source.quaternion.resize(4 * model.bodies.size());
  }

  void create_file(const Scene& scene, const Model& model, const SceneText& text,
                   const Provenance& provenance);
  void start_offsets();
  void copy_rows(const hdf5::File& earlier, const RowCounts& kept);
  void append(Table table, std::size_t count);
  void append_patches(const PatchRows& patches);
  void append_pairs();
  void write_tails(Table owner, bool are_last = false);
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
  for (const ColumnSpec& spec : table_columns(scene, model, options, subject_length)) {
    columns[static_cast<int>(spec.place.table)].push_back(
        {Column(file.create_growing(spec.path, spec.type, spec.row_shape, chunk_rows(spec), spec.units,
                                    spec.text_length),
                &codec),
         spec.data, spec.place.is_offset});
  }
}

/// The 0 at the start of each offset.
void Recorder::Impl::start_offsets() {
  const std::int64_t zero = 0;
  for (auto& table : columns)
    for (TableColumn& entry : table)
      if (entry.is_offset) entry.column.append(&zero, 1);
}

void Recorder::Impl::copy_rows(const hdf5::File& earlier, const RowCounts& kept) {
  source.rows = kept;
  for (const RaggedTable& ragged : kRaggedTables) {
    if (earlier.exists(ragged.offsets))
      table_rows(&source.rows, ragged.table) =
          earlier.read_integer(ragged.offsets, table_rows(source.rows, ragged.owner), 1).at(0);
  }
  for (int table = 0; table < kNumTables; ++table) {
    for (TableColumn& entry : columns[table])
      entry.column.copy_from(earlier,
                             table_rows(source.rows, static_cast<Table>(table)) + (entry.is_offset ? 1 : 0));
  }
}

Recorder::Recorder(const std::string& path, const Scene& scene, const Model& model, const SceneText& text,
                   const Provenance& provenance, const RecorderOptions& options) {
  const OutputPaths paths = output_paths(path);
  check_output(paths.final_path, options.force);
  std::error_code error;  // File::create tells it
  if (!options.force && std::filesystem::exists(paths.part_path, error))
    throw OutputExistsError(paths.part_path + ": exists already: another run is writing it, or was killed");
  const OutputLock replaced = OutputLock::when_free(paths.part_path);
  remove_strays(paths.part_path);
  // Of runs that start at once one finds the place free, or has the lock of what is there: any other file
  // that has come to it since is written by another run.
  make_file(paths, scene, model, text, provenance, options, replaced.has_file(),
            [&] { impl_->start_offsets(); });
  try {
    // The place may have been taken since by a run that ended; from now on none does, as .part is ours.
    check_output(paths.final_path, options.force);
  } catch (...) {
    impl_->file.discard();
    ::unlink(paths.part_path.c_str());
    throw;
  }
}

Recorder::Recorder(const std::string& path, const Scene& scene, const Model& model, const SceneText& text,
                   const Provenance& provenance, const RecorderOptions& options, const ResumePoint& point) {
  const OutputPaths paths = output_paths(path);
  remove_strays(paths.part_path);
  make_file(paths, scene, model, text, provenance, options, true, [&] {
    hdf5::File source = hdf5::File::open_read(find_resumable(path));
    if (const std::string what = layout_difference(source, impl_->file); !what.empty())
      throw another_version(source.path(), read_provenance(source, "/provenance"), what);
    // Where the runs before this one came from.
    int segment = 0;
    for (; source.exists("/provenance/run_" + std::to_string(segment)); ++segment)
      copy_earlier_run(source, "/provenance/run_" + std::to_string(segment), &impl_->file);
    write_earlier_run(source, "/provenance/run_" + std::to_string(segment), point.rows.steps, &impl_->file);
    impl_->copy_rows(source, point.rows);
    impl_->events = point.events;
    impl_->pairs = point.pairs;
    write_checkpoint(point.state, point.memory);
    source.discard();
  });
  ::unlink(paths.final_path.c_str());
}

/// A file of its own takes the name .part when it is complete so far, so that .part opens at any moment.
void Recorder::make_file(const OutputPaths& paths, const Scene& scene, const Model& model,
                         const SceneText& text, const Provenance& provenance, const RecorderOptions& options,
                         bool replace, const std::function<void()>& fill) {
  const std::string fresh = fresh_name(paths.part_path);
  impl_ = std::make_unique<Impl>(paths, options, hdf5::File::create(fresh), model);
  try {
    impl_->lock = OutputLock(fresh);
    impl_->create_file(scene, model, text, provenance);
    fill();
    flush();
    move_file(fresh, paths.part_path, replace);
    impl_->file.set_name(paths.part_path);
  } catch (const OutputExistsError&) {
    impl_->file.discard();
    ::unlink(fresh.c_str());
    throw OutputBusyError(paths.part_path + ": another run is writing it");
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

/// Appends rows of what `source` points at; ragged tables go before their owners, which hold their ends.
void Recorder::Impl::append(Table table, std::size_t count) {
  auto& table_columns = columns[static_cast<int>(table)];
  for (TableColumn& entry : table_columns) entry.column.append(entry.data(source), static_cast<long>(count));
  if (!table_columns.empty()) table_rows(&source.rows, table) += static_cast<long>(count);
}

/// Of the table of frames, steps or events and of the ragged ones that these own.
void Recorder::Impl::write_tails(Table owner, bool are_last) {
  for (int table = 0; table < kNumTables; ++table) {
    if (owner_of(static_cast<Table>(table)) != owner) continue;
    for (TableColumn& entry : columns[table]) entry.column.write_tail(are_last);
  }
  table_rows(&flushed, owner) = table_rows(source.rows, owner);
}

void Recorder::Impl::flush_file() {
  for (const Table owner : kOwners) write_tails(owner);
  file.flush();
  last_flush = Clock::now();
}

/// A table with a whole chunk is written alone: the others wait for theirs, since only whole chunks are
/// compressed. Rows must not wait longer than kSecondsPerFlush, so the time of one more step counts.
void Recorder::Impl::flush_when_due() {
  const double age = std::chrono::duration<double>(Clock::now() - last_flush + step_interval).count();
  if (age >= kSecondsPerFlush) {
    flush_file();
    return;
  }
  // At whole chunks, also after a flush in between: a chunk that is flushed before it is whole stays
  // uncompressed.
  bool any_due = false;
  for (const Table owner : kOwners) {
    if (table_rows(source.rows, owner) / kRowsPerFlush <= table_rows(flushed, owner) / kRowsPerFlush)
      continue;
    write_tails(owner);
    any_due = true;
  }
  if (any_due) file.flush();
}

void Recorder::Impl::append_patches(const PatchRows& patches) {
  if (options.patches == PatchOutput::kFull) {
    const std::size_t num_faces = patches.face_area.size();
    source.face_end.clear();
    std::int64_t end = source.rows.faces;
    for (const int count : patches.num_faces) source.face_end.push_back(end += count);
    CSIM_REQUIRE(end == source.rows.faces + static_cast<long>(num_faces), end, num_faces);
    source.corner_end.clear();
    for (std::size_t i = 1; i <= num_faces; ++i)
      source.corner_end.push_back(source.rows.corners + patches.vertex_begin[i]);
    append(Table::kCorners, patches.vertex.size());
    append(Table::kFaces, num_faces);
  }
  append(Table::kPatches, patches.size());
}

void Recorder::Impl::append_pairs() {
  if (!pairs.recorded) {
    for (const PairSum& row : pairs.sums) {
      source.pair = &row;
      append(Table::kPairs, 1);
    }
  }
  pairs.recorded = true;
}

void Recorder::record_frame(const Frame& frame) {
  Impl& r = *impl_;
  const std::size_t num_bodies = r.model.bodies.size();
  CSIM_REQUIRE(frame.position.size() == num_bodies && frame.quaternion.size() == num_bodies,
               frame.position.size(), num_bodies);
  CSIM_REQUIRE(frame.velocity.size() == num_bodies && frame.angular_velocity.size() == num_bodies,
               frame.velocity.size());
  CSIM_REQUIRE(frame.q.size() == r.model.nq && frame.v.size() == r.model.nv, frame.q.size(), frame.v.size());
  r.write([&] {
    r.source.frame = &frame;
    r.source.contacts = &frame.contacts;
    r.source.patches = &frame.patches;
    for (std::size_t b = 0; b < num_bodies; ++b) {
      const Quaternion& q = frame.quaternion[b];
      double* row = r.source.quaternion.data() + 4 * b;
      row[0] = q.w(), row[1] = q.x(), row[2] = q.y(), row[3] = q.z();
    }
    r.append(Table::kContacts, frame.contacts.size());
    r.append_patches(frame.patches);
    r.append_pairs();
    r.append(Table::kFrames, 1);
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
    r.source.step = &statistics;
    r.append(Table::kIterations, statistics.iteration_cost.size());
    r.append(Table::kSteps, 1);
    r.flush_when_due();
  });
}

void Recorder::record_events(double time, const std::vector<Event>& events) {
  Impl& r = *impl_;
  if (events.empty()) return;
  r.write([&] {
    RowSource& source = r.source;
    for (const Event& event : events) {
      source.event_time = time;
      source.event_value = event.value;
      source.event_kind = to_string(event.kind);
      source.subject_a = subject_name(r.model, event.kind, event.subject_a);
      source.subject_b = subject_name(r.model, event.kind, event.subject_b);
      source.event_kind.resize(longest_event_name());
      source.subject_a.resize(r.subject_length);
      source.subject_b.resize(r.subject_length);
      r.append(Table::kEvents, 1);
      r.events.add(event, time);
    }
    r.flush_when_due();
  });
}

void Recorder::record_warnings(const Warnings& warnings) {
  Impl& r = *impl_;
  if (warnings.empty()) return;
  r.write([&] {
    RowSource& source = r.source;
    for (const Warning& warning : warnings) {
      source.warning_time = warning.time;
      source.warning_kind = warning.kind;
      source.warning_text = cut_text(warning.text, warning_length(r.subject_length));
      source.warning_kind.resize(longest_event_name());
      source.warning_text.resize(warning_length(r.subject_length));
      r.append(Table::kWarnings, 1);
    }
    r.flush_when_due();
  });
}

void Recorder::record_pairs(const PairList& pairs) {
  impl_->pairs.add(pairs);
}

void Recorder::flush() {
  impl_->write([&] { impl_->flush_file(); });
}

void Recorder::write_checkpoint(const State& state, const SolverMemory& memory) {
  impl_->write([&] {
    impl_->flush_file();
    if (impl_->is_last) return;
    write_checkpoint_slot(&impl_->file, impl_->next_slot, state, memory, impl_->pairs, impl_->source.rows);
    impl_->next_slot = 1 - impl_->next_slot;
    impl_->file.sync();
  });
}

void Recorder::write_last_checkpoint(const State& state, const SolverMemory& memory) {
  // Both slots alike: what the file holds must not depend on how many checkpoints there were on the way.
  write_checkpoint(state, memory);
  write_checkpoint(state, memory);
  impl_->is_last = true;
}

void Recorder::reopen_checkpoints() {
  impl_->is_last = false;
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
  try {
    if (r.broken) {
      // What is on disk is the file of the last flush; its attributes are written over in place.
      r.file.discard();
      r.file = hdf5::File::open_write(r.paths.part_path);
    } else {
      for (const Table owner : kOwners) r.write_tails(owner, true);
      write_last_checkpoint(state, memory);
    }
    r.write_end(status, exit_code, message);
  } catch (const IoError&) {
    r.broken = true;
    r.file.discard();
    throw;
  }
  r.finished = true;
  move_file(r.paths.part_path, r.paths.final_path, r.options.force);
  r.lock = OutputLock();
}

RowCounts Recorder::rows() const {
  return impl_->source.rows;
}

const EventTotals& Recorder::events() const {
  return impl_->events;
}

const OutputPaths& Recorder::paths() const {
  return impl_->paths;
}

}  // namespace csim
