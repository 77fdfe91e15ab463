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

// Value of a row for one keep rule that needs it.
struct RankValue {
  enum class Kind : std::uint8_t { missing, text, number } kind = Kind::missing;
  long double number = 0;
  std::string text;
};

// A row that could not be read, or whose text is not in its encoding, and why.
struct BadRow {
  RowLocator row;
  std::uint64_t trouble = 0;  // offset in the file where it lies, in the row
  std::string reason;
};

// Rows of one length that lie behind each other, as most vectors and codes do: no locator is kept
// for each.
struct EvenRows {
  RowLocator first;
  std::uint32_t rows = 0;

  [[nodiscard]] RowLocator at(std::size_t i) const noexcept {
    return {first.offset + i * first.length, first.length, first.file};
  }
};

// Result of scanning one block: about 320 bytes a document, up to 17 and an id's hash an item.
struct ScannedBlock {
  RowNumber first_row = 0;
  std::vector<RowLocator> locators;  // locators of all rows, unless they are even
  EvenRows even;                     // rows of equal bytes (items only); then there are no locators
  std::vector<RowState> states;      // one for each row; none for items while all are normal
  std::vector<Hash128> text_hashes;
  std::vector<std::uint64_t> id_hashes;  // empty when rows are numbered
  std::vector<std::uint64_t> band_keys;  // band g: [g * rows, (g + 1) * rows)
  std::vector<std::uint8_t> filters;     // K bytes a row
  HashedSets
      sets;  // if the request asks, in place of signatures; empty ones of rows that match nothing
  std::vector<std::uint32_t> text_bytes;  // if a keep rule asks
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

// Counts of a block, which stay in memory whatever becomes of its rows.
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

// Greatest number of rows for which every pair is found unless hashing is asked for, and which
// never go to scratch.
inline constexpr RowId kFewRows = 1000;

// Everything the run knows of the documents besides their text: in memory, or what is in scratch.
struct Corpus {
  std::vector<BlockRange> ranges;
  std::vector<BlockFacts> facts;         // one for each range
  std::vector<ScannedBlock> blocks;      // one for each range; none when the rows are in scratch
  std::shared_ptr<SpilledRows> spilled;  // the rows, when they are in scratch
  std::shared_ptr<SpilledSets> spilled_sets;  // sets of the blocks, when kept sets were spilled
  // Rows that share a bucket, when they are known before the sketches are gathered.
  std::optional<Buckets> shared;
  // By row: how many more rows have its text and are not of this corpus. Empty: none.
  std::vector<RowId> copies_outside;
  // Rows of kept sets alone take part: the others have no partner.
  bool keeps_partners_only = false;
  bool has_too_many_elements = false;  // more than ScanRequest::most_elements: it ends early
  bool lacks_keys = false;  // rows that were read without keys outgrow the memory: it ends early
  RowNumber rows = 0;
  RowNumber first_own_row = 0;  // rows before it belong to --against
  bool in_rank_order = false;   // ranks are row numbers, whatever --keep says

  // A row's number in its own collection, as users see it.
  [[nodiscard]] RowNumber number_of(RowNumber row) const noexcept {
    return row < first_own_row ? row : row - first_own_row;
  }
  // Block of a row, for rows in memory only.
  [[nodiscard]] const ScannedBlock& block_of(RowNumber row) const noexcept;
  // Safe for many threads at once. Throw Error{io} when scratch cannot be read.
  [[nodiscard]] RowLocator locator(RowNumber row) const;
  [[nodiscard]] RowState state(RowNumber row) const;
  // Number of the run's own rows that this row stands for, besides itself.
  [[nodiscard]] RowId own_copies_outside(RowNumber row) const noexcept {
    return copies_outside.empty() || row < first_own_row ? 0 : copies_outside[row];
  }
  // Calls each(row, locator, state) for the rows of a block in input order.
  void for_each_row(std::size_t block,
                    const std::function<void(RowNumber, const RowLocator&, RowState)>& each) const;
  // Calls each(bad row) for all of them in input order.
  void for_each_bad_row(const std::function<void(const BadRow&)>& each) const;
};

// Rows as users find them in their files: counted from 0 in each.
class FileRows {
 public:
  explicit FileRows(const Corpus& corpus);
  [[nodiscard]] RowNumber number_of(RowNumber row, std::uint32_t file) const noexcept {
    return row - first_rows_[file];
  }
  // Nothing when the file has fewer rows.
  [[nodiscard]] std::optional<RowNumber> row_of(std::uint32_t file,
                                                std::uint64_t number) const noexcept;

 private:
  RowNumber rows_ = 0;
  std::vector<RowNumber> first_rows_;  // by file
};

}  // namespace sosie
