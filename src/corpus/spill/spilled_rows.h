#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/memory_budget.h"
#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "io/external_sort.h"
#include "io/record_file.h"
#include "plan/banding_plan.h"

namespace sosie {

// Plan of rows without signatures: those with equal texts share a band.
inline constexpr BandingPlan kBandOfTextHashes{.components = 0, .bands = 1, .rows = 1};

// Rows of a corpus that outgrew the memory: columns by row, and sorts by the values that rows may
// share. About 41 + K + 5.5 x bands bytes a row in scratch, for K components of the signature;
// 4 or more bytes for each criterion of --keep but the input's order. Rows without signatures have
// none of K, and one band: a hash of their texts.
class SpilledRows {
 public:
  SpilledRows(Scratch& scratch, const Inputs& inputs, const Settings& settings,
              const BandingPlan& banding);

  // Adds blocks in input order; their rows are numbered. Throws what RecordFile::append() does.
  void add(std::span<const ScannedBlock> blocks, ThreadPool& pool);
  // To be called behind the last add().
  void finish();

  // By row; from many threads at once.
  [[nodiscard]] RowLocator locator(RowNumber row) const;
  [[nodiscard]] RowState state(RowNumber row) const;

  // Calls each(row, locator, state) for `count` rows from `first` on.
  void for_each_row(RowNumber first, std::uint64_t count,
                    const std::function<void(RowNumber, const RowLocator&, RowState)>& each) const;
  void for_each_bad_row(const std::function<void(const BadRow&)>& each) const;

  [[nodiscard]] const RecordFile& text_hashes() const noexcept { return text_hashes_; }

  // Everything but ids and band keys of `rows` as one block; quickest when they ascend.
  [[nodiscard]] ScannedBlock load(std::span<const RowNumber> rows) const;

  // Calls each(key, row) by rising key, then row; once.
  using EachKey = std::function<void(std::uint64_t key, RowNumber row)>;
  [[nodiscard]] std::size_t bands() const noexcept { return bands_.size(); }
  void drain_band(std::size_t band, const EachKey& each);
  void drain_ids(const EachKey& each);

 private:
  // A locator whose file's two highest bits are the state.
  struct StoredRow {
    std::uint64_t offset;
    std::uint32_t length;
    std::uint32_t file_and_state;
  };
  static_assert(sizeof(StoredRow) == 16);

  void add_locators(const ScannedBlock& block);
  void add_values(const ScannedBlock& block);
  void add_bad_rows(const ScannedBlock& block);
  void add_ids(const ScannedBlock& block);
  void add_keys(const ScannedBlock& block, std::size_t band);
  [[nodiscard]] RankValue read_value(std::uint64_t offset) const;
  [[nodiscard]] std::uint64_t write_value(const RankValue& value);

  std::size_t components_;
  std::size_t rank_fields_;
  RecordFile rows_;
  std::unique_ptr<RecordFile> filters_;  // if there are signatures
  RecordFile text_hashes_;
  std::unique_ptr<RecordFile> text_bytes_;    // if a keep rule asks
  std::unique_ptr<RecordFile> rank_offsets_;  // offsets of rank values, row-major, in rank_bytes_
  std::unique_ptr<RecordFile> rank_bytes_;
  std::unique_ptr<RecordFile> bad_rows_;  // bytes, if bad rows do not stop the run
  std::vector<std::unique_ptr<ExternalSort<KeyedRow>>> bands_;
  ExternalSort<KeyedRow> ids_;
};

// The sets of scanned rows in scratch: what an exact join needs of them when they outgrow the
// memory. 8 bytes an element and a row in scratch.
class SpilledSets {
 public:
  // Throws what RecordFile::append() does.
  explicit SpilledSets(Scratch& scratch);

  // Takes the sets out of the blocks, which come in input order.
  void add(std::span<ScannedBlock> blocks);
  // Behind the last add().
  void finish();

  // Calls each(row, first element, elements) for all rows in turn.
  void for_each(const std::function<void(RowNumber, std::uint64_t, std::uint32_t)>& each) const;
  // Appends `count` elements from `first` on.
  void read(std::uint64_t first, std::uint32_t count, std::vector<std::uint64_t>& out) const;

 private:
  RecordFile hashes_;
  RecordFile ends_;  // by row: where its elements end
};

}  // namespace sosie
