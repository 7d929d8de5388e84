#include "record/checkpoint.h"

#include <array>
#include <cstring>

#include "record/tables.h"

namespace csim {
namespace {

// Every member of State and SolverMemory is written and read here; a new one must be, too.
static_assert(sizeof(State) == 6 * 8 + 2 * sizeof(VectorX),
              "write the new member of State into the checkpoint");
static_assert(sizeof(SolverMemory) == kMaxOrder * sizeof(VectorX) + sizeof(std::vector<long>),
              "write the new member of SolverMemory into the checkpoint");

constexpr std::size_t kNumCounters = 8;  // valid, step, rows of six tables
constexpr std::size_t kNumSums = 5;      // time, dissipated, work, energy_start, next_step

struct SlotData {
  std::array<std::int64_t, kNumCounters> counters{};
  std::array<double, kNumSums> sums{};
  std::vector<std::int64_t> course;
  std::vector<double> q, v;
  std::vector<double> v_before;  // row after row
};

std::string slot_path(int slot) {
  return "/checkpoint/slot_" + std::to_string(slot);
}

/// FNV-1a over the bytes of all numbers of a slot.
std::int64_t checksum(const SlotData& data) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      hash = (hash ^ static_cast<const std::uint8_t*>(bytes)[i]) * 0x100000001b3;
  };
  add(data.counters.data(), sizeof(data.counters));
  add(data.sums.data(), sizeof(data.sums));
  add(data.course.data(), data.course.size() * sizeof(std::int64_t));
  for (const auto* column : {&data.q, &data.v, &data.v_before})
    add(column->data(), column->size() * sizeof(double));
  return static_cast<std::int64_t>(hash);
}

std::optional<SlotData> read_slot(const hdf5::File& file, int slot) {
  const std::string path = slot_path(slot);
  SlotData data;
  const auto counters = file.read_integer(path + "/counters", 0, kNumCounters);
  const auto sums = file.read_real(path + "/sums", 0, kNumSums);
  std::copy(counters.begin(), counters.end(), data.counters.begin());
  std::copy(sums.begin(), sums.end(), data.sums.begin());
  const auto length = [&](const char* name) { return file.info(path + name).shape.at(0); };
  data.course = file.read_integer(path + "/course", 0, length("/course"));
  data.q = file.read_real(path + "/q", 0, length("/q"));
  data.v = file.read_real(path + "/v", 0, length("/v"));
  data.v_before = file.read_real(path + "/v_before", 0, length("/v_before"));
  const bool valid =
      data.counters[0] == 1 && file.read_integer(path + "/checksum", 0, 1).at(0) == checksum(data);
  return valid ? std::optional(data) : std::nullopt;
}

}  // namespace

void create_checkpoint(hdf5::File* file, const Model& model, const std::string& identity) {
  file->create_group("/checkpoint");
  file->set_attribute("/checkpoint", "scene_sha256", identity);
  const std::vector<double> q(static_cast<std::size_t>(model.nq), 0.0),
      v(static_cast<std::size_t>(model.nv), 0.0),
      v_before(static_cast<std::size_t>(kMaxOrder) * v.size(), 0.0);
  const std::vector<std::int64_t> course(model.trees.size(), 0);
  const StateUnits units = state_units(model);
  const SlotData empty;
  for (int slot = 0; slot < 2; ++slot) {
    const std::string path = slot_path(slot);
    file->write_array(path + "/counters", {kNumCounters}, std::span<const std::int64_t>(empty.counters),
                      {"1"});
    file->write_array(path + "/sums", {kNumSums}, std::span<const double>(empty.sums),
                      {"s", "J", "J", "J", "s"});
    file->write_array(path + "/q", {model.nq}, std::span<const double>(q), units.q);
    file->write_array(path + "/v", {model.nv}, std::span<const double>(v), units.v);
    file->write_array(path + "/v_before", {kMaxOrder, model.nv}, std::span<const double>(v_before), units.v);
    file->write_array(path + "/course", {static_cast<long>(course.size())},
                      std::span<const std::int64_t>(course), {"1"});
    file->write_array(path + "/checksum", {1}, std::span<const std::int64_t>(empty.counters.data(), 1),
                      {"1"});
  }
}

void write_checkpoint_slot(hdf5::File* file, int slot, const State& state, const SolverMemory& memory,
                           const RowCounts& rows) {
  SlotData data;
  data.counters = {
      1, state.step, rows.frames, rows.steps, rows.contacts, rows.iterations, rows.patches, rows.events};
  data.sums = {state.time, state.dissipated, state.work, state.energy_start, state.next_step};
  data.q.assign(state.q.begin(), state.q.end());
  data.v.assign(state.v.begin(), state.v.end());
  for (const VectorX& before : memory.v_before)
    data.v_before.insert(data.v_before.end(), before.begin(), before.end());
  data.course.assign(memory.course.begin(), memory.course.end());
  const std::array<std::int64_t, 1> sum = {checksum(data)};
  const std::string path = slot_path(slot);
  file->overwrite_array(path + "/counters", std::span<const std::int64_t>(data.counters));
  file->overwrite_array(path + "/sums", std::span<const double>(data.sums));
  file->overwrite_array(path + "/q", std::span<const double>(data.q));
  file->overwrite_array(path + "/v", std::span<const double>(data.v));
  file->overwrite_array(path + "/v_before", std::span<const double>(data.v_before));
  file->overwrite_array(path + "/course", std::span<const std::int64_t>(data.course));
  file->overwrite_array(path + "/checksum", std::span<const std::int64_t>(sum));
}

std::string other_layout(const hdf5::File& file) {
  struct Expected {
    const char* name;
    long entries;  // 0: those of the model
  };
  constexpr std::array<Expected, 7> kDatasets = {{{"/counters", kNumCounters},
                                                  {"/sums", kNumSums},
                                                  {"/q", 0},
                                                  {"/v", 0},
                                                  {"/v_before", kMaxOrder},
                                                  {"/course", 0},
                                                  {"/checksum", 1}}};
  for (int slot = 0; slot < 2; ++slot) {
    for (const auto& [name, entries] : kDatasets) {
      const std::string path = slot_path(slot) + name;
      if (!file.exists(path)) return path + " is missing";
      const long found = file.info(path).shape.at(0);
      if (entries != 0 && found != entries) {
        return path + " has " + std::to_string(found) + " rows, expected " + std::to_string(entries);
      }
    }
  }
  return "";
}

std::optional<Checkpoint> read_checkpoint(const hdf5::File& file) {
  std::optional<Checkpoint> latest;
  for (int slot = 0; slot < 2; ++slot) {
    const std::optional<SlotData> data = read_slot(file, slot);
    if (!data || (latest && data->counters[1] <= latest->state.step)) continue;
    Checkpoint checkpoint;
    State& state = checkpoint.state;
    state.step = data->counters[1];
    checkpoint.rows = {data->counters[2], data->counters[3], data->counters[4], data->counters[5],
                       data->counters[6]};
    checkpoint.rows.events = data->counters[7];
    state.time = data->sums[0], state.dissipated = data->sums[1], state.work = data->sums[2],
    state.energy_start = data->sums[3], state.next_step = data->sums[4];
    state.q = VectorX::Map(data->q.data(), static_cast<Eigen::Index>(data->q.size()));
    state.v = VectorX::Map(data->v.data(), static_cast<Eigen::Index>(data->v.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(kMaxOrder); ++i)
      checkpoint.memory.v_before[i] =
          VectorX::Map(data->v_before.data() + i * data->v.size(), state.v.size());
    checkpoint.memory.course.assign(data->course.begin(), data->course.end());
    checkpoint.slot = slot;
    latest = std::move(checkpoint);
  }
  return latest;
}

std::string checkpoint_identity(const hdf5::File& file) {
  if (!file.has_attribute("/checkpoint", "scene_sha256")) return "";
  return file.text_attribute("/checkpoint", "scene_sha256").at(0);
}

}  // namespace csim
