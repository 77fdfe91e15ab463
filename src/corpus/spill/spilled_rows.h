#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/memory_budget.h"
#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "io/external_sort.h"
#include "io/record_file.h"
#include "plan/banding_plan.h"

namespace sosie {

// The plan for rows without signatures: rows with equal texts share a band.
inline constexpr BandingPlan kBandOfTextHashes{.components = 0, .bands = 1, .rows = 1};

// Rows of a corpus that does not fit in the memory: columns by row, and sorted lists of the values
// that rows may share. Takes about 41 + K + 5.5 x bands bytes per row in scratch, for K signature
// components, and at least 4 bytes for each criterion of --keep other than input order. For rows
// without signatures, K is 0, and there is one band: a hash of their texts.
class SpilledRows {
 public:
  SpilledRows(Scratch& scratch, const Inputs& inputs, const Settings& settings,
              const BandingPlan& banding);

  // Adds blocks in input order and numbers their rows. Throws as RecordFile::append() does.
  void add(std::span<const ScannedBlock> blocks, ThreadPool& pool);
  // Must be called after the last add().
  void finish();

  // The place of a row. Thread-safe.
  [[nodiscard]] RowLocator locator(RowNumber row) const;
  [[nodiscard]] RowState state(RowNumber row) const;

  // Calls each(row, locator, state) for `count` rows, starting with row `first`.
  void for_each_row(RowNumber first, std::uint64_t count,
                    const std::function<void(RowNumber, const RowLocator&, RowState)>& each) const;
  void for_each_bad_row(const std::function<void(const BadRow&)>& each) const;

  [[nodiscard]] const RecordFile& text_hashes() const noexcept { return text_hashes_; }

  // Loads `rows` as a single block, with everything except ids and band keys. Fastest if the rows
  // ascend.
  [[nodiscard]] ScannedBlock load(std::span<const RowNumber> rows) const;

  // Size of a record with the data that load() returns for a row; records can be in any order.
  [[nodiscard]] std::size_t record_bytes() const noexcept;
  class RecordReader;
  // Appends the row of a record to a block.
  void append(const char* record, ScannedBlock& block) const;

  // Calls each(key, row), sorted by key, then by row. Can be called only once.
  using EachKey = std::function<void(std::uint64_t key, RowNumber row)>;
  [[nodiscard]] std::size_t bands() const noexcept { return bands_.size(); }
  void drain_band(std::size_t band, const EachKey& each);
  void drain_ids(const EachKey& each);

 private:
  // A locator that stores the row's state in the two highest bits of the file.
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

// Reads records of rows. Fastest if the rows ascend. Not thread-safe.
class SpilledRows::RecordReader {
 public:
  explicit RecordReader(const SpilledRows& rows);

  // Writes record_bytes() bytes.
  void read(RowNumber row, char* record);

 private:
  const SpilledRows& rows_;
  ColumnReader<StoredRow> stored_rows_;
  ColumnReader<Hash128> text_hashes_;
  std::optional<ColumnReader<std::uint32_t>> text_bytes_;
  std::optional<ColumnReader<std::uint64_t>> rank_offsets_;
  std::vector<char> filters_;  // the page with the number below
  std::uint64_t page_of_filters_ = ~std::uint64_t{0};
};

// The sets of scanned rows, in scratch: the data that an exact join needs if the sets do not fit in
// the memory. Takes 8 bytes per element and per row in scratch.
class SpilledSets {
 public:
  // Throws as RecordFile::append() does.
  explicit SpilledSets(Scratch& scratch);

  // Moves the sets out of the blocks. Blocks must be passed in input order.
  void add(std::span<ScannedBlock> blocks);
  // Must be called after the last add().
  void finish();

  // Calls each(row, first element, number of elements) for all rows, in order.
  void for_each(const std::function<void(RowNumber, std::uint64_t, std::uint32_t)>& each) const;
  // Appends `count` elements, starting with element `first`.
  void read(std::uint64_t first, std::uint32_t count, std::vector<std::uint64_t>& out) const;

 private:
  RecordFile hashes_;
  RecordFile ends_;  // by row: where its elements end
};

}  // namespace sosie
