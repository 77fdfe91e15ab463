#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/mix64.h"
#include "corpus/inputs.h"
#include "data/buckets.h"
#include "data/token_sets.h"
#include "read/block_reader.h"

namespace sosie {

enum class RowState : std::uint8_t {
  normal,
  empty,      // no shingle: kept, matches nothing
  skipped,    // bad, left out
  unmatched,  // bad, passed through
};

// A row's value for a keep rule that compares values.
struct RankValue {
  enum class Kind : std::uint8_t { missing, text, number } kind = Kind::missing;
  long double number = 0;
  std::string text;
};

// A row that could not be read, or whose text is invalid in its encoding, and the reason.
struct BadRow {
  RowLocator row;
  std::uint64_t trouble = 0;  // offset in the file where it lies, in the row
  std::string reason;
};

// Consecutive rows of equal length, as most vectors and bit strings are; no locator is stored for
// each of them.
struct EvenRows {
  RowLocator first;
  std::uint32_t rows = 0;

  [[nodiscard]] RowLocator at(std::size_t i) const noexcept {
    return {first.offset + i * first.length, first.length, first.file};
  }
};

// Result of scanning one block: about 320 bytes per document; up to 17 bytes per item, plus the
// hash of its id.
struct ScannedBlock {
  RowNumber first_row = 0;
  std::vector<RowLocator> locators;  // locators of all rows, unless they are in `even`
  EvenRows even;                     // rows of equal bytes (items only); then there are no locators
  std::vector<RowState> states;      // one per row; none for items while all are normal
  std::vector<Hash128> text_hashes;
  std::vector<std::uint64_t> id_hashes;  // empty if rows are numbered
  std::vector<std::uint64_t> band_keys;  // band g: [g * rows, (g + 1) * rows)
  std::vector<std::uint8_t> filters;     // K bytes per row
  HashedSets
      sets;  // if the request asks, in place of signatures; empty ones of rows that match nothing
  std::vector<std::uint32_t> text_bytes;  // if a keep rule needs them
  std::vector<RankValue> rank_values;     // row-major, rules with a field
  std::vector<BadRow> bad_rows;           // skipped or unmatched, or not in their encoding
  std::uint64_t lines = 0;
  std::uint64_t blank_lines = 0;
  std::uint64_t words = 0;
  std::uint64_t short_rows = 0;

  [[nodiscard]] std::size_t rows() const noexcept { return locators.size() + even.rows; }
  [[nodiscard]] RowLocator locator(std::size_t i) const noexcept {
    return even.rows > 0 ? even.at(i) : locators[i];
  }
  [[nodiscard]] RowState state(std::size_t i) const noexcept {
    return states.empty() ? RowState::normal : states[i];
  }
};

// Counts for a block; they stay in memory whatever happens to its rows.
struct BlockFacts {
  RowNumber first_row = 0;
  std::uint32_t rows = 0;
  std::uint32_t empty = 0;
  std::uint32_t skipped = 0;
  std::uint32_t unmatched = 0;
  std::uint32_t ill_formed = 0;  // rows whose text is not in its encoding
  std::uint64_t bad_lines = 0;   // lines of the rows that were left out or passed through
  std::uint64_t row_bytes = 0;
  std::uint64_t blank_lines = 0;
  std::uint64_t words = 0;
  std::uint64_t short_rows = 0;
  std::string number_like = {};  // see number_like_text()
};

class SpilledRows;
class SpilledSets;

// Up to this number of rows, every pair is found (unless hashing is requested) and rows never go to
// scratch.
inline constexpr RowId kFewRows = 1000;

// All that the run knows about the documents apart from their text, in memory or in scratch.
struct Corpus {
  std::vector<BlockRange> ranges;
  std::vector<BlockFacts> facts;              // one per range
  std::vector<ScannedBlock> blocks;           // one per range; none if the rows are in scratch
  std::shared_ptr<SpilledRows> spilled;       // the rows, if they are in scratch
  std::shared_ptr<SpilledSets> spilled_sets;  // sets of the blocks, if kept sets were spilled
  // Rows that share a bucket, when they are known before the sketches are gathered.
  std::optional<Buckets> shared;
  // For each row, how many rows outside this corpus have its text. Empty if there are none.
  std::vector<RowId> copies_outside;
  // True if only rows whose sets are kept take part, because the other rows have no partner.
  bool keeps_partners_only = false;
  bool has_too_many_elements = false;  // more than ScanRequest::most_elements: the scan ends early
  bool lacks_keys = false;  // rows that were read without keys outgrow the memory: it ends early
  RowNumber rows = 0;
  RowNumber first_own_row = 0;  // earlier rows belong to --against
  bool in_rank_order = false;   // ranks are row numbers, whatever --keep requests

  // The number of a row in its own collection, as users see it.
  [[nodiscard]] RowNumber number_of(RowNumber row) const noexcept {
    return row < first_own_row ? row : row - first_own_row;
  }
  // The block that contains a row; only for rows in memory.
  [[nodiscard]] const ScannedBlock& block_of(RowNumber row) const noexcept;
  // Thread-safe. The functions throw Error{io} if scratch cannot be read.
  [[nodiscard]] RowLocator locator(RowNumber row) const;
  [[nodiscard]] RowState state(RowNumber row) const;
  // Number of the run's own rows for which this row stands, in addition to itself.
  [[nodiscard]] RowId own_copies_outside(RowNumber row) const noexcept {
    return copies_outside.empty() || row < first_own_row ? 0 : copies_outside[row];
  }
  // Calls each(row, locator, state) for the rows of a block in input order.
  void for_each_row(std::size_t block,
                    const std::function<void(RowNumber, const RowLocator&, RowState)>& each) const;
  // Calls each(bad row) for every bad row, in input order.
  void for_each_bad_row(const std::function<void(const BadRow&)>& each) const;
};

// Rows by their place in their files, as users find them: counted from 0 in each file.
class FileRows {
 public:
  explicit FileRows(const Corpus& corpus);
  // The file of a row, as its locator says; rows in scratch are not read for it.
  [[nodiscard]] std::uint32_t file_of(RowNumber row) const noexcept;
  [[nodiscard]] RowNumber number_of(RowNumber row, std::uint32_t file) const noexcept {
    return row - first_rows_[file];
  }
  // Empty if the file has fewer rows.
  [[nodiscard]] std::optional<RowNumber> row_of(std::uint32_t file,
                                                std::uint64_t number) const noexcept;

 private:
  RowNumber rows_ = 0;
  std::vector<RowNumber> first_rows_;  // by file
};

}  // namespace sosie
