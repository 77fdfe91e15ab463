#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/thread_pool.h"
#include "data/buckets.h"
#include "data/format.h"
#include "data/hash128.h"
#include "data/row_locator.h"
#include "data/token_sets.h"
#include "io/encoding.h"
#include "io/file.h"
#include "io/scratch.h"
#include "pipeline/options/settings.h"
#include "pipeline/rows/item_ids.h"
#include "pipeline/rows/table_columns.h"
#include "plan/banding_plan.h"
#include "read/input_list.h"
#include "read/row_blocks.h"
#include "sosie/join.h"

namespace sosie {

// The row of a file that names its fields.
struct FileHeader {
  std::vector<std::string> names;  // empty when the file has none
  std::uint64_t offset = 0;
  std::uint32_t length = 0;      // line end included
  std::uint64_t rows_begin = 0;  // where the rows behind it begin
};

struct GroupedRows;

// A packed file that cannot be unpacked to its end, and is read as far as it goes.
struct DamagedInput {
  std::uint32_t file = 0;  // in Inputs::list; of a document, which is left out: where it stood
  bool left_out = false;
  std::string name;
  std::string reason;
};

// The opened inputs of a run. With --against these are two collections, each with its own row
// numbers and ids: the files of OTHER come first, so that its rows rank before all others.
struct Inputs {
  std::vector<InputFile> list;
  std::vector<std::string> passed_over;
  std::vector<std::string> links;        // symbolic links in folders, which were left out
  std::vector<DamagedInput> damaged;     // in input order; none unless bad rows may be left out
  std::vector<std::string> other_paths;  // read too: what --group-by made `list` of, sketches
  std::vector<File> files;               // as many as list, all of them UTF-8
  std::vector<FileEncoding> encodings;   // by file; of files of vectors none
  std::vector<FileHeader> headers;       // as many as list
  std::vector<TableColumns> tables;      // as many as list
  FieldRequest fields;                   // what to ask of each row
  RowLimit row_limit;                    // of any row
  bool ids_are_rows = false;
  std::uint32_t first_own_file = 0;  // the files before it are OTHER's
  // With --group-by: what the sets were put together of.
  std::shared_ptr<const GroupedRows> grouped;
  std::string against_id;  // field that names OTHER's rows; empty: their number
  // What numbered rows are called instead (--ids), those of the run and OTHER's; null: nothing.
  const ItemIds* own_names = nullptr;
  const ItemIds* against_names = nullptr;

  [[nodiscard]] bool has_against() const noexcept { return first_own_file > 0; }
  [[nodiscard]] bool numbers_rows_of(std::uint32_t file) const noexcept {
    return file < first_own_file ? against_id.empty() : ids_are_rows;
  }
  // null for a file.
  [[nodiscard]] const TableColumns* table_of(std::uint32_t file) const noexcept {
    return tables[file].table ? &tables[file] : nullptr;
  }
  // What a file was in before it was opened; UTF-8 for those without text.
  [[nodiscard]] const FileEncoding& encoding_of(std::uint32_t file) const noexcept;
  // A file as rows.
  [[nodiscard]] RowSource source(std::uint32_t file) const;
  // What to ask of the rows of one file, where `asked` is meant for the run's own rows.
  [[nodiscard]] FieldRequest request_for(std::uint32_t file, FieldRequest asked) const {
    if (fields.form == TextForm::elements) {  // there is no other form of a set
      asked.form = fields.form;
      asked.ratings = fields.ratings;
    }
    const bool wants_id = ids_are_rows || !asked.id.empty();
    if (file < first_own_file && wants_id) asked.id = against_id;
    return asked;
  }
};

// Opens everything (what is packed or comes from a pipe goes to scratch) and finds out what names
// the rows. `item_fields`: what the caller will read of the rows of items that are no text. Errors:
// those of list_inputs() and open_files(); malformed_input for headers that differ or lack a field
// that is asked for.
[[nodiscard]] Inputs open_inputs(const Options& options, const Settings& settings, Scratch& scratch,
                                 ThreadPool& pool, const RunHooks& hooks,
                                 std::vector<std::string> item_fields = {});

// What there is to know of a stream whose rows are read as they come: of its header or, where the
// format has none, of its first row, which `first_rows` holds. Errors: as above.
[[nodiscard]] Inputs inputs_of_stream(InputFile input, File first_rows, const Options& options,
                                      const Settings& settings);

// Throws Error{io} naming the first input that was written to since it was opened: what was read of
// it may be of two contents. To be asked when all is read, before outputs appear.
void require_unchanged(const Inputs& inputs);

enum class RowState : std::uint8_t {
  normal,
  empty,      // no shingle: kept, matches nothing
  skipped,    // bad, left out
  unmatched,  // bad, passed through
};

// What the ranking needs of a row, one per keep rule that asks for it.
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

// What one block leaves behind: about 320 bytes a document.
struct ScannedBlock {
  RowId first_row = 0;
  std::vector<RowLocator> locators;
  std::vector<RowState> states;
  std::vector<Hash128> text_hashes;
  std::vector<std::uint64_t> id_hashes;  // empty when rows are numbered
  std::vector<std::uint64_t> band_keys;  // of band g: [g * rows, (g + 1) * rows)
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

  [[nodiscard]] std::size_t rows() const noexcept { return locators.size(); }
};

// What is counted of a block, and stays in memory whatever becomes of its rows.
struct BlockFacts {
  RowId first_row = 0;
  std::uint32_t rows = 0;
  std::uint32_t empty = 0;
  std::uint32_t skipped = 0;
  std::uint32_t unmatched = 0;
  std::uint32_t ill_formed = 0;  // of the rows: their text is not in its encoding
  std::uint64_t row_bytes = 0;
  std::uint64_t blank_lines = 0;
  std::uint64_t words = 0;
  std::uint64_t short_rows = 0;
};

class Checkpoint;
class SpilledRows;
class SpilledSets;

// Of so few rows every pair is found unless hashing is asked for, and they never go to scratch.
inline constexpr RowId kFewRows = 1000;

// Everything the run knows of the documents besides their text: in memory, or what is in scratch.
struct Corpus {
  std::vector<BlockRange> ranges;
  std::vector<BlockFacts> facts;         // as many as ranges
  std::vector<ScannedBlock> blocks;      // as many as ranges; none when the rows are in scratch
  std::shared_ptr<SpilledRows> spilled;  // the rows, when they are in scratch
  std::shared_ptr<SpilledSets> spilled_sets;  // of the blocks, when those that are kept are there
  // Rows that share a bucket, when they are known before the sketches are gathered.
  std::optional<Buckets> shared;
  // By row: how many more rows have its text and are not of this corpus. Empty: none.
  std::vector<RowId> copies_outside;
  bool has_too_many_elements = false;  // more than ScanRequest::most_elements: it ends early
  RowId rows = 0;
  RowId first_own_row = 0;     // the rows before it are those of --against
  bool in_rank_order = false;  // as they are numbered, whatever --keep says

  // A row's number in its own collection, as users see it.
  [[nodiscard]] RowId number_of(RowId row) const noexcept {
    return row < first_own_row ? row : row - first_own_row;
  }
  // Of rows in memory only.
  [[nodiscard]] const ScannedBlock& block_of(RowId row) const noexcept;
  // Safe for many threads at once. Throw Error{io} when scratch cannot be read.
  [[nodiscard]] RowLocator locator(RowId row) const;
  [[nodiscard]] RowState state(RowId row) const;
  // How many rows of the run's own this row stands for besides itself.
  [[nodiscard]] RowId own_copies_outside(RowId row) const noexcept {
    return copies_outside.empty() || row < first_own_row ? 0 : copies_outside[row];
  }
  // Calls each(row, locator, state) for the rows of a block in input order.
  void for_each_row(std::size_t block,
                    const std::function<void(RowId, const RowLocator&, RowState)>& each) const;
  // Calls each(bad row) for all of them in input order.
  void for_each_bad_row(const std::function<void(const BadRow&)>& each) const;
};

// Rows as users find them in their files: counted from 0 in each.
class FileRows {
 public:
  explicit FileRows(const Corpus& corpus);
  [[nodiscard]] RowId number_of(RowId row, std::uint32_t file) const noexcept {
    return row - first_rows_[file];
  }

 private:
  std::vector<RowId> first_rows_;  // by file
};

// What the scan computes of each document.
struct ScanRequest {
  std::optional<BandingPlan> banding;  // none: no sketches
  std::uint64_t short_below = 0;       // rows of 1 .. short_below - 1 tokens are counted as short
  bool may_spill = false;              // rows that outgrow the memory go to scratch
  bool keep_sets = false;              // the sets themselves, for an exact join
  std::uint64_t most_elements = ~std::uint64_t{0};  // of these sets together
  const Sketches* sketches = nullptr;               // the run's own rows are there already
  const Sketches* against_sketches = nullptr;       // OTHER's rows are there already
  Checkpoint* checkpoint = nullptr;                 // blocks may be there, and new ones go there
  // Takes the blocks, in input order, which then leave the memory. If it is set, or a checkpoint,
  // how blocks are cut depends on the inputs only.
  std::function<void(const BlockRange&, const ScannedBlock&)> take_block = {};
};

// Reads all inputs once: rows, states, hashes, sketches. The first bad row in input order ends the
// run with its file and physical line, unless on_bad_row says otherwise. Duplicate ids too. With a
// banding and may_spill, rows that take more memory than they may are put aside in scratch; of kept
// sets that do, the elements.
[[nodiscard]] Corpus scan(const Inputs& inputs, const Settings& settings,
                          const ScanRequest& request, Scratch& scratch, ThreadPool& pool,
                          const RunHooks& hooks);

// What the scan asks of each row: no more of the text than the shingles need.
[[nodiscard]] FieldRequest fields_of_scan(const Inputs& inputs, const Settings& settings);

// Finds physical lines, counted from 1. Fast for places asked for in input order.
class LineCounter {
 public:
  explicit LineCounter(const Inputs& inputs) : inputs_(inputs) {}
  // The line that the byte at `offset` is in.
  [[nodiscard]] std::uint64_t line_of(std::uint32_t file, std::uint64_t offset);

 private:
  const Inputs& inputs_;
  std::uint32_t file_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t line_ = 1;
  std::vector<char> buffer_;
};

// "people.jsonl:17": the place of a row for messages.
[[nodiscard]] std::string place_of_row(const Inputs& inputs, const RowLocator& locator);

}  // namespace sosie
