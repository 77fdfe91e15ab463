// Reads inputs block by block, as items for an index on disk.
#include "join/sets/row_scan.h"

#include <algorithm>
#include <optional>

#include "core/most_rows.h"
#include "corpus/first_ids.h"
#include "corpus/identical.h"
#include "data/index_layout.h"
#include "join/sets/set_run.h"

namespace sosie {
namespace {

constexpr std::size_t kInputRowsATask = 64;
constexpr std::uint64_t kMostBytesAtOnce = std::uint64_t{4} << 20;
constexpr std::uint64_t kShareOfIds = 16;  // a sixteenth of the memory

}  // namespace

RowScan::RowScan(const Options& options, const Settings& settings, Scratch& scratch,
                 ThreadPool& pool, const RunHooks& hooks)
    : settings_(settings),
      scratch_(scratch),
      pool_(pool),
      hooks_(hooks),
      inputs_(open_inputs(options, settings, scratch, pool, hooks)),
      id_hashes_(scratch,
                 std::min(IndexLayout::kMostIdBytes, settings.memory_bytes / kShareOfIds)) {
  if (inputs_.rows_by_file) refuse_id_by_file(options);
  if (settings.bad_rows == BadRows::stop) check_first_ids(inputs_, pool);
  const FieldRequest fields{inputs_.fields.column, inputs_.fields.id, settings.show};
  for (unsigned i = 0; i < pool.size(); ++i) {
    workers_.push_back(std::make_unique<Worker>(inputs_, fields));
  }
}

void RowScan::read(const BandingPlan& plan, const InputRowSteps& steps) {
  ScanRequest request;
  request.banding = plan;
  request.keep_sets = true;
  request.short_below = short_text_limit(settings_);
  if (steps.turns == BlockTurns::at_once) {
    request.steps = steps_at_once(steps);
  } else {
    request.take_block = [&](const ScannedBlock& block) { take_one_by_one(block, steps); };
  }
  corpus_ = scan(inputs_, settings_, request, scratch_, pool_, hooks_);
  if (steps.keeps_places) corpus_.blocks = std::move(places_);
  expect_unique_ids();
}

void RowScan::take_one_by_one(const ScannedBlock& block, const InputRowSteps& steps) {
  if (steps.keeps_places) keep_places(block);
  if (block.rows() == 0) return;
  note_ids(block);
  std::string_view bytes;
  if (steps.reads_names) bytes = read_bytes(block, workers_.front()->bytes);
  for (const auto& worker : workers_) worker->look_in(block, bytes);
  steps.begin(0, block.rows());
  pool_.for_each((block.rows() + kInputRowsATask - 1) / kInputRowsATask,
                 [&](unsigned worker, std::size_t task) {
                   const std::size_t end = std::min(block.rows(), (task + 1) * kInputRowsATask);
                   for (std::size_t i = task * kInputRowsATask; i < end; ++i) {
                     take_row(worker, block, i, steps);
                   }
                 });
  steps.end(0);
}

// A block is processed while others are read or finished.
BlockSteps RowScan::steps_at_once(const InputRowSteps& steps) {
  const auto take = [this, &steps](unsigned worker, std::size_t /*number*/,
                                   const BlockRange& /*range*/, ScannedBlock& block) {
    if (block.rows() == 0) return;
    Worker& own = *workers_[worker];
    own.look_in(block, steps.reads_names ? read_bytes(block, own.bytes) : std::string_view());
    steps.begin(worker, block.rows());
    for (std::size_t i = 0; i < block.rows(); ++i) take_row(worker, block, i, steps);
  };
  const auto end = [this, &steps](unsigned worker, std::size_t /*number*/,
                                  const BlockRange& /*range*/, const ScannedBlock& block) {
    if (steps.keeps_places) keep_places(block);
    if (block.rows() == 0) return;
    note_ids(block);
    steps.end(worker);
  };
  return {take, end};
}

// Reads rows of the block next, from bytes already in memory or, if there are none, individually.
void RowScan::Worker::look_in(const ScannedBlock& block, std::string_view read) {
  ScannedBlock& rows = places.blocks.front();
  rows.first_row = block.first_row;
  rows.locators = block.locators;
  rows.states = block.states;
  const RowLocator first = block.locator(0);
  reader.look_in(first.file, first.offset, read);
}

void RowScan::keep_places(const ScannedBlock& block) {
  ScannedBlock& rows = places_.emplace_back();
  rows.first_row = block.first_row;
  rows.locators = block.locators;
  rows.states = block.states;
  rows.bad_rows = block.bad_rows;
}

// Rows of a block are adjacent, so one read serves all of them unless they are extremely large.
std::string_view RowScan::read_bytes(const ScannedBlock& block, PaddedBytes& bytes) const {
  if (inputs_.ids_are_rows && settings_.show.empty()) return {};
  const RowLocator first = block.locator(0);
  const RowLocator last = block.locator(block.rows() - 1);
  const std::uint64_t size = last.offset + last.length - first.offset;
  if (first.offset > last.offset || size > kMostBytesAtOnce) return {};
  bytes.set_size(0);
  bytes.reserve(size);
  inputs_.files[first.file].read_at(first.offset, bytes.data(), size);
  bytes.set_size(size);
  return bytes.view();
}

void RowScan::take_row(unsigned worker, const ScannedBlock& block, std::size_t i,
                       const InputRowSteps& steps) {
  Worker& own = *workers_[worker];
  InputRow row;
  row.row = row_id(block.first_row + i);
  row.state = block.state(i);
  row.locator = block.locator(i);
  row.hash = block.text_hashes[i];
  row.set = sketched_set(block, i, own.keys);
  const bool bad = row.state == RowState::skipped || row.state == RowState::unmatched;
  if (!bad && steps.reads_names) row.name = own.reader.name_of(row.row);
  if (!bad && !settings_.show.empty()) {
    for (const FieldValue& value : own.reader.read(row.row).others) {
      row.fields.emplace_back(value.text);
    }
  }
  steps.take(worker, i, row);
}

void RowScan::add_items(std::shared_ptr<const ItemsAsFile> items) {
  const auto count = static_cast<RowId>(items->numbers().size());
  inputs_.files.front() = File::in_memory(items->name(), items);
  ScannedBlock block;
  block.states.assign(count, RowState::normal);
  for (RowId row = 0; row < count; ++row) {
    const auto [begin, end] = items->range_of(row);
    block.locators.push_back({begin, static_cast<std::uint32_t>(end - begin), 0});
  }
  for (ScannedBlock& each : corpus_.blocks) each.first_row += count;
  for (BlockFacts& each : corpus_.facts) each.first_row += count;
  corpus_.ranges.insert(corpus_.ranges.begin(), BlockRange{0, 0, items->size()});
  corpus_.facts.insert(corpus_.facts.begin(), BlockFacts{.rows = count});
  corpus_.blocks.insert(corpus_.blocks.begin(), std::move(block));
  check_rows_of_run(std::uint64_t{corpus_.rows} + count);
  corpus_.rows += count;
  corpus_.first_own_row = count;
  inputs_.list.front().memory = std::move(items);
}

void RowScan::note_ids(const ScannedBlock& block) {
  for (std::size_t i = 0; i < block.id_hashes.size(); ++i) {
    const RowState state = block.state(i);
    if (state == RowState::normal || state == RowState::empty) {
      id_hashes_.add({block.id_hashes[i]});
    }
  }
}

// Equal id hashes are resolved by rereading, which also gives the places of the ids.
void RowScan::expect_unique_ids() {
  bool differ = true;
  std::optional<std::uint64_t> before;
  id_hashes_.drain([&](const IdHash& id) {
    differ = differ && before != id.key;
    before = id.key;
  });
  if (differ) return;
  const Corpus all = scan(inputs_, settings_, ScanRequest{}, scratch_, pool_, hooks_);
  check_unique_ids(inputs_, all, pool_);
}

}  // namespace sosie
