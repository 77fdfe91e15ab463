#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/thread_pool.h"
#include "data/format.h"
#include "data/hash128.h"
#include "data/row_locator.h"
#include "io/file.h"
#include "pipeline/settings.h"
#include "plan/banding_plan.h"
#include "read/input_list.h"
#include "read/row_blocks.h"
#include "sosie/join.h"

namespace sosie {

// The opened inputs of a run.
struct Inputs {
  std::vector<InputFile> list;
  std::vector<std::string> passed_over;
  std::vector<File> files;  // as many as list
  FieldRequest fields;      // what to ask of each row
  bool ids_are_rows = false;
};

// Opens everything (standard input is spooled to scratch) and finds out what names the rows.
[[nodiscard]] Inputs open_inputs(const Options& options, const Settings& settings,
                                 const RunHooks& hooks);

enum class RowState : std::uint8_t {
  normal,
  empty,      // no token: kept, matches nothing
  skipped,    // bad, left out
  unmatched,  // bad, passed through
};

// What the ranking needs of a row, one per keep rule that asks for it.
struct RankValue {
  enum class Kind : std::uint8_t { missing, text, number } kind = Kind::missing;
  long double number = 0;
  std::string text;
};

// What one block leaves behind: about 320 bytes a document.
struct ScannedBlock {
  RowId first_row = 0;
  std::vector<RowLocator> locators;
  std::vector<RowState> states;
  std::vector<Hash128> text_hashes;
  std::vector<std::uint64_t> id_hashes;   // empty when rows are numbered
  std::vector<std::uint64_t> band_keys;   // of band g: [g * rows, (g + 1) * rows)
  std::vector<std::uint8_t> filters;      // K bytes a row
  std::vector<std::uint32_t> text_bytes;  // if a keep rule asks
  std::vector<RankValue> rank_values;     // row-major, rules with a field
  std::uint64_t lines = 0;
  std::uint64_t blank_lines = 0;
  std::uint64_t words = 0;
  std::uint64_t short_rows = 0;

  [[nodiscard]] std::size_t rows() const noexcept { return locators.size(); }
};

// Everything the run knows of the documents besides their text.
struct Corpus {
  std::vector<BlockRange> ranges;
  std::vector<ScannedBlock> blocks;  // as many as ranges
  RowId rows = 0;

  [[nodiscard]] const ScannedBlock& block_of(RowId row) const noexcept;
  [[nodiscard]] const RowLocator& locator(RowId row) const noexcept;
  [[nodiscard]] RowState state(RowId row) const noexcept;
};

// What the scan computes of each document.
struct ScanRequest {
  std::optional<BandingPlan> banding;  // none: no sketches
  std::uint64_t short_below = 0;       // rows of 1 .. short_below - 1 tokens are counted as short
};

// Reads all inputs once: rows, states, hashes, sketches. The first bad row in input order ends the
// run with its file and physical line, unless on_bad_row says otherwise. Duplicate ids too.
[[nodiscard]] Corpus scan(const Inputs& inputs, const Settings& settings,
                          const ScanRequest& request, ThreadPool& pool, const RunHooks& hooks);

// "people.jsonl:17": the place of a row for messages.
[[nodiscard]] std::string place_of_row(const Inputs& inputs, const RowLocator& locator);

}  // namespace sosie
