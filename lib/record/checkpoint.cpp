#include "record/checkpoint.h"

#include <iterator>
#include <type_traits>
#include <utility>

#include "model/breaking.h"
#include "record/tables.h"

namespace csim {
namespace {

// Every member of State and SolverMemory is written and read here, but for rest_number of both; a new one
// must be, too.
static_assert(sizeof(State) == 4 * 8 + 5 * sizeof(VectorX) + sizeof(EnergyAccounts) + sizeof(PairEnergies) +
                                   sizeof(SequenceState) + sizeof(RestState) + sizeof(std::vector<char>),
              "write the new member of State into the checkpoint");
static_assert(sizeof(SolverMemory) == kMaxOrder * sizeof(VectorX) + sizeof(std::vector<long>) + 8,
              "write the new member of SolverMemory into the checkpoint");

constexpr std::size_t kNumCounters =
    9;  // valid, step, rows of six tables, whether a row has the sums of pairs
constexpr std::size_t kNumSums = 2 + kEnergyAccounts.size();  // time, next_step, the accounts of energy
constexpr std::size_t kPairColumns = 7;        // body_a, body_b, impulse, peak_normal_force, contact_time
constexpr std::size_t kPairEnergyColumns = 5;  // body_a, body_b, stored, gained, left
constexpr std::size_t kSequenceSums =
    3;  // phase, whether it is over, its beginning; then (source, value) of each actuator
constexpr std::size_t kRestColumns = 2;         // since, group
constexpr std::size_t kRestingPairColumns = 6;  // body_a, body_b, impulse, normal_force
constexpr long kPairChunkRows = 64;

struct SlotData {
  std::vector<std::int64_t> counters = std::vector<std::int64_t>(kNumCounters), history;
  std::vector<std::int64_t> broken;  // of each constraint, where any may break
  std::vector<double> sums = std::vector<double>(kNumSums), q, v;
  std::vector<double> v_before;  // row after row
  std::vector<double> pairs;     // row after row: any number of rows
  std::vector<double> tree_gain, tree_dissipated;
  std::vector<double> pair_energies;  // as pairs
  std::vector<double> sequence;
  std::vector<double> rest;           // row after row: of each tree, or none
  std::vector<double> resting_pairs;  // as pairs
  std::vector<double> resting_v;      // as rest
  std::vector<double> tree_steps;     // as rest

  /// visit(name of the dataset, numbers), for all of them.
  template <typename Data, typename Visit>
  static void for_each(Data& data, Visit&& visit) {
    visit("/counters", data.counters);
    visit("/sums", data.sums);
    visit("/history", data.history);
    visit("/broken", data.broken);
    visit("/q", data.q);
    visit("/v", data.v);
    visit("/v_before", data.v_before);
    visit("/pairs", data.pairs);
    visit("/tree_gain", data.tree_gain);
    visit("/tree_dissipated", data.tree_dissipated);
    visit("/pair_energies", data.pair_energies);
    visit("/sequence", data.sequence);
    visit("/rest", data.rest);
    visit("/resting_pairs", data.resting_pairs);
    visit("/resting_v", data.resting_v);
    visit("/tree_steps", data.tree_steps);
  }
};

std::string slot_path(int slot) {
  return "/checkpoint/slot_" + std::to_string(slot);
}

/// FNV-1a over the bytes of all numbers of a slot.
std::int64_t checksum(const SlotData& data) {
  std::uint64_t hash = 0xcbf29ce484222325;
  SlotData::for_each(data, [&](const char*, const auto& numbers) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
    for (std::size_t i = 0; i < numbers.size() * sizeof(numbers[0]); ++i)
      hash = (hash ^ bytes[i]) * 0x100000001b3;
  });
  return static_cast<std::int64_t>(hash);
}

void set_pairs(const PairSums& pairs, SlotData* data) {
  data->counters.back() = pairs.recorded ? 1 : 0;
  for (const PairSum& row : pairs.sums) {
    const auto a = static_cast<double>(row.body_a), b = static_cast<double>(row.body_b);
    data->pairs.insert(data->pairs.end(), {a, b, row.impulse.x(), row.impulse.y(), row.impulse.z(),
                                           row.peak_normal_force, row.contact_time});
  }
}

void set_accounts(const State& state, SlotData* data) {
  data->sums = {state.time, state.next_step};
  for (const auto account : kEnergyAccounts) data->sums.push_back(state.energy.*account);
  data->tree_gain.assign(state.tree_gain.begin(), state.tree_gain.end());
  data->tree_dissipated.assign(state.tree_dissipated.begin(), state.tree_dissipated.end());
  for (const PairEnergy& row : state.pair_energies) {
    const auto a = static_cast<double>(row.body_a), b = static_cast<double>(row.body_b);
    data->pair_energies.insert(data->pair_energies.end(), {a, b, row.stored, row.gained, row.left});
  }
}

void get_accounts(const SlotData& data, State* state) {
  state->time = data.sums[0];
  state->next_step = data.sums[1];
  for (std::size_t i = 0; i < kEnergyAccounts.size(); ++i)
    state->energy.*kEnergyAccounts[i] = data.sums[i + 2];
  const auto map = [](const std::vector<double>& numbers) {
    return VectorX::Map(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  };
  state->tree_gain = map(data.tree_gain);
  state->tree_dissipated = map(data.tree_dissipated);
  for (std::size_t i = 0; i + kPairEnergyColumns <= data.pair_energies.size(); i += kPairEnergyColumns) {
    const double* row = data.pair_energies.data() + i;
    state->pair_energies.push_back(
        {static_cast<int>(row[0]), static_cast<int>(row[1]), row[2], row[3], row[4]});
  }
}

void set_sequence(const SequenceState& sequence, SlotData* data) {
  data->sequence = {static_cast<double>(sequence.phase), sequence.is_over ? 1.0 : 0.0, sequence.begin};
  for (const auto& [source, from] : sequence.actuators)
    data->sequence.insert(data->sequence.end(), {static_cast<double>(source), from});
}

SequenceState get_sequence(const SlotData& data) {
  const std::vector<double>& numbers = data.sequence;
  SequenceState sequence{static_cast<int>(numbers[0]), numbers[1] == 1.0, numbers[2], {}};
  for (std::size_t i = kSequenceSums; i + 1 < numbers.size(); i += 2)
    sequence.actuators.push_back(
        {static_cast<SequenceState::Source>(static_cast<int>(numbers[i])), numbers[i + 1]});
  return sequence;
}

void set_rest(const RestState& rest, SlotData* data) {
  for (std::size_t t = 0; t < rest.group.size(); ++t)
    data->rest.insert(data->rest.end(),
                      {rest.since[static_cast<Eigen::Index>(t)], static_cast<double>(rest.group[t])});
  for (const RestingPair& row : rest.pairs) {
    const auto a = static_cast<double>(row.body_a), b = static_cast<double>(row.body_b);
    data->resting_pairs.insert(data->resting_pairs.end(),
                               {a, b, row.impulse.x(), row.impulse.y(), row.impulse.z(), row.normal_force});
  }
  data->resting_v.assign(rest.v.begin(), rest.v.end());
}

RestState get_rest(const SlotData& data) {
  RestState rest;
  const std::size_t num_trees = data.rest.size() / kRestColumns;
  rest.since.resize(static_cast<Eigen::Index>(num_trees));
  for (std::size_t t = 0; t < num_trees; ++t) {
    rest.since[static_cast<Eigen::Index>(t)] = data.rest[kRestColumns * t];
    rest.group.push_back(static_cast<int>(data.rest[kRestColumns * t + 1]));
  }
  rest.v = VectorX::Map(data.resting_v.data(), static_cast<Eigen::Index>(data.resting_v.size()));
  for (std::size_t i = 0; i + kRestingPairColumns <= data.resting_pairs.size(); i += kRestingPairColumns) {
    const double* row = data.resting_pairs.data() + i;
    rest.pairs.push_back(
        {static_cast<int>(row[0]), static_cast<int>(row[1]), {row[2], row[3], row[4]}, row[5]});
  }
  return rest;
}

PairSums get_pairs(const SlotData& data) {
  PairSums pairs;
  pairs.recorded = data.counters.back() == 1;
  for (std::size_t i = 0; i + kPairColumns <= data.pairs.size(); i += kPairColumns) {
    const double* row = data.pairs.data() + i;
    pairs.sums.push_back(
        {static_cast<int>(row[0]), static_cast<int>(row[1]), {row[2], row[3], row[4]}, row[5], row[6]});
  }
  return pairs;
}

/// Writes all rows of a dataset that grows, plain, over those that it had.
void overwrite_rows(hdf5::File* file, const std::string& path, std::vector<double> numbers,
                    std::size_t columns) {
  hdf5::GrowingDataset dataset = file->open_growing(path);
  const std::size_t chunk = static_cast<std::size_t>(dataset.chunk_rows()) * columns;
  const std::size_t rows = numbers.size() / columns;
  dataset.set_rows(static_cast<long>(rows));
  numbers.resize((numbers.size() + chunk - 1) / chunk * chunk);
  for (std::size_t i = 0; i < numbers.size(); i += chunk) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data() + i);
    dataset.write_chunk(static_cast<long>(i / columns), {bytes, chunk * sizeof(double)},
                        hdf5::GrowingDataset::kPlain);
  }
}

std::optional<SlotData> read_slot(const hdf5::File& file, int slot) {
  const std::string path = slot_path(slot);
  SlotData data;
  SlotData::for_each(data, [&](const char* name, auto& numbers) {
    const long rows = file.info(path + name).shape.at(0);
    if constexpr (std::is_same_v<decltype(numbers), std::vector<double>&>)
      numbers = file.read_real(path + name, 0, rows);
    else
      numbers = file.read_integer(path + name, 0, rows);
  });
  const bool valid =
      data.counters[0] == 1 && file.read_integer(path + "/checksum", 0, 1).at(0) == checksum(data);
  return valid ? std::optional(data) : std::nullopt;
}

}  // namespace

void create_checkpoint(hdf5::File* file, const Model& model, const std::string& identity) {
  file->create_group("/checkpoint");
  file->set_attribute("/checkpoint", "scene_sha256", identity);
  const long nq = model.nq, nv = model.nv, num_trees = static_cast<long>(model.trees.size());
  const JointUnits units = state_units(model);
  const auto zeros = [](long count) { return std::vector<double>(static_cast<std::size_t>(count)); };
  using Integers = std::vector<std::int64_t>;
  for (int slot = 0; slot < 2; ++slot) {
    const std::string path = slot_path(slot);
    file->write_array(path + "/counters", {kNumCounters}, Integers(kNumCounters), {"1"});
    std::vector<std::string> sum_units(kNumSums, "J");
    sum_units[0] = sum_units[1] = "s";
    file->write_array(path + "/sums", {kNumSums}, zeros(kNumSums), sum_units);
    file->write_array(path + "/q", {nq}, zeros(nq), units.position);
    file->write_array(path + "/v", {nv}, zeros(nv), units.velocity);
    file->write_array(path + "/v_before", {kMaxOrder, nv}, zeros(kMaxOrder * nv), units.velocity);
    file->write_array(path + "/history", {num_trees}, Integers(model.trees.size()), {"1"});
    const long num_broken = static_cast<long>(all_whole(model).size());
    file->write_array(path + "/broken", {num_broken}, Integers(static_cast<std::size_t>(num_broken)), {"1"});
    file->create_growing(path + "/pairs", hdf5::Type::kReal, {kPairColumns}, kPairChunkRows,
                         {"1", "1", "N s", "N s", "N s", "N", "s"});
    file->write_array(path + "/tree_gain", {num_trees}, zeros(num_trees), {"J"});
    file->write_array(path + "/tree_dissipated", {num_trees}, zeros(num_trees), {"J"});
    file->create_growing(path + "/pair_energies", hdf5::Type::kReal, {kPairEnergyColumns}, kPairChunkRows,
                         {"1", "1", "J", "J", "J"});
    const long in_sequence =
        kSequenceSums + (model.phases.empty() ? 0 : 2 * static_cast<long>(model.actuators.size()));
    file->write_array(path + "/sequence", {in_sequence}, zeros(in_sequence), {"mixed"});
    file->create_growing(path + "/rest", hdf5::Type::kReal, {kRestColumns}, kPairChunkRows, {"s", "1"});
    file->create_growing(path + "/resting_pairs", hdf5::Type::kReal, {kRestingPairColumns}, kPairChunkRows,
                         {"1", "1", "N s", "N s", "N s", "N"});
    file->create_growing(path + "/resting_v", hdf5::Type::kReal, {1}, kPairChunkRows, {"mixed"});
    file->create_growing(path + "/tree_steps", hdf5::Type::kReal, {1}, kPairChunkRows, {"s"});
    file->write_array(path + "/checksum", {1}, Integers(1), {"1"});
  }
}

void write_checkpoint_slot(hdf5::File* file, int slot, const State& state, const SolverMemory& memory,
                           const PairSums& pairs, const RowCounts& rows) {
  SlotData data;
  data.counters = {
      1, state.step, rows.frames, rows.steps, rows.contacts, rows.iterations, rows.patches, rows.events, 0};
  set_pairs(pairs, &data);
  set_accounts(state, &data);
  set_sequence(state.sequence, &data);
  set_rest(state.rest, &data);
  data.q.assign(state.q.begin(), state.q.end());
  data.v.assign(state.v.begin(), state.v.end());
  for (const VectorX& before : memory.v_before)
    data.v_before.insert(data.v_before.end(), before.begin(), before.end());
  data.history.assign(memory.history.begin(), memory.history.end());
  data.broken.assign(state.broken.begin(), state.broken.end());
  data.tree_steps.assign(state.tree_steps.begin(), state.tree_steps.end());
  const std::string path = slot_path(slot);
  SlotData::for_each(data, [&](const char* name, const auto& numbers) {
    const std::pair<const std::vector<double>*, std::size_t> growing[] = {
        {&data.pairs, kPairColumns}, {&data.pair_energies, kPairEnergyColumns},
        {&data.rest, kRestColumns},  {&data.resting_pairs, kRestingPairColumns},
        {&data.resting_v, 1},        {&data.tree_steps, 1}};
    for (const auto& [rows_of, columns] : growing)
      if (&numbers == static_cast<const void*>(rows_of))
        return overwrite_rows(file, path + name, *rows_of, columns);
    file->overwrite_array(path + name, numbers);
  });
  file->overwrite_array(path + "/checksum", std::vector<std::int64_t>{checksum(data)});
}

std::string other_layout(const hdf5::File& file) {
  constexpr std::pair<const char*, long> kRows[] = {{"/counters", kNumCounters},
                                                    {"/sums", kNumSums},
                                                    {"/q", 0},
                                                    {"/v", 0},  // 0: those of the model
                                                    {"/v_before", kMaxOrder},
                                                    {"/history", 0},
                                                    {"/pairs", 0},
                                                    {"/tree_gain", 0},
                                                    {"/tree_dissipated", 0},
                                                    {"/pair_energies", 0},
                                                    {"/sequence", 0},
                                                    {"/rest", 0},
                                                    {"/resting_pairs", 0},
                                                    {"/resting_v", 0},
                                                    {"/broken", 0},
                                                    {"/tree_steps", 0},
                                                    {"/checksum", 1}};
  for (int slot = 0; slot < 2; ++slot) {
    for (const auto& [name, rows] : kRows) {
      const std::string path = slot_path(slot) + name;
      if (!file.exists(path)) return path + " is missing";
      const long found = file.info(path).shape.at(0);
      if (rows != 0 && found != rows)
        return path + " has " + std::to_string(found) + " rows, expected " + std::to_string(rows);
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
    RowCounts& rows = checkpoint.rows;
    long* const counters[] = {&state.step,      &rows.frames,  &rows.steps, &rows.contacts,
                              &rows.iterations, &rows.patches, &rows.events};
    for (std::size_t i = 0; i < std::size(counters); ++i) *counters[i] = data->counters[i + 1];
    get_accounts(*data, &state);
    state.sequence = get_sequence(*data);
    state.rest = get_rest(*data);
    state.broken.assign(data->broken.begin(), data->broken.end());
    state.tree_steps =
        VectorX::Map(data->tree_steps.data(), static_cast<Eigen::Index>(data->tree_steps.size()));
    state.q = VectorX::Map(data->q.data(), static_cast<Eigen::Index>(data->q.size()));
    state.v = VectorX::Map(data->v.data(), static_cast<Eigen::Index>(data->v.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(kMaxOrder); ++i)
      checkpoint.memory.v_before[i] =
          VectorX::Map(data->v_before.data() + i * data->v.size(), state.v.size());
    checkpoint.memory.history.assign(data->history.begin(), data->history.end());
    checkpoint.pairs = get_pairs(*data);
    latest = std::move(checkpoint);
  }
  return latest;
}

std::string checkpoint_identity(const hdf5::File& file) {
  if (!file.has_attribute("/checkpoint", "scene_sha256")) return "";
  return file.text_attribute("/checkpoint", "scene_sha256").at(0);
}

}  // namespace csim
